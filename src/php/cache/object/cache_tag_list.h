/* The tags of a view, or of a method's tag arguments, in one piece of memory. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_TAG_LIST_H
#define MCP_PHP_CACHE_TAG_LIST_H

#include "../../../patterns/cache/cache.h"
#include "../../pool/pool.h"

/* Maximum number of tags of a value, without its namespace. */
#define MCP_TAG_NAMES_MAX (MCP_ENVELOPE_TAGS_MAX - 1)

/* Makes a list with only the namespace tag. The caller must efree() it, like the next list. */
mcp_cache_tags *php_mcp_tag_list_of_namespace(const mcp_pool *pool, const zend_string *scope);
/* Makes the tags of `base` (NULL: none) and of these names. `names` are the keys of a table that begins with the base's
 * tags, at most MCP_TAG_NAMES_MAX. */
mcp_cache_tags *php_mcp_tag_list_of_names(const mcp_pool *pool, const mcp_cache_tags *base,
	const zend_array *names);

#endif
