/* Frees a thread's state of McPatterns\UniqueVisitors. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CLASS_UNIQUE_VISITORS_H
#define MCP_PHP_CLASS_UNIQUE_VISITORS_H

#include "../../patterns/unique_visitors/unique_visitors.h"

/* Free the thread's data about slots. NULL: none. */
void php_mcp_class_unique_visitors_free_known(mcp_unique_known *known);

#endif
