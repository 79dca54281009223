/* The class McPatterns\Lock: its constructors and its methods. They read the arguments, ask, and return; what
 * becomes of the hold is in lock_object.c, work under it in lock_run.c. */
/* SPDX-License-Identifier: MIT */
#include "../objects/classes.h"
#include "../objects/duration.h"
#include "../objects/object.h"
#include "../pool/class_pool.h"
#include "../objects/strict_argument.h"
#include "lock_arguments.h"
#include "lock_handlers.h"
#include "lock_run.h"
#include "lock_token.h"

#include "class_lock_arginfo.h"

static zend_class_entry *class_entry;
ZEND_METHOD(McPatterns_Lock, __construct) {
	mcp_lock_arguments arguments = {.ttl_number = 3, .owner_number = 4, .skew_number = 6};
	bool releases_itself = true;
	ZEND_PARSE_PARAMETERS_START(2, 6)
		Z_PARAM_OBJ_OF_CLASS(arguments.pool, php_mcp_pool_class_entry)
		Z_PARAM_STR(arguments.name)
		Z_PARAM_OPTIONAL
		Z_PARAM_ZVAL(arguments.ttl)
		Z_PARAM_STR_OR_NULL(arguments.owner)
		Z_PARAM_BOOL(releases_itself)
		Z_PARAM_NUMBER(arguments.skew)
	ZEND_PARSE_PARAMETERS_END();

	mcp_lock_object *object = php_mcp_lock_object_from(Z_OBJ_P(ZEND_THIS));
	if (!php_mcp_object_require_new(&object->std, object->pool)) {
		RETURN_THROWS();
	}
	object->releases_itself = releases_itself;
	php_mcp_lock_arguments_construct(object, &arguments);
}

/* Returns the answer unless there is an exception, which goes before it. */
static void answer(bool is_so, zval *return_value) {
	if (EG(exception) != NULL) {
		RETURN_THROWS();
	}
	RETURN_BOOL(is_so);
}

/* Other libraries' acquire(true) waits until the lock is free. */
#define WAIT_ADVICE "it is how many seconds to wait, INF without end"

ZEND_METHOD(McPatterns_Lock, acquire) {
	zval *wait = NULL;
	if (!php_mcp_strict_argument_judge_number(execute_data, 1, WAIT_ADVICE)) {
		RETURN_THROWS();
	}
	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_NUMBER(wait)
	ZEND_PARSE_PARAMETERS_END();

	mcp_lock_call call;
	uint64_t wait_ms;
	if (!php_mcp_lock_call_begin(&call, Z_OBJ_P(ZEND_THIS)) ||
		!php_mcp_lock_arguments_parse_wait(wait, 1, &wait_ms)) {
		RETURN_THROWS();
	}
	answer(php_mcp_lock_call_acquire_to_keep(&call, wait_ms), return_value);
}

ZEND_METHOD(McPatterns_Lock, run) {
	mcp_user_call work;
	zval *wait = NULL;
	if (!php_mcp_strict_argument_judge_number(execute_data, 2, WAIT_ADVICE)) {
		RETURN_THROWS();
	}
	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_FUNC(work.info, work.cache)
		Z_PARAM_OPTIONAL
		Z_PARAM_NUMBER(wait)
	ZEND_PARSE_PARAMETERS_END();

	mcp_lock_call call;
	uint64_t wait_ms;
	if (!php_mcp_lock_call_begin(&call, Z_OBJ_P(ZEND_THIS)) ||
		!php_mcp_lock_arguments_parse_wait(wait, 2, &wait_ms)) {
		RETURN_THROWS();
	}
	php_mcp_lock_run_work(&call, &work, wait_ms, return_value);
}

