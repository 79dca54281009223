/* Counts distinct visitors: each time slot is a HyperLogLog sketch whose registers only grow, so that repeated,
 * delayed or reordered hits do not change the result (H1). The rules are in docs/spec/collections.md under the labels
 * used here (H1, H2 ...). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_UNIQUE_VISITORS_UNIQUE_VISITORS_H
#define MCP_PATTERNS_UNIQUE_VISITORS_UNIQUE_VISITORS_H

#include "../../core/items/sketch.h"
#include "../../core/items/window.h"
#include "../../core/key/key.h"
#include "../../store/store.h"

/* Maximum number of slots whose registers a process remembers, in order to send only hits that raise a register. A
 * register never decreases, so an outdated copy is safe as long as the slot's item exists. */

#define MCP_UNIQUE_COPIES_MAX 16
/* Time for which a process trusts a copy. During this time, it does not notice an eviction of the item. */
#define MCP_UNIQUE_BELIEVED_MS 60000

/* Invariant: every rank in the copy was acknowledged or read since `since_ms`. */
typedef struct mcp_unique_copy {
	uint64_t server; /* hash of the server's address */
	mcp_key_buffer wire;
	size_t wire_length;
	unsigned precision;
	uint64_t since_ms, used_ms; /* monotonic times */
	uint8_t *registers;         /* registers of the maximum precision; NULL: none yet */
} mcp_unique_copy;

/* Copies of one thread. Zero-initialized: none. */
typedef struct mcp_unique_known {
	mcp_unique_copy copies[MCP_UNIQUE_COPIES_MAX];
	uint32_t appends; /* number of acknowledged appends */
} mcp_unique_known;

void mcp_unique_known_free(mcp_unique_known *known);

/* Owns nothing; built on the stack for each call. */
typedef struct mcp_unique {
	mcp_store *store;
	const mcp_environment *environment;
	const mcp_key *key; /* key in MCP_SPACE_UNIQUE, without a slot */
	mcp_window window;  /* the last slot of the window is the current one */
	unsigned precision;
	mcp_unique_known *known;
} mcp_unique;

/* Record a hit of the visitor with this hash (H1). MCP_OK. MCP_NOT_STORED: the slot is full, or the server is out of
 * memory. Or a failure, after which the hit can be repeated. Cost: 0 round trips if this process knows that no
 * register would change. Otherwise 1, or 2 for the first hit of a slot. Each 256th append of a process folds the
 * pairs into the registers, which costs 2 more. */
mcp_status mcp_unique_hit(const mcp_unique *unique, uint64_t hash);

/* Scratch memory for a read of the slots. `registers` has the registers of one sketch, and the other arrays have one
 * element per slot. */
typedef struct mcp_unique_scratch {
	mcp_key *keys;
	mcp_key_buffer *buffers;
	mcp_op *replies;
	uint8_t *registers;
} mcp_unique_scratch;

/* Called with the registers of each slot, newest first. `registers` is valid during the call. */
typedef void (*mcp_unique_visitor)(void *context, uint64_t slot, const uint8_t *registers);

/* Read all slots. MCP_OK. MCP_NOT_A_NUMBER: an item is not a sketch of this precision. Or the failure of any slot,
 * because a partial result is not returned. Cost: 1 round trip per 8,000 bytes of keys, and 1 per slot with more than
 * 4 KB of pairs, which are folded. */
mcp_status mcp_unique_read(const mcp_unique *unique, const mcp_unique_scratch *scratch,
	mcp_unique_visitor visit, void *context);

/* Delete the window's slots, whatever they contain. All deletes are sent. MCP_OK or the first failure. `keys`,
 * `buffers` and `statuses` have one element per slot. Cost: 1 delete per slot. */
mcp_status mcp_unique_reset(const mcp_unique *unique, const mcp_unique_scratch *scratch,
	mcp_status *statuses);

#endif
