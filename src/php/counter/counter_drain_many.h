/* Drains any number of counters in batches. User code stores each batch; an unstored batch is restored before the
 * next one is read. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_COUNTER_DRAIN_MANY_H
#define MCP_PHP_COUNTER_DRAIN_MANY_H

#include "../engine/user_call.h"
#include "../pool/pool.h"

/* Drain the counters named by parameter `arg_num`. *drained: number of stored amounts. Runs user code. Returns false
 * with an exception, possibly after all other amounts were stored. */
bool php_mcp_counter_drain_many(mcp_pool *pool, zval *names, uint32_t arg_num, mcp_user_call *store,
	zend_long *drained);

#endif
