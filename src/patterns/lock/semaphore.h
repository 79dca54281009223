/* Semaphore: at most N holders at a time. Each permit is a lock with its own item, and one batched read
 * finds a free permit. Hold, refresh and release a permit with lock.h and the permit's key. The rules are
 * in docs/spec/lock.md under the labels used here (S1, S2 ...). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_SEMAPHORE_H
#define MCP_PATTERNS_SEMAPHORE_H

#include "lock.h"

#define MCP_SEMAPHORE_PERMITS_MAX 1000

/* Owns nothing; built on the stack for each call. */
typedef struct mcp_semaphore {
	mcp_lock lock; /* lock of any permit; its key is the semaphore's, in MCP_SPACE_SEMAPHORE */
	/* 1 to MCP_SEMAPHORE_PERMITS_MAX, the same in all processes that use the name */
	uint32_t permits;
} mcp_semaphore;

/* Scratch for a read of all permits: `permits` elements each. */
typedef struct mcp_semaphore_scratch {
	mcp_key *keys;
	mcp_key_buffer *buffers;
	mcp_op *replies;
	uint32_t *free_ones;
} mcp_semaphore_scratch;

/* Make the key of a permit's item, on the server of the semaphore's `key`. */
mcp_key mcp_semaphore_permit_key(mcp_key_buffer *buffer, const mcp_key *key, uint32_t permit);

/* Acquire any permit by S1 and S4, like mcp_lock_acquire, and return it in *permit. If the hold is open, *permit is the
 * permit of the hold: this permit is extended, and another permit is tried only if this permit is lost. After a
 * failure, the hold is open if an item might be stored under *permit. In that case, no other permit was tried. Cost: a
 * read of all permits takes 1 round trip per 8,000 bytes of keys. Taking a free permit adds 1. */
mcp_status mcp_semaphore_acquire(const mcp_semaphore *semaphore,
	const mcp_semaphore_scratch *scratch, mcp_hold *hold, uint32_t *permit, uint64_t wait_ms);

/* Count the free permits. Read-only. MCP_OK or a failure. */
mcp_status mcp_semaphore_available(const mcp_semaphore *semaphore,
	const mcp_semaphore_scratch *scratch, uint32_t *available);

#endif
