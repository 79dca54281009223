/* The direct wire's writes of many, for its table: each as wire.h has it. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_WIRE_DIRECT_BATCH_H
#define MCP_STORE_WIRE_DIRECT_BATCH_H

#include "wire_direct_line.h"

mcp_status mcp_direct_send_many(mcp_wire *wire, mcp_wire_verb verb, const mcp_wire_item *items,
	size_t count);
bool mcp_direct_takes_steps(const mcp_wire *wire);
mcp_status mcp_direct_send_steps(mcp_wire *wire, const mcp_wire_step *steps, size_t count);
mcp_status mcp_direct_hear_step(mcp_wire *wire, const mcp_wire_step *step, bool is_last,
	mcp_item *item);
mcp_status mcp_direct_answer(mcp_wire *wire, bool is_last, uint64_t *number);
mcp_status mcp_direct_answer_proven(mcp_wire *wire, bool is_last, const mcp_wire_item *item);

#endif
