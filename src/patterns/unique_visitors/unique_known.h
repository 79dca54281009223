/* The knowledge that a process has of slots' registers, so that it sends only what would raise one: a register never
 * falls, so an old copy errs to the safe side as long as its item is there. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_UNIQUE_KNOWN_H
#define MCP_PATTERNS_UNIQUE_KNOWN_H

#include "../../core/items/hyperloglog.h"
#include "../../core/key/key.h"

#define MCP_UNIQUE_COPIES_MAX 16
/* An item that was evicted is not noticed while a copy of it is believed. */
#define MCP_UNIQUE_BELIEVED_MS 60000

/* Invariant: every rank in it was acknowledged, or read, since `since_ms`. */
typedef struct mcp_unique_copy {
	uint64_t server; /* of its address, hashed */
	mcp_key_buffer wire;
	size_t wire_length;
	unsigned precision;
	uint64_t since_ms, used_ms; /* of the monotonic clock */
	uint8_t *registers;         /* of the largest precision; NULL: none yet */
} mcp_unique_copy;

/* One thread's knowledge. Zero-initialised: knows nothing. */
typedef struct mcp_unique_known {
	mcp_unique_copy copies[MCP_UNIQUE_COPIES_MAX];
	uint32_t appends; /* that were acknowledged */
} mcp_unique_known;

/* Returns the copy of one item's registers, begun anew when it is too old; it takes the place of the one that was not
 * used for the longest. NULL if there is no memory. */
mcp_unique_copy *mcp_unique_known_copy(mcp_unique_known *known, const char *address,
	const mcp_key *key, unsigned precision, uint64_t now_ms);

/* Knows nothing of this item any more, from now on. */
void mcp_unique_copy_restart(mcp_unique_copy *copy, uint64_t now_ms);

/* Knows nothing of any item any more. */
void mcp_unique_known_forget(mcp_unique_known *known);
void mcp_unique_known_free(mcp_unique_known *known);

#endif
