/* What serialized bytes hold, found out by reading them once and allocating nothing: before they are
 * unserialized, or after serializing them. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_SERIALIZED_H
#define MCP_CORE_SERIALIZED_H

#include "bytes.h"

#include <stdbool.h>
#include <stdint.h>

/* unserialize()'s own default: deeper values are neither stored nor read. */
#define MCP_SERIALIZED_DEPTH_MAX 4096
/* No shorter text is deeper: a level is "a:1:{i:0;" and "}" at least. */
#define MCP_SERIALIZED_DEEP_FROM (10 * MCP_SERIALIZED_DEPTH_MAX)

typedef struct mcp_serialized_facts {
	uint32_t depth;   /* of arrays and objects inside each other */
	bool has_objects; /* enum cases too */
	size_t memory;    /* bytes that PHP takes at most for what is in it; objects are not counted */
} mcp_serialized_facts;

/* False when `text` does not read as serialize() writes, from its first byte to its last. What the custom
 * format of a class ("C:") holds is not looked at. */
bool mcp_serialized_scan(mcp_bytes text, mcp_serialized_facts *facts);

/* The same for igbinary's formats 1 and 2. False also for what is deeper than MCP_SERIALIZED_DEPTH_MAX:
 * igbinary reads by recursion and has no limit. */
bool mcp_serialized_scan_igbinary(mcp_bytes block, mcp_serialized_facts *facts);

#endif
