/* The direct wire's writes of many, for its table: each as wire.h has it. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_WIRE_DIRECT_BATCH_H
#define MCP_STORE_WIRE_DIRECT_BATCH_H

#include "wire_direct_line.h"

mcp_status mcp_direct_send_many(mcp_wire *wire, mcp_wire_verb verb, const mcp_wire_item *items,
	size_t count);
mcp_status mcp_direct_answer(mcp_wire *wire, bool is_last, uint64_t *number);

#endif
