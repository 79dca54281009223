/* The world of the lock pattern's tests: two holders of one name on one memcached, and short words for what
 * they do. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_TESTS_PATTERNS_LOCK_WORLD_H
#define MCP_TESTS_PATTERNS_LOCK_WORLD_H

#include "../../src/patterns/lock/lock.h"
#include "world.h"

#define TTL_MS 10000
#define SKEW_MS 1000
#define ITEM "lock:job"

/* `lock` is alice's, `rival` is bob's. The world's actor is this. */
typedef struct lock_world {
	test_world world;
	mcp_key_buffer buffer;
	mcp_key key;
	mcp_lock lock, rival;
	mcp_hold hold, rival_hold;
} lock_world;

int open_lock_world(void **state);
int close_lock_world(void **state);
#define LOCK_TEST(name, f) TEST_OF(lock_world, name, f, open_lock_world, close_lock_world)

/* Acquires by one try, as the next ones do. */
mcp_status acquire(lock_world *w);
mcp_status rival_acquire(lock_world *w);
bool is_held(lock_world *w);
/* Acquires for alice, with waiting. */
mcp_status acquire_by(lock_world *w, uint64_t wait_ms);
/* Returns the owner in the item that is there, run out or not; NULL if it is none of a lock's. Valid until the
 * next call. */
const char *stored_owner(lock_world *w);
/* Sets it forward or back, while the steady clock goes on as it was. */
void set_wall_clock(lock_world *w, int64_t by_ms);

/* --- fencing tokens where the server tells no start --- */

#define FENCE "lock:~#fence"
/* The calls that make the fence and a token, and those of a token alone. */
enum { FENCE_MAKING_CALLS = 6, FENCE_CALLS = 2 };

int open_fence_world(void **state);
#define FENCE_TEST(name, f) TEST_OF(lock_world, name, f, open_fence_world, close_lock_world)
/* Asks for a token; acquires before, and has one. Both for alice. */
mcp_status fence(lock_world *w, uint64_t *token);
uint64_t token_of(lock_world *w);
/* Returns the number that is there; 0: none. */
uint64_t stored_fence(lock_world *w);
/* Puts a number as another host does, whose clock is ahead by so much; negative: behind. */
void put_fence(lock_world *w, int64_t ahead_ms);

#endif
