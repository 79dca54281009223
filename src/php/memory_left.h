/* How much memory_limit leaves this request. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_MEMORY_LEFT_H
#define MCP_PHP_MEMORY_LEFT_H

#include "php.h"
#include "php_globals.h"

/* SIZE_MAX without a limit. */
static inline size_t mcp_memory_left(void) {
	size_t used = zend_memory_usage(true);
	if (PG(memory_limit) < 0) {
		return SIZE_MAX;
	}
	return (size_t)PG(memory_limit) > used ? (size_t)PG(memory_limit) - used : 0;
}

#endif
