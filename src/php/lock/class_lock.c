/* The classes McPatterns\Lock and McPatterns\Semaphore: their methods, run(), and fencing tokens. lock_object.c manages
 * the hold. Semaphore takes most methods from Lock (@implementation-alias in its stub). */
/* SPDX-License-Identifier: MIT */
#include "../engine/user_call.h"
#include "../objects/classes.h"
#include "../objects/object.h"
#include "../objects/failure.h"
#include "../objects/options.h"
#include "../pool/class_pool.h"
#include "lock_object.h"

#include "class_lock_arginfo.h"
#include "class_semaphore_arginfo.h"

/* The C stack has no data that needs cleanup: the object owns the hold, and every way out of a method releases it. */

/* Release the lock. An item that is gone counts as released, as does an item whose release by the work got no reply. */
static mcp_status release_after_work(mcp_lock_call *call) {
	mcp_hold *hold = &call->object->hold;
	call->object->is_for_runs = false;
	if (!mcp_hold_is_open(hold)) {
		return MCP_OK;
	}
	mcp_status status = php_mcp_lock_call_release_hold(call, hold);
	return status == MCP_NOT_FOUND && call->before.deadline_ms == 0 ? MCP_OK : status;
}

/* Verify a lock that run() does not release. After its deadline, the lock counts as lost, even if no other process has
 * acquired it yet. */
static mcp_status verify(mcp_lock_call *call) {
	mcp_hold *hold = &call->object->hold;
	if (hold->deadline_ms == 0) {
		return MCP_OK;
	}
	if (!mcp_lock_is_held(&call->lock, hold)) {
		return MCP_NOT_FOUND;
	}
	mcp_status status = mcp_lock_verify(&call->lock, hold);
	return status == MCP_OK && !mcp_lock_is_held(&call->lock, hold) ? MCP_NOT_FOUND : status;
}

/* End a run that began in this era and with these losses. A run that was forgotten after a fork or a fatal error has
 * nothing to release or report. */
static void end_run(mcp_lock_object *object, uint32_t era, uint32_t losses) {
	mcp_lock_call call;
	if (!php_mcp_lock_call_begin(&call, &object->named.std) || object->run_era != era) {
		return;
	}
	object->runs--;
	bool releases = object->runs == 0 && object->is_for_runs;
	mcp_status status = MCP_OK;
	if (releases) {
		status = release_after_work(&call);
	} else if (EG(exception) == NULL && object->losses == losses) {
		status = verify(&call);
	}
	if (status == MCP_NOT_FOUND) {
		php_mcp_lock_call_note_loss(&call);
	}
	php_mcp_lock_object_register_hold(object);
	if (EG(exception) != NULL) {
		return;
	}
	if (status == MCP_NOT_FOUND || object->losses != losses) {
		php_mcp_lock_object_throw_lost(object, "was lost while its callback was running");
	} else if (status != MCP_OK) {
		php_mcp_lock_call_throw(&call, status, releases ? "release" : "verify", NULL);
	}
}

/* Implements L10: acquire, run the work (user code), release. Sets *result to the result of the work, or throws. */
static void run_work(mcp_lock_call *call, mcp_user_call *work, uint64_t wait_ms, zval *result) {
	mcp_lock_object *object = call->object;
	bool was_held = mcp_lock_is_held(&call->lock, &object->hold);
	mcp_status status = php_mcp_lock_call_acquire(call, wait_ms);
	if (EG(exception) != NULL) {
		return;
	}
	if (status != MCP_OK) {
		char what[64] = "could not be acquired at once; pass $wait to run() to wait";
		if (wait_ms > 0) {
			snprintf(what, sizeof(what), "could not be acquired within %g s",
				(double)wait_ms / 1000);
		}
		php_mcp_lock_object_throw(object, php_mcp_lock_timeout_exception, what);
		return;
	}
	/* A hold that was only extended is not new. Inside a run, a hold after its deadline also counts as extended,
	 * because that run's work continues under this hold. After a run has acquired the lock, the last run to end
	 * releases the current hold. */
	if (object->hold.stamp != call->before.stamp || (!was_held && object->runs == 0)) {
		object->is_for_runs = true;
	}
	if (object->runs++ == 0) {
		object->was_unclean = CG(unclean_shutdown);
	}
	php_mcp_lock_object_register_hold(object);
	uint32_t era = object->run_era;
	uint32_t losses = object->losses;
	zend_object *std = &object->named.std;
	bool is_given = php_mcp_user_call_takes(work, std->ce, MCP_OFFER_IF_ADMITTED);
	php_mcp_user_call_run_with(work, is_given ? std : NULL, result);
	end_run(object, era, losses);
	if (EG(exception) != NULL) {
		zval_ptr_dtor(result);
		ZVAL_UNDEF(result);
	}
}

