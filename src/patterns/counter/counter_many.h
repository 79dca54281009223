/* Drains many counters in few round trips: K4 for each, as in mcp_counter_drain, but without waiting for a
 * guard of another drain. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_COUNTER_MANY_H
#define MCP_PATTERNS_COUNTER_MANY_H

#include "counter.h"

/* Maximum number of counters per round. All guards must be held until the last counter is taken, so that
 * slow servers get smaller rounds. */
#define MCP_COUNTER_MANY_MAX 1000

typedef struct mcp_counter_one {
	mcp_key key; /* of MCP_SPACE_COUNTER, set by the caller */
	/* Result of a drain. MCP_OK: `taken`, 0 for a missing counter. MCP_NOT_STORED: nothing taken, because
	 * another drain has the guard or the server is too slow. MCP_NOT_A_NUMBER, MCP_OUT_OF_RANGE or a
	 * failure: nothing taken, except that MCP_UNKNOWN may have taken `taken`. */
	mcp_status status;
	int64_t taken;
} mcp_counter_one;

/* Drain state of a counter. */
typedef struct mcp_counter_entry {
	mcp_counter_one *one;
	mcp_key_buffer buffer; /* of its guard's key */
	bool is_tried;         /* the guard may be ours */
	bool is_ours;          /* the guard was ours when it was read */
	bool is_left_behind;   /* the guard is another's that may be taken over */
	uint64_t cas;          /* of the guard, as read last */
	int64_t number;
} mcp_counter_entry;

/* Memory of the caller for the functions below, about 1 KB per counter. Keep it between calls: it remembers
 * the pace of the servers. */
typedef struct mcp_counter_room {
	size_t pace; /* counters in the next round; 0: unknown */
	mcp_counter_entry *entries;
	mcp_op *guards; /* by index of the entry, as their keys */
	mcp_key *guard_keys;
	mcp_op *writes; /* of one batch, with the indexes of their entries */
	size_t *places;
	mcp_key *keys;   /* 2 per counter */
	mcp_op *replies; /* 2 per counter */
} mcp_counter_room;

/* Required bytes for `count` counters, a multiple of the maximum alignment. */
size_t mcp_counter_room_size(size_t count);
/* Divide that memory, which the caller frees after the last call. For `count` counters or, if that is
 * MCP_COUNTER_MANY_MAX, for any number. */
mcp_counter_room mcp_counter_room_in(void *memory, size_t count);

/* Both ignore the key, TTL and wait of `counter`. */

/* Drain any number of distinct counters and fill in their results. Cost: 4 round trips per server and 100
 * counters if the store can batch (store.h), and 7 per guard of a crashed drain. */
void mcp_counter_drain_many(const mcp_counter *counter, mcp_counter_one *ones, size_t count,
	mcp_counter_room *room);

/* Restore what was `taken` from up to MCP_COUNTER_MANY_MAX counters. A missing counter starts again with
 * that amount. Status: MCP_OK, MCP_OUT_OF_RANGE, or a failure. Cost: 1 round trip per server and 100
 * counters. */
void mcp_counter_give_back_many(const mcp_counter *counter, mcp_counter_one *ones, size_t count,
	mcp_counter_room *room);

#endif
