/* Where keys are placed: by classic clients' hashes and modulo, held to libmemcached's places, and by the ketama
 * ring, held to places that php-memcached gave; what is remembered of it changes nothing. */
/* SPDX-License-Identifier: MIT */
#include "../../src/store/cluster/router.h"
#include "faults.h"
#include "router_libmemcached.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEYS = 2000, SERVERS = 5 };

/* Nobody listens at any of them: a router that connected would hang or fail. */
static const mcp_router_server equal[SERVERS] = {
	{"10.0.0.1", 11211, 1},
	{"10.0.0.2", 11211, 1},
	{"cache-3", 11212, 1},
	{"cache-4", 11211, 1},
	{"10.0.0.5", 11299, 1},
};

static const mcp_router_server weighted[SERVERS] = {
	{"10.0.0.1", 11211, 1},
	{"10.0.0.2", 11211, 5},
	{"cache-3", 11212, 2},
	{"cache-4", 11211, 10},
	{"10.0.0.5", 11299, 3},
};

static mcp_bytes key_of(int number, char text[64]) {
	unsigned spread = (unsigned)number * 2654435761u;
	int length = snprintf(text, 64, "user:%d:profile-%x", number, spread);
	return mcp_bytes_of(text, (size_t)length);
}

/* Asserts the places of the first 40 keys, a digit each. */
static void assert_places(const char *expected, const mcp_router_server *servers) {
	mcp_router *router = mcp_router_ketama_create(servers, SERVERS);
	assert_non_null(router);
	char places[41] = {0};
	for (int i = 0; i < 40; i++) {
		char text[64];
		places[i] = (char)('0' + mcp_router_pick(router, key_of(i, text)));
	}
	assert_string_equal(expected, places);
	mcp_router_free(router);
}

TEST(the_ring_is_php_memcacheds) {
	assert_places("0320330102322412212143032104414012001202", equal);
	assert_places("3321333133333414213343313134114313321413", weighted);
}

static uint32_t crc32_of(mcp_bytes bytes) {
	uint32_t crc = 0xffffffff;
	for (size_t i = 0; i < bytes.length; i++) {
		crc ^= (unsigned char)bytes.data[i];
		for (int bit = 0; bit < 8; bit++) {
			crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
		}
	}
	return ~crc;
}

TEST(modulo_is_half_a_crc_modulo_servers) {
	mcp_router *router = mcp_router_modulo_create(MCP_DISTRIBUTION_MODULO, SERVERS);
	for (int i = 0; i < KEYS; i++) {
		char text[64];
		mcp_bytes key = key_of(i, text);
		assert_int_equal((crc32_of(key) >> 16 & 0x7fff) % SERVERS, mcp_router_pick(router, key));
	}
	mcp_router_free(router);
}

TEST(weights_are_shares_of_the_ring) {
	int shares[SERVERS] = {0};
	mcp_router *router = mcp_router_ketama_create(weighted, SERVERS);
	for (int i = 0; i < KEYS; i++) {
		char text[64];
		shares[mcp_router_pick(router, key_of(i, text))]++;
	}
	assert_in_range(shares[0], KEYS * 1 / 21 / 2, KEYS * 1 / 21 * 2);
	assert_in_range(shares[3], KEYS * 10 / 21 * 3 / 4, KEYS * 10 / 21 * 4 / 3);
	mcp_router_free(router);
}

TEST(one_server_gets_everything) {
	mcp_router *routers[] = {mcp_router_ketama_create(equal, 1),
		mcp_router_modulo_create(MCP_DISTRIBUTION_MODULO, 1),
		mcp_router_modulo_create(MCP_DISTRIBUTION_ONE_AT_A_TIME, 1)};
	for (int i = 0; i < 3; i++) {
		assert_int_equal(0, mcp_router_pick(routers[i], mcp_bytes_of("key", 3)));
		assert_int_equal(0, mcp_router_pick(routers[i], mcp_bytes_of("", 0)));
		mcp_router_free(routers[i]);
	}
}

/* Asserts it of 1 to 20 servers, by a route of each length that a key may have, and of bytes with the highest bit, too: what
 * they add depends on whether a char of the platform has a sign. */
