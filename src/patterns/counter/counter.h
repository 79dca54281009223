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
	const mcp_key *key; /* of MCP_SPACE_COUNTER, or any other key that holds only a number */
	uint64_t ttl_ms;    /* from its creation; 0: never expires */
	uint64_t wait_ms;   /* maximum wait for another process's work */
	mcp_pauses *pauses; /* kept over an interruption; NULL: a wait begins with its call */
} mcp_counter;

/* --- counting --- */

/* Add `by`, which may be negative, to an existing number; stops at 0 (K1).
 * MCP_OK with the new number. MCP_NOT_FOUND. MCP_NOT_A_NUMBER. MCP_OUT_OF_RANGE: beyond INT64_MAX, and
 * undone (K3; see counter.c for concurrent calls). Or a failure; MCP_UNKNOWN may have counted, or could not
 * be undone.
 * Cost: 1 round trip, 2 to undo. If the process is killed in between, the change stays counted. */
mcp_status mcp_counter_add(const mcp_counter *counter, int64_t by, int64_t *number);

/* As mcp_counter_add, but a missing number starts from `initial` (>= 0), once for all concurrent callers
 * (K2). Cost: 1 round trip if it exists, otherwise 2. */
mcp_status mcp_counter_start(const mcp_counter *counter, int64_t initial, int64_t by,
	int64_t *number);

/* MCP_OK, MCP_NOT_FOUND, MCP_NOT_A_NUMBER, MCP_OUT_OF_RANGE, or a failure. */
mcp_status mcp_counter_read(const mcp_counter *counter, int64_t *number);

/* Set `number` >= 0; its TTL restarts. */
mcp_status mcp_counter_set(const mcp_counter *counter, int64_t number);

/* MCP_OK if it is missing afterwards, even if it was missing before. */
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

/* Elect one caller for a missing number; waits while another process computes it.
 * MCP_OK: compute it, then start with it and release the claim, or only release it. MCP_EXISTS: the number
 * exists. MCP_INTERRUPTED: see waiting.h. Or a failure.
 * Cost: at least 3 round trips. */
mcp_status mcp_counter_elect(const mcp_counter *counter, mcp_counter_claim *claim);

/* Release the claim. After a failure, the guard expires. Cost: 2 round trips, none if nothing is held. */
void mcp_counter_release(const mcp_counter *counter, mcp_counter_claim *claim);

/* --- draining --- */

/* Take the whole number (K4). All drained amounts plus the rest always equal the sum of all counts, under
 * any concurrency.
 * MCP_OK, with 0 for a missing number. MCP_NOT_STORED: nothing taken within wait_ms, because other drains
 * had the guard or the server is too slow. MCP_INTERRUPTED: nothing taken. MCP_NOT_A_NUMBER.
 * MCP_OUT_OF_RANGE. Or a failure; MCP_UNKNOWN may have taken *taken.
 * Cost: 5 round trips. */
mcp_status mcp_counter_drain(const mcp_counter *counter, int64_t *taken);

/* Restore a drained amount. If the number is missing by now, it starts a new one. An amount of 0 sends
 * nothing. */
mcp_status mcp_counter_give_back(const mcp_counter *counter, int64_t initial, int64_t taken);

/* --- guards --- */

/* Exclusive task of a guard; both guards may be held at once. */
typedef enum mcp_counter_duty {
	MCP_COUNTER_DUTY_INITIAL,
	MCP_COUNTER_DUTY_DRAIN,
} mcp_counter_duty;

/* Make a guard's key: "lock:", a readable part of the counter's key, the mapping mark, and a hash that no
 * name of a Lock has. It is routed like the counter, to the same server. */
mcp_key mcp_counter_guard_key(mcp_key_buffer *buffer, const mcp_key *counter,
	mcp_counter_duty duty);

/* --- also for counter_many.c --- */

/* Judge the number that a change by `by` has reached, as mcp_counter_add does: MCP_OK with it, or the status
 * of the undo. */
mcp_status mcp_counter_accept(const mcp_counter *counter, int64_t by, uint64_t reached,
	int64_t *number);

/* Parse the number of an item: MCP_OK, MCP_NOT_A_NUMBER or MCP_OUT_OF_RANGE. */
mcp_status mcp_counter_parse(const mcp_item *item, int64_t *number);

/* The guard of a crashed drain can be taken over MCP_LOCK_SKEW_MS after this, 2 s after it was acquired.
 * With a clock skew below 0.5 s, that is within the default wait of the next drain. */
#define MCP_COUNTER_DRAIN_TTL_MS 1000

void mcp_counter_choose_owner(const mcp_environment *environment,
	char owner[MCP_COUNTER_OWNER_LENGTH]);

#endif
