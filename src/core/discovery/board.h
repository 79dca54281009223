/* Where the processes of a host keep what discovery endpoints have told them, and agree on who asks next. Atomic words
 * that begin as zeroes: nobody waits for anybody, and a process that is killed at any moment leaves a list that is
 * whole, or none. Nothing of it is believed that its check does not bear out. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_BOARD_H
#define MCP_CORE_BOARD_H

#include "../atomics.h"
#include "cluster.h"

/* The endpoints that there is room for; of further ones each process keeps a record of its own. */
#define MCP_BOARD_RECORDS 4

/* How long a list is good before the endpoint is asked again. */
#define MCP_BOARD_MINUTE_MS 60000

typedef struct mcp_board_record {
	mcp_atomic_u64 name; /* a hash of the endpoint; 0: unused */
	/* When to ask, by the monotonic clock of the host, in an even number; an odd one is the end of the turn of a process
	 * that is asking. 0: it was never asked. */
	mcp_atomic_u64 next_ms;
	mcp_atomic_u64 check;   /* of what follows; 0: there is no list */
	mcp_atomic_u64 version; /* as the endpoint told it */
	mcp_atomic_u64 servers_and_length;
	mcp_atomic_u64 padding[3]; /* to a whole cache line */
	mcp_atomic_u64 text[MCP_CLUSTER_TEXT_MAX / 8];
} mcp_board_record;

typedef struct mcp_board {
	mcp_board_record records[MCP_BOARD_RECORDS];
} mcp_board;

/* Returns the endpoint's record; `name` is not 0. NULL: all are others'. */
mcp_board_record *mcp_board_find(mcp_board *board, uint64_t name);

/* Says whether it is time to ask. One that is further ahead than processes' readings of the clock can be apart was
 * written by none. */
static inline bool mcp_board_is_due(const mcp_board_record *record, uint64_t now_ms) {
	uint64_t next_ms = atomic_load_explicit(&record->next_ms, memory_order_relaxed);
	return next_ms <= now_ms || next_ms > now_ms + 2 * MCP_BOARD_MINUTE_MS;
}

/* Tells a list apart from those before it; 0: there is none. */
static inline uint64_t mcp_board_edition(const mcp_board_record *record) {
	return atomic_load_explicit(&record->check, memory_order_acquire);
}

/* Takes the turn to ask for the caller, who has `for_ms` until another one may take it, less than a minute. False if it
 * is not due, or another one took it. */
bool mcp_board_claim(mcp_board_record *record, uint64_t now_ms, uint64_t for_ms, uint64_t *claim);
/* Ends the turn: it is to be asked again at `next_ms`. False if the turn was no longer the caller's. */
bool mcp_board_release(mcp_board_record *record, uint64_t claim, uint64_t next_ms);
/* Says whether a process is asking whose turn is not over. */
static inline bool mcp_board_is_claimed(const mcp_board_record *record, uint64_t now_ms) {
	uint64_t next_ms = atomic_load_explicit(&record->next_ms, memory_order_relaxed);
	return (next_ms & 1) != 0 && !mcp_board_is_due(record, now_ms);
}

/* Writes a list for all: by whoever has the turn, and before it ends. */
void mcp_board_write(mcp_board_record *record, const mcp_cluster *cluster);
/* Reads it. False if there is none, or it is being written. */
bool mcp_board_read(const mcp_board_record *record, mcp_cluster *cluster, uint64_t *edition);

#endif