static void assert_modulo_is_libmemcacheds(mcp_distribution distribution) {
	mcp_router_server servers[20];
	char text[MCP_WIRE_KEY_MAX];
	for (size_t count = 1; count <= 20; count++) {
		servers[count - 1] = (mcp_router_server){"cache.example", (uint16_t)(11211 + count),
			(uint32_t)(1 + count % 3)};
		mcp_router *ours = mcp_router_modulo_create(distribution, count);
		mcp_router *theirs = mcp_router_libmemcached_create(servers, count, distribution);
		for (size_t i = 0; i < 10 * sizeof(text); i++) {
			size_t length = 1 + i % sizeof(text);
			for (size_t at = 0; at < length; at++) {
				text[at] = (char)('!' + (at * 7 + i * 131) % (UINT8_MAX + 1 - '!'));
			}
			mcp_bytes route = mcp_bytes_of(text, length);
			assert_int_equal(mcp_router_reckon(theirs, route), mcp_router_pick(ours, route));
		}
		mcp_router_free(ours);
		mcp_router_free(theirs);
	}
}

TEST(modulo_by_either_hash_is_libmemcacheds) {
	assert_modulo_is_libmemcacheds(MCP_DISTRIBUTION_MODULO);
	assert_modulo_is_libmemcacheds(MCP_DISTRIBUTION_ONE_AT_A_TIME);
}

TEST(modulo_takes_as_many_as_there_may_be) {
	bool has_last = false;
	mcp_router *router = mcp_router_modulo_create(MCP_DISTRIBUTION_MODULO, MCP_SERVERS_MAX);
	for (int i = 0; i < 20 * KEYS; i++) {
		char text[64];
		size_t place = mcp_router_pick(router, key_of(i, text));
		assert_in_range(place, 0, MCP_SERVERS_MAX - 1);
		has_last |= place == MCP_SERVERS_MAX - 1;
	}
	assert_true(has_last);
	mcp_router_free(router);
	assert_null(mcp_router_modulo_create(MCP_DISTRIBUTION_MODULO, 0));
}

/* Asserts that two routes which share a note, by their hash, do not share a place: more of them than there are notes,
 * of every length from nothing to beyond what is remembered, and again in another order. */
static void assert_memo_changes_nothing(mcp_router *router) {
	static char text[100];
	for (unsigned i = 0; i < 40u * KEYS; i++) {
		unsigned number = i * 2654435761u >> 12;
		size_t length = number % sizeof(text);
		memset(text, 'a' + (int)(number >> 7) % 26, length);
		for (size_t at = 0; at < length && at < 3; at++) {
			text[(number >> 3) % length] = (char)('0' + (number >> (8 + at)) % 10);
		}
		mcp_bytes route = mcp_bytes_of(text, length);
		size_t place = mcp_router_reckon(router, route);
		assert_int_equal(place, mcp_router_pick(router, route));
		assert_int_equal(place, mcp_router_pick(router, route));
	}
}

TEST(what_is_remembered_changes_no_place) {
	mcp_router *routers[] = {mcp_router_ketama_create(equal, SERVERS),
		mcp_router_modulo_create(MCP_DISTRIBUTION_MODULO, SERVERS),
		mcp_router_modulo_create(MCP_DISTRIBUTION_ONE_AT_A_TIME, SERVERS)};
	for (int i = 0; i < 3; i++) {
		assert_memo_changes_nothing(routers[i]);
		mcp_router_free(routers[i]);
	}
}

/* Asserts that what differs in one digit, wherever that stands, is mostly remembered beside the others. */
TEST(routes_that_differ_anywhere_have_notes_of_their_own) {
	static mcp_route_memo memo;
	static const char *const forms[] = {"user:%03d", "%03d:profile",
		"shop:v2:article:%03d:price-in-euro", "%03d"};
	for (size_t form = 0; form < sizeof(forms) / sizeof(forms[0]); form++) {
		bool is_used[1 << MCP_ROUTE_MEMO_BITS] = {false};
		int used = 0;
		for (int i = 0; i < 1 << MCP_ROUTE_MEMO_BITS; i++) {
			char text[64];
			int length = snprintf(text, sizeof(text), forms[form], i);
			ptrdiff_t at =
				mcp_route_memo_find(&memo, mcp_bytes_of(text, (size_t)length)) - memo.entries;
			used += !is_used[at];
			is_used[at] = true;
		}
		/* By chance there would be 2,589. */
		assert_in_range(used, 2048, 1 << MCP_ROUTE_MEMO_BITS);
	}
}

static int reckoned;

static size_t count_pick(const mcp_router *router, mcp_bytes route) {
	(void)router;
	reckoned++;
	return route.length;
}

TEST(most_of_a_thousand_routes_in_turn_are_remembered) {
	static const mcp_router_operations counting = {.pick = count_pick};
	static mcp_router router = {.operations = &counting};
	for (int i = 0; i < 3000; i++) {
		char text[64];
		int length = snprintf(text, sizeof(text), "product:%d", i % 1000);
		reckoned = i == 2000 ? 0 : reckoned;
		mcp_router_pick(&router, mcp_bytes_of(text, (size_t)length));
	}
	assert_in_range(reckoned, 0, 80);
}
