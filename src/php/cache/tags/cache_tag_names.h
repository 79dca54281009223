/* The names of tags that a method is given: checked, and each once. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_TAGS_CACHE_TAG_NAMES_H
#define MCP_PHP_CACHE_TAGS_CACHE_TAG_NAMES_H

#include "../object/cache_object.h"
#include "../object/cache_tag_list.h"

/* Adds the arguments, of which each is a string or an array of strings, to `names`, as keys: 1 to MCP_TAG_NAMES_MAX with those
 * that it has already. False with an exception about the argument that is wrong. */
bool php_mcp_cache_tag_names_parse(zval *arguments, uint32_t count, zend_array *names);

/* The work of Cache's methods that invalidate. */

/* Says whether every server has been told. `names` are the keys of the table. */
bool php_mcp_cache_tagging_invalidate(mcp_cache_object *object, const zend_array *names,
	bool is_strict);
/* Says so of the tag of all values of the object's prefix. False with a LogicException if they have none. */
bool php_mcp_cache_tagging_clear(mcp_cache_object *object, bool is_strict);

#endif
