/* The way from what a pattern found to a McPatterns\Entry. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CLASS_ENTRY_H
#define MCP_PHP_CLASS_ENTRY_H

#include "../../../patterns/cache/cache.h"
#include "../../objects/enums.h"

#include "php.h"

extern zend_class_entry *php_mcp_entry_class_entry;

/* The story that an Entry tells of its value. Plain data, outlives views. */
typedef struct mcp_entry_story {
	mcp_entry_status status;
	uint64_t created_ms, soft_ms; /* wall clock; MCP_NEVER_MS: no soft end */
	uint32_t compute_ms;          /* 0: not measured */
} mcp_entry_story;

mcp_entry_story php_mcp_class_entry_story(const mcp_cache_entry *entry, bool has_value);

/* Makes the object in *result. `value` is its value, given over; NULL: there is none, and of the story only the
 * status is told. */
void php_mcp_class_entry_make(zval *result, const mcp_entry_story *story, zval *value,
	uint64_t now_ms);

/* Makes it of what a pattern found. NULL also if the value could not be read; then the entry is a Miss unless
 * this caller was elected. */
void php_mcp_class_entry_create(zval *result, const mcp_cache_entry *entry, zval *value,
	uint64_t now_ms);

#endif
