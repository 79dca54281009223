/* Checks served values by recomputing and comparing them. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_AUDIT_CLASS_AUDIT_H
#define MCP_PHP_AUDIT_CLASS_AUDIT_H

#include "../cache/remember/remember.h"

/* Check between two requests of one process, unless the first one's response is still open or a callback is running.
 * An exit of the audited code stays. */
void php_mcp_audit_check_between(void);

#endif
