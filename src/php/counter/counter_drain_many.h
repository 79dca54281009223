/* Drains the counters of any number of names by batches: each is taken, stored by user code, or put back on every way out
 * that did not store it, before the next names are read. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_COUNTER_DRAIN_MANY_H
#define MCP_PHP_COUNTER_DRAIN_MANY_H

#include "../engine/user_call.h"
#include "../pool/pool.h"

/* Drains the counters named by parameter `arg_num`, and makes *drained how many amounts were stored. Runs user code. False
 * with an exception, which may come after all others were stored. */
bool php_mcp_counter_drain_many(mcp_pool *pool, zval *names, uint32_t arg_num, mcp_user_call *store,
	zend_long *drained);

#endif
