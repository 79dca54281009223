/* Steps: a few commands on keys of one server, executed in order. And help for stores that send one op at a time.
 * A connection that has verified its peer sends the steps as one batch. Other stores send them one after the other.
 * The CAS values that steps return may be kept across user code: each names its connection and is never sent over
 * another one. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_OPS_H
#define MCP_STORE_OPS_H

#include "store.h"

/* Room for a write and a read of 32 keys, which is sufficient for the permits of most semaphores. */
#define MCP_STEPS_MAX 33

/* True if a step must go over the connection that it names. */
static inline bool mcp_op_has_base(const mcp_op *step) {
	return mcp_op_compares(step) || step->expects.connection != 0;
}

/* Sets the status of the steps from `from` on. */
void mcp_steps_answer(mcp_op *steps, size_t from, size_t count, mcp_status status);

/* Executes up to MCP_STEPS_MAX steps: any writes but prepend and flush, and reads; writes before reads, each key read at
 * most once.
 * - If a step is invalid, nothing is sent and all steps have its status: MCP_BAD_KEY, MCP_TOO_LARGE, MCP_NO_CAS (the
 *   expected CAS value is 0) or MCP_UNSUPPORTED. MCP_UNSUPPORTED means that the store has no steps, or that the expected
 *   connection is closed: read the item again.
 * - Otherwise each step has its own status. A step is executed whatever the reply to the previous step was.
 * - After a connection failure, no further step is sent. A write without a reply is MCP_UNKNOWN, or MCP_UNREACHABLE if
 *   it was certainly not sent. Reads may be retried, writes only if a closed connection took nothing of them.
 * Records of steps have no `proof`. */
static inline void mcp_store_steps(mcp_store *store, mcp_op *steps, size_t count) {
	if (store->operations->steps != NULL) {
		store->operations->steps(store, steps, count);
	} else {
		mcp_steps_answer(steps, 0, count, MCP_UNSUPPORTED);
	}
}

/* Executes the steps as one batch. If that is impossible, sends nothing: MCP_UNSUPPORTED. */
static inline void mcp_store_steps_at_once(mcp_store *store, mcp_op *steps, size_t count) {
	steps[0].is_at_once = true;
	mcp_store_steps(store, steps, count);
}

/* --- for stores --- */

/* True for a list of gets, false for a list of writes. */
static inline bool mcp_ops_are_reads(mcp_op *const *ops, size_t count) {
	return count > 0 && mcp_op_is_read(ops[0]);
}

void mcp_ops_answer(mcp_op *const *ops, size_t count, mcp_status status);

/* Store that executes steps one by one. */
typedef struct mcp_steps_way {
	mcp_store *store;
	/* Returns the name of the open connection, or of the next one. */
	uint64_t (*connection)(mcp_store *store);
	bool renews; /* a renewal before a read costs no round trip */
} mcp_steps_way;

/* Returns MCP_OK if all steps may be sent, otherwise the status of all steps. */
mcp_status mcp_steps_judge(const mcp_steps_way *way, const mcp_op *steps, size_t count);
/* Judges the steps, then executes them by the single verbs; the reads are one run. */
void mcp_steps_one_by_one(const mcp_steps_way *way, mcp_op *steps, size_t count);

#endif
