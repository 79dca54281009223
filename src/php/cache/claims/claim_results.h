/* The end of a claim that get or lookup has taken: a result is stored under it, it is given back, or a set has made it
 * needless. Knows where claims are kept, cache_claims.h, which knows nothing of results. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CLAIM_RESULTS_H
#define MCP_PHP_CLAIM_RESULTS_H

#include "../object/cache_object.h"

/* Stores under the newest claim on the key that get or lookup took, or, as the next does, gives it back:
 * through this object if there is one, else through any other of this process. MCP_NOT_STORED if there is none,
 * or if this very process has overtaken it: that is refused without asking. publish fills in the compute time. */
mcp_status php_mcp_claim_results_publish(mcp_cache_call *call, zend_string *name,
	mcp_cache_value *value);
mcp_status php_mcp_claim_results_abandon(mcp_cache_call *call, zend_string *name);

/* Gives this one back, which get or lookup has taken: its caller is not going to hear of it. After user code. */
void php_mcp_claim_results_take_back(mcp_cache_object *object, zend_string *name,
	const mcp_claim *claim);

/* Drops it for a value that was stored by set and the like, as what an election was for: what it took to
 * compute is counted. */
void php_mcp_claim_results_fulfil(mcp_cache_object *object, zend_string *name);

#endif
