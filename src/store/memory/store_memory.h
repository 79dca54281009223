/* The contract of store.h in process memory, with memcached's exact semantics and a clock that can be
 * set: for users' tests, for ours, and as the oracle of the conformance suite. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_MEMORY_H
#define MCP_STORE_MEMORY_H

#include "memory_items.h"
#include "../store.h"

/* Makes an empty memcached. `address` is copied. The server's clock is the environment's wall clock, looked at
 * in whole seconds as memcached does. NULL if memory ran out. */
mcp_store *mcp_store_memory_create(const char *address, const mcp_environment *environment);

/* Shares its memory with others from now on, least recently used first; `budget` is borrowed. */
void mcp_store_memory_share(mcp_store *store, mcp_memory_budget *budget);

/* Does what operators and faults do, for tests: drops one item; the next forgets everything and starts cas ids
 * again. */
void mcp_store_memory_evict(mcp_store *store, const mcp_key *key);
void mcp_store_memory_restart(mcp_store *store);
/* Does what memcached's clock does by itself now and then: it goes on by a second at once. */
void mcp_store_memory_skip_second(mcp_store *store);
/* Counts the items alive now. */
size_t mcp_store_memory_count(mcp_store *store);

#endif
