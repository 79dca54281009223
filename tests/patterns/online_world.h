/* The world of the online counter's tests: a counter of 300 s in 5 slots on a clock that is moved rather than
 * waited for, and short words for what happens to it. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_TESTS_PATTERNS_ONLINE_WORLD_H
#define MCP_TESTS_PATTERNS_ONLINE_WORLD_H

#include "../../src/patterns/online_counter/online_counter.h"
#include "world.h"

enum { SLOTS_MAX = 64, SLOT_MS = 60000, FIRST_SLOT = WORLD_START_MS / SLOT_MS };

typedef struct online_world {
	test_world world;
	mcp_key_buffer buffer;
	mcp_key key;
	mcp_online online;
	mcp_key keys[SLOTS_MAX + 1];
	mcp_key_buffer buffers[SLOTS_MAX + 1];
	mcp_op replies[SLOTS_MAX + 1];
	uint64_t numbers[SLOTS_MAX + 1];
	mcp_slots_scratch scratch;
	unsigned at_call, slots_between; /* for hooks */
} online_world;

int open_online_world(void **state);
int close_online_world(void **state);

mcp_status try_hit(online_world *w, const char *visitor, bool *is_new);
/* Hits; like the next ones it must succeed. */
bool hit(online_world *w, const char *visitor);
uint64_t count(online_world *w);
uint64_t smooth(online_world *w);

void pass_slots(online_world *w, unsigned slots);

/* Returns the mark as another client sees it; NULL if it is absent. */
const char *stored_mark(online_world *w, const char *visitor);
void put_mark(online_world *w, const char *visitor, const char *value);
void put_slot(online_world *w, unsigned slot, const char *value);
const char *stored_slot(online_world *w, unsigned slot);

#define ONLINE_TEST(name, w) TEST_OF(online_world, name, w, open_online_world, close_online_world)

#endif
