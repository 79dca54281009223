/* How much memory_limit leaves this request. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_MEMORY_LEFT_H
#define MCP_PHP_MEMORY_LEFT_H

#include "php.h"
#include "php_globals.h"

static inline size_t php_mcp_memory_left_beside(size_t used) {
	if (PG(memory_limit) < 0) {
		return SIZE_MAX;
	}
	return (size_t)PG(memory_limit) > used ? (size_t)PG(memory_limit) - used : 0;
}

/* Says how much may be allocated, wherever it is in the engine's memory. SIZE_MAX without a limit. */
static inline size_t php_mcp_memory_left(void) {
	return php_mcp_memory_left_beside(zend_memory_usage(true));
}

/* Says it with what lies free within the engine's memory. */
static inline size_t php_mcp_memory_unused(void) {
	return php_mcp_memory_left_beside(zend_memory_usage(false));
}

#endif
