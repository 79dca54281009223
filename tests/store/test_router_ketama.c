/* The ring of our own is libmemcached's, point for point, where that has one; and goes on as it does above that. */
/* SPDX-License-Identifier: MIT */
#include "../../src/store/cluster/router.h"
#include "faults.h"
#include "router_libmemcached.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEYS = 1000, HOST = 64 };

/* Nobody listens at any of them. */
typedef struct list {
	mcp_router_server servers[MCP_SERVERS_MAX];
	char hosts[MCP_SERVERS_MAX][HOST];
	size_t count;
} list;

typedef enum weights {
	EQUAL,
	DIFFERENT,
	ONE_HEAVY,
} weights;

static uint32_t weight_of(weights kind, size_t i) {
	switch (kind) {
		case DIFFERENT:
			return (uint32_t)(1 + i * 7 % 10);
		case ONE_HEAVY:
			return i == 0 ? 100 : 1;
		default:
			return 1;
	}
}

/* Lists hosts by name and address, on the usual port and on others, and unix sockets. */
static list *make_list(size_t count, weights kind) {
	list *made = calloc(1, sizeof(*made));
	made->count = count;
	for (size_t i = 0; i < count; i++) {
		static const char *const forms[] = {"10.0.%zu.1", "cache-%zu.example",
			"/run/memcached/%zu"};
		uint16_t port = i % 3 == 2 ? 0 : i % 5 == 0 ? (uint16_t)(11212 + i) : 11211;
		char *host = made->hosts[i];
		switch (i % 3) {
			case 0:
				snprintf(host, HOST, forms[0], i);
				break;
			case 1:
				snprintf(host, HOST, forms[1], i);
				break;
			default:
				snprintf(host, HOST, forms[2], i);
		}
		made->servers[i] = (mcp_router_server){host, port, weight_of(kind, i)};
	}
	return made;
}

static mcp_bytes key_of(int number, char text[64]) {
	int length = snprintf(text, 64, "user:%d:profile", number);
	return mcp_bytes_of(text, (size_t)length);
}

/* Asks for each key twice, so that a remembered place is compared, too. */
static void assert_same_places(const list *of, int keys) {
	mcp_router *ours = mcp_router_ketama_create(of->servers, of->count);
	mcp_router *theirs =
		mcp_router_libmemcached_create(of->servers, of->count, MCP_DISTRIBUTION_KETAMA);
	assert_non_null(ours);
	assert_non_null(theirs);
	for (int i = 0; i < keys; i++) {
		char text[64];
		mcp_bytes key = key_of(i, text);
		size_t place = mcp_router_reckon(theirs, key);
		assert_int_equal(place, mcp_router_pick(ours, key));
		assert_int_equal(place, mcp_router_pick(ours, key));
	}
	mcp_router_free(ours);
	mcp_router_free(theirs);
}

/* All counts, because of rounding: 25, 47, 50 ... have fewer points each. */
TEST(keys_are_where_libmemcached_places_them) {
	for (size_t count = 1; count <= MCP_ROUTER_LIBMEMCACHED_RING_MAX; count++) {
		for (weights kind = EQUAL; kind <= ONE_HEAVY; kind++) {
			list *servers = make_list(count, kind);
			assert_same_places(servers, KEYS);
			free(servers);
		}
	}
}

TEST(a_hundred_thousand_keys_are_where_libmemcached_places_them) {
	const size_t counts[] = {2, 10, 100};
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		list *servers = make_list(counts[i], DIFFERENT);
		assert_same_places(servers, 100 * KEYS);
		free(servers);
	}
}

/* As a long key's are, and those of every length up to it: an MD5 of one block, of two and of more. */
TEST(routes_of_every_length_are_where_libmemcached_places_them) {
	list *servers = make_list(10, DIFFERENT);
	mcp_router *ours = mcp_router_ketama_create(servers->servers, servers->count);
	mcp_router *theirs =
		mcp_router_libmemcached_create(servers->servers, servers->count, MCP_DISTRIBUTION_KETAMA);
	char text[MCP_WIRE_KEY_MAX];
	for (size_t length = 1; length <= sizeof(text); length++) {
		for (unsigned seed = 0; seed < 20; seed++) {
			for (size_t i = 0; i < length; i++) {
				text[i] = (char)('!' + (i * 7 + seed * 13 + length) % 90);
			}
			mcp_bytes route = mcp_bytes_of(text, length);
			assert_int_equal(mcp_router_reckon(theirs, route), mcp_router_pick(ours, route));
		}
	}
	mcp_router_free(ours);
	mcp_router_free(theirs);
	free(servers);
}

TEST(a_thousand_servers_share_the_keys) {
	enum { MANY = 200000 };
	list *servers = make_list(MCP_SERVERS_MAX, EQUAL);
	mcp_router *router = mcp_router_ketama_create(servers->servers, servers->count);
	static unsigned shares[MCP_SERVERS_MAX];
	memset(shares, 0, sizeof(shares));
	for (int i = 0; i < MANY; i++) {
		char text[64];
		shares[mcp_router_pick(router, key_of(i, text))]++;
	}
	for (size_t i = 0; i < MCP_SERVERS_MAX; i++) {
		assert_in_range(shares[i], MANY / MCP_SERVERS_MAX / 2, 2 * MANY / MCP_SERVERS_MAX);
	}
	mcp_router_free(router);
	free(servers);
}

/* The ring's purpose: the others' keys stay where they are. */
TEST(one_server_more_takes_its_share_alone) {
	list *servers = make_list(MCP_SERVERS_MAX, EQUAL);
	mcp_router *before = mcp_router_ketama_create(servers->servers, MCP_SERVERS_MAX - 1);
	mcp_router *after = mcp_router_ketama_create(servers->servers, MCP_SERVERS_MAX);
	int moved = 0;
	for (int i = 0; i < 20 * KEYS; i++) {
		char text[64];
		mcp_bytes key = key_of(i, text);
		size_t place = mcp_router_pick(after, key);
		bool has_moved = place != mcp_router_pick(before, key);
		assert_true(!has_moved || place == MCP_SERVERS_MAX - 1);
		moved += has_moved;
	}
	assert_in_range(moved, 1, 3 * 20 * KEYS / MCP_SERVERS_MAX);
	mcp_router_free(before);
	mcp_router_free(after);
	free(servers);
}

TEST(nobody_has_no_ring) {
	assert_null(mcp_router_ketama_create(NULL, 0));
}
