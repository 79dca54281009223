/* A memcached in memory with settable clocks, whose calls can be watched, interleaved with another
 * actor's, and made to fail: what the tests of the patterns run in. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_TESTS_PATTERNS_WORLD_H
#define MCP_TESTS_PATTERNS_WORLD_H

#include "../../src/store/store.h"

#include <stdbool.h>

typedef struct test_world test_world;

typedef enum world_fault {
	WORLD_SOUND,
	WORLD_REPLY_LOST,    /* it happens, and the answer does not come */
	WORLD_REQUEST_LOST,  /* it does not happen, and the answer does not come either */
	WORLD_DOWN,          /* nothing is reached from this call on */
	WORLD_REFUSED,       /* it does not happen, and the answer is a refusal */
	WORLD_REFUSED_AFTER, /* it happens, and the answer is a refusal */
	WORLD_DOWN_AFTER,    /* it happens, the answer does not come, and nothing is reached any more */
	WORLD_KEPT_BACK, /* a cas is not sent, as a question before it has ended the connection that its id was read over */
	WORLD_TORN, /* a read is answered with the values of before `in_between`, and the cas ids of after it */
} world_fault;

/* Calls are numbered from 1 after world_watch. */
struct test_world {
	mcp_store *store; /* what a test hands to a pattern */
	mcp_environment environment;
	uint64_t wall_ms, monotonic_ms;
	int64_t ahead_ms;    /* of memcached's clock, by which the host's wall clock is */
	bool tells_ttl_left; /* memcached does, as over a connection of our own */
	bool tells_no_start; /* as behind a proxy, which is asked once: it costs no call */
	unsigned calls;
	uint64_t breaks; /* the connections that ended so that a cas was kept back */
	unsigned fault_at;
	world_fault fault;
	/* Runs before each call, with the world's faults switched off: another actor's step. */
	void (*before_call)(test_world *world, unsigned call);
	/* Runs in the middle of a torn read: another actor's increment. memcached writes its cas id into the item of
	 * before it, too, where a reader still has that one in hand. */
	void (*in_between)(test_world *world);
	/* Runs in each pause, after the clocks went on. */
	void (*after_sleep)(test_world *world, unsigned sleeps);
	unsigned sleeps;
	void *actor;

	struct world_store *faulty;
	mcp_store *memory;
	mcp_environment of_memory;
	bool is_down, is_in_hook;
	uint64_t random;
};

/* At a Unix time that is a multiple of every slot length in the tests. */
#define WORLD_START_MS 1800000000000ull

void world_open(test_world *world);
void world_close(test_world *world);

/* Moves both clocks. */
void world_pass(test_world *world, uint64_t duration_ms);
/* Starts counting calls anew, with one fault at the n-th; 0: none. */
void world_watch(test_world *world, unsigned fault_at, world_fault fault);

/* Proves writes from now on, as over a connection of our own. */
void world_prove(test_world *world);

/* Takes steps from now on, all of a call in one go, which proves what it reads: it counts, and fails, as one. `in_between`
 * runs between its writes and its reads. */
void world_take_steps(test_world *world);

mcp_key world_key(mcp_key_buffer *buffer, mcp_key_space space, const char *name);
/* Writes as another client does; the next reads so. NULL if it is absent; else valid until the next call. */
void world_put(test_world *world, const char *wire, const char *value, uint64_t ttl_ms);
const char *world_peek(test_world *world, const char *wire);
void world_remove(test_world *world, const char *wire);
void world_restart(test_world *world);

#endif
