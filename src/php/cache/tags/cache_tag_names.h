/* The tags that a method is given, as the pattern knows them: checked, and each once. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_TAG_NAMES_H
#define MCP_PHP_CACHE_TAG_NAMES_H

#include "../object/cache_object.h"

/* The tags that a value may have, beside its namespace. */
#define MCP_TAG_NAMES_MAX 16

/* Parses tagged()'s arguments: 1 to 16 together with those that `names`, a list of strings, has already. Adds them
 * to both. Runs user code. False with an exception about the argument that is wrong. */
bool php_mcp_cache_tag_names_parse(const mcp_pool *pool, zval *arguments, uint32_t count,
	zend_array *names, mcp_cache_tags *tags);

/* Parses invalidateTags()'s first one: a string, or an array of 1 to 16 of them. False with an exception. */
bool php_mcp_cache_tag_names_parse_first(const mcp_pool *pool, zend_string *name, zend_array *names,
	mcp_cache_tags *tags);

#endif