#define MS_PER_S 1000.0

static const char action[] = "get a fencing token for";

static zend_string *describe(const mcp_lock_call *call, const mcp_fence_refusal *refusal) {
	double seconds = (double)refusal->ms / MS_PER_S;
	switch (refusal->bar) {
		case MCP_FENCE_WITHOUT_CLOCK:
			return zend_strpprintf(0,
				"the server's stats do not report its start time, and with skew: INF no clock is "
				"trusted from which a token could be made instead");
		case MCP_FENCE_AHEAD:
			return zend_strpprintf(0,
				"the server's stats do not report its start time, and the number used instead, "
				"the fence, is %.3f s ahead of this host's clock: this clock is behind, or the clock "
				"of the host that wrote the fence was ahead, by more than the skew of %.3f s",
				seconds, (double)mcp_lock_fence_skew_ms(&call->lock) / MS_PER_S);
		default:
			return zend_strpprintf(0,
				"the server's stats do not report its start time, and the number used instead, "
				"the fence, is new: a token is available in %.3f s, which exceeds the rest of the "
				"hold or of the 10 s that a call waits",
				seconds);
	}
}

/* Retry if a signal interrupts the wait. MCP_INTERRUPTED: a signal handler threw. */
static mcp_status fence(mcp_lock_call *call, uint64_t *token, mcp_fence_refusal *refusal) {
	mcp_pauses pauses = {.has_begun = false};
	for (;;) {
		call->lock.pauses = &pauses;
		call->lock.refusal = refusal;
		mcp_status status = mcp_lock_fence(&call->lock, &call->object->hold, token);
		call->lock.pauses = NULL;
		call->lock.refusal = NULL;
		if (status != MCP_INTERRUPTED || !php_mcp_lock_call_run_interrupt(call)) {
			return status;
		}
	}
}

/* Make a fencing token. Can wait. Returns false with an exception. */
static bool make_token(mcp_lock_call *call, uint64_t *token) {
	if (!php_mcp_lock_call_require_held(call)) {
		return false;
	}
	mcp_fence_refusal refusal;
	mcp_status status = fence(call, token, &refusal);
	if (status == MCP_UNSUPPORTED) {
		zend_string *reason = describe(call, &refusal);
		php_mcp_lock_call_throw(call, status, action, ZSTR_VAL(reason));
		zend_string_release(reason);
	} else if (status != MCP_INTERRUPTED) {
		php_mcp_lock_call_judge(call, status, action);
	}
	/* The hold might have expired during the request. */
	if (EG(exception) != NULL || !php_mcp_lock_call_require_held(call)) {
		return false;
	}
	if (status != MCP_OK) {
		/* The hold has expired by a clock that has been set back since. */
		php_mcp_lock_object_throw_lost(call->object, "has expired");
	}
	return status == MCP_OK;
}

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
	if (!php_mcp_object_require_new(&object->named.std, object->named.pool)) {
		RETURN_THROWS();
	}
	object->releases_itself = releases_itself;
	php_mcp_lock_object_construct(object, &arguments);
}

/* In other libraries, acquire(true) waits until the lock is free. */
#define WAIT_ADVICE "pass the seconds to wait, or INF"

