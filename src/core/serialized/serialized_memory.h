/* Counts the memory that PHP takes for the parts of a value: rounded up, for 64 bits. From Zend/zend_types.h
 * and the size classes of its allocator. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_SERIALIZED_MEMORY_H
#define MCP_CORE_SERIALIZED_MEMORY_H

#include <stddef.h>

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
