/* Analyzes serialized bytes in one pass without allocation, before unserialization or after serialization. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_SERIALIZED_SERIALIZED_H
#define MCP_CORE_SERIALIZED_SERIALIZED_H

#include "../bytes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Default `max_depth` of unserialize(): deeper values are neither stored nor read. */
#define MCP_SERIALIZED_DEPTH_MAX 4096
/* Shorter texts cannot be deeper: a level has at least "a:1:{i:0;" and "}". */
#define MCP_SERIALIZED_DEEP_FROM (10 * MCP_SERIALIZED_DEPTH_MAX)
/* Maximum nesting of custom formats ("C:"), and the minimum length of a text that exceeds it. The engine uses a nested
 * reader for each custom format. This reader restarts the level count, so that deep nesting would exhaust the stack. */
#define MCP_SERIALIZED_CUSTOMS_MAX 64
#define MCP_SERIALIZED_DEEP_CUSTOMS_FROM (12 * MCP_SERIALIZED_CUSTOMS_MAX)
/* A level of igbinary has at least the array's type, its count, and an empty string as key. */
#define MCP_SERIALIZED_DEEP_FROM_IGBINARY (3 * MCP_SERIALIZED_DEPTH_MAX)

typedef struct mcp_serialized_facts {
	uint32_t depth;   /* nesting of arrays and objects */
	bool has_objects; /* including enum cases */
	bool has_enums;   /* only set for igbinary */
	bool is_inert;    /* reading runs no user code; only set for igbinary */
	size_t memory;    /* upper bound of PHP's memory for the contents, without objects */
} mcp_serialized_facts;

/* Returns false if `text` is not completely in the format of serialize(). A custom format ("C:") can contain anything:
 * parts that look like items count as items, and more than MCP_SERIALIZED_CUSTOMS_MAX nested custom formats count as
 * too deep. */
bool mcp_serialized_scan(mcp_bytes text, mcp_serialized_facts *facts);

/* Scan the bytes of such a custom format, which counts as a level. */
void mcp_serialized_scan_custom(mcp_bytes bytes, mcp_serialized_facts *facts);

/* Byte that occurs in every igbinary block with an enum case, and in some blocks without one. */
#define MCP_SERIALIZED_ENUM_IGBINARY 0x27

/* Like mcp_serialized_scan(), for igbinary's formats 1 and 2. Also false if the depth exceeds MCP_SERIALIZED_DEPTH_MAX,
 * because igbinary's recursion has no limit. For some of the rejected keys, counts and ends, igbinary 3.2 would free
 * objects twice. */
bool mcp_serialized_scan_igbinary(mcp_bytes block, mcp_serialized_facts *facts);

/* Like mcp_serialized_scan(), for MessagePack. Returns false for objects, references and extensions. Also false if the
 * depth exceeds MCP_SERIALIZED_MSGPACK_DEPTH_MAX, half of the msgpack extension's limit. */
#define MCP_SERIALIZED_MSGPACK_DEPTH_MAX 512
bool mcp_serialized_scan_msgpack(mcp_bytes block, mcp_serialized_facts *facts);

/* Like mcp_serialized_scan(), for JSON, but only collects facts: PHP's parser decides whether the JSON is valid. */
bool mcp_serialized_scan_json(mcp_bytes text, mcp_serialized_facts *facts);

/* Upper bound of `facts.memory` for this length, without a scan. Each nested array can claim as many
 * elements as there are bytes left. The first nested custom formats need more than their length suggests. */
static inline size_t mcp_serialized_memory_max(size_t length) {
	return length < 1u << 24 ? 20 * length * length + 400 * length + 65536 : SIZE_MAX;
}
/* Like mcp_serialized_memory_max(), for JSON, which has no counts. */
static inline size_t mcp_serialized_memory_max_json(size_t length) {
	return length < 1u << 24 ? 400 * length : SIZE_MAX;
}

/* PHP's memory for the parts of a value, rounded up, for 64 bits. From Zend/zend_types.h and the size classes of Zend's
 * allocator. */

/* Entry in the reader's tables, which grow by doubling. */
#define MCP_MEMORY_OF_VALUE 24
/* A zend_reference, if one value refers to another. */
#define MCP_MEMORY_OF_REFERENCE 32

/* Header, bytes and terminator, rounded up to a size class: at most 25 % more. */
static inline size_t mcp_memory_of_string(size_t length) {
	return 40 + length + length / 4;
}

/* A HashTable, and a bucket with its hash slot for each of a power of two elements, at least 8. */
static inline size_t mcp_memory_of_array(size_t count) {
	size_t room = 8;
	while (room < count) {
		room *= 2;
	}
	return 56 + room * 36;
}

#endif
