/* Judges this host: its shared memory, its php.ini, and how PHP keeps its sessions. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_HOST_JUDGING_H
#define MCP_PHP_HOST_JUDGING_H

#include "php.h"

void php_mcp_host_judging_look(zval *list);

/* Says whether PHP's own sessions are kept on the servers of mcpatterns.servers. */
bool php_mcp_host_judging_has_sessions(void);

#endif
