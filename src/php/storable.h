/* Judges arrays before they are serialized. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_STORABLE_H
#define MCP_PHP_STORABLE_H

#include "php.h"

#define MCP_STORABLE_TOO_DEEP "nested at most 4096 deep"

/* What is wrong with the value, in words that complete "must be serializable, ...", or NULL. Runs no user
 * code and looks at no object. */
const char *mcp_storable_mistake(zval *value);

#endif
