/* One rate limiter in a world of its own. */
/* SPDX-License-Identifier: MIT */
#include "rate_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

static rate_world opened;

int open_rate_world(void **state) {
	rate_world *w = &opened;
	memset(w, 0, sizeof(*w));
	world_open(&w->world);
	w->world.actor = w;
	w->key = world_key(&w->buffer, MCP_SPACE_RATE, "login:anna");
	w->limit = (mcp_limit){MCP_LIMITING_SLIDING_WINDOW, 3, 60000, 6, 3};
	w->rate = (mcp_rate){w->world.store, &w->world.environment, &w->key, &w->limit};
	w->scratch = (mcp_slots_scratch){w->keys, w->buffers, w->replies, w->numbers};
	*state = w;
	return 0;
}

int close_rate_world(void **state) {
	world_close(&((rate_world *)*state)->world);
	return 0;
}

mcp_status try_one(rate_world *w, uint64_t cost, bool *is_admitted) {
	return mcp_rate_attempt(&w->rate, &w->scratch, cost, is_admitted);
}

bool attempt(rate_world *w) {
	bool is_admitted;
	assert_int_equal(MCP_OK, try_one(w, 1, &is_admitted));
	return is_admitted;
}

mcp_rate_state look(rate_world *w) {
	mcp_rate_state left;
	assert_int_equal(MCP_OK, mcp_rate_read_state(&w->rate, &w->scratch, 1, &left));
	return left;
}

const char *slot_text(rate_world *w, unsigned slot) {
	char name[64];
	snprintf(name, sizeof(name), "rate:login:anna:s10000:%u", slot);
	return world_peek(&w->world, name);
}

void others_attempt(test_world *world, unsigned call) {
	rate_world *w = world->actor;
	if (call == w->at_call) {
		mcp_key keys[SLOTS_MAX];
		mcp_key_buffer buffers[SLOTS_MAX];
		mcp_op replies[SLOTS_MAX];
		uint64_t numbers[SLOTS_MAX];
		mcp_slots_scratch scratch = {keys, buffers, replies, numbers};
		for (int i = 0; i < 2; i++) {
			bool is_admitted;
			assert_int_equal(MCP_OK, mcp_rate_attempt(&w->rate, &scratch, 1, &is_admitted));
			w->hooks += is_admitted;
		}
	}
}
