/* The work of Cache's methods that invalidate. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_TAGGING_H
#define MCP_PHP_CACHE_TAGGING_H

#include "../object/cache_object.h"

/* Says whether every server has been told. `names` are the keys of the table. */
bool php_mcp_cache_tagging_invalidate(mcp_cache_object *object, const zend_array *names,
	bool is_strict);
/* Says so of the tag of all values of the object's prefix. False with a LogicException if they have none. */
bool php_mcp_cache_tagging_clear(mcp_cache_object *object, bool is_strict);

#endif
