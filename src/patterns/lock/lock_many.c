/* All items have one stamp and one end, counted from before the first was written. */
/* SPDX-License-Identifier: MIT */
#include "lock_many.h"

#include "lock_hold.h"

void mcp_lock_try_many(const mcp_lock *lock, mcp_hold *hold, mcp_write *writes, size_t count) {
	mcp_lock_terms terms;
	*hold = (mcp_hold){.stamp = mcp_lock_hold_new_stamp(lock)};
	mcp_lock_terms_make(lock, hold->stamp, &terms);
	for (size_t i = 0; i < count; i++) {
		writes[i].record = terms.record;
	}
	mcp_store_write_many(lock->store, MCP_CHANGE_ADD, writes, count);
	mcp_lock_hold_believe(hold, &terms);
}

mcp_status mcp_lock_judge(const mcp_lock *lock, const mcp_hold *hold, const mcp_reply *reply) {
	if (reply->status != MCP_OK) {
		return reply->status;
	}
	mcp_lock_item found = mcp_lock_terms_read(&reply->item);
	if (mcp_lock_hold_is_of(lock, hold, &found)) {
		return MCP_OK;
	}
	return mcp_lock_terms_are_over(lock, &found) ? MCP_EXISTS : MCP_NOT_STORED;
}

void mcp_lock_release_many(const mcp_lock *lock, mcp_write *writes, size_t count) {
	mcp_store_write_many(lock->store, MCP_CHANGE_DELETE_IF, writes, count);
}

mcp_status mcp_lock_release_one(const mcp_lock *lock, const mcp_hold *hold, const mcp_key *key) {
	mcp_lock one = *lock;
	mcp_hold own = *hold;
	one.key = key;
	return mcp_lock_release(&one, &own);
}
