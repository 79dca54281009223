/* At most so many holders at a time: as many locks, each an item of its own, and a look at all of them to find one
 * that is free. Holding, refreshing and releasing a permit is the lock's (lock.h), with the permit's key.
 *
 * The rules are in docs/spec/lock.md under the names used here (S1, S2 ...). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_SEMAPHORE_H
#define MCP_PATTERNS_SEMAPHORE_H

#include "lock.h"

#define MCP_SEMAPHORE_PERMITS_MAX 1000

/* Borrows everything; made on the stack for each call. */
typedef struct mcp_semaphore {
	mcp_lock lock; /* of whichever permit: its key is the semaphore's own, of MCP_SPACE_SEMAPHORE */
	uint32_t permits; /* 1 to MCP_SEMAPHORE_PERMITS_MAX, the same for all who use the name */
} mcp_semaphore;

/* Room for a look at all permits: as many of each. */
typedef struct mcp_semaphore_scratch {
	mcp_key *keys;
	mcp_key_buffer *buffers;
	mcp_reply *replies;
	uint32_t *free_ones;
} mcp_semaphore_scratch;

/* Makes the key of one permit's item, on the server of `key`, the semaphore's own. */
mcp_key mcp_semaphore_permit_key(mcp_key_buffer *buffer, const mcp_key *key, uint32_t permit);

/* Acquires by S1 and S4, as mcp_lock_acquire does, any permit, which *permit names then. While the hold is open
 * *permit is the one it is of: that one is extended, and only when it is lost another is looked for. After a
 * failure the hold is open if anything may be stored under *permit; no other one was tried then. One look at all
 * permits is one round trip for each 8,000 bytes of keys; one more takes a free one. */
mcp_status mcp_semaphore_acquire(const mcp_semaphore *semaphore,
	const mcp_semaphore_scratch *scratch, mcp_hold *hold, uint32_t *permit, uint64_t wait_ms);

/* Counts the permits that nobody holds. Changes nothing. MCP_OK or a failure. */
mcp_status mcp_semaphore_available(const mcp_semaphore *semaphore,
	const mcp_semaphore_scratch *scratch, uint32_t *available);

#endif
