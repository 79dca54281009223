/* Captured tag versions as a string that can outlive objects and calls. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_TAG_NUMBERS_H
#define MCP_PHP_CACHE_TAG_NUMBERS_H

#include "../../../patterns/cache/cache.h"

#include "php.h"

/* NULL if there are none. */
static inline zend_string *php_mcp_cache_tag_numbers_copy(mcp_bytes numbers) {
	return numbers.length > 0 ? zend_string_init(numbers.data, numbers.length, false) : NULL;
}

static inline mcp_bytes php_mcp_cache_tag_numbers_view(const zend_string *copy) {
	return copy != NULL ? mcp_bytes_of(ZSTR_VAL(copy), ZSTR_LEN(copy)) : mcp_bytes_none();
}

#endif
