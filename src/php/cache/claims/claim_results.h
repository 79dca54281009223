/* Ends a claim of get() or lookup(): publishes the result, releases the claim, or drops it after a set(). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CLAIM_RESULTS_H
#define MCP_PHP_CLAIM_RESULTS_H

#include "../object/cache_object.h"

/* publish stores under the newest claim of get() or lookup() on the key, and fills in the compute time. abandon
 * releases this claim. A claim of this object comes first. MCP_NOT_STORED: no claim, or overtaken by this process. No
 * request. */
mcp_status php_mcp_claim_results_publish(mcp_cache_call *call, zend_string *name,
	mcp_cache_value *value);
mcp_status php_mcp_claim_results_abandon(mcp_cache_call *call, zend_string *name);

/* Releases a claim of get() or lookup() whose caller will not learn of it. Call it after user code. */
void php_mcp_claim_results_take_back(mcp_cache_object *object, zend_string *name,
	const mcp_claim *claim);

/* Drops the claim after set() and similar methods have stored a value. Counts the compute time. */
void php_mcp_claim_results_fulfil(mcp_cache_object *object, zend_string *name);

#endif
