/* One remember() from its first read to its result. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_REMEMBER_REMEMBER_H
#define MCP_PHP_CACHE_REMEMBER_REMEMBER_H

#include "../audit/audits.h"
#include "remembering.h"

/* The first read of a call, if it was made before the other arguments were judged. */
typedef struct mcp_remember_look {
	bool is_made; /* otherwise ignore the rest */
	bool is_undecodable;
	zend_object *cause; /* exception of the value's code: a reference, or NULL */
	uint64_t begun_ms;  /* start of the call, monotonic clock */
	mcp_cache_entry entry;
} mcp_remember_look;

/* Serves a fresh value at once, for plain calls. True if *return_value or an exception is the result. False if
 * php_mcp_remember_answer must continue from *look. */
bool php_mcp_remember_at_once(mcp_cache_object *object, zend_string *name, mcp_remember_look *look,
	zval *return_value);

/* Serves a stored value, or computes one now or after the response. Runs user code. *return_value or an exception is
 * the result. */
void php_mcp_remember_answer(mcp_remembering *remembering, const mcp_remember_look *first,
	zval *return_value);

/* Handles a recursion (C14). True if *return_value or an exception is the result, because this Fiber already computes
 * this key. If another Fiber computes it, the call will not wait. */
bool php_mcp_remember_answer_recursion(mcp_remembering *remembering, zval *return_value);

/* Audits of fresh values. */

/* Rebuilds the remember() that served the value, without a claim, for php_mcp_remember_run. Borrows everything. */
mcp_remembering php_mcp_remember_audit_again(const mcp_audit_due *due);

#endif
