/* The tags of a view, and of what a method is told of tags by their names: in one piece of memory. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_TAG_LIST_H
#define MCP_PHP_CACHE_TAG_LIST_H

#include "../../../patterns/cache/cache.h"
#include "../../pool/pool.h"

/* The tags that a value may have, beside its namespace. */
#define MCP_TAG_NAMES_MAX (MCP_ENVELOPE_TAGS_MAX - 1)

/* Makes the namespace's alone. The caller efrees it, as what the next one makes. */
mcp_cache_tags *php_mcp_tag_list_of_namespace(const mcp_pool *pool, const zend_string *scope);
/* Makes those of `base`, or none where it is NULL, and of these names: the keys of a table that begins with the base's, of
 * MCP_TAG_NAMES_MAX at most. */
mcp_cache_tags *php_mcp_tag_list_of_names(const mcp_pool *pool, const mcp_cache_tags *base,
	const zend_array *names);

#endif
