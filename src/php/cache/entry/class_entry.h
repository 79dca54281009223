/* Makes a McPatterns\Entry from the result of a read. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CLASS_ENTRY_H
#define MCP_PHP_CLASS_ENTRY_H

#include "../../../patterns/cache/cache.h"
#include "../../objects/enums.h"

#include "php.h"

extern zend_class_entry *php_mcp_entry_class_entry;

/* Details of a read, copied so that they outlive the received bytes. */
typedef struct mcp_entry_story {
	mcp_entry_status status;
	/* wall-clock times; MCP_CREATED_UNKNOWN: unknown; MCP_NEVER_MS: never expires */
	uint64_t created_ms, soft_ms;
	uint32_t compute_ms; /* 0: not measured */
} mcp_entry_story;

mcp_entry_story php_mcp_class_entry_story(const mcp_cache_entry *entry, bool has_value);

/* Creates the object in *result. Takes over `value`. NULL: there is no value, and only the status of `story` is
 * used. */
void php_mcp_class_entry_make(zval *result, const mcp_entry_story *story, zval *value,
	uint64_t now_ms);

/* Creates the object from the entry of a read. Takes over `value`. NULL: there is no value, or it could not be
 * decoded. The status is then Miss, unless this caller was elected. */
void php_mcp_class_entry_create(zval *result, const mcp_cache_entry *entry, zval *value,
	uint64_t now_ms);

#endif
