/* Shows what is known by a discovery endpoint. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_DISCOVERY_REPORT_H
#define MCP_PHP_DISCOVERY_REPORT_H

#include "discovery.h"

/* Says what is wrong with the last answer, or with the list that holds, in words that follow "the server ". False if nothing
 * is. */
bool php_mcp_discovery_report_trouble(const mcp_discovery *discovery, mcp_reason *words);

/* Adds it as 'discovery' to an array. Asks nobody. */
void php_mcp_discovery_report_add(zval *report, const mcp_discovery *discovery);

#endif
