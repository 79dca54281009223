/* The host's bells for this process (core/waking/bells.h): in the shared memory, and on systems with futex(2). Made when
 * the module starts. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_BELLS_H
#define MCP_PHP_BELLS_H

#include "../../core/waking/bells.h"

/* Starts after the shared memory, at start-up. */
void php_mcp_bells_start(void);
void php_mcp_bells_stop(void);

/* Returns the bells; NULL if there are none. */
const mcp_bells *php_mcp_bells(void);

#endif