ZEND_METHOD(McPatterns_Lock, acquire) {
	zval *wait = NULL;
	if (!php_mcp_options_judge_strict(execute_data, 1, MAY_BE_BOOL, "int|float", WAIT_ADVICE)) {
		RETURN_THROWS();
	}
	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_NUMBER(wait)
	ZEND_PARSE_PARAMETERS_END();

	mcp_lock_call call;
	uint64_t wait_ms = 0;
	if (!php_mcp_lock_call_begin(&call, Z_OBJ_P(ZEND_THIS)) ||
		!php_mcp_duration_judge(wait, 1, MCP_DURATION_OR_INFINITE, &wait_ms)) {
		RETURN_THROWS();
	}
	mcp_lock_object *object = call.object;
	bool is_held = php_mcp_lock_call_acquire(&call, wait_ms) == MCP_OK;
	if (is_held && object->is_for_runs && object->runs == 0) {
		/* A fatal error ended the run that acquired the lock. The hold then belongs to the caller. */
		object->is_for_runs = false;
		php_mcp_lock_object_register_hold(object);
	}
	RETURN_BOOL(is_held);
}

ZEND_METHOD(McPatterns_Lock, run) {
	mcp_user_call work;
	zval *wait = NULL;
	if (!php_mcp_options_judge_strict(execute_data, 2, MAY_BE_BOOL, "int|float", WAIT_ADVICE)) {
		RETURN_THROWS();
	}
	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_FUNC(work.info, work.cache)
		Z_PARAM_OPTIONAL
		Z_PARAM_NUMBER(wait)
	ZEND_PARSE_PARAMETERS_END();

	mcp_lock_call call;
	uint64_t wait_ms = 0;
	if (!php_mcp_lock_call_begin(&call, Z_OBJ_P(ZEND_THIS)) ||
		!php_mcp_duration_judge(wait, 2, MCP_DURATION_OR_INFINITE, &wait_ms)) {
		RETURN_THROWS();
	}
	run_work(&call, &work, wait_ms, return_value);
}

