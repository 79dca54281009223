/* For tests of cold keys, one or many: a fixture in a test_world, and its few verbs. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_TESTS_COLD_WORLD_H
#define MCP_TESTS_COLD_WORLD_H

#include "../../src/patterns/cache/cache.h"
#include "world.h"

#define TTL_MS 10000u
#define LEASE_MS 4000u
#define KEYS 4

/* Some hosts that ask for one key, and this host's view of a few. */
typedef struct cold_fixture {
	test_world world;
	mcp_cache_statistics statistics;
	mcp_cache cache;
	mcp_key_buffer buffers[KEYS];
	mcp_key keys[KEYS];
	mcp_cache_entry entry;
	uint64_t begun_ms, last_ms;
} cold_fixture;

int cold_open(void **state);
int cold_close(void **state);

#define COLD_TEST(f) TEST_WITH(f, cold_open, cold_close)

/* Asks so that old values are served. */
mcp_remember cold_asking(uint32_t wait_ms);
mcp_cache_value cold_value(const char *text);
void cold_put(cold_fixture *f, int key, const char *text);

#endif
