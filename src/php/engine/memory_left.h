/* Calculates the memory that this request can still use below memory_limit. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_MEMORY_LEFT_H
#define MCP_PHP_MEMORY_LEFT_H

#include "php.h"
#include "php_globals.h"

/* `used`: zend_memory_usage(true) for the memory that the system can still give, zend_memory_usage(false) to include
 * the free memory of the engine's heap. SIZE_MAX without a limit. */
static inline size_t php_mcp_memory_left_beside(size_t used) {
	if (PG(memory_limit) < 0) {
		return SIZE_MAX;
	}
	return (size_t)PG(memory_limit) > used ? (size_t)PG(memory_limit) - used : 0;
}

/* Memory that can still be taken from the system. SIZE_MAX without a limit. */
static inline size_t php_mcp_memory_left(void) {
	return php_mcp_memory_left_beside(zend_memory_usage(true));
}

#endif
