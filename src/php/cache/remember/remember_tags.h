/* The tags that only the computed value tells: what remember()'s $tags answers, added to those of the object. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_REMEMBER_TAGS_H
#define MCP_PHP_REMEMBER_TAGS_H

#include "remembering.h"

/* Runs user code, where a callable was given and there is a claim to store under. MCP_OK: `remembering` has what to store
 * with. MCP_NOT_STORED: the numbers of the tags are not to be had, and nothing may be stored. MCP_REFUSED with an
 * exception. */
mcp_status php_mcp_remember_tags_ask(mcp_remembering *remembering, zval *computed);

#endif
