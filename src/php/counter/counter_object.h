/* The object behind McPatterns\Counter and all that its method files share. Work that must be undone when a
 * callable fails hangs from nodes of its own, so that it is undone even when no C frame is left. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_COUNTER_OBJECT_H
#define MCP_PHP_COUNTER_OBJECT_H

#include "../../patterns/counter/counter.h"
#include "../host/give_back.h"
#include "../pool/pool_key.h"
#include "../pooled/when_down.h"

#include "php.h"

typedef struct mcp_counter_object {
	mcp_pool *pool;    /* a reference; NULL until constructed */
	zend_string *name; /* a reference */
	int64_t initial_number;
	zval initial; /* the callable, or UNDEF */
	uint64_t ttl_ms;
	uint64_t wait_ms;
	mcp_when_down when_down;
	mcp_pool_kept_key kept; /* of the name */
	zend_object std;
} mcp_counter_object;

static inline mcp_counter_object *php_mcp_counter_object_from(zend_object *object) {
	return (mcp_counter_object *)((char *)object - offsetof(mcp_counter_object, std));
}

/* The pattern's wants, on the stack of a method; renewed after user code. */
typedef struct mcp_counter_call {
	mcp_counter_object *object;
	mcp_counter counter;
} mcp_counter_call;

/* Begins a call; false with an Error if the object was never constructed. */
bool php_mcp_counter_call_begin(mcp_counter_call *call, zend_object *std);
void php_mcp_counter_call_renew(mcp_counter_call *call, mcp_counter_object *object);
void php_mcp_counter_call_throw(const mcp_counter_call *call, mcp_status status,
	const char *action);

void php_mcp_counter_object_free(mcp_counter_object *object);

#endif
