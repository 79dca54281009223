/* A remember() from its question to its answer. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_REMEMBER_REMEMBER_H
#define MCP_PHP_CACHE_REMEMBER_REMEMBER_H

#include "../audit/audits.h"
#include "remembering.h"

/* The first look of a call at its key, where it was made before anything else of the call was asked for. */
typedef struct mcp_remember_look {
	bool is_made; /* the rest counts only then */
	bool is_undecodable;
	zend_object *cause; /* what the value threw then: a reference, or NULL */
	uint64_t begun_ms;  /* the call, by the monotonic clock */
	mcp_cache_entry entry;
} mcp_remember_look;

/* Answers a fresh value at once, for a call that only that counts for. True if *return_value or an exception is the answer;
 * false if php_mcp_remember_answer is to go on from the look. */
bool php_mcp_remember_at_once(mcp_cache_object *object, zend_string *name, mcp_remember_look *look,
	zval *return_value);

/* Answers what is there, or has it computed, now or after the response. Runs user code. *return_value or an
 * exception is the answer. */
void php_mcp_remember_answer(mcp_remembering *remembering, const mcp_remember_look *first,
	zval *return_value);

/* Answers a recursion by C14. True if *return_value or an exception is the answer, because this Fiber is
 * computing this very key. If another one is, nothing will be waited for. */
bool php_mcp_remember_answer_recursion(mcp_remembering *remembering, zval *return_value);

/* Hands what a remember() serves fresh to the Audit of its Cache, if there is one. */

/* Makes the remember() again that served it, without a claim: to be computed by php_mcp_remember_run. Borrows all of it. */
mcp_remembering php_mcp_remember_audit_again(const mcp_audit_due *due);

#endif
