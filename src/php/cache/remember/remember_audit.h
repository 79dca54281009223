/* Hands what a remember() serves fresh to the Audit of its Cache, if there is one. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_REMEMBER_AUDIT_H
#define MCP_PHP_REMEMBER_AUDIT_H

#include "../audit/audits.h"
#include "remembering.h"

/* Draws for the entry, before it is decoded: what is drawn is copied into *due, which one of the next two ends. */
bool php_mcp_remember_audit_begin(const mcp_remembering *remembering, const mcp_cache_entry *entry,
	mcp_audit_due *due);
void php_mcp_remember_audit_keep(const mcp_audit_due *due);
void php_mcp_remember_audit_drop(const mcp_audit_due *due);

/* Draws for a value that was answered near, and keeps it: one without objects and references. */
void php_mcp_remember_audit_near(const mcp_remembering *remembering, const mcp_cache_entry *entry,
	zval *value);

/* Makes the remember() again that served it, without a claim: to be computed by php_mcp_remember_run. Borrows all of it. */
mcp_remembering php_mcp_remember_audit_again(const mcp_audit_due *due);

#endif
