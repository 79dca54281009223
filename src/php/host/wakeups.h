/* The host's bells for this process (core/waking/wakeups.h): in the shared memory, and on systems with futex(2). Made when
 * the module starts. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_BELLS_H
#define MCP_PHP_BELLS_H

#include "../../core/waking/wakeups.h"

/* Starts after the shared memory, at start-up. */
void php_mcp_wakeups_start(void);
void php_mcp_wakeups_stop(void);

/* Returns the bells; NULL if there are none. */
const mcp_wakeups *php_mcp_wakeups(void);

#endif
