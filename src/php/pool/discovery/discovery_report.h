/* Shows what is known by a discovery endpoint. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_DISCOVERY_REPORT_H
#define MCP_PHP_DISCOVERY_REPORT_H

#include "discovery.h"

/* Adds it as 'discovery' to an array. Asks nobody. */
void php_mcp_discovery_report_add(zval *report, const mcp_discovery *discovery);

#endif
