/* The world of the rate limiter's tests: 3 in 60 s by six slots, on a clock that is moved, and short words for what
 * happens to it. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_TESTS_PATTERNS_RATE_WORLD_H
#define MCP_TESTS_PATTERNS_RATE_WORLD_H

#include "../../src/patterns/rate_limiter/rate_limiter.h"
#include "world.h"

enum { SLOTS_MAX = 16, SLOT_MS = 10000, FIRST_SLOT = WORLD_START_MS / SLOT_MS };

typedef struct rate_world {
	test_world world;
	mcp_key_buffer buffer;
	mcp_key key;
	mcp_limit limit;
	mcp_rate rate;
	mcp_key keys[SLOTS_MAX];
	mcp_key_buffer buffers[SLOTS_MAX];
	mcp_op replies[SLOTS_MAX];
	uint64_t numbers[SLOTS_MAX];
	mcp_slots_scratch scratch;
	unsigned at_call, hooks; /* for hooks */
} rate_world;

int open_rate_world(void **state);
int close_rate_world(void **state);

mcp_status try_one(rate_world *w, uint64_t cost, bool *is_admitted);
/* Attempts; like the next ones it must succeed. */
bool attempt(rate_world *w);
mcp_rate_state look(rate_world *w);

/* Shows a slot's number as another client sees it; NULL if it is absent. */
const char *slot_text(rate_world *w, unsigned slot);

/* Makes, as a hook, two attempts of another process before the n-th call of this one. */
void others_attempt(test_world *world, unsigned call);

#define RATE_TEST(name, w) TEST_OF(rate_world, name, w, open_rate_world, close_rate_world)

#endif
