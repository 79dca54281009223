/* Where keys are placed: by classic clients' crc and modulo, computed here once more, and by the ketama
 * ring, held to places that php-memcached gave. */
/* SPDX-License-Identifier: MIT */
#include "../../src/store/cluster/router_libmemcached.h"
#include "faults.h"

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
static void assert_places(const char *expected, const mcp_router_server *servers,
	mcp_distribution distribution) {
	mcp_router *router = mcp_router_libmemcached_create(servers, SERVERS, distribution);
	assert_non_null(router);
	char places[41] = {0};
	for (int i = 0; i < 40; i++) {
		char text[64];
		places[i] = (char)('0' + mcp_router_pick(router, key_of(i, text)));
	}
	assert_string_equal(expected, places);
	mcp_router_free(router);
}

static void the_ring_is_php_memcacheds(void **state) {
	(void)state;
	assert_places("0320330102322412212143032104414012001202", equal, MCP_DISTRIBUTION_KETAMA);
	assert_places("3321333133333414213343313134114313321413", weighted, MCP_DISTRIBUTION_KETAMA);
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

static void modulo_is_half_a_crc_modulo_servers(void **state) {
	(void)state;
	mcp_router *router = mcp_router_libmemcached_create(weighted, SERVERS, MCP_DISTRIBUTION_MODULO);
	for (int i = 0; i < KEYS; i++) {
		char text[64];
		mcp_bytes key = key_of(i, text);
		assert_int_equal((crc32_of(key) >> 16 & 0x7fff) % SERVERS, mcp_router_pick(router, key));
	}
	mcp_router_free(router);
}

static void weights_are_shares_of_the_ring(void **state) {
	(void)state;
	int shares[SERVERS] = {0};
	mcp_router *router = mcp_router_libmemcached_create(weighted, SERVERS, MCP_DISTRIBUTION_KETAMA);
	for (int i = 0; i < KEYS; i++) {
		char text[64];
		shares[mcp_router_pick(router, key_of(i, text))]++;
	}
	assert_in_range(shares[0], KEYS * 1 / 21 / 2, KEYS * 1 / 21 * 2);
	assert_in_range(shares[3], KEYS * 10 / 21 * 3 / 4, KEYS * 10 / 21 * 4 / 3);
	mcp_router_free(router);
}

static void one_server_gets_everything(void **state) {
	(void)state;
	mcp_router *router = mcp_router_libmemcached_create(equal, 1, MCP_DISTRIBUTION_KETAMA);
	assert_int_equal(0, mcp_router_pick(router, mcp_bytes_of("key", 3)));
	assert_int_equal(0, mcp_router_pick(router, mcp_bytes_of("", 0)));
	mcp_router_free(router);
}

static void a_hundred_servers_are_the_limit_of_its_ring(void **state) {
	(void)state;
	mcp_router_server servers[MCP_ROUTER_LIBMEMCACHED_RING_MAX + 1];
	char hosts[MCP_ROUTER_LIBMEMCACHED_RING_MAX + 1][24];
	for (int i = 0; i <= MCP_ROUTER_LIBMEMCACHED_RING_MAX; i++) {
		snprintf(hosts[i], sizeof(hosts[i]), "10.0.1.%d", i);
		servers[i] = (mcp_router_server){hosts[i], 11211, 1};
	}
	mcp_router *router = mcp_router_libmemcached_create(servers, MCP_ROUTER_LIBMEMCACHED_RING_MAX,
		MCP_DISTRIBUTION_KETAMA);
	assert_non_null(router);
	mcp_router_free(router);
	assert_null(mcp_router_libmemcached_create(servers, MCP_ROUTER_LIBMEMCACHED_RING_MAX + 1,
		MCP_DISTRIBUTION_KETAMA));
	assert_null(mcp_router_libmemcached_create(servers, 0, MCP_DISTRIBUTION_KETAMA));
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_ring_is_php_memcacheds),
		cmocka_unit_test(modulo_is_half_a_crc_modulo_servers),
		cmocka_unit_test(weights_are_shares_of_the_ring),
		cmocka_unit_test(one_server_gets_everything),
		cmocka_unit_test(a_hundred_servers_are_the_limit_of_its_ring),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
