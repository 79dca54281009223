/* How many different visitors there were: in each slot of time a sketch that only grows, so that a hit may be repeated,
 * doubled, delayed or reordered and the number is the same (H1).
 *
 * The rules are in docs/spec/collections.md under the names used here (H1, H2 ...). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_UNIQUE_VISITORS_UNIQUE_VISITORS_H
#define MCP_PATTERNS_UNIQUE_VISITORS_UNIQUE_VISITORS_H

#include "../../core/items/sketch.h"
#include "../../core/items/window.h"
#include "../../core/key/key.h"
#include "../../store/store.h"

/* The knowledge that a process has of slots' registers, so that it sends only what would raise one: a register never
 * falls, so an old copy errs to the safe side as long as its item is there. */

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

void mcp_unique_known_free(mcp_unique_known *known);

/* Borrows everything; made on the stack for each call. */
typedef struct mcp_unique {
	mcp_store *store;
	const mcp_environment *environment;
	const mcp_key *key; /* of MCP_SPACE_UNIQUE, without a slot */
	mcp_window window;  /* its last slot is the one that is going on */
	unsigned precision;
	mcp_unique_known *known;
} mcp_unique;

/* Sees by H1 the visitor of this hash. MCP_OK; MCP_NOT_STORED: the slot's item is full, or the server has no memory
 * for it; or a failure, after which it may be repeated. No round trip when this process knows that it would change
 * nothing, else 1; 2 for the first of a slot; 2 more for each 256th of a process, which folds the pairs into the
 * registers. */
mcp_status mcp_unique_hit(const mcp_unique *unique, uint64_t hash);

/* Room for a read of the slots: as many of each as the window has slots, and registers of the precision. */
typedef struct mcp_unique_scratch {
	mcp_key *keys;
	mcp_key_buffer *buffers;
	mcp_reply *replies;
	uint8_t *registers;
} mcp_unique_scratch;

/* Is told each slot's registers, the newest slot first; `registers` lives during the call. */
typedef void (*mcp_unique_visitor)(void *context, uint64_t slot, const uint8_t *registers);

/* Reads: MCP_OK; MCP_NOT_A_NUMBER: what stands there is no sketch of this precision; or a failure: part of the slots
 * is never shown as the whole. One round trip for each 8,000 bytes of keys, and one for each slot whose pairs take
 * over 4 KB: those are folded. */
mcp_status mcp_unique_read(const mcp_unique *unique, const mcp_unique_scratch *scratch,
	mcp_unique_visitor visit, void *context);

/* Forgets all visitors of the window's slots, whatever stands there. MCP_OK or the first failure; the others are tried
 * all the same. `keys`, `buffers` and `statuses` are for as many as the window has slots. One delete for each. */
mcp_status mcp_unique_reset(const mcp_unique *unique, const mcp_unique_scratch *scratch,
	mcp_status *statuses);

#endif
