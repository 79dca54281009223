/* Finds out about serialized bytes by reading them once and allocating nothing: before they are unserialized,
 * or after serializing them. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_SERIALIZED_SERIALIZED_H
#define MCP_CORE_SERIALIZED_SERIALIZED_H

#include "../bytes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* unserialize()'s own default: deeper values are neither stored nor read. */
#define MCP_SERIALIZED_DEPTH_MAX 4096
/* No shorter text is deeper: a level is "a:1:{i:0;" and "}" at least. */
#define MCP_SERIALIZED_DEEP_FROM (10 * MCP_SERIALIZED_DEPTH_MAX)
/* So many custom formats ("C:") inside each other are read; and no shorter text has more. The engine reads each by a
 * reader of its own that begins to count levels anew: of too many, it would run out of stack. */
#define MCP_SERIALIZED_CUSTOMS_MAX 64
#define MCP_SERIALIZED_DEEP_CUSTOMS_FROM (12 * MCP_SERIALIZED_CUSTOMS_MAX)
/* A level of igbinary is the array's type, its count, and an empty string as a key, at least. */
#define MCP_SERIALIZED_DEEP_FROM_IGBINARY (3 * MCP_SERIALIZED_DEPTH_MAX)

typedef struct mcp_serialized_facts {
	uint32_t depth;   /* of arrays and objects inside each other */
	bool has_objects; /* enum cases too */
	bool has_enums;   /* looked for in igbinary alone */
	bool is_inert;    /* reading it runs no code of a user's; said of igbinary alone */
	size_t memory;    /* bytes that PHP takes at most for what is in it; objects are not counted */
} mcp_serialized_facts;

/* False if `text` does not read as serialize() writes, from its first byte to its last. The custom format of a
 * class ("C:") may hold anything; what looks like items in it counts as if it were some, and more than
 * MCP_SERIALIZED_CUSTOMS_MAX of these formats inside each other count as too deep. */
bool mcp_serialized_scan(mcp_bytes text, mcp_serialized_facts *facts);

/* Scans the bytes in such a custom format, which is a level itself. */
void mcp_serialized_scan_custom(mcp_bytes bytes, mcp_serialized_facts *facts);

/* Stands in every block of igbinary's with an enum case, and in others. */
#define MCP_SERIALIZED_ENUM_IGBINARY 0x27

/* Scans igbinary's formats 1 and 2 likewise. False also if it is deeper than MCP_SERIALIZED_DEPTH_MAX: igbinary
 * reads by recursion and has no limit. Where it is false because of a key, a count or an end, igbinary itself (3.2)
 * would free objects twice. */
bool mcp_serialized_scan_igbinary(mcp_bytes block, mcp_serialized_facts *facts);

/* Scans MessagePack likewise, without objects, references and extensions: with one of them it is false. Deeper
 * than MCP_SERIALIZED_MSGPACK_DEPTH_MAX is false, too: the msgpack extension has room for twice as much. */
#define MCP_SERIALIZED_MSGPACK_DEPTH_MAX 512
bool mcp_serialized_scan_msgpack(mcp_bytes block, mcp_serialized_facts *facts);

/* Scans JSON likewise, but only to count: whether it is JSON its parser will say. */
bool mcp_serialized_scan_json(mcp_bytes text, mcp_serialized_facts *facts);

/* Bounds without a scan the memory, as `facts.memory` counts it, that so few bytes can hold. Arrays inside each
 * other claim at most as many elements as bytes are left, each of them anew. The first of custom formats inside each
 * other take more than their bytes let expect. */
static inline size_t mcp_serialized_memory_max(size_t length) {
	return length < 1u << 24 ? 20 * length * length + 400 * length + 65536 : SIZE_MAX;
}
/* Bounds it for JSON, which claims nothing. */
static inline size_t mcp_serialized_memory_max_json(size_t length) {
	return length < 1u << 24 ? 400 * length : SIZE_MAX;
}

/* Counts the memory that PHP takes for the parts of a value: rounded up, for 64 bits. From Zend/zend_types.h
 * and the size classes of its allocator. */

/* Its place in the reader's own tables, which grow by doubling. */
#define MCP_MEMORY_OF_VALUE 24
/* A zend_reference, where one value refers to another. */
#define MCP_MEMORY_OF_REFERENCE 32

/* Adds header, bytes and terminator, rounded up to a size class: at most a quarter more. */
static inline size_t mcp_memory_of_string(size_t length) {
	return 40 + length + length / 4;
}

/* Adds a HashTable, and a bucket with its place in the hash for each of a power of two, 8 at least. */
static inline size_t mcp_memory_of_array(size_t count) {
	size_t room = 8;
	while (room < count) {
		room *= 2;
	}
	return 56 + room * 36;
}

#endif
