/* Exceptions that stand back until the rest of a call on many is done (C18). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_DEFERRED_H
#define MCP_PHP_DEFERRED_H

#include "php.h"

/* Zeroed to begin with. */
typedef struct mcp_deferred {
	zend_object *first; /* a reference, or NULL */
	zend_object *
		last; /* borrowed: the end of the first one's chain; NULL when that is not to be lengthened */
	uint32_t count;
} mcp_deferred;

/* Takes the exception that stands, if there is one, out of the way. False for an exit, which stays: the caller
 * ends at once. */
bool php_mcp_deferred_keep(mcp_deferred *deferred);

/* Throws the first of those kept, if any, in place of an exception that stands, unless that is an exit. The
 * later ones, at most 100, are its previous ones, each of the one before it. */
void php_mcp_deferred_throw(mcp_deferred *deferred);

#endif
