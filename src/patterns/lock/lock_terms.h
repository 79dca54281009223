/* Terms of a lock: the end that its item shows to others, and how long its holder may trust the lock. Used by
 * the lock, and by the session, whose lock has the same item. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_LOCK_TERMS_H
#define MCP_PATTERNS_LOCK_TERMS_H

#include "../../core/items/lock_item.h"
#include "lock.h"

/* An item to write, and the ends that its holder may trust once it is stored. `record` points into `head`:
 * do not copy. */
typedef struct mcp_lock_terms {
	char head[MCP_LOCK_ITEM_HEAD_MAX];
	mcp_record record;
	uint64_t deadline_ms, until_ms; /* as in mcp_hold */
} mcp_lock_terms;

/* Make terms that start now. Registers the stamp with the named holder, before the item is sent. */
void mcp_lock_terms_make(const mcp_lock *lock, uint64_t stamp, mcp_lock_terms *terms);

/* Parse an item. An item of another format (another client's, or an older version's) has no stamp and no
 * end. */
mcp_lock_item mcp_lock_terms_read(const mcp_item *item);

/* Time until others may take over the item. 0 if its holder is known to have crashed. */
uint64_t mcp_lock_terms_taken_for_ms(const mcp_lock *lock, const mcp_lock_item *item);

/* Sum of both, saturated: UINT64_MAX stays "never". */
static inline uint64_t mcp_lock_terms_later(uint64_t now, uint64_t duration_ms) {
	return duration_ms > UINT64_MAX - now ? UINT64_MAX : now + duration_ms;
}

/* Begin a try under a new stamp, whose `add` the caller sends together with other commands, and conclude it
 * with the reply.
 * MCP_OK. MCP_NOT_STORED: another holder's item exists, the hold is closed. A failure: the hold is open if
 * anything may be stored. */
void mcp_lock_hold_begin_try(const mcp_lock *lock, mcp_hold *hold, mcp_lock_terms *terms);
mcp_status mcp_lock_hold_conclude_try(const mcp_lock *lock, mcp_hold *hold,
	const mcp_lock_terms *terms, mcp_status added);

#endif
