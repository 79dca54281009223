/* The class McPatterns\Lock: its constructors and its methods. They read the arguments, ask, and return; what
 * becomes of the hold is in lock_object.c, work under it in lock_run.c. */
/* SPDX-License-Identifier: MIT */
#include "../../core/hex.h"
#include "../classes.h"
#include "../duration.h"
#include "../environment.h"
#include "../object.h"
#include "../pool/class_pool.h"
#include "../process.h"
#include "lock_run.h"

#include "class_lock_arginfo.h"

#define OWNER_LENGTH_MAX 255
#define OWNER_RANDOM_WORDS 2
#define DEFAULT_TTL_MS 10000

static zend_class_entry *class_entry;
static zend_object_handlers handlers;

static zend_object *create(zend_class_entry *type) {
	return mcp_object_create(type, &handlers);
}

static void free_object(zend_object *std) {
	mcp_lock_object_free(mcp_lock_object_from(std));
	zend_object_std_dtor(std);
}

static HashTable *get_debug_info(zend_object *std, int *is_temporary) {
	const mcp_lock_object *object = mcp_lock_object_from(std);
	zval info;
	ZVAL_ARR(&info, mcp_object_begin_debug_info(object->pool, is_temporary));
	if (object->pool != NULL) {
		mcp_lock_object_add_state(object, &info);
	}
	return Z_ARRVAL(info);
}

static HashTable *get_gc(zend_object *std, zval **table, int *count) {
	return mcp_object_show_held(mcp_lock_object_from(std)->pool, NULL, table, count);
}

static zend_string *random_owner(void) {
	const mcp_environment *environment = mcp_environment_get();
	zend_string *owner = zend_string_alloc(OWNER_RANDOM_WORDS * MCP_HEX_U64_LENGTH, false);
	char *end = ZSTR_VAL(owner);
	for (int i = 0; i < OWNER_RANDOM_WORDS; i++) {
		end += mcp_hex_write_u64(mcp_random_u64(environment), end);
	}
	*end = '\0';
	return owner;
}

/* The arguments that the constructor and restore() share, by their numbers. */
typedef struct lock_arguments {
	zend_object *pool;
	zend_string *name;
	zval *ttl;
	uint32_t ttl_number;
	zval *skew;
	uint32_t skew_number;
	zend_string *owner; /* NULL: a random one */
	uint32_t owner_number;
} lock_arguments;

/* INF and what the patterns call so are one number. */
static_assert(MCP_LOCK_FOREVER == UINT64_MAX, "durations of INF are UINT64_MAX");

static bool parse_ttl(zval *ttl, uint32_t arg_num, uint64_t *ttl_ms) {
	if (!mcp_duration_parse(ttl, arg_num, MCP_DURATION_OR_INFINITE, ttl_ms)) {
		return false;
	}
	if (*ttl_ms == 0) {
		zend_argument_value_error(arg_num, "must be greater than 0");
		return false;
	}
	return true;
}

/* False with an exception; then the object stays unconstructed. */
static bool construct(mcp_lock_object *object, const lock_arguments *arguments) {
	mcp_pool *pool = mcp_class_pool_get(arguments->pool);
	uint64_t ttl_ms = DEFAULT_TTL_MS;
	uint64_t skew_ms = MCP_LOCK_SKEW_MS;
	if (pool == NULL) {
		return false;
	}
	if (ZSTR_LEN(arguments->name) == 0) {
		zend_argument_value_error(2, "cannot be empty");
		return false;
	}
	if (arguments->ttl != NULL && !parse_ttl(arguments->ttl, arguments->ttl_number, &ttl_ms)) {
		return false;
	}
	if (arguments->skew != NULL &&
		!mcp_duration_parse(arguments->skew, arguments->skew_number, MCP_DURATION_OR_INFINITE,
			&skew_ms)) {
		return false;
	}
	zend_string *owner = arguments->owner;
	if (owner != NULL && (ZSTR_LEN(owner) == 0 || ZSTR_LEN(owner) > OWNER_LENGTH_MAX)) {
		zend_argument_value_error(arguments->owner_number, "must have 1 to 255 bytes");
		return false;
	}
	/* A handler of a deprecation may have constructed it meanwhile. */
	if (!mcp_object_require_new(&object->std, object->pool)) {
		return false;
	}
	object->ttl_ms = ttl_ms;
	object->skew_ms = skew_ms;
	object->name = zend_string_copy(arguments->name);
	object->owner = owner != NULL ? zend_string_copy(owner) : random_owner();
	object->pool = mcp_pool_hold(pool);
	object->process = mcp_process_id();
	return true;
}

