/* Defers exceptions until a batch call has handled its other keys (C18). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_DEFERRED_H
#define MCP_PHP_DEFERRED_H

#include "php.h"

/* Zero-initialize. */
typedef struct mcp_deferred {
	zend_object *first; /* a reference, or NULL */
	zend_object *last; /* borrowed: end of the first one's chain; NULL if the chain must not grow */
	uint32_t count;
} mcp_deferred;

/* Keep the current exception, if any. Returns false for an exit, which stays current: the caller must return at
 * once. */
bool php_mcp_deferred_keep(mcp_deferred *deferred);

/* Throw the first kept exception, if any, in place of the current one unless that is an exit. At most 100 later ones
 * are chained as previous exceptions. */
void php_mcp_deferred_throw(mcp_deferred *deferred);

#endif
