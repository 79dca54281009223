/* What a view's last looks found its tags' numbers to be: a set() that follows one stores what was computed since,
 * and an invalidation in between must find it (T1). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_LOOKS_H
#define MCP_PHP_CACHE_LOOKS_H

#include "cache_object.h"

/* After a look by a cache with tags: makes what is absent, as its caller may compute now. The entry's views live on
 * where it has a value. */
void mcp_cache_looks_note(mcp_cache_call *call, zend_string *name, mcp_cache_entry *entry);

/* Of the last look at this key, which counts once; else as of now. A failure: they are not to be had. Nothing for a
 * cache without tags. */
mcp_status mcp_cache_looks_take(mcp_cache_call *call, zend_string *name,
	mcp_captured_tags *captured);
/* Only the last look's; false when there was none. */
bool mcp_cache_looks_take_kept(mcp_cache_object *object, zend_string *name,
	mcp_captured_tags *captured);

/* The numbers as a string, which may outlive the object. NULL when there are none. */
zend_string *mcp_cache_looks_copy(const mcp_captured_tags *captured);
static inline mcp_bytes mcp_cache_looks_view(const zend_string *copy) {
	return copy != NULL ? mcp_bytes_of(ZSTR_VAL(copy), ZSTR_LEN(copy)) : mcp_bytes_none();
}

#endif
