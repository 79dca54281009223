/* A store in memory whose clock the test moves. */
/* SPDX-License-Identifier: MIT */
#include "memory_world.h"

uint64_t memory_clock_ms;

static uint64_t read_clock_ms(const mcp_environment *environment) {
	return memory_clock_ms;
}

static uint64_t count_on(const mcp_environment *environment) {
	static uint64_t last;
	return ++last;
}

const mcp_environment memory_environment = {
	.wall_ms = read_clock_ms,
	.monotonic_ms = read_clock_ms,
	.random_u64 = count_on,
};

int memory_open(void **state) {
	memory_clock_ms = START_MS;
	*state = mcp_store_memory_create("memory://test", &memory_environment);
	return *state == NULL ? -1 : 0;
}

int memory_close(void **state) {
	mcp_store_free(*state);
	return 0;
}

void memory_set_for(mcp_store *store, const char *name, uint64_t ttl_ms) {
	mcp_key key = conformance_key(name);
	mcp_record record = conformance_record("value");
	record.ttl_ms = ttl_ms;
	assert_int_equal(MCP_OK, mcp_store_set(store, &key, &record));
}

bool memory_has(mcp_store *store, const char *name) {
	return conformance_status_of(store, name) == MCP_OK;
}
