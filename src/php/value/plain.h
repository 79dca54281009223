/* Reports whether an array contains objects or references. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_PLAIN_H
#define MCP_PHP_PLAIN_H

#include "php.h"

typedef struct mcp_plain_facts {
	bool has_objects;
	bool has_references; /* two places that change together */
} mcp_plain_facts;

/* Visits each array once, even if it is shared. The value must have passed php_mcp_storable_hold(), which limits its
 * depth. */
mcp_plain_facts php_mcp_plain_look(zval *value);

#endif
