/* A few commands on keys of one server, executed in order.
 * A connection that has verified what it speaks to sends them as one batch, other stores one after the other. The
 * CAS values that they return may be kept across user code: each names its connection and is never sent over
 * another one. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_STEPS_H
#define MCP_STORE_STEPS_H

#include "store.h"

/* A write, and a read of as many keys as most semaphores have permits. */
#define MCP_STEPS_MAX 33

/* Kind of a step, with the fields that it uses besides the key. */
typedef enum mcp_store_step_verb {
	MCP_STEP_ADD,           /* [record] */
	MCP_STEP_CAS,           /* [record, base] */
	MCP_STEP_TOUCH,         /* [record: TTL; optional base: connection only] */
	MCP_STEP_DELETE_PROVEN, /* [base] deletes the item if it is unchanged */
	MCP_STEP_GET,           /* a read, as the next verb; no write may follow a read */
	MCP_STEP_GET_AND_TOUCH, /* [record: TTL] sets was_renewed if it could renew */
} mcp_store_step_verb;

/* A step and its result. */
typedef struct mcp_store_step {
	mcp_store_step_verb verb;
	const mcp_key *key;
	const mcp_record *record; /* without `proof` */
	mcp_proof base;           /* `read` of an earlier step */
	bool is_at_once;          /* of the first step: see mcp_store_steps_at_once */
	/* Results from here on. Status as of the change or the get. */
	mcp_status status;
	mcp_item item; /* of a read with MCP_OK; a view with the lifetime of a get's */
	/* Proof of the item that was read. Its CAS value is 0 for a missing item, a server without CAS or a broken
	 * connection. The connection is set for hits and misses. */
	mcp_proof read;
	mcp_proof proof; /* proof of the item, as a record's; empty if the steps were not one batch */
	bool was_renewed;
} mcp_store_step;

static inline bool mcp_store_step_is_read(const mcp_store_step *step) {
	return step->verb >= MCP_STEP_GET;
}

static inline bool mcp_store_step_has_base(const mcp_store_step *step) {
	return step->verb == MCP_STEP_CAS || step->verb == MCP_STEP_DELETE_PROVEN ||
		step->base.connection != 0;
}

/* Executes up to MCP_STEPS_MAX steps: writes before reads, each key read at most once.
 * - If a step is invalid, nothing is sent and all steps have its status: MCP_BAD_KEY, MCP_TOO_LARGE, MCP_NO_CAS (base
 *   without a CAS value) or MCP_UNSUPPORTED. The latter means that the store has no steps, or that the base's
 *   connection is closed: read the item again.
 * - Otherwise each step has its own status, and a step is executed whatever the reply to the previous one was.
 * - After a connection failure, no step is executed. A write is then MCP_UNKNOWN, or MCP_UNREACHABLE if it was
 *   certainly not sent. Only reads are retried. */
static inline void mcp_store_steps(mcp_store *store, mcp_store_step *steps, size_t count) {
	if (store->operations->steps != NULL) {
		store->operations->steps(store, steps, count);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		steps[i].status = MCP_UNSUPPORTED;
	}
}

/* Executes the steps as one batch. If that is impossible, sends nothing: MCP_UNSUPPORTED. */
static inline void mcp_store_steps_at_once(mcp_store *store, mcp_store_step *steps, size_t count) {
	steps[0].is_at_once = true;
	mcp_store_steps(store, steps, count);
}

/* --- for stores --- */

/* Sets the status of the steps from `from` on. */
void mcp_steps_answer(mcp_store_step *steps, size_t from, size_t count, mcp_status status);

/* Store that executes steps one by one. */
typedef struct mcp_steps_way {
	mcp_store *store;
	uint64_t (*connection)(mcp_store
			*store); /* returns the name of the open connection, or of the next one */
	bool renews;     /* a renewal before a read costs no round trip */
} mcp_steps_way;

/* Returns MCP_OK if all steps may be sent, otherwise the status of all steps. */
mcp_status mcp_steps_judge(const mcp_steps_way *way, const mcp_store_step *steps, size_t count);
/* Judges the steps, then executes them by the single verbs; the reads are one get_many. */
void mcp_steps_one_by_one(const mcp_steps_way *way, mcp_store_step *steps, size_t count);

#endif
