/* Which processes count in a metrics' memory: entered at their first request, and looked for when they are counted. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_PROCESSES_H
#define MCP_PHP_PROCESSES_H

#include "../../core/metrics/metrics.h"

/* Enters the process; if no place is left those that have ended make room. */
void php_mcp_processes_enter(mcp_metrics *metrics, uint32_t pid);
/* Counts those alive, as far as this host knows them. */
size_t php_mcp_processes_count(const mcp_metrics *metrics);

#endif
