/* The method Lock::run(): work under the lock, with nothing on the C stack to undo. What is held hangs
 * from the object and is released on every way out. */
/* SPDX-License-Identifier: MIT */
#include "lock_methods.h"
#include "lock_object.h"

#include "exceptions.h"

#include <unistd.h>

/* What must be given, and what may be and can take a Lock: a function whose optional parameter is of
 * another type is left to its default. */
static bool takes_lock(const zend_function *function) {
	/* __call() and the like, which have no function of their own. */
	if (function == NULL || (function->common.fn_flags & ZEND_ACC_CALL_VIA_TRAMPOLINE) != 0) {
		return false;
	}
	bool is_variadic = (function->common.fn_flags & ZEND_ACC_VARIADIC) != 0;
	if (function->common.required_num_args > 0) {
		return true;
	}
	if (function->common.num_args == 0 && !is_variadic) {
		return false;
	}
	zend_type type = function->common.arg_info[0].type;
	return !ZEND_TYPE_IS_SET(type) || ZEND_TYPE_IS_COMPLEX(type) ||
		(ZEND_TYPE_FULL_MASK(type) & MAY_BE_OBJECT) != 0;
}

/* A lock that the work itself released or detached is nobody's loss. */
static void release(mcp_lock_object *object) {
	mcp_lock_call call;
	if (!mcp_lock_call_begin(&call, &object->std)) {
		return;
	}
	mcp_status status = object->was_lost ? MCP_NOT_FOUND : MCP_OK;
	if (mcp_hold_is_open(&object->hold)) {
		status = mcp_lock_release(&call.lock, &object->hold);
	}
	mcp_lock_object_settle(object);
	if (EG(exception) != NULL) {
		return;
	}
	if (status == MCP_NOT_FOUND) {
		mcp_lock_object_throw_lost(object, "was lost while the work under it was running");
	} else if (status != MCP_OK) {
		mcp_lock_call_throw(&call, status, "release the lock");
	}
}

typedef struct callback {
	zend_fcall_info info;
	zend_fcall_info_cache cache;
} callback;

static void call_work(mcp_lock_object *object, callback *work, zval *result) {
	zval argument;
	ZVAL_OBJ(&argument, &object->std);
	work->info.retval = result;
	work->info.params = &argument;
	work->info.param_count = takes_lock(work->cache.function_handler) ? 1 : 0;
	if (zend_call_function(&work->info, &work->cache) == FAILURE) {
		ZVAL_UNDEF(result);
	}
	if (Z_ISREF_P(result)) {
		zend_unwrap_reference(result); /* of a function that returns by reference */
	}
}

/* A forked child that comes back from the work holds nothing, and has lost nothing. */
static void run_and_release(mcp_lock_object *object, callback *work, zval *result) {
	pid_t pid = getpid();
	object->runs++;
	mcp_lock_object_settle(object);
	call_work(object, work, result);
	object->runs--;
	if (pid == getpid()) {
		release(object);
	}
}

static void throw_timeout(const mcp_lock_object *object, uint64_t wait_ms) {
	char what[64];
	snprintf(what, sizeof(what), "could not be had within %g s", (double)wait_ms / 1000);
	mcp_lock_object_throw(object, mcp_lock_timeout_exception, what);
}

ZEND_METHOD(McPatterns_Lock, run) {
	callback work;
	zval *wait = NULL;
	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_FUNC(work.info, work.cache)
		Z_PARAM_OPTIONAL
		Z_PARAM_NUMBER(wait)
	ZEND_PARSE_PARAMETERS_END();

	mcp_lock_call call;
	uint64_t wait_ms;
	if (!mcp_lock_call_begin(&call, Z_OBJ_P(ZEND_THIS)) ||
		!mcp_lock_parse_wait(wait, 2, &wait_ms)) {
		RETURN_THROWS();
	}
	mcp_lock_object *object = call.object;
	bool was_held = mcp_lock_is_held(&call.lock, &object->hold);
	mcp_status status = mcp_lock_call_acquire(&call, wait_ms);
	if (EG(exception) != NULL) {
		RETURN_THROWS();
	}
	if (status != MCP_OK) {
		throw_timeout(object, wait_ms);
		RETURN_THROWS();
	}
	if (was_held) {
		call_work(object, &work, return_value);
	} else {
		run_and_release(object, &work, return_value);
	}
	if (EG(exception) != NULL) {
		zval_ptr_dtor(return_value);
		ZVAL_UNDEF(return_value);
		RETURN_THROWS();
	}
	if (Z_ISREF_P(return_value)) {
		zend_unwrap_reference(return_value);
	}
}
