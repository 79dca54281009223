/* Proofs and single writes of the direct wire.
 * A server supports proofs if it knows the meta commands, has CAS enabled, and is a memcached, not a proxy. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_WIRE_DIRECT_WIRE_DIRECT_META_H
#define MCP_STORE_WIRE_DIRECT_WIRE_DIRECT_META_H

#include "wire_direct_line.h"

/* Functions of the wire, see wire.h. */
mcp_status mcp_direct_learn(mcp_wire *wire);
uint64_t mcp_direct_connection(const mcp_wire *wire);
mcp_status mcp_direct_seconds_left(mcp_wire *wire, mcp_bytes key, uint64_t *seconds);
mcp_status mcp_direct_write(mcp_wire *wire, mcp_op *op);

/* Writes the line of an op that sends no value. */
void mcp_direct_compose(const mcp_direct *wire, const mcp_op *op, mcp_request *line);

/* False: one line is enough. A delete_if of a named connection is a meta command. */
static inline bool mcp_direct_sends_value(const mcp_op *op) {
	return mcp_op_stores(op) || (op->verb == MCP_OP_DELETE_IF && op->expects.connection == 0);
}
/* Status of a write's reply; `done`: the kind that means success. */
mcp_status mcp_direct_status_of(mcp_direct *wire, const mcp_answer *answer, mcp_answer_kind done);
/* Reads the item after a write, and sets the proof if it is what was written: another client can have written in
 * between. `was_done`: the write succeeded. `is_last`: no further reply may follow. */
mcp_status mcp_direct_look_behind(mcp_direct *wire, const mcp_op *op, bool was_done, bool is_last);
/* True if a "server error" means that the item exceeds the server's limit. */
bool mcp_direct_is_too_large(const mcp_answer *answer);

#endif