ZEND_METHOD(McPatterns_Lock, __construct) {
	lock_arguments arguments = {.ttl_number = 3, .owner_number = 4, .skew_number = 6};
	bool releases_itself = true;
	ZEND_PARSE_PARAMETERS_START(2, 6)
		Z_PARAM_OBJ_OF_CLASS(arguments.pool, mcp_pool_class_entry)
		Z_PARAM_STR(arguments.name)
		Z_PARAM_OPTIONAL
		Z_PARAM_ZVAL(arguments.ttl)
		Z_PARAM_STR_OR_NULL(arguments.owner)
		Z_PARAM_BOOL(releases_itself)
		Z_PARAM_NUMBER(arguments.skew)
	ZEND_PARSE_PARAMETERS_END();

	mcp_lock_object *object = mcp_lock_object_from(Z_OBJ_P(ZEND_THIS));
	if (!mcp_object_require_new(&object->std, object->pool)) {
		RETURN_THROWS();
	}
	object->releases_itself = releases_itself;
	construct(object, &arguments);
}

/* No argument is 0. False with a ValueError about parameter arg_num. */
static bool parse_wait(zval *wait, uint32_t arg_num, uint64_t *wait_ms) {
	*wait_ms = 0;
	return wait == NULL || mcp_duration_parse(wait, arg_num, MCP_DURATION_OR_INFINITE, wait_ms);
}

/* What was thrown goes before it. */
static void answer(bool is_so, zval *return_value) {
	if (EG(exception) != NULL) {
		RETURN_THROWS();
	}
	RETURN_BOOL(is_so);
}

ZEND_METHOD(McPatterns_Lock, acquire) {
	zval *wait = NULL;
	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_NUMBER(wait)
	ZEND_PARSE_PARAMETERS_END();

	mcp_lock_call call;
	uint64_t wait_ms;
	if (!mcp_lock_call_begin(&call, Z_OBJ_P(ZEND_THIS)) || !parse_wait(wait, 1, &wait_ms)) {
		RETURN_THROWS();
	}
	answer(mcp_lock_call_acquire_to_keep(&call, wait_ms), return_value);
}

ZEND_METHOD(McPatterns_Lock, run) {
	mcp_user_call work;
	zval *wait = NULL;
	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_FUNC(work.info, work.cache)
		Z_PARAM_OPTIONAL
		Z_PARAM_NUMBER(wait)
	ZEND_PARSE_PARAMETERS_END();

	mcp_lock_call call;
	uint64_t wait_ms;
	if (!mcp_lock_call_begin(&call, Z_OBJ_P(ZEND_THIS)) || !parse_wait(wait, 2, &wait_ms)) {
		RETURN_THROWS();
	}
	mcp_lock_run_work(&call, &work, wait_ms, return_value);
}

