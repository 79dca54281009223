/* Records which processes count in a metrics memory, and how many of them are alive. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_PROCESSES_H
#define MCP_PHP_PROCESSES_H

#include "../../core/metrics/metrics.h"

/* Enter the process. If there is no free slot, ended processes are removed. */
void php_mcp_processes_enter(mcp_metrics *metrics, uint32_t pid);
/* Count the processes that are alive, as far as this host can see them. */
size_t php_mcp_processes_count(const mcp_metrics *metrics);

#endif
