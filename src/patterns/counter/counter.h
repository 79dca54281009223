/* Counters that many processes share, stored as plain digits for all clients. Protocol only: user code runs between
 * two calls, never within a call. The rules are in docs/spec/counter.md under the labels used here (K1, K2 ...). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_COUNTER_COUNTER_H
#define MCP_PATTERNS_COUNTER_COUNTER_H

#include "../../store/store.h"
#include "../lock/lock.h"

/* Owns nothing; built on the stack for each call. */
typedef struct mcp_counter {
	mcp_store *store;
	const mcp_environment *environment;
	const mcp_key *key; /* key in MCP_SPACE_COUNTER, or any other key that holds only a number */
	uint64_t ttl_ms;    /* TTL from the creation of the number; 0: never expires */
	uint64_t wait_ms;   /* maximum wait for another process's work */
	mcp_pauses *pauses; /* state kept across an interruption; NULL: a wait begins with its call */
} mcp_counter;

/* --- counting --- */

/* Add `by`, which can be negative, to an existing number, which stops at 0 (K1). MCP_OK with the new number.
 * MCP_NOT_FOUND. MCP_NOT_A_NUMBER. MCP_OUT_OF_RANGE: the number exceeded INT64_MAX, and the change was undone (K3;
 * see counter.c for concurrent calls). MCP_UNKNOWN: the change might have been counted, or could not be undone. Or
 * another failure. Cost: 1 round trip, 2 with an undo. If the process is killed before the undo, the change stays
 * counted. */
mcp_status mcp_counter_add(const mcp_counter *counter, int64_t by, int64_t *number);
/* Check the number that the caller's change by `by` has reached. MCP_OK with the number, or the status of the
 * undo. */
mcp_status mcp_counter_accept(const mcp_counter *counter, int64_t by, uint64_t reached,
	int64_t *number);

/* Like mcp_counter_add, but a missing number starts from `initial` (>= 0), once for all concurrent callers (K2).
 * Cost: 1 round trip if the number exists, otherwise 2. */
mcp_status mcp_counter_start(const mcp_counter *counter, int64_t initial, int64_t by,
	int64_t *number);

/* Like mcp_counter_start, for a number that is known to be missing. MCP_NOT_STORED: the number exists. Cost: 1 round
 * trip. */
mcp_status mcp_counter_create(const mcp_counter *counter, int64_t initial, int64_t by,
	int64_t *number);

/* Read the number. MCP_OK, MCP_NOT_FOUND, MCP_NOT_A_NUMBER, MCP_OUT_OF_RANGE, or a failure. */
mcp_status mcp_counter_read(const mcp_counter *counter, int64_t *number);

/* Set the number, which must be >= 0, and restart its TTL. */
mcp_status mcp_counter_set(const mcp_counter *counter, int64_t number);

/* Delete the number. MCP_OK also if it did not exist. */
mcp_status mcp_counter_reset(const mcp_counter *counter);

/* --- initial numbers that must be computed --- */

#define MCP_COUNTER_OWNER_LENGTH 32

/* Permission to compute the initial number, with the guard that excludes other callers. Plain data; valid after the
 * call returns. Zero-initialized: none. */
typedef struct mcp_counter_claim {
	char owner[MCP_COUNTER_OWNER_LENGTH];
	/* hold of the guard; not open if the wait timed out, and the caller computes although another one has the
	 * guard */
	mcp_hold hold;
} mcp_counter_claim;

/* Elect one caller for a missing number. Waits while another process computes it. MCP_OK: compute the number, start
 * the counter with it, and release the claim. After a failure, only release the claim. MCP_EXISTS: the number exists.
 * MCP_INTERRUPTED: see waiting.h. Or a failure. Cost: at least 3 round trips. */
mcp_status mcp_counter_elect(const mcp_counter *counter, mcp_counter_claim *claim);

/* Release the claim. If the release fails, the guard expires. Cost: 1 round trip if the hold has a proof, otherwise 2,
 * and 0 if nothing is held. */
void mcp_counter_release(const mcp_counter *counter, mcp_counter_claim *claim);

/* --- draining --- */

