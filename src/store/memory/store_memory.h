/* The contract of store.h in process memory, with memcached's exact semantics and a clock that can be
 * set: for users' tests, for ours, and as the oracle of the conformance suite. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_MEMORY_H
#define MCP_STORE_MEMORY_H

#include "memory_items.h"
#include "../store.h"

/* An empty memcached. `address` is copied. The server's clock is the environment's wall clock, looked
 * at in whole seconds as memcached does. NULL when memory ran out. */
mcp_store *mcp_store_memory_create(const char *address, const mcp_environment *environment);

/* From now on it shares its memory with others, least recently used first; `budget` is borrowed. */
void mcp_store_memory_share(mcp_store *store, mcp_memory_budget *budget);

/* What operators and faults do, for tests: drop one item; forget everything and start cas ids again. */
void mcp_store_memory_evict(mcp_store *store, const mcp_key *key);
void mcp_store_memory_restart(mcp_store *store);
/* What memcached's clock does by itself now and then: it goes on by a second at once. */
void mcp_store_memory_skip_second(mcp_store *store);
/* Items alive now. */
size_t mcp_store_memory_count(mcp_store *store);

#endif
