/* Work under the lock, with nothing on the C stack to undo. The hold hangs from the object and is released on
 * every way out. */
/* SPDX-License-Identifier: MIT */
#include "lock_run.h"

#include "../objects/exceptions.h"

/* Runs user code. */
static void call_work(mcp_lock_object *object, mcp_user_call *work, zval *result) {
	bool is_given = php_mcp_user_call_takes(work, object->std.ce, MCP_OFFER_IF_ADMITTED);
	php_mcp_user_call_run_with(work, is_given ? &object->std : NULL, result);
}

/* The beginning of a call of run(), as the call remembers it. It stands on the C stack, for nothing in it is to
 * be undone when the frame is jumped over. */
typedef struct run {
	mcp_lock_object *object;
	uint32_t era;
	uint32_t losses;
} run;

/* Says whether the hold is new: one that its holder believed to have, and that is still the same, was only
 * extended. Inside a run also when its deadline had passed: that run's work had it before, and goes on under
 * it. */
static bool has_acquired(const mcp_lock_call *call, bool was_held) {
	const mcp_lock_object *object = call->object;
	bool is_same = object->hold.stamp == call->before.stamp;
	return !is_same || (!was_held && object->runs == 0);
}

/* Begins a run. Once one has acquired, the last of them releases whatever they and their work hold then. */
static run begin(mcp_lock_object *object, bool is_new) {
	if (object->runs++ == 0) {
		object->was_unclean = CG(unclean_shutdown);
	}
	if (is_new) {
		object->is_for_runs = true;
	}
	php_mcp_lock_object_settle(object);
	return (run){.object = object, .era = object->run_era, .losses = object->losses};
}

/* Releases; what the work released without an answer, and what is gone now, counts as released. */
static mcp_status release(mcp_lock_call *call) {
	mcp_hold *hold = &call->object->hold;
	call->object->is_for_runs = false;
	if (!mcp_hold_is_open(hold)) {
		return MCP_OK;
	}
	mcp_status status = php_mcp_lock_call_release_hold(call, hold);
	return status == MCP_NOT_FOUND && call->before.deadline_ms == 0 ? MCP_OK : status;
}

/* Verifies a lock that is to stay held. Past its deadline it is not, even when no other process has it yet. */
static mcp_status verify(mcp_lock_call *call) {
	mcp_hold *hold = &call->object->hold;
	if (hold->deadline_ms == 0) {
		return MCP_OK;
	}
	mcp_status status = MCP_OK;
	if (mcp_lock_is_held(&call->lock, hold)) {
		status = mcp_lock_verify(&call->lock, hold);
	}
	return status == MCP_OK && !mcp_lock_is_held(&call->lock, hold) ? MCP_NOT_FOUND : status;
}

/* MCP_NOT_FOUND if the lock was lost, at any time since the run began; otherwise MCP_OK or a failure. */
static mcp_status leave(mcp_lock_call *call, const run *ended, bool releases) {
	mcp_lock_object *object = call->object;
	mcp_status status = MCP_OK;
	if (releases) {
		status = release(call);
	} else if (EG(exception) == NULL && object->losses == ended->losses) {
		status = verify(call);
	}
	if (status == MCP_NOT_FOUND) {
		php_mcp_lock_call_note_loss(call);
	}
	php_mcp_lock_object_settle(object);
	return object->losses == ended->losses ? status : MCP_NOT_FOUND;
}

/* Ends a run. One that is forgotten, because a forked child came back from the work or a fatal error went
 * before, has nothing to release and nothing to tell. */
static void end(const run *ended) {
	mcp_lock_object *object = ended->object;
	mcp_lock_call call;
	if (!php_mcp_lock_call_begin(&call, &object->std) || object->run_era != ended->era) {
		return;
	}
	object->runs--;
	bool releases = object->runs == 0 && object->is_for_runs;
	mcp_status status = leave(&call, ended, releases);
	if (EG(exception) != NULL) {
		return;
	}
	if (status == MCP_NOT_FOUND) {
		php_mcp_lock_object_throw_lost(object, "was lost while the work under it was running");
	} else if (status != MCP_OK) {
		php_mcp_lock_call_throw(&call, status, releases ? "release" : "verify");
	}
}

static void throw_timeout(const mcp_lock_object *object, uint64_t wait_ms) {
	char what[64] = "could not be had at once; give run() a $wait to wait for it";
	if (wait_ms > 0) {
		snprintf(what, sizeof(what), "could not be had within %g s", (double)wait_ms / 1000);
	}
	php_mcp_lock_object_throw(object, php_mcp_lock_timeout_exception, what);
}

void php_mcp_lock_run_work(mcp_lock_call *call, mcp_user_call *work, uint64_t wait_ms,
	zval *result) {
	mcp_lock_object *object = call->object;
	bool was_held = mcp_lock_is_held(&call->lock, &object->hold);
	mcp_status status = php_mcp_lock_call_acquire(call, wait_ms);
	if (EG(exception) != NULL) {
		return;
	}
	if (status != MCP_OK) {
		throw_timeout(object, wait_ms);
		return;
	}
	run begun = begin(object, has_acquired(call, was_held));
	call_work(object, work, result);
	end(&begun);
	if (EG(exception) != NULL) {
		zval_ptr_dtor(result);
		ZVAL_UNDEF(result);
	}
}