/* Take the whole number (K4). All drained amounts plus the remaining number always equal the sum of all counts,
 * whatever runs concurrently. MCP_OK, with 0 for a missing number. MCP_NOT_STORED: nothing was taken within wait_ms,
 * because other drains had the guard or the server is too slow. MCP_INTERRUPTED: nothing was taken. MCP_NOT_A_NUMBER.
 * MCP_OUT_OF_RANGE. MCP_UNKNOWN: *taken might have been taken. Or another failure. Cost: 5 round trips. */
mcp_status mcp_counter_drain(const mcp_counter *counter, int64_t *taken);

/* Add a drained amount again. A missing number is created with `initial` plus this amount. An amount of 0 sends
 * nothing. */
mcp_status mcp_counter_give_back(const mcp_counter *counter, int64_t initial, int64_t taken);

/* --- guards --- */

/* Exclusive task of a guard. The guards of both tasks can be held at the same time. */
typedef enum mcp_counter_duty {
	MCP_COUNTER_DUTY_INITIAL,
	MCP_COUNTER_DUTY_DRAIN,
} mcp_counter_duty;

/* Make a guard's key: "lock:", a readable part of the counter's key, "~#", and a hash that no Lock's name has. The
 * key is routed to the counter's server. */
mcp_key mcp_counter_guard_key(mcp_key_buffer *buffer, const mcp_key *counter,
	mcp_counter_duty duty);

/* Drains many counters in few round trips. K4 applies to each, as in mcp_counter_drain, but the drain does not wait
 * for a guard of another drain. */

/* Maximum number of counters per round. All guards must be held until the last counter has been taken, so slow
 * servers get smaller rounds. */
#define MCP_COUNTER_MANY_MAX 1000

typedef struct mcp_counter_one {
	mcp_key key; /* key in MCP_SPACE_COUNTER, set by the caller */
	/* Result of a drain. MCP_OK: `taken` was taken, which is 0 for a missing counter. MCP_NOT_STORED: nothing was
	 * taken, because another drain has the guard or the server is too slow. MCP_UNKNOWN: `taken` might have been
	 * taken. MCP_NOT_A_NUMBER, MCP_OUT_OF_RANGE or another failure: nothing was taken. */
	mcp_status status;
	int64_t taken;
} mcp_counter_one;

/* The caller's memory for the next functions, about 1 KB per counter. Keep it between calls, because it remembers the
 * pace of the servers. */
typedef struct mcp_counter_scratch {
	size_t pace; /* number of counters in the next round; 0: unknown */
	struct mcp_counter_entry *entries;
	mcp_op *guards; /* guards and their keys, by index of the entry */
	mcp_key *guard_keys;
	mcp_op *writes; /* writes of one batch, with the indexes of their entries */
	size_t *places;
	mcp_key *keys;   /* 2 per counter */
	mcp_op *replies; /* 2 per counter */
} mcp_counter_scratch;

/* Return the number of bytes for `count` counters, a multiple of the maximum alignment. */
size_t mcp_counter_scratch_size(size_t count);
/* Divide memory of this size, which the caller frees after the last call. It is sufficient for `count` counters, or,
 * if `count` is MCP_COUNTER_MANY_MAX, for any number of counters. */
mcp_counter_scratch mcp_counter_scratch_in(void *memory, size_t count);

/* The next two functions ignore the key, TTL and wait of `counter`. */

/* Drain any number of distinct counters and fill in their results. Cost: 4 round trips per server and per 100 counters
 * if the store can batch (store.h), and 7 per guard of a crashed drain. */
void mcp_counter_drain_many(const mcp_counter *counter, mcp_counter_one *ones, size_t count,
	mcp_counter_scratch *scratch);

/* Add the amounts `taken` to up to MCP_COUNTER_MANY_MAX counters again. A missing counter is created with its amount.
 * The status of a counter is MCP_OK, MCP_OUT_OF_RANGE, or a failure. Cost: 1 round trip per server and per 100
 * counters. */
void mcp_counter_give_back_many(const mcp_counter *counter, mcp_counter_one *ones, size_t count,
	mcp_counter_scratch *scratch);

#endif
