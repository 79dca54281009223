/* Calculates how much memory this request can still use within memory_limit. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_MEMORY_LEFT_H
#define MCP_PHP_MEMORY_LEFT_H

#include "php.h"
#include "php_globals.h"

/* Returns the limit minus `used`, or SIZE_MAX without a limit. `used`: with zend_memory_usage(true), the result is
 * the memory that can still be taken from the system. With zend_memory_usage(false), it includes the free memory of
 * the engine's heap. */
static inline size_t php_mcp_memory_left_beside(size_t used) {
	if (PG(memory_limit) < 0) {
		return SIZE_MAX;
	}
	return (size_t)PG(memory_limit) > used ? (size_t)PG(memory_limit) - used : 0;
}

/* Returns the memory that can still be taken from the system, or SIZE_MAX without a limit. */
static inline size_t php_mcp_memory_left(void) {
	return php_mcp_memory_left_beside(zend_memory_usage(true));
}

#endif
