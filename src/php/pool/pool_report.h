/* A Pool's report about its servers, as PHP arrays: which they are, whether they answer, their statistics, what
 * they failed of last. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_POOL_REPORT_H
#define MCP_PHP_POOL_REPORT_H

#include "pool.h"

void php_mcp_pool_report_servers(zval *report, const mcp_pool *pool);
void php_mcp_pool_report_ping(zval *report, mcp_pool *pool);
void php_mcp_pool_report_stats(zval *report, mcp_pool *pool);
/* Reports for var_dump(); into an array that is there. */
void php_mcp_pool_report_settings(zval *report, mcp_pool *pool);
void php_mcp_pool_report_failures(zval *report, mcp_pool *pool);

#endif
