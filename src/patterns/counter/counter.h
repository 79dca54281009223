/* Counters that many processes share, stored as plain digits for all clients.
 * Protocol only: user code runs between two calls, never inside one.
 * The rules are in docs/spec/counter.md under the labels used here (K1, K2 ...). */
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
	uint64_t ttl_ms;    /* TTL from its creation; 0: never expires */
	uint64_t wait_ms;   /* maximum wait for another process's work */
	mcp_pauses *pauses; /* state kept across an interruption; NULL: a wait begins with its call */
} mcp_counter;

/* --- counting --- */

/* Add `by`, which can be negative, to an existing number; stops at 0 (K1). MCP_OK with the new number. MCP_NOT_FOUND.
 * MCP_NOT_A_NUMBER. MCP_OUT_OF_RANGE: beyond INT64_MAX, and undone (K3; see counter.c for concurrent calls). Or a
 * failure; MCP_UNKNOWN: the change can have been counted, or could not be undone. Cost: 1 round trip, 2 to undo. If the
 * process is killed in between, the change stays counted. */
mcp_status mcp_counter_add(const mcp_counter *counter, int64_t by, int64_t *number);
/* Check the number that a change by `by`, sent by the caller, has reached: MCP_OK with the number, or the status of
 * the undo. */
mcp_status mcp_counter_accept(const mcp_counter *counter, int64_t by, uint64_t reached,
	int64_t *number);

/* As mcp_counter_add, but a missing number starts from `initial` (>= 0), once for all concurrent callers (K2). Cost: 1
 * round trip if the number exists, otherwise 2. */
mcp_status mcp_counter_start(const mcp_counter *counter, int64_t initial, int64_t by,
	int64_t *number);

/* As mcp_counter_start(), for a number that is known to be missing. MCP_NOT_STORED: the number exists. Cost: 1 round
 * trip. */
mcp_status mcp_counter_create(const mcp_counter *counter, int64_t initial, int64_t by,
	int64_t *number);

/* MCP_OK, MCP_NOT_FOUND, MCP_NOT_A_NUMBER, MCP_OUT_OF_RANGE, or a failure. */
mcp_status mcp_counter_read(const mcp_counter *counter, int64_t *number);

/* Set `number` >= 0; its TTL restarts. */
mcp_status mcp_counter_set(const mcp_counter *counter, int64_t number);

/* MCP_OK if the number no longer exists, even if it did not exist before. */
mcp_status mcp_counter_reset(const mcp_counter *counter);

/* --- an initial number that must be computed --- */

#define MCP_COUNTER_OWNER_LENGTH 32

/* Permission to compute the initial number, with the guard that excludes others. Plain data; valid after the
 * call returns. Zero-initialized: none. */
typedef struct mcp_counter_claim {
	char owner[MCP_COUNTER_OWNER_LENGTH];
	/* not open: the wait timed out, so the caller computes concurrently with the guard's holder */
	mcp_hold hold;
} mcp_counter_claim;

/* Elect one caller for a missing number; waits while another process computes it. MCP_OK: compute the number, then
 * start with it and release the claim, or only release the claim. MCP_EXISTS: the number exists. MCP_INTERRUPTED: see
 * waiting.h. Or a failure. Cost: at least 3 round trips. */
mcp_status mcp_counter_elect(const mcp_counter *counter, mcp_counter_claim *claim);

/* Release the claim. After a failure, the guard expires. Cost: 2 round trips, 0 if nothing is held. */
void mcp_counter_release(const mcp_counter *counter, mcp_counter_claim *claim);

/* --- draining --- */

/* Take the whole number (K4). All drained amounts plus the remaining number always equal the sum of all counts, under
 * any concurrency. MCP_OK, with 0 for a missing number. MCP_NOT_STORED: nothing taken within wait_ms, because other
 * drains had the guard or the server is too slow. MCP_INTERRUPTED: nothing taken. MCP_NOT_A_NUMBER. MCP_OUT_OF_RANGE.
 * Or a failure; MCP_UNKNOWN: *taken can have been taken. Cost: 5 round trips. */
