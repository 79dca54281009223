/* Whether the server at the other end of a direct wire can prove what it has stored: it knows the meta commands,
 * gives cas ids, and is a memcached, not a proxy before some. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_WIRE_DIRECT_META_H
#define MCP_STORE_WIRE_DIRECT_META_H

#include "wire_direct_line.h"

/* Learns; it and the next three are the wire's functions. */
mcp_status mcp_direct_learn(mcp_wire *wire);
bool mcp_direct_holds(const mcp_wire *wire, const mcp_proof *proof);
uint64_t mcp_direct_connection(const mcp_wire *wire);
mcp_status mcp_direct_seconds_left(mcp_wire *wire, mcp_bytes key, uint64_t *seconds);

#endif
