/* Which members of a cluster stand in for a key's own: all of them, each once, the same every time, and evenly
 * spread with either way of placing keys. */
/* SPDX-License-Identifier: MIT */
#include "../../src/store/cluster/router.h"
#include "../../src/store/cluster/store_cluster.h"
#include "../../src/store/memory/store_memory.h"
#include "faults_items.h"

#include <stdio.h>

enum { MEMBERS = 4, KEYS = 2000 };

static mcp_store *members[MEMBERS];

static int open_members(void **state) {
	for (int i = 0; i < MEMBERS; i++) {
		members[i] = mcp_store_memory_create("memory://member", faults_environment());
		assert_non_null(members[i]);
	}
	return 0;
}

static int close_members(void **state) {
	for (int i = 0; i < MEMBERS; i++) {
		mcp_store_free(members[i]);
	}
	return 0;
}

static size_t pick_by_router(void *router, mcp_bytes route) {
	return mcp_router_pick(router, route);
}

/* Picks it for all names. */
static size_t pick_the_third(void *router, mcp_bytes route) {
	return 2;
}

static mcp_router *route_over_members(mcp_distribution distribution) {
	static const mcp_router_server servers[MEMBERS] = {
		{"10.0.0.1", 11211, 1},
		{"10.0.0.2", 11211, 1},
		{"10.0.0.3", 11211, 1},
		{"10.0.0.4", 11211, 1},
	};
	return distribution == MCP_DISTRIBUTION_KETAMA
		? mcp_router_ketama_create(servers, MEMBERS)
		: mcp_router_modulo_create(distribution, MEMBERS);
}

static mcp_key key_of(int number, char text[64]) {
	snprintf(text, 64, "user:%d", number);
	return faults_key(text);
}

static int place_of(const mcp_store *store) {
	for (int i = 0; i < MEMBERS; i++) {
		if (members[i] == store) {
			return i;
		}
	}
	fail_msg("no member");
	return -1;
}

static void assert_every_member_is_one_candidate(mcp_store *cluster, const mcp_key *key) {
	bool is_met[MEMBERS] = {false};
	assert_ptr_equal(mcp_store_owner(cluster, key), mcp_store_candidate(cluster, key, 0));
	for (size_t i = 0; i < MEMBERS; i++) {
		int place = place_of(mcp_store_candidate(cluster, key, i));
		assert_false(is_met[place]);
		is_met[place] = true;
	}
	assert_null(mcp_store_candidate(cluster, key, MEMBERS));
}

#define WITH_MEMBERS(name) TEST_WITH(name, open_members, close_members)

WITH_MEMBERS(every_member_is_one_candidate) {
	mcp_router *router = route_over_members(MCP_DISTRIBUTION_KETAMA);
	mcp_store *cluster = mcp_store_cluster_create(members, MEMBERS, pick_by_router, router);
	for (int i = 0; i < KEYS; i++) {
		char text[64];
		mcp_key key = key_of(i, text);
		assert_every_member_is_one_candidate(cluster, &key);
	}
	mcp_store_free(cluster);
	mcp_router_free(router);
}

/* Asserts that of the keys that live on the first member, each of the others stands in for about a third. */
static void assert_spread(mcp_distribution distribution) {
	mcp_router *router = route_over_members(distribution);
	mcp_store *cluster = mcp_store_cluster_create(members, MEMBERS, pick_by_router, router);
	int shares[MEMBERS] = {0};
	int keys = 0;
	for (int i = 0; i < KEYS; i++) {
		char text[64];
		mcp_key key = key_of(i, text);
		if (mcp_store_owner(cluster, &key) == members[0]) {
			shares[place_of(mcp_store_candidate(cluster, &key, 1))]++;
			keys++;
		}
	}
	assert_int_equal(0, shares[0]);
	for (int i = 1; i < MEMBERS; i++) {
		assert_in_range(shares[i], keys / 4, keys * 5 / 12);
	}
	mcp_store_free(cluster);
	mcp_router_free(router);
}

WITH_MEMBERS(the_keys_of_one_spread_over_all_others) {
	assert_spread(MCP_DISTRIBUTION_KETAMA);
	assert_spread(MCP_DISTRIBUTION_MODULO);
	assert_spread(MCP_DISTRIBUTION_ONE_AT_A_TIME);
}

/* One that stood in the way of another key is not remembered for this one. */
WITH_MEMBERS(candidates_do_not_depend_on_what_was_asked_before) {
	mcp_router *router = route_over_members(MCP_DISTRIBUTION_MODULO);
	mcp_store *cluster = mcp_store_cluster_create(members, MEMBERS, pick_by_router, router);
	char text[2][64];
	mcp_key keys[2] = {key_of(7, text[0]), key_of(8, text[1])};
	mcp_store *expected[2][MEMBERS];
	for (size_t i = 0; i < 2 * MEMBERS; i++) {
		expected[i / MEMBERS][i % MEMBERS] =
			mcp_store_candidate(cluster, &keys[i / MEMBERS], i % MEMBERS);
	}
	for (size_t i = 2 * MEMBERS; i > 0; i--) {
		mcp_store *found = mcp_store_candidate(cluster, &keys[i % 2], (i - 1) / 2);
		assert_ptr_equal(expected[i % 2][(i - 1) / 2], found);
	}
	mcp_store_free(cluster);
	mcp_router_free(router);
}

/* Any two processes must find the same, so a route's candidates are fixed for good. */
WITH_MEMBERS(candidates_are_where_they_always_were) {
	mcp_router *router = route_over_members(MCP_DISTRIBUTION_KETAMA);
	mcp_store *cluster = mcp_store_cluster_create(members, MEMBERS, pick_by_router, router);
	char places[4 * 10 + 1] = {0};
	for (int i = 0; i < 40; i++) {
		char text[64];
		mcp_key key = key_of(i / 4, text);
		places[i] = (char)('0' + place_of(mcp_store_candidate(cluster, &key, (size_t)i % 4)));
	}
	assert_string_equal("3021103230122130103212303120123010323012", places);
	mcp_store_free(cluster);
	mcp_router_free(router);
}

WITH_MEMBERS(the_lists_order_finds_what_no_pick_does) {
	mcp_store *cluster = mcp_store_cluster_create(members, MEMBERS, pick_the_third, NULL);
	mcp_key key = faults_key("key");
	const int expected[MEMBERS] = {2, 3, 0, 1};
	for (size_t i = 0; i < MEMBERS; i++) {
		assert_int_equal(expected[i], place_of(mcp_store_candidate(cluster, &key, i)));
	}
	mcp_store_free(cluster);
}

WITH_MEMBERS(a_member_listed_twice_is_one_candidate) {
	mcp_store *listed[3] = {members[1], members[0], members[1]};
	mcp_store *cluster = mcp_store_cluster_create(listed, 3, pick_the_third, NULL);
	mcp_key key = faults_key("key");
	assert_ptr_equal(members[1], mcp_store_candidate(cluster, &key, 0));
	assert_ptr_equal(members[0], mcp_store_candidate(cluster, &key, 1));
	assert_null(mcp_store_candidate(cluster, &key, 2));
	mcp_store_free(cluster);
}
