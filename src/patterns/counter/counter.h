/* A number that many processes count on, as plain digits that every client can read. The protocol
 * alone: what a user's callable must compute or store happens between two calls, never inside one.
 *
 * The rules are in docs/spec/counter.md under the names used here (K1, K2 ...). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_COUNTER_COUNTER_H
#define MCP_PATTERNS_COUNTER_COUNTER_H

#include "../../store/store.h"
#include "../lock/lock.h"

/* Borrows everything; made on the stack for each call. */
typedef struct mcp_counter {
	mcp_store *store;
	const mcp_environment *environment;
	const mcp_key *key; /* of MCP_SPACE_COUNTER, or whatever else holds nothing but a number */
	uint64_t ttl_ms;    /* from its creation; 0: forever */
	uint64_t wait_ms;   /* at most this long for another process's work */
	mcp_pauses *pauses; /* kept over an interruption; NULL: a wait begins with its call */
} mcp_counter;

/* --- counting --- */

/* Adds by K1 `by`, which may be negative, to a number that exists; stops at 0. MCP_OK with the new number;
 * MCP_NOT_FOUND; MCP_NOT_A_NUMBER; MCP_OUT_OF_RANGE: the number is beyond INT64_MAX or would be, and it was
 * undone (K3, see counter.c for what holds meanwhile); or a failure, of which MCP_UNKNOWN may have counted, or
 * could not be undone. One round trip, two to undo; a process that is killed in between leaves it counted. */
mcp_status mcp_counter_add(const mcp_counter *counter, int64_t by, int64_t *number);

/* Adds by K2 to a number that need not exist: it then starts from `initial` (>= 0), once for all callers that
 * come at the same time. One round trip if it exists, two if not. */
mcp_status mcp_counter_start(const mcp_counter *counter, int64_t initial, int64_t by,
	int64_t *number);

/* Reads the number: MCP_OK, MCP_NOT_FOUND, MCP_NOT_A_NUMBER, MCP_OUT_OF_RANGE, or a failure. */
mcp_status mcp_counter_read(const mcp_counter *counter, int64_t *number);

/* Sets `number` >= 0; its TTL starts again. */
mcp_status mcp_counter_set(const mcp_counter *counter, int64_t number);

/* MCP_OK if it is gone afterwards, absent included. */
mcp_status mcp_counter_reset(const mcp_counter *counter);

/* --- a first number that takes some work --- */

#define MCP_COUNTER_OWNER_LENGTH 32

/* The right to compute the first number, and the guard that keeps others from it. Plain data; outlives
 * the call that took it. Zero-initialised: none. */
typedef struct mcp_counter_claim {
	char owner[MCP_COUNTER_OWNER_LENGTH];
	mcp_hold hold; /* not open: waited too long, and computes beside whoever has the guard */
} mcp_counter_claim;

/* Elects for an absent number: waits while another process computes it. MCP_OK: compute it now, then start with
 * it and release the claim, or only release it. MCP_EXISTS: the number is there, count on. MCP_INTERRUPTED: see
 * waiting.h. Or a failure. At least three round trips. */
mcp_status mcp_counter_elect(const mcp_counter *counter, mcp_counter_claim *claim);

/* Releases in two round trips; none if it holds nothing. A failure leaves it to the guard's own end. */
void mcp_counter_release(const mcp_counter *counter, mcp_counter_claim *claim);

/* --- draining --- */

/* Takes by K4 what is there, so that all that was ever taken and what is left is all that was ever counted, whatever
 * runs beside it. MCP_OK, 0 taken from an absent number included; MCP_NOT_STORED: nothing was taken before wait_ms
 * was over, because other drains had the guard or the server answers too slowly for it; MCP_INTERRUPTED, nothing
 * taken; MCP_NOT_A_NUMBER; MCP_OUT_OF_RANGE; or a failure, of which MCP_UNKNOWN may have taken *taken. Five round
 * trips. */
mcp_status mcp_counter_drain(const mcp_counter *counter, int64_t *taken);

/* Puts back what could not be used. On a number that is gone meanwhile: as the start of a new one.
 * Nothing is put back as nothing. */
mcp_status mcp_counter_give_back(const mcp_counter *counter, int64_t initial, int64_t taken);

/* --- their guards --- */

/* A duty that a guard keeps others from; both may be held at once. */
typedef enum mcp_counter_duty {
	MCP_COUNTER_DUTY_INITIAL,
	MCP_COUNTER_DUTY_DRAIN,
} mcp_counter_duty;

/* Makes the key of a guard: "lock:", a readable head of the counter's key, the mapping mark and a hash of duty
 * and key as no name of a Lock hashes. Routed as the counter, so on the same server. */
mcp_key mcp_counter_guard_key(mcp_key_buffer *buffer, const mcp_key *counter,
	mcp_counter_duty duty);

/* --- for counter_many.c, too --- */

/* Judges the number that a change by `by` has reached, as mcp_counter_add does: MCP_OK with it, or what the undoing
 * answered. */
mcp_status mcp_counter_accept(const mcp_counter *counter, int64_t by, uint64_t reached,
	int64_t *number);

/* Reads the number out of an item: MCP_OK, MCP_NOT_A_NUMBER or MCP_OUT_OF_RANGE. */
mcp_status mcp_counter_parse(const mcp_item *item, int64_t *number);

/* A dead drainer's guard can be taken over MCP_LOCK_SKEW_MS later, 2 s after it was taken and so within
 * the default wait of the drain that comes next, where hosts' clocks agree to half a second. */
#define MCP_COUNTER_DRAIN_TTL_MS 1000

void mcp_counter_choose_owner(const mcp_environment *environment,
	char owner[MCP_COUNTER_OWNER_LENGTH]);

#endif
