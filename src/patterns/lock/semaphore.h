/* Semaphore: at most N holders at a time. Each permit is a lock with its own item, and one batched read finds a free
 * permit. The functions of lock.h, with the permit's key, refresh and release a permit. The rules are in
 * docs/spec/lock.md under the labels used here (S1, S2 ...). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_SEMAPHORE_H
#define MCP_PATTERNS_SEMAPHORE_H

#include "lock.h"

#define MCP_SEMAPHORE_PERMITS_MAX 1000

/* Owns nothing; built on the stack for each call. */
typedef struct mcp_semaphore {
	mcp_lock lock; /* lock of any permit, but with the semaphore's key in MCP_SPACE_SEMAPHORE */
	/* 1 to MCP_SEMAPHORE_PERMITS_MAX; equal in all processes that use the name */
	uint32_t permits;
} mcp_semaphore;

/* Scratch memory for a read of all permits. Each array has `permits` elements. */
typedef struct mcp_semaphore_scratch {
	mcp_key *keys;
	mcp_key_buffer *buffers;
	mcp_op *replies;
	uint32_t *free_ones;
} mcp_semaphore_scratch;

/* Make the key of a permit's item, on the server of the semaphore's `key`. */
mcp_key mcp_semaphore_permit_key(mcp_key_buffer *buffer, const mcp_key *key, uint32_t permit);

/* Acquire any permit (S1, S4), like mcp_lock_acquire, and return it in *permit. If the hold is open, the caller
 * passes its permit in *permit. This permit is extended, and another one is tried only if it is lost. After a
 * failure, the hold is open if an item might be stored under *permit, and no other permit was tried then. Cost: 1
 * round trip per 8,000 bytes of keys, and 1 to take a free permit. */
mcp_status mcp_semaphore_acquire(const mcp_semaphore *semaphore,
	const mcp_semaphore_scratch *scratch, mcp_hold *hold, uint32_t *permit, uint64_t wait_ms);

/* Count the free permits. Read-only. MCP_OK or a failure. */
mcp_status mcp_semaphore_available(const mcp_semaphore *semaphore,
	const mcp_semaphore_scratch *scratch, uint32_t *available);

#endif
