/* Holds the reader of discovery endpoints' answers to what ElastiCache's and Memorystore's documentation show, and to
 * nothing that is almost such an answer. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "../../src/core/discovery/registry.h"
#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))

static mcp_cluster cluster;

static mcp_cluster_verdict read_text(const char *text) {
	return mcp_cluster_read(mcp_bytes_text(text), &cluster);
}

static void assert_list(uint64_t version, size_t servers, const char *list) {
	assert_true(cluster.version == version);
	assert_int_equal(servers, cluster.servers);
	assert_int_equal(strlen(list), cluster.length);
	assert_memory_equal(list, cluster.text, cluster.length);
}

TEST(elasticache_names_its_nodes) {
	assert_int_equal(MCP_CLUSTER_RIGHT,
		read_text("12\nmyCluster.pc4ldq.0001.use1.cache.amazonaws.com|10.82.235.120|11211 "
				  "myCluster.pc4ldq.0002.use1.cache.amazonaws.com|10.80.249.27|11212\n"));
	assert_list(12, 2,
		"myCluster.pc4ldq.0001.use1.cache.amazonaws.com:11211,"
		"myCluster.pc4ldq.0002.use1.cache.amazonaws.com:11212");
}

TEST(memorystore_has_addresses_alone) {
	assert_int_equal(MCP_CLUSTER_RIGHT,
		read_text("3\n10.0.0.3|10.0.0.3|11211 10.0.0.4|10.0.0.4|11211\n"));
	assert_list(3, 2, "10.0.0.3:11211,10.0.0.4:11211");
}

TEST(a_server_without_a_name_is_its_address) {
	assert_int_equal(MCP_CLUSTER_RIGHT, read_text("0\n|10.0.0.3|1 |2001:db8::1|65535 name||11211"));
	assert_list(0, 3, "10.0.0.3:1,[2001:db8::1]:65535,name:11211");
}

TEST(lines_may_end_as_on_other_systems) {
	assert_int_equal(MCP_CLUSTER_RIGHT, read_text("18446744073709551615\r\n a||1  b||2 \r\n\r\n"));
	assert_list(UINT64_MAX, 2, "a:1,b:2");
}

TEST(no_servers_are_an_empty_list) {
	static const char *const empty[] = {"1\n", "1\n\n", "1\r\n\r\n", "1\n \n", "1"};
	for (size_t i = 0; i < COUNT_OF(empty); i++) {
		assert_int_equal(MCP_CLUSTER_EMPTY, read_text(empty[i]));
	}
}

TEST(almost_a_list_is_none) {
	static const char *const wrong[] = {
		"",
		"\n",
		"a|b|1",
		"\na|b|1",
		"-1\na|b|1",
		"1 \na|b|1",
		" 1\na|b|1",
		"1.5\na|b|1",
		"18446744073709551616\na|b|1",
		"1\na",
		"1\na|1",
		"1\na|b",
		"1\na|b|",
		"1\na|b|0",
		"1\na|b|65536",
		"1\na|b|-1",
		"1\na|b|+1",
		"1\na|b|1|2",
		"1\n||1",
		"1\n|b c|1",
		"1\na|b|1\t",
		"1\na@b|c|1",
		"1\na,b|c|1",
		"1\na/b|c|1",
		"1\n[::1]|c|1",
		"1\na|b|1 x",
		"1\na|b|1\n2\nc",
	};
	for (size_t i = 0; i < COUNT_OF(wrong); i++) {
		assert_int_equal(MCP_CLUSTER_WRONG, read_text(wrong[i]));
	}
	assert_int_equal(MCP_CLUSTER_WRONG, mcp_cluster_read(mcp_bytes_of("1\na\0b|c|1", 9), &cluster));
}

TEST(names_have_as_many_bytes_as_names_may) {
	char text[400];
	for (int length = 254; length <= 256; length++) {
		snprintf(text, sizeof(text), "1\n%0*d|b|1", length, 7);
		assert_int_equal(length <= 255 ? MCP_CLUSTER_RIGHT : MCP_CLUSTER_WRONG, read_text(text));
	}
}

/* Lets the last byte of the room be used, and not one more. */
TEST(more_than_there_is_room_for_is_too_long) {
	static char text[MCP_CLUSTER_ANSWER_MAX + 2];
	size_t length = (size_t)snprintf(text, sizeof(text), "7\n");
	size_t taken = 0;
	while (taken + 9 <= MCP_CLUSTER_TEXT_MAX) {
		length += (size_t)snprintf(text + length, sizeof(text) - length, "abcdef||1 ");
		taken += 9;
	}
	assert_int_equal(MCP_CLUSTER_RIGHT, read_text(text));
	assert_int_equal(taken - 1, cluster.length);
	snprintf(text + length, sizeof(text) - length, "abcdef||1");
	assert_int_equal(MCP_CLUSTER_TOO_LONG, read_text(text));
	memset(text, ' ', sizeof(text));
	memcpy(text, "7\na||1", 6);
	assert_int_equal(MCP_CLUSTER_RIGHT,
		mcp_cluster_read(mcp_bytes_of(text, MCP_CLUSTER_ANSWER_MAX), &cluster));
	assert_int_equal(MCP_CLUSTER_TOO_LONG,
		mcp_cluster_read(mcp_bytes_of(text, MCP_CLUSTER_ANSWER_MAX + 1), &cluster));
}
