/* For tests of the store in memory: one store, and the clock that it lives by. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_TESTS_MEMORY_WORLD_H
#define MCP_TESTS_MEMORY_WORLD_H

#include "conformance.h"

#include "../../src/store/memory/store_memory.h"

#define START_MS 1763688000250ull
#define DAY_MS (24ull * 60 * 60 * 1000)

/* Begins at START_MS with each test. */
extern uint64_t memory_clock_ms;
extern const mcp_environment memory_environment;

int memory_open(void **state);
int memory_close(void **state);

#define MEMORY_TEST(f) TEST_WITH(f, memory_open, memory_close)

void memory_set_for(mcp_store *store, const char *name, uint64_t ttl_ms);
bool memory_has(mcp_store *store, const char *name);

#endif
