/* Lower 16 bits of an item's client flags, which describe its payload. Laid out like php-memcached's, so that
 * php-memcached and this extension can read each other's plain values and counters. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_VALUE_FLAGS_H
#define MCP_CORE_VALUE_FLAGS_H

#include <stdbool.h>
#include <stdint.h>

/* All bits that determine how a payload is read. */
#define MCP_VALUE_MASK 0xFFFFu
#define MCP_VALUE_TYPE_MASK 0x000Fu
#define MCP_VALUE_COMPRESSED 0x0010u
#define MCP_VALUE_ZLIB 0x0020u
#define MCP_VALUE_FASTLZ 0x0040u
#define MCP_VALUE_ZSTD 0x0080u
/* No length precedes the compressed block, as in pecl-memcache. Never set by php-memcached, and only valid with
 * zlib. */
#define MCP_VALUE_BARE 0x0100u

typedef enum mcp_value_type {
	MCP_VALUE_STRING = 0,
	MCP_VALUE_INT = 1,
	MCP_VALUE_FLOAT = 2,
	MCP_VALUE_BOOL = 3,
	MCP_VALUE_SERIALIZED = 4,
	MCP_VALUE_IGBINARY = 5,
	MCP_VALUE_JSON = 6,
	MCP_VALUE_MSGPACK = 7,
} mcp_value_type;

/* Whether the payload is an integer in plain digits, which can be incremented. */
static inline bool mcp_value_flags_are_integer(uint32_t flags) {
	return (flags & MCP_VALUE_MASK) == MCP_VALUE_INT;
}

#endif
