/* Empties servers, and tells who registered. */
/* SPDX-License-Identifier: MIT */
#include "pool_flush.h"

static mcp_flush_ending registered;

void php_mcp_pool_flush_register(mcp_flush_ending ending) {
	registered = ending;
}

bool php_mcp_pool_flush(mcp_pool *pool) {
	bool is_done = mcp_store_flush(php_mcp_pool_store(pool)) == MCP_OK;
	if (is_done) {
		registered(pool);
	}
	return is_done;
}
