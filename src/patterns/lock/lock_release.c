/* Gives a lock back: only what is still this holder's, atomically. */
/* SPDX-License-Identifier: MIT */
#include "lock.h"
#include "lock_hold.h"

/* Deletes without a look, while nothing can have changed it unseen. MCP_UNSUPPORTED, MCP_EXISTS: look. */
static mcp_status delete_proven(const mcp_lock *lock, mcp_hold *hold, bool *was_over) {
	mcp_proof proof = hold->proof;
	if (proof.cas == 0) {
		return MCP_UNSUPPORTED;
	}
	hold->proof = (mcp_proof){0};
	*was_over = mcp_lock_hold_is_over(lock, hold);
	return mcp_store_delete_proven(lock->store, lock->key, &proof);
}

static mcp_status delete_ours(const mcp_lock *lock, mcp_hold *hold, mcp_lock_attempts *made,
	bool *was_over) {
	mcp_status status = delete_proven(lock, hold, was_over);
	if (status != MCP_UNSUPPORTED && status != MCP_EXISTS) {
		return status;
	}
	mcp_item item;
	status = mcp_lock_hold_read(lock, hold, &item);
	if (status != MCP_OK) {
		return status;
	}
	made->has_seen = true;
	mcp_lock_item found = mcp_lock_terms_read(&item);
	*was_over = mcp_lock_terms_are_over(lock, &found);
	return mcp_store_delete_if(lock->store, lock->key, item.cas);
}

mcp_status mcp_lock_release(const mcp_lock *lock, mcp_hold *hold) {
	mcp_lock_attempts made = {0};
	mcp_status status;
	bool was_over = false;
	hold->deadline_ms = 0;
	if (mcp_hold_is_open(hold)) {
		mcp_store_bypass_breaker(lock->store, lock->key, MCP_BYPASS_TO_RELEASE);
	}
	do {
		status = delete_ours(lock, hold, &made, &was_over);
	} while (mcp_lock_hold_may_try_again(lock, &made, status));
	if (status == MCP_NOT_FOUND && made.unanswered > 0) {
		/* Gone. It was still ours when the delete was sent that had no answer, if it was read before; else the server
		 * may have lost it earlier. */
		status = made.has_seen ? MCP_OK : MCP_UNKNOWN;
	}
	mcp_lock_terms_end(lock, hold->stamp);
	if (status == MCP_OK || status == MCP_NOT_FOUND) {
		*hold = (mcp_hold){0};
	}
	/* It was cleared away, and others could have had it before. */
	return status == MCP_OK && was_over ? MCP_NOT_FOUND : mcp_lock_hold_outcome(&made, status);
}

mcp_status mcp_lock_force_release(const mcp_lock *lock) {
	return mcp_store_delete(lock->store, lock->key);
}
