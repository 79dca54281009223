/* Reads the items of locks and permits. */
/* SPDX-License-Identifier: MIT */
#ifndef PLAIN_LOCK_ITEMS_H
#define PLAIN_LOCK_ITEMS_H

#include "../../../../src/core/holders/holders.h"
#include "patterns/lock/lock.h"
#include "plain/families/families.h"

static inline mcp_lock_item plain_lock_item(mcp_bytes value) {
	mcp_lock_item item;
	return mcp_lock_item_read(value, &item) ? item : (mcp_lock_item){.until_ms = 0};
}

static inline bool plain_lock_item_is_of(mcp_bytes value, const mcp_lock *lock, uint64_t stamp) {
	mcp_lock_item item = plain_lock_item(value);
	return item.stamp == stamp && mcp_bytes_equal(item.owner, lock->owner);
}

/* True if the item has expired for every clock (L11): no clock is further ahead, so no process can have treated it
 * as expired before. */
static inline bool plain_lock_item_is_over(mcp_bytes value, const plain_world *world) {
	uint64_t latest_ms =
		PLAIN_EPOCH_MS + world->now_ms + world->wall_ahead_ms + MCP_LOCK_SKEW_MS - 1;
	return plain_lock_item(value).until_ms + MCP_LOCK_SKEW_MS <= latest_ms;
}

#endif
