/* The world of the cache pattern's tests: two hosts on one memcached, each with its own statistics, and short
 * words for what they do to one key. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_TESTS_PATTERNS_CACHE_WORLD_H
#define MCP_TESTS_PATTERNS_CACHE_WORLD_H

#include "../../src/core/envelope/value_flags.h"
#include "../../src/patterns/cache/cache.h"
#include "world.h"

#define TTL_MS 10000u
#define LEASE_MS 4000u

typedef struct cache_world {
	test_world world;
	mcp_cache_statistics statistics, rival_statistics;
	mcp_cache cache, rival; /* the rival's calls are never disturbed */
	mcp_key_buffer buffer;
	mcp_key key;
	mcp_cache_entry entry, rival_entry;
	mcp_claim rival_claim;
	/* The rival's step, run once before the n-th call of the other host. */
	void (*act)(struct cache_world *world);
	unsigned act_at;
} cache_world;

int open_cache_world(void **state);
int close_cache_world(void **state);
#define CACHE_TEST(name, w) TEST_OF(cache_world, name, w, open_cache_world, close_cache_world)

mcp_cache_value text_value(const char *text);
mcp_cache_value number_value(const char *digits);

/* Puts it by the rival, which is undisturbed. */
void put_text(cache_world *w, const char *text);
void put_number(cache_world *w, const char *digits);
/* Puts a value past its soft end. */
void put_old(cache_world *w, const char *text);
/* Shows what any host would be shown now; NULL: nothing. Valid until the next call. */
const char *shown(cache_world *w);
mcp_envelope stored_envelope(cache_world *w);

/* Elects this host on the old value that is there. */
mcp_claim be_elected(cache_world *w);

/* Makes the wishes of a caller that waits for others and takes old values. */
mcp_remember cache_asking(uint32_t wait_ms);
/* Has the rival store a value that took a second to compute. */
void put_slow(cache_world *w);
/* Asserts that of a thousand callers, each a second before the end of such a value, as many refresh it as XFetch has it. */
void assert_early_follows_xfetch(cache_world *w, mcp_remember remember,
	bool (*is_elected)(cache_world *w, mcp_remember remember));
mcp_verdict cache_ask(cache_world *w, mcp_remember remember);

/* Disturbs from now on, at the n-th call: a fault, or the rival's step. */
void disturb(cache_world *w, unsigned at, world_fault fault);
void interleave(cache_world *w, unsigned at, void (*act)(cache_world *w));
/* Takes it in the middle of the n-th call, a read, see WORLD_TORN. */
void tear(cache_world *w, unsigned at, void (*act)(cache_world *w));

void rival_sets(cache_world *w);
void rival_deletes(cache_world *w);
void rival_expires(cache_world *w);
void rival_is_elected(cache_world *w);
void rival_publishes(cache_world *w);

#endif
