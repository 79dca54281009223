/* The way from what a pattern found to a McPatterns\Entry. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CLASS_ENTRY_H
#define MCP_PHP_CLASS_ENTRY_H

#include "../../patterns/cache.h"

#include "php.h"

/* Makes the object in *result. `value` is its value, given over; NULL when there is none or when it
 * could not be read, and then the entry is a Miss unless this caller was elected. */
void mcp_class_entry_create(zval *result, const mcp_cache_entry *entry, zval *value,
	uint64_t now_ms);

#endif
