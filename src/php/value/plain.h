/* A report of what an array holds beside scalars and arrays. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_PLAIN_H
#define MCP_PHP_PLAIN_H

#include "php.h"

typedef struct mcp_plain_facts {
	bool has_objects;
	bool has_references; /* two places that change together */
} mcp_plain_facts;

/* Looks at each array once, however often it is shared. The value must not be deeper than what
 * php_mcp_storable_hold lets pass. */
mcp_plain_facts php_mcp_plain_look(zval *value);

#endif
