/* The check of what is due: computed anew, compared, and counted. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_AUDIT_CHECK_H
#define MCP_PHP_AUDIT_CHECK_H

/* Checks after the response, or at the end of a command's script, where an exit ends the check alone. */
void php_mcp_audit_check_last(void);

/* Checks between two requests of one process, unless the first one has a response that is not over, or a callback runs.
 * An exit of the code that is run stays. */
void php_mcp_audit_check_between(void);

#endif