ZEND_METHOD(McPatterns_Lock, refresh) {
	zval *ttl = NULL;
	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_ZVAL(ttl)
	ZEND_PARSE_PARAMETERS_END();

	/* Parse before the call begins, because parsing can run a warning handler. */
	uint64_t ttl_ms = 0;
	mcp_lock_call call;
	if (!php_mcp_duration_judge(ttl, 1, MCP_DURATION_POSITIVE_OR_INFINITE, &ttl_ms) ||
		!php_mcp_lock_call_begin(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	if (ttl_ms > 0) {
		call.lock.ttl_ms = ttl_ms;
	}
	mcp_hold *hold = &call.object->hold;
	RETURN_BOOL(mcp_hold_is_open(hold) &&
		php_mcp_lock_call_judge(&call, mcp_lock_refresh(&call.lock, hold), "refresh"));
}

ZEND_METHOD(McPatterns_Lock, release) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_lock_call call;
	if (!php_mcp_lock_call_begin(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	mcp_hold *hold = &call.object->hold;
	RETURN_BOOL(mcp_hold_is_open(hold) &&
		php_mcp_lock_call_judge(&call, php_mcp_lock_call_release_hold(&call, hold), "release"));
}

ZEND_METHOD(McPatterns_Lock, forceRelease) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_lock_call call;
	if (!php_mcp_lock_call_begin(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	mcp_status status = mcp_lock_force_release(&call.lock);
	if (status != MCP_OK && status != MCP_NOT_FOUND) {
		php_mcp_lock_call_throw(&call, status, "force the release of", NULL);
		RETURN_THROWS();
	}
	bool was_held = mcp_lock_is_held(&call.lock, &call.object->hold);
	php_mcp_lock_object_forget_hold(call.object);
	if (status == MCP_NOT_FOUND || !was_held) {
		/* An item that was removed might have been another holder's. */
		php_mcp_lock_call_note_loss(&call);
	}
	RETURN_BOOL(status == MCP_OK);
}

ZEND_METHOD(McPatterns_Lock, detach) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_lock_call call;
	if (!php_mcp_lock_call_begin(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	mcp_status status = mcp_lock_hand_over(&call.lock, &call.object->hold);
	if (php_mcp_lock_call_judge(&call, status, "hand over")) {
		RETURN_STR_COPY(call.object->owner);
	}
	if (status == MCP_NOT_FOUND) {
		php_mcp_lock_object_throw_lost(call.object, "is not held, so it cannot be handed over");
	}
}

ZEND_METHOD(McPatterns_Lock, isHeld) {
	zval *verify = NULL;
	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_ZVAL(verify)
	ZEND_PARSE_PARAMETERS_END();
	bool verifies = false;
	if (!php_mcp_options_read_switch(1, verify, "an object has only one hold", &verifies)) {
		RETURN_THROWS();
	}

	mcp_lock_call call;
	if (!php_mcp_lock_call_begin(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	mcp_hold *hold = &call.object->hold;
	bool is_held = mcp_lock_is_held(&call.lock, hold);
	if (is_held && verifies) {
		is_held = php_mcp_lock_call_judge(&call, mcp_lock_verify(&call.lock, hold), "read") &&
			mcp_lock_is_held(&call.lock, hold);
	}
	RETURN_BOOL(is_held);
}

/* Returns false if the lock is free, or with an exception. `owner` is a view. */
static bool find_owner(zend_object *std, mcp_bytes *owner) {
	mcp_lock_call call;
	if (!php_mcp_lock_call_begin(&call, std)) {
		return false;
	}
	mcp_status status = mcp_lock_find_owner(&call.lock, owner);
	if (status != MCP_OK && status != MCP_NOT_FOUND) {
		php_mcp_lock_call_throw(&call, status, "read", NULL);
	}
	return status == MCP_OK;
}

ZEND_METHOD(McPatterns_Lock, isLocked) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_bytes owner;
	RETURN_BOOL(find_owner(Z_OBJ_P(ZEND_THIS), &owner));
}

ZEND_METHOD(McPatterns_Lock, currentOwner) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_bytes owner;
	if (find_owner(Z_OBJ_P(ZEND_THIS), &owner)) {
		RETURN_STRINGL(owner.data, owner.length);
	}
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
	if (!php_mcp_lock_call_begin(&call, Z_OBJ_P(ZEND_THIS)) || !make_token(&call, &token)) {
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
	if (!php_mcp_lock_object_construct(object, &arguments) || !php_mcp_lock_object_adopt(object)) {
		OBJ_RELEASE(std);
		RETURN_THROWS();
	}
	RETURN_OBJ(std);
}

void php_mcp_class_lock_register(void) {
	static mcp_named_class lock;
	class_entry = register_class_McPatterns_Lock();
	php_mcp_lock_object_register_class(&lock, class_entry);
}

ZEND_METHOD(McPatterns_Semaphore, __construct) {
	mcp_lock_arguments arguments = {.ttl_number = 4, .owner_number = 5};
	zend_long permits;
	bool releases_itself = true;
	ZEND_PARSE_PARAMETERS_START(3, 6)
		Z_PARAM_OBJ_OF_CLASS(arguments.pool, php_mcp_pool_class_entry)
		Z_PARAM_STR(arguments.name)
		Z_PARAM_LONG(permits)
		Z_PARAM_OPTIONAL
		Z_PARAM_ZVAL(arguments.ttl)
		Z_PARAM_STR_OR_NULL(arguments.owner)
		Z_PARAM_BOOL(releases_itself)
	ZEND_PARSE_PARAMETERS_END();

	mcp_lock_object *object = php_mcp_lock_object_from(Z_OBJ_P(ZEND_THIS));
	if (!php_mcp_object_require_new(&object->named.std, object->named.pool) ||
		!php_mcp_options_is_between(3, permits, 1, MCP_SEMAPHORE_PERMITS_MAX)) {
		RETURN_THROWS();
	}
	arguments.permits = (uint32_t)permits;
	object->releases_itself = releases_itself;
	php_mcp_lock_object_construct(object, &arguments);
}

ZEND_METHOD(McPatterns_Semaphore, available) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_lock_call call;
	uint32_t available;
	if (!php_mcp_lock_call_begin(&call, Z_OBJ_P(ZEND_THIS)) ||
		!php_mcp_lock_call_count_available(&call, &available)) {
		RETURN_THROWS();
	}
	RETURN_LONG(available);
}

ZEND_METHOD(McPatterns_Semaphore, permit) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_lock_call call;
	if (!php_mcp_lock_call_begin(&call, Z_OBJ_P(ZEND_THIS)) ||
		!php_mcp_lock_call_require_held(&call)) {
		RETURN_THROWS();
	}
	RETURN_LONG(call.object->permit);
}

void php_mcp_class_semaphore_register(void) {
	static mcp_named_class semaphore;
	php_mcp_lock_object_register_class(&semaphore, register_class_McPatterns_Semaphore());
}
