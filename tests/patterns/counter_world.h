/* A counter in a test's world, and what its tests do to it. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_TESTS_PATTERNS_COUNTER_WORLD_H
#define MCP_TESTS_PATTERNS_COUNTER_WORLD_H

#include <cmocka.h>

#include "../../src/patterns/counter/counter.h"
#include "world.h"

/* The counter's name and key. */
#define ITEM "views"

typedef struct counter_fixture {
	test_world world;
	mcp_key_buffer buffer;
	mcp_key key;
	mcp_counter counter;
	int64_t number;  /* the last answer */
	int64_t drained; /* by the other actor */
	unsigned at_call;
} counter_fixture;

int counter_open(void **state);
int counter_close(void **state);

/* Starts the counter; like the next ones it puts the answer into `number`. */
mcp_status counter_start(counter_fixture *f, int64_t initial, int64_t by);
mcp_status counter_add(counter_fixture *f, int64_t by);
mcp_status counter_drain(counter_fixture *f);

/* Returns the number that is stored; 0 if none is. */
int64_t counter_rest(counter_fixture *f);

#define COUNTER_TEST(name, f) TEST_OF(counter_fixture, name, f, counter_open, counter_close)

#endif
