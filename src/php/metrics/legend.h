/* The tables of what is counted, as McPatterns\Metrics::legend() answers them. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_LEGEND_H
#define MCP_PHP_LEGEND_H

#include "php.h"

void php_mcp_legend_fill(zval *legend);

#endif
