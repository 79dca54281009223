/* The work of one remember() from its first read to its result, and the sampling of values for an Audit. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_REMEMBER_REMEMBER_H
#define MCP_PHP_CACHE_REMEMBER_REMEMBER_H

#include "../../../patterns/cache/look/cache_look.h"
#include "../../host/process.h"
#include "remember_call.h"

/* The first read of a call, if it was made before the other arguments were checked. */
typedef struct mcp_first_read {
	bool is_made; /* the read was made; otherwise ignore the other fields */
	bool is_undecodable;
	zend_object *cause; /* exception of the value's decoding: a reference, or NULL */
	uint64_t begun_ms;  /* start of the call, monotonic clock */
	mcp_cache_entry entry;
} mcp_first_read;

/* Serves a fresh value immediately, if the call and the object use no special features. True if *return_value or an
 * exception is the result. False if php_mcp_remember_answer must continue from *look. */
bool php_mcp_remember_at_once(mcp_cache_object *object, zend_string *name, mcp_first_read *look,
	zval *return_value);

/* Serves a stored value, or computes one now or after the response. Runs user code. *return_value or an exception is
 * the result. */
void php_mcp_remember_answer(mcp_remember_call *remembering, const mcp_first_read *first,
	zval *return_value);

/* Handles a recursion (C14). True if *return_value or an exception is the result, because this Fiber is already
 * computing this key. If another Fiber is computing it, this call does not wait. */
bool php_mcp_remember_answer_recursion(mcp_remember_call *remembering, zval *return_value);

/* --- audits of fresh values: an Audit of this process rebuilds them after the response, at most 1 per request --- */

/* The object behind McPatterns\Audit. A Cache borrows it. */
typedef struct mcp_audit {
	mcp_cache_object *object; /* a reference, never to a view; NULL until constructed */
	uint64_t threshold;       /* share of fresh hits that are sampled, multiplied by 2^53 */
	mcp_user_call compare;    /* owns references; empty: compare the bytes */
	zend_object std;
} mcp_audit;

/* A served value that is due for a check. Owns a reference for each pointer. */
typedef struct mcp_audit_due {
	mcp_audit *audit;
	mcp_cache_object *object; /* possibly a view */
	zend_string *name;
	mcp_user_call compute;
	zend_string *payload;
	uint32_t flags;
	mcp_entry_story story;
	mcp_served served;
	uint64_t served_ms;
	pid_t pid; /* process that served the value; a forked child does not check it */
} mcp_audit_due;

static zend_always_inline bool php_mcp_remember_has_audit(const mcp_cache_object *object) {
	return *object->audit != NULL;
}

/* Removes and returns the due value of this process, which the caller must release. NULL: no value is due. */
mcp_audit_due *php_mcp_remember_take_audit(void);
void php_mcp_remember_release_audit(mcp_audit_due *due);

/* Drops the unchecked value at the end of the request. Can run user code. */
void php_mcp_remember_reset_audits(void);

/* Makes the call of remember() that served the value again, without a claim, for php_mcp_remember_call_run. Borrows
 * everything. */
mcp_remember_call php_mcp_remember_repeat_audited(const mcp_audit_due *due);

#endif
