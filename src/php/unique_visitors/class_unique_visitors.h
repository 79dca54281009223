/* The module's view of McPatterns\UniqueVisitors: to let go of what a thread knows when it ends. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CLASS_UNIQUE_VISITORS_H
#define MCP_PHP_CLASS_UNIQUE_VISITORS_H

#include "../../patterns/unique_visitors/unique_visitors.h"

/* Frees what a thread knows of slots. NULL: nothing. */
void php_mcp_class_unique_visitors_free_known(mcp_unique_known *known);

#endif