mcp_status mcp_counter_drain(const mcp_counter *counter, int64_t *taken);

/* Restore a drained amount. If the number is missing by now, it is created. An amount of 0 sends nothing. */
mcp_status mcp_counter_give_back(const mcp_counter *counter, int64_t initial, int64_t taken);

/* --- guards --- */

/* Exclusive task of a guard. Both guards can be held at the same time. */
typedef enum mcp_counter_duty {
	MCP_COUNTER_DUTY_INITIAL,
	MCP_COUNTER_DUTY_DRAIN,
} mcp_counter_duty;

/* Make a guard's key: "lock:", a readable part of the counter's key, "~#", and a hash that no name of a Lock
 * has. It is routed like the counter, to the same server. */
mcp_key mcp_counter_guard_key(mcp_key_buffer *buffer, const mcp_key *counter,
	mcp_counter_duty duty);

/* Drains many counters in few round trips: K4 for each, as in mcp_counter_drain, but without waiting for a
 * guard of another drain. */

/* Maximum number of counters per round. All guards must be held until the last counter is taken, so that
 * slow servers get smaller rounds. */
#define MCP_COUNTER_MANY_MAX 1000

typedef struct mcp_counter_one {
	mcp_key key; /* key in MCP_SPACE_COUNTER, set by the caller */
	/* Result of a drain. MCP_OK: `taken`, 0 for a missing counter. MCP_NOT_STORED: nothing taken, because another drain
	 * has the guard or the server is too slow. MCP_NOT_A_NUMBER, MCP_OUT_OF_RANGE or a failure: nothing taken, except
	 * that after MCP_UNKNOWN, `taken` can have been taken. */
	mcp_status status;
	int64_t taken;
} mcp_counter_one;

/* Drain state of a counter. */
typedef struct mcp_counter_entry {
	mcp_counter_one *one;
	mcp_key_buffer buffer; /* buffer of its guard's key */
	bool is_tried;         /* the guard might be ours */
	bool is_ours;          /* the guard was ours when it was read */
	bool is_left_behind;   /* the guard belongs to another drain, and can be taken over */
	uint64_t cas;          /* CAS value of the guard, as read last */
	int64_t number;
} mcp_counter_entry;

/* Memory of the caller for the functions below, about 1 KB per counter. Keep it between calls: it remembers
 * the pace of the servers. */
typedef struct mcp_counter_scratch {
	size_t pace; /* counters in the next round; 0: unknown */
	mcp_counter_entry *entries;
	mcp_op *guards; /* guards and their keys, by index of the entry */
	mcp_key *guard_keys;
	mcp_op *writes; /* writes of one batch, with the indexes of their entries */
	size_t *places;
	mcp_key *keys;   /* 2 per counter */
	mcp_op *replies; /* 2 per counter */
} mcp_counter_scratch;

/* Required bytes for `count` counters, a multiple of the maximum alignment. */
size_t mcp_counter_scratch_size(size_t count);
/* Divide memory of this size, which the caller frees after the last call. It is sufficient for `count` counters. If
 * `count` is MCP_COUNTER_MANY_MAX, it is sufficient for any number. */
mcp_counter_scratch mcp_counter_scratch_in(void *memory, size_t count);

/* Both functions below ignore the key, TTL and wait of `counter`. */

/* Drain any number of distinct counters and fill in their results. Cost: 4 round trips per server and per 100 counters
 * if the store can batch (store.h), and 7 per guard of a crashed drain. */
void mcp_counter_drain_many(const mcp_counter *counter, mcp_counter_one *ones, size_t count,
	mcp_counter_scratch *scratch);

/* Restore the amounts `taken` from up to MCP_COUNTER_MANY_MAX counters. A missing counter is created with its amount.
 * Status: MCP_OK, MCP_OUT_OF_RANGE, or a failure. Cost: 1 round trip per server and per 100 counters. */
void mcp_counter_give_back_many(const mcp_counter *counter, mcp_counter_one *ones, size_t count,
	mcp_counter_scratch *scratch);

#endif
