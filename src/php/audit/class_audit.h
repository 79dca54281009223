/* Whether a value that was served is what was computed anew. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_AUDIT_CLASS_AUDIT_H
#define MCP_PHP_AUDIT_CLASS_AUDIT_H

#include "../cache/audit/audits.h"

/* The check of what is due: computed anew, compared, and counted. */

/* Checks between two requests of one process, unless the first one has a response that is not over, or a callback runs.
 * An exit of the code that is run stays. */
void php_mcp_audit_check_between(void);

#endif
