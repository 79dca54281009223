/* A world with a few cold keys, and what its tests put there and ask for. */
/* SPDX-License-Identifier: MIT */
#include "cold_world.h"

#include <string.h>
#include <cmocka.h>

int cold_open(void **state) {
	static const char *const names[KEYS] = {"k", "l", "m", "n"};
	static cold_fixture fixture;
	memset(&fixture, 0, sizeof(fixture));
	world_open(&fixture.world);
	fixture.world.actor = &fixture;
	for (int i = 0; i < KEYS; i++) {
		fixture.keys[i] = world_key(&fixture.buffers[i], MCP_SPACE_CACHE, names[i]);
	}
	fixture.cache = (mcp_cache){
		.store = fixture.world.store,
		.environment = &fixture.world.environment,
		.statistics = &fixture.statistics,
		.lease_ms = LEASE_MS,
	};
	*state = &fixture;
	return 0;
}

int cold_close(void **state) {
	world_close(&((cold_fixture *)*state)->world);
	return 0;
}

mcp_remember cold_asking(uint32_t wait_ms) {
	return (mcp_remember){
		.lifetime = {.ttl_ms = TTL_MS, .grace_ms = TTL_MS},
		.wait_ms = wait_ms,
		.serve_stale = true,
	};
}

mcp_cache_value cold_value(const char *text) {
	return (mcp_cache_value){
		.payload = mcp_bytes_text(text),
		.lifetime = {.ttl_ms = TTL_MS, .grace_ms = TTL_MS},
	};
}

void cold_put(cold_fixture *f, int key, const char *text) {
	mcp_cache_value value = cold_value(text);
	assert_int_equal(MCP_OK, mcp_cache_set(&f->cache, &f->keys[key], &value));
}
