/* Store in process memory with memcached's exact semantics and a clock that can be set. Used by tests of
 * applications, by our tests, and as the reference of the conformance suite. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_MEMORY_STORE_MEMORY_H
#define MCP_STORE_MEMORY_STORE_MEMORY_H

#include "../../core/bytes.h"
#include "../store.h"
#include "memory_server.h"

#include <stdint.h>

/* Creates an empty store; `address` is copied. The server's clock is the environment's wall clock in whole seconds.
 * NULL: memory exhausted. */
mcp_store *mcp_store_memory_create(const char *address, const mcp_environment *environment);

/* Shares a memory limit with other stores. The least recently used item of all stores is evicted. `budget` is
 * borrowed. */
void mcp_store_memory_share(mcp_store *store, mcp_memory_budget *budget);

/* Simulate operators and faults, for tests: evict one item; restart the server, without items and with new CAS
 * values. */
void mcp_store_memory_evict(mcp_store *store, const mcp_key *key);
void mcp_store_memory_restart(mcp_store *store);
/* The server of the store, which owns it. */
mcp_memory_server *mcp_store_memory_server(mcp_store *store);
/* Counts the items that have not expired. */
size_t mcp_store_memory_count(mcp_store *store);

/* Parses a number like memcached's incr and decr, with strtoull: leading white space and a sign are skipped, and any
 * text can follow a blank. core/bytes.h writes numbers. */

/* False: incr and decr return "non-numeric value". */
bool mcp_memory_number_parse(mcp_bytes value, uint64_t *number);

#endif