ZEND_METHOD(McPatterns_Lock, refresh) {
	zval *ttl = NULL;
	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_ZVAL(ttl)
	ZEND_PARSE_PARAMETERS_END();

	/* Before the call begins: reading it may run the handler of a warning. */
	uint64_t ttl_ms = 0;
	if (mcp_duration_is_given(ttl) && !parse_ttl(ttl, 1, &ttl_ms)) {
		RETURN_THROWS();
	}
	mcp_lock_call call;
	if (!mcp_lock_call_begin(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	if (ttl_ms > 0) {
		call.lock.ttl_ms = ttl_ms;
	}
	answer(mcp_lock_call_refresh(&call), return_value);
}

ZEND_METHOD(McPatterns_Lock, release) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_lock_call call;
	if (!mcp_lock_call_begin(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	answer(mcp_lock_call_release(&call), return_value);
}

ZEND_METHOD(McPatterns_Lock, forceRelease) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_lock_call call;
	if (!mcp_lock_call_begin(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	answer(mcp_lock_call_force_release(&call), return_value);
}

ZEND_METHOD(McPatterns_Lock, detach) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_lock_call call;
	if (!mcp_lock_call_begin(&call, Z_OBJ_P(ZEND_THIS)) || !mcp_lock_call_hand_over(&call)) {
		RETURN_THROWS();
	}
	RETURN_STR_COPY(call.object->owner);
}

ZEND_METHOD(McPatterns_Lock, isHeld) {
	bool verifies = false;
	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_BOOL(verifies)
	ZEND_PARSE_PARAMETERS_END();

	mcp_lock_call call;
	if (!mcp_lock_call_begin(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	bool is_held = mcp_lock_is_held(&call.lock, &call.object->hold);
	answer(is_held && (!verifies || mcp_lock_call_verify(&call)), return_value);
}

ZEND_METHOD(McPatterns_Lock, isLocked) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_lock_call call;
	if (!mcp_lock_call_begin(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	mcp_status status = mcp_lock_find(&call.lock);
	if (status != MCP_OK && status != MCP_NOT_FOUND) {
		mcp_lock_call_throw(&call, status, "look at the lock");
		RETURN_THROWS();
	}
	RETURN_BOOL(status == MCP_OK);
}

ZEND_METHOD(McPatterns_Lock, remaining) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_lock_call call;
	if (!mcp_lock_call_begin(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	uint64_t left_ms = mcp_lock_remaining_ms(&call.lock, &call.object->hold);
	RETURN_DOUBLE(left_ms == MCP_LOCK_FOREVER ? ZEND_INFINITY : (double)left_ms / 1000);
}

ZEND_METHOD(McPatterns_Lock, token) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_lock_call call;
	uint64_t token = 0;
	if (!mcp_lock_call_begin(&call, Z_OBJ_P(ZEND_THIS)) || !mcp_lock_call_fence(&call, &token)) {
		RETURN_THROWS();
	}
	RETURN_LONG((zend_long)token);
}

ZEND_METHOD(McPatterns_Lock, owner) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_lock_call call;
	if (!mcp_lock_call_begin(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	RETURN_STR_COPY(call.object->owner);
}

ZEND_METHOD(McPatterns_Lock, currentOwner) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_lock_call call;
	if (!mcp_lock_call_begin(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	mcp_bytes owner;
	mcp_status status = mcp_lock_find_owner(&call.lock, &owner);
	if (status != MCP_OK && status != MCP_NOT_FOUND) {
		mcp_lock_call_throw(&call, status, "look at the lock");
		RETURN_THROWS();
	}
	if (status == MCP_NOT_FOUND) {
		RETURN_NULL();
	}
	RETURN_STRINGL(owner.data, owner.length);
}

ZEND_METHOD(McPatterns_Lock, restore) {
	lock_arguments arguments = {.ttl_number = 4, .owner_number = 3, .skew_number = 5};
	ZEND_PARSE_PARAMETERS_START(3, 5)
		Z_PARAM_OBJ_OF_CLASS(arguments.pool, mcp_pool_class_entry)
		Z_PARAM_STR(arguments.name)
		Z_PARAM_STR(arguments.owner)
		Z_PARAM_OPTIONAL
		Z_PARAM_ZVAL(arguments.ttl)
		Z_PARAM_NUMBER(arguments.skew)
	ZEND_PARSE_PARAMETERS_END();

	zend_object *std = create(class_entry);
	mcp_lock_object *object = mcp_lock_object_from(std);
	object->releases_itself = true;
	if (!construct(object, &arguments) || !mcp_lock_object_adopt(object)) {
		OBJ_RELEASE(std);
		RETURN_THROWS();
	}
	RETURN_OBJ(std);
}

void mcp_class_lock_register(void) {
	class_entry = register_class_McPatterns_Lock();
	class_entry->create_object = create;
	mcp_object_handlers_init(&handlers, XtOffsetOf(mcp_lock_object, std), free_object);
	handlers.get_gc = get_gc;
	handlers.get_debug_info = get_debug_info;
}
