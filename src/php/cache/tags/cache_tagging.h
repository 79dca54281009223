/* The work of Cache's methods about tags: a view of a cache, and what invalidates. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_TAGGING_H
#define MCP_PHP_CACHE_TAGGING_H

#include "../object/cache_object.h"

/* Makes a view with the object's tags and these. Runs user code. False with an exception. */
bool php_mcp_cache_tagging_view(mcp_cache_object *object, zval *arguments, uint32_t count,
	zval *view);

/* Says whether every server has been told. */
bool php_mcp_cache_tagging_invalidate(mcp_cache_object *object, const mcp_cache_tags *tags,
	bool is_strict);
/* Says so of the tag of all values of the object's prefix. False with a LogicException if they have none. */
bool php_mcp_cache_tagging_clear(mcp_cache_object *object, bool is_strict);

#endif
