/* The fixture of the lock's tests. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "lock_world.h"

#include "../../src/core/holders/holders.h"

int open_lock_world(void **state) {
	static lock_world fixture;
	memset(&fixture, 0, sizeof(fixture));
	world_open(&fixture.world);
	fixture.world.actor = &fixture;
	fixture.key = world_key(&fixture.buffer, MCP_SPACE_LOCK, "job");
	fixture.lock = (mcp_lock){
		.store = fixture.world.store,
		.environment = &fixture.world.environment,
		.key = &fixture.key,
		.owner = mcp_bytes_of("alice", 5),
		.ttl_ms = TTL_MS,
		.skew_ms = SKEW_MS,
	};
	fixture.rival = fixture.lock;
	fixture.rival.owner = mcp_bytes_of("bob", 3);
	*state = &fixture;
	return 0;
}

int close_lock_world(void **state) {
	world_close(&((lock_world *)*state)->world);
	return 0;
}

mcp_status acquire(lock_world *w) {
	return mcp_lock_acquire(&w->lock, &w->hold, 0);
}

mcp_status rival_acquire(lock_world *w) {
	return mcp_lock_acquire(&w->rival, &w->rival_hold, 0);
}

mcp_status acquire_by(lock_world *w, uint64_t wait_ms) {
	return mcp_lock_acquire(&w->lock, &w->hold, wait_ms);
}

const char *stored_owner(lock_world *w) {
	const char *value = world_peek(&w->world, ITEM);
	mcp_lock_item item;
	if (value == NULL || !mcp_lock_item_read(mcp_bytes_text(value), &item)) {
		return NULL;
	}
	return item.owner.data;
}

void set_wall_clock(lock_world *w, int64_t by_ms) {
	w->world.wall_ms += (uint64_t)by_ms;
}

bool is_held(lock_world *w) {
	return mcp_lock_is_held(&w->lock, &w->hold);
}

int open_fence_world(void **state) {
	open_lock_world(state);
	((lock_world *)*state)->world.tells_no_start = true;
	return 0;
}

mcp_status fence(lock_world *w, uint64_t *token) {
	return mcp_lock_fence(&w->lock, &w->hold, token);
}

uint64_t token_of(lock_world *w) {
	uint64_t token = 0;
	assert_int_equal(MCP_OK, acquire(w));
	assert_int_equal(MCP_OK, fence(w, &token));
	return token;
}

uint64_t stored_fence(lock_world *w) {
	const char *value = world_peek(&w->world, FENCE);
	return value != NULL ? strtoull(value, NULL, 10) : 0;
}

void put_fence(lock_world *w, int64_t ahead_ms) {
	char digits[32];
	uint64_t ms = (uint64_t)((int64_t)w->world.wall_ms + ahead_ms);
	snprintf(digits, sizeof(digits), "%llu", (unsigned long long)ms * 1000);
	world_put(&w->world, FENCE, digits, 0);
}
