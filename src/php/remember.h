/* One call of Cache::remember(): what was asked, and the claim it computes under. Plain data, so that
 * a fatal error in a callback leaves nothing to undo here; the claim itself hangs from the object. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_REMEMBER_H
#define MCP_PHP_REMEMBER_H

#include "cache_object.h"

typedef struct mcp_callback {
	zend_fcall_info info;
	zend_fcall_info_cache cache;
} mcp_callback;

typedef struct mcp_remembering {
	mcp_cache_object *object;
	zend_string *name;
	mcp_callback compute;
	mcp_callback ttl_of; /* when has_ttl_callback */
	bool has_ttl_callback;
	zval *ttl, *grace; /* as given; NULL or null: not */
	uint32_t lease_ms;
	bool lease_is_given;
	bool stale_on_error;
	double jitter;
	mcp_remember options;
	mcp_claim claim;
	bool has_claim;
	zend_string *old_payload; /* for stale_on_error: a reference, or NULL */
	uint32_t old_flags;
} mcp_remembering;

/* Reads and checks the arguments of remember(). False with an exception. */
bool mcp_remember_parse(mcp_remembering *remembering, zend_execute_data *execute_data);

/* Begins, or begins again after user code, a call with this remember's lease. */
void mcp_remember_renew(const mcp_remembering *remembering, mcp_cache_call *call);

/* Computes, stores under the claim, and puts what the caller gets into *return_value; or gives the
 * claim back, and an exception is set. */
void mcp_remember_compute(mcp_remembering *remembering, zval *return_value);

#endif