ZEND_METHOD(McPatterns_Lock, refresh) {
	zval *ttl = NULL;
	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_ZVAL(ttl)
	ZEND_PARSE_PARAMETERS_END();

	/* Before the call begins: reading it may run the handler of a warning. */
	uint64_t ttl_ms = 0;
	if (php_mcp_duration_is_given(ttl) && !php_mcp_lock_arguments_parse_ttl(ttl, 1, &ttl_ms)) {
		RETURN_THROWS();
	}
	mcp_lock_call call;
	if (!php_mcp_lock_call_begin(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	if (ttl_ms > 0) {
		call.lock.ttl_ms = ttl_ms;
	}
	answer(php_mcp_lock_call_refresh(&call), return_value);
}

ZEND_METHOD(McPatterns_Lock, release) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_lock_call call;
	if (!php_mcp_lock_call_begin(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	answer(php_mcp_lock_call_release(&call), return_value);
}

ZEND_METHOD(McPatterns_Lock, forceRelease) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_lock_call call;
	if (!php_mcp_lock_call_begin(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	answer(php_mcp_lock_call_force_release(&call), return_value);
}

ZEND_METHOD(McPatterns_Lock, detach) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_lock_call call;
	if (!php_mcp_lock_call_begin(&call, Z_OBJ_P(ZEND_THIS)) ||
		!php_mcp_lock_call_hand_over(&call)) {
		RETURN_THROWS();
	}
	RETURN_STR_COPY(call.object->owner);
}

ZEND_METHOD(McPatterns_Lock, isHeld) {
	zval *verify = NULL;
	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_ZVAL(verify)
	ZEND_PARSE_PARAMETERS_END();
	bool verifies = false;
	if (!php_mcp_strict_argument_read_switch(1, verify, "an object has one hold, its own",
			&verifies)) {
		RETURN_THROWS();
	}

	mcp_lock_call call;
	if (!php_mcp_lock_call_begin(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	bool is_held = mcp_lock_is_held(&call.lock, &call.object->hold);
	answer(is_held && (!verifies || php_mcp_lock_call_verify(&call)), return_value);
}

ZEND_METHOD(McPatterns_Lock, isLocked) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_lock_call call;
	if (!php_mcp_lock_call_begin(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	mcp_status status = mcp_lock_find(&call.lock);
	if (status != MCP_OK && status != MCP_NOT_FOUND) {
		php_mcp_lock_call_throw(&call, status, "look at");
		RETURN_THROWS();
	}
	RETURN_BOOL(status == MCP_OK);
}

ZEND_METHOD(McPatterns_Lock, remaining) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_lock_call call;
	if (!php_mcp_lock_call_begin(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	uint64_t left_ms = mcp_lock_remaining_ms(&call.lock, &call.object->hold);
	RETURN_DOUBLE(left_ms == MCP_LOCK_FOREVER ? ZEND_INFINITY : (double)left_ms / 1000);
}

ZEND_METHOD(McPatterns_Lock, token) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_lock_call call;
	uint64_t token = 0;
	if (!php_mcp_lock_call_begin(&call, Z_OBJ_P(ZEND_THIS)) ||
		!php_mcp_lock_token_make(&call, &token)) {
		RETURN_THROWS();
	}
	RETURN_LONG((zend_long)token);
}

ZEND_METHOD(McPatterns_Lock, owner) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_lock_call call;
	if (!php_mcp_lock_call_begin(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	RETURN_STR_COPY(call.object->owner);
}

ZEND_METHOD(McPatterns_Lock, currentOwner) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_lock_call call;
	if (!php_mcp_lock_call_begin(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	mcp_bytes owner;
	mcp_status status = mcp_lock_find_owner(&call.lock, &owner);
	if (status != MCP_OK && status != MCP_NOT_FOUND) {
		php_mcp_lock_call_throw(&call, status, "look at");
		RETURN_THROWS();
	}
	if (status == MCP_NOT_FOUND) {
		RETURN_NULL();
	}
	RETURN_STRINGL(owner.data, owner.length);
}

ZEND_METHOD(McPatterns_Lock, restore) {
	mcp_lock_arguments arguments = {.ttl_number = 4, .owner_number = 3, .skew_number = 5};
	ZEND_PARSE_PARAMETERS_START(3, 5)
		Z_PARAM_OBJ_OF_CLASS(arguments.pool, php_mcp_pool_class_entry)
		Z_PARAM_STR(arguments.name)
		Z_PARAM_STR(arguments.owner)
		Z_PARAM_OPTIONAL
		Z_PARAM_ZVAL(arguments.ttl)
		Z_PARAM_NUMBER(arguments.skew)
	ZEND_PARSE_PARAMETERS_END();

	zend_object *std = class_entry->create_object(class_entry);
	mcp_lock_object *object = php_mcp_lock_object_from(std);
	object->releases_itself = true;
	if (!php_mcp_lock_arguments_construct(object, &arguments) ||
		!php_mcp_lock_object_adopt(object)) {
		OBJ_RELEASE(std);
		RETURN_THROWS();
	}
	RETURN_OBJ(std);
}

void php_mcp_class_lock_register(void) {
	class_entry = register_class_McPatterns_Lock();
	php_mcp_lock_handlers_register(class_entry);
}
