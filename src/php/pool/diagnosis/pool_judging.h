/* Judges how a Pool is set up. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_POOL_JUDGING_H
#define MCP_PHP_POOL_JUDGING_H

#include "diagnosis.h"

void php_mcp_pool_judging_look(zval *list, const mcp_diagnosed *pool);

#endif
