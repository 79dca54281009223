/* Whether a value that was served is what was computed anew. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_AUDIT_COMPARE_H
#define MCP_PHP_AUDIT_COMPARE_H

#include "../cache/audit/audits.h"

/* Compares by the Audit's callable, or by the bytes that both are stored as. False, perhaps with an exception, if it cannot
 * be told. Runs user code. */
bool php_mcp_audit_compare(const mcp_audit_due *due, zval *computed, bool *are_equal);

#endif
