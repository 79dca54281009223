/* The names of tags that a method is given: checked, and each once. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_TAG_NAMES_H
#define MCP_PHP_CACHE_TAG_NAMES_H

#include "../object/cache_tag_list.h"

/* Adds the arguments, of which each is a string or an array of strings, to `names`, as keys: 1 to MCP_TAG_NAMES_MAX with those
 * that it has already. False with an exception about the argument that is wrong. */
bool php_mcp_cache_tag_names_parse(zval *arguments, uint32_t count, zend_array *names);

#endif
