/* Judges the arguments that a SessionHandler is made with. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_SESSION_ARGUMENTS_H
#define MCP_PHP_SESSION_ARGUMENTS_H

#include "session_terms.h"

/* The arguments as they were parsed; everything is borrowed. */
typedef struct mcp_session_arguments {
	zend_object *pool;
	zend_object *locking; /* NULL: not given, as all below */
	zval *wait, *expire;
	bool has_no_ttl;
	zend_long ttl_s;
	zend_string *format;
	zend_long merge_depth;
	zend_string *foreign;
} mcp_session_arguments;

/* Fills all of the terms but the pool and what it is held with; goes by their signing keys. `foreign` is borrowed. False with
 * a ValueError that names the argument. */
bool php_mcp_session_arguments_judge(const mcp_session_arguments *given, mcp_session_terms *terms);

#endif
