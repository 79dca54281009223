/* The contract of store.h in process memory, with memcached's exact semantics and a clock that can be
 * set: for users' tests, for ours, and as the oracle of the conformance suite. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_MEMORY_STORE_MEMORY_H
#define MCP_STORE_MEMORY_STORE_MEMORY_H

#include "../../core/bytes.h"
#include "../store.h"
#include "memory_server.h"

#include <stdint.h>

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

/* Numbers as memcached's incr and decr read them, which is as strtoull does: leading white space and a sign
 * are taken, and anything may follow a blank. It writes them as core/decimal.h does. */

/* False if incr and decr answer "non-numeric value". */
bool mcp_memory_number_parse(mcp_bytes value, uint64_t *number);

#endif
