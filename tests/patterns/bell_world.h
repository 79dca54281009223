/* One bell for tests of waits: what happens while a waiter sleeps on it, and how often anybody was woken by it. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_TESTS_PATTERNS_BELL_WORLD_H
#define MCP_TESTS_PATTERNS_BELL_WORLD_H

#include "../../src/store/store.h"

typedef struct bell_world {
	mcp_wakeup *bell;
	mcp_environment environment; /* the given one, by which the bell is heard and rung */
	mcp_store *store;            /* over the given one; its writes ring */
	unsigned dozes, wakes, wakes_of_all;
	void (*while_asleep)(void *actor); /* the first sleep's; it may set another one */
	void *actor;
} bell_world;

/* Makes the bell of all keys, whose clock is *now_ms. NULL if there is no memory. */
bell_world *bell_world_open(mcp_store *store, const mcp_environment *environment, uint64_t *now_ms);
void bell_world_close(bell_world *world);

#endif
