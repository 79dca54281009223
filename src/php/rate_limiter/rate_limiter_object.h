/* The object behind McPatterns\RateLimiter, and what a method makes of it for the pattern. It holds nothing that would
 * have to be given back. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_RATE_LIMITER_OBJECT_H
#define MCP_PHP_RATE_LIMITER_OBJECT_H

#include "../../patterns/rate_limiter/rate_limiter.h"
#include "../pool/pool.h"
#include "../pooled/when_down.h"

typedef struct mcp_rate_limiter_object {
	mcp_pool *pool;    /* a reference; NULL until constructed */
	zend_string *name; /* a reference */
	zend_string
		*scope; /* the name as it stands in keys, with the ':' before who is limited; a reference */
	mcp_limit limit;
	mcp_when_down when_down; /* 1: every attempt is admitted, 0: none */
	zend_object std;
} mcp_rate_limiter_object;

/* The pattern's wants, on the stack of a method. */
typedef struct mcp_rate_limiter_call {
	mcp_rate_limiter_object *object;
	mcp_key_buffer buffer;
	mcp_key key;
	mcp_rate rate;
	mcp_slots_scratch scratch;
	void *memory; /* of the scratch; NULL: it needs none */
} mcp_rate_limiter_call;

static inline mcp_rate_limiter_object *php_mcp_rate_limiter_object_from(zend_object *object) {
	return (mcp_rate_limiter_object *)((char *)object - offsetof(mcp_rate_limiter_object, std));
}

void php_mcp_rate_limiter_object_register(zend_class_entry *type);

/* Makes the scope of a limiter with this name. */
zend_string *php_mcp_rate_limiter_object_scope(const zend_string *name);

/* Begins a call; false with an Error if the object was never constructed. Ended by php_mcp_rate_limiter_call_end(). */
bool php_mcp_rate_limiter_call_begin(mcp_rate_limiter_call *call, zend_object *std,
	const zend_string *who);
/* Says whether what is answered without a server stands in for this status, and counts it. */
bool php_mcp_rate_limiter_call_steps_in(const mcp_rate_limiter_call *call, mcp_status status);
/* False if `status` was thrown. */
bool php_mcp_rate_limiter_call_end(mcp_rate_limiter_call *call, mcp_status status,
	const char *action);

#endif
