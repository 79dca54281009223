/* Drains many counters by few round trips: K4 for each of them, as mcp_counter_drain has it, but that nobody waits for a
 * guard which another drain has. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_COUNTER_MANY_H
#define MCP_PATTERNS_COUNTER_MANY_H

#include "counter.h"

/* How many are taken together at most. All their guards are to be held until the last one is taken, so that there are
 * fewer where the servers answer slowly. */
#define MCP_COUNTER_MANY_MAX 1000

/* One counter of many. */
typedef struct mcp_counter_one {
	mcp_key key; /* of MCP_SPACE_COUNTER, by the caller */
	/* The answer of a drain: MCP_OK: `taken`, 0 from an absent counter included. MCP_NOT_STORED: nothing was taken,
	 * because another drain was at it, or the server answers too slowly. MCP_NOT_A_NUMBER, MCP_OUT_OF_RANGE, or a failure,
	 * of which MCP_UNKNOWN may have taken `taken`: nothing was taken. */
	mcp_status status;
	int64_t taken;
} mcp_counter_one;

/* A counter while it is drained. */
typedef struct mcp_counter_entry {
	mcp_counter_one *one;
	mcp_key_buffer buffer; /* of its guard's key */
	bool is_tried;         /* the guard may be ours */
	bool is_ours;          /* it was, when it was looked at */
	bool is_left_behind;   /* it is another's that may be taken over */
	uint64_t cas;          /* of the guard, as it was read last */
	int64_t number;
} mcp_counter_entry;

/* The caller's memory for the calls below, about 1 KB for each counter. Kept from call to call it knows the servers' pace. */
typedef struct mcp_counter_room {
	size_t pace; /* how many are taken together next; 0: not known yet */
	mcp_counter_entry *entries;
	mcp_write *guards; /* each entry's, at its place */
	mcp_write *writes; /* what is sent together, or asked for, and whose it is */
	size_t *places;
	mcp_key *keys;      /* 2 for each */
	mcp_reply *replies; /* 2 for each */
} mcp_counter_room;

/* Returns the bytes that room for so many counters needs, a multiple of what anything has to be aligned to. */
size_t mcp_counter_room_size(size_t count);
/* Makes room out of that memory, which the caller frees after the last call. For so many counters, or, with room for
 * MCP_COUNTER_MANY_MAX, for any number. */
mcp_counter_room mcp_counter_room_in(void *memory, size_t count);

/* Both need of `counter` all but a key, a TTL and a wait. */

/* Drains up to any number of different counters, and fills in their answers. Four round trips for each server and hundred
 * counters where the store can send many writes at once (see store.h); guards that dead drains have left cost seven each. */
void mcp_counter_drain_many(const mcp_counter *counter, mcp_counter_one *ones, size_t count,
	mcp_counter_room *room);

/* Puts back what was `taken` from up to MCP_COUNTER_MANY_MAX counters, to those that are gone meanwhile as the start of
 * new ones. A status of MCP_OK, MCP_OUT_OF_RANGE, or a failure. One round trip for each server and hundred counters. */
void mcp_counter_give_back_many(const mcp_counter *counter, mcp_counter_one *ones, size_t count,
	mcp_counter_room *room);

#endif
