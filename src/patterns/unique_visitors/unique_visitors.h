/* How many different visitors there were: in each slot of time a sketch that only grows, so that a hit may be repeated,
 * doubled, delayed or reordered and the number is the same (H1).
 *
 * The rules are in docs/spec/collections.md under the names used here (H1, H2 ...). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_UNIQUE_VISITORS_H
#define MCP_PATTERNS_UNIQUE_VISITORS_H

#include "../../core/items/window.h"
#include "../../store/store.h"
#include "unique_known.h"

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
