/* On what terms a lock is held: what its item tells others, and how long its holder may believe in it.
 * For the files of the lock, and of a session, which has a lock's item. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_LOCK_TERMS_H
#define MCP_PATTERNS_LOCK_TERMS_H

#include "../../core/items/lock_item.h"
#include "lock.h"

/* An item to be written, with what its holder may believe once it is stored. `record` points into
 * `head`: not to be copied. */
typedef struct mcp_lock_terms {
	char head[MCP_LOCK_ITEM_HEAD_MAX];
	mcp_record record;
	uint64_t deadline_ms, until_ms; /* as in mcp_hold */
} mcp_lock_terms;

/* Makes terms from this moment on, and registers the stamp with the holder that they name: before the item is sent. */
void mcp_lock_terms_make(const mcp_lock *lock, uint64_t stamp, mcp_lock_terms *terms);

/* Reads an item; one of another format (another client's, or an older version's) has no stamp and tells no end. */
mcp_lock_item mcp_lock_terms_read(const mcp_item *item);

/* Says by L11 how long it is until the item's end has passed for others, by this host's clock. */
uint64_t mcp_lock_terms_left_ms(const mcp_lock *lock, const mcp_lock_item *item);
/* Says how long it is until others may take the item over: no time where it is known that nobody holds it. */
uint64_t mcp_lock_terms_taken_for_ms(const mcp_lock *lock, const mcp_lock_item *item);

/* Says that the stamp is believed in no more. */
static inline void mcp_lock_terms_end(const mcp_lock *lock, uint64_t stamp) {
	mcp_holder_unregister(lock->holder, stamp);
}

static inline bool mcp_lock_terms_are_over(const mcp_lock *lock, const mcp_lock_item *item) {
	return mcp_lock_terms_left_ms(lock, item) == 0;
}

/* Adds, and keeps a time without end what it is. */
static inline uint64_t mcp_lock_terms_later(uint64_t now, uint64_t duration_ms) {
	return duration_ms > UINT64_MAX - now ? UINT64_MAX : now + duration_ms;
}

#endif
