/* Asks for a fencing token, runs the user's signal handlers where that is waited for, and says in plain words why there is
 * none. */
/* SPDX-License-Identifier: MIT */
#include "lock_token.h"

#include "../objects/failure.h"

#define MS_PER_S 1000.0

static const char action[] = "get a fencing token for";

static zend_string *describe(const mcp_lock_call *call, const mcp_fence_refusal *refusal) {
	double seconds = (double)refusal->ms / MS_PER_S;
	switch (refusal->bar) {
		case MCP_FENCE_WITHOUT_CLOCK:
			return zend_strpprintf(0,
				"the server does not tell by stats when it started, and with skew: INF no clock is "
				"believed, by which a token could be made without that");
		case MCP_FENCE_AHEAD:
			return zend_strpprintf(0,
				"the server does not tell by stats when it started, and the number in its place, "
				"the fence, is %.3f s ahead of this host's clock: this host's clock is late, or that "
				"of the host which made the fence was ahead, by more than the skew of %.3f s",
				seconds, (double)mcp_lock_fence_skew_ms(&call->lock) / MS_PER_S);
		default:
			return zend_strpprintf(0,
				"the server does not tell by stats when it started, and the number in its place, "
				"the fence, is new: a token can be had in %.3f s, and that is longer than the hold "
				"lasts, or than what is left of the 10 s that a call waits",
				seconds);
	}
}

static void throw_refused(const mcp_lock_call *call, const mcp_fence_refusal *refusal) {
	zend_string *reason = describe(call, refusal);
	php_mcp_lock_call_throw_because(call, MCP_UNSUPPORTED, action, ZSTR_VAL(reason));
	zend_string_release(reason);
}

/* Asks until it is not interrupted. MCP_INTERRUPTED: a signal's handler has thrown. */
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

bool php_mcp_lock_token_make(mcp_lock_call *call, uint64_t *token) {
	if (!php_mcp_lock_call_require_held(call)) {
		return false;
	}
	mcp_fence_refusal refusal;
	mcp_status status = fence(call, token, &refusal);
	if (status == MCP_UNSUPPORTED) {
		throw_refused(call, &refusal);
	} else if (status != MCP_INTERRUPTED) {
		php_mcp_lock_call_judge(call, status, action);
	}
	/* It may have run out while the server was asked. */
	if (EG(exception) != NULL || !php_mcp_lock_call_require_held(call)) {
		return false;
	}
	if (status != MCP_OK) {
		/* By a clock that has been set back since. */
		php_mcp_lock_object_throw_lost(call->object, "has run out");
	}
	return status == MCP_OK;
}
