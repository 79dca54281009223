/* The counter that the tests of counters share. */
/* SPDX-License-Identifier: MIT */
#include "counter_world.h"

int counter_open(void **state) {
	static counter_fixture fixture;
	memset(&fixture, 0, sizeof(fixture));
	world_open(&fixture.world);
	fixture.world.actor = &fixture;
	fixture.key = world_key(&fixture.buffer, MCP_SPACE_COUNTER, ITEM);
	fixture.counter = (mcp_counter){
		.store = fixture.world.store,
		.environment = &fixture.world.environment,
		.key = &fixture.key,
		.wait_ms = 2500,
	};
	*state = &fixture;
	return 0;
}

int counter_close(void **state) {
	world_close(&((counter_fixture *)*state)->world);
	return 0;
}

mcp_status counter_start(counter_fixture *f, int64_t initial, int64_t by) {
	return mcp_counter_start(&f->counter, initial, by, &f->number);
}

mcp_status counter_add(counter_fixture *f, int64_t by) {
	return mcp_counter_add(&f->counter, by, &f->number);
}

mcp_status counter_drain(counter_fixture *f) {
	return mcp_counter_drain(&f->counter, &f->number);
}

int64_t counter_rest(counter_fixture *f) {
	int64_t number = 0;
	mcp_counter_read(&f->counter, &number);
	return number;
}
