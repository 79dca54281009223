/* Asks discovery endpoints for their lists: such as ElastiCache's and Memorystore's, and such as lie, stall or say too
 * much. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "../../src/store/wire/direct/wire_direct_cluster.h"
#include "loopback_peer.h"

#include <stdio.h>
#include <string.h>

enum { LINE = 512, TIMEOUT_MS = 300, PATIENCE_MS = 20000 };

static mcp_cluster cluster;
static mcp_reason reason;

static mcp_status discover_at(uint16_t port, uint32_t timeout_ms) {
	mcp_wire_settings settings = {
		.host = "127.0.0.1",
		.port = port,
		.connect_timeout_ms = PATIENCE_MS,
		.timeout_ms = timeout_ms,
	};
	reason = (mcp_reason){.text = ""};
	return mcp_wire_direct_discover(&settings, loopback_environment(), &cluster, &reason);
}

/* The answers of a peer, the same on each connection: to the command, and to the older key. */
static const char *to_command, *to_key;

static void talk(loopback_peer *peer) {
	char line[LINE];
	while (loopback_peer_hear_line(peer, line, sizeof(line))) {
		bool is_command = strcmp(line, "config get cluster\r\n") == 0;
		assert_true(is_command || strcmp(line, "get AmazonElastiCache:cluster\r\n") == 0);
		loopback_peer_say_text(peer, is_command ? to_command : to_key);
	}
}

static mcp_status discover(const char *command, const char *key) {
	to_command = command;
	to_key = key;
	loopback_peer *peer = loopback_peer_start(talk);
	mcp_status status = discover_at(peer->port, PATIENCE_MS);
	loopback_peer_stop(peer);
	return status;
}

static void assert_list(uint64_t version, const char *list) {
	assert_true(cluster.version == version);
	assert_int_equal(strlen(list), cluster.length);
	assert_memory_equal(list, cluster.text, cluster.length);
}

TEST(takes_what_the_command_answers) {
	assert_int_equal(MCP_OK,
		discover("CONFIG cluster 0 29\r\n12\na|10.0.0.1|1 b|10.0.0.2|2\n\r\nEND\r\n", ""));
	assert_list(12, "a:1,b:2");
}

TEST(takes_the_older_key_where_there_is_no_command) {
	assert_int_equal(MCP_OK,
		discover("ERROR\r\n",
			"VALUE AmazonElastiCache:cluster 0 14\r\n7\na|10.0.0.1|1\r\nEND\r\n"));
	assert_list(7, "a:1");
}

TEST(says_what_is_no_endpoint) {
	assert_int_equal(MCP_UNSUPPORTED, discover("ERROR\r\n", "END\r\n"));
	assert_string_equal(
		"replied \"ERROR\" to \"config get cluster\": it is not a discovery endpoint", reason.text);
	assert_int_equal(MCP_UNSUPPORTED, discover("CLIENT_ERROR no\r\n", "SERVER_ERROR no\r\n"));
	assert_string_equal(
		"replied \"CLIENT_ERROR no\" to \"config get cluster\": it is not a discovery endpoint",
		reason.text);
}

TEST(tells_an_empty_list) {
	assert_int_equal(MCP_NOT_FOUND, discover("CONFIG cluster 0 3\r\n12\n\r\nEND\r\n", ""));
	assert_string_equal("replied with a list of 0 servers", reason.text);
}

TEST(takes_no_lie) {
	static const char *const lies[] = {
		"CONFIG cluster 0 14\r\n12\nnot a list\n\r\nEND\r\n",
		"CONFIG another 0 8\r\n1\na|b|1\n\r\nEND\r\n",
		"VALUE cluster 0 8\r\n1\na|b|1\n\r\nEND\r\n",
		"CONFIG cluster 0 8\r\n1\na|b|1\n\r\nSTORED\r\n",
		"CONFIG cluster 0 8\r\n1\na|b|1\n\r\nEND\r\nEND\r\n",
		"CONFIG cluster 0 7\r\n1\na|b|1\n\r\nEND\r\n",
		"CONFIG cluster 0 1073741825\r\n",
		"STORED\r\n",
		"END\r\nEND\r\n",
		"ERROR\r\nERROR\r\n",
		"HTTP/1.1 400 Bad Request\r\n",
	};
	for (size_t i = 0; i < sizeof(lies) / sizeof(*lies); i++) {
		mcp_status status = discover(lies[i], "");
		assert_true(status == MCP_PROTOCOL || status == MCP_REFUSED);
		assert_true(reason.text[0] != '\0');
	}
}

/* A gigabyte is announced, and none of it is waited for. */
TEST(takes_no_giant) {
	assert_int_equal(MCP_ANSWER_TOO_LARGE, discover("CONFIG cluster 0 1073741824\r\n1\n", ""));
	assert_int_equal(MCP_ANSWER_TOO_LARGE, discover("CONFIG cluster 0 2000000\r\n1\n", ""));
}

TEST(waits_no_longer_than_its_timeout) {
	to_command = "CONFIG cluster 0 27\r\n12\n";
	loopback_peer *peer = loopback_peer_start(talk);
	uint64_t began_ms = mcp_monotonic_ms(loopback_environment());
	assert_int_equal(MCP_TIMEOUT, discover_at(peer->port, TIMEOUT_MS));
	assert_true(mcp_monotonic_ms(loopback_environment()) - began_ms < PATIENCE_MS);
	assert_string_equal("did not reply within 300 ms", reason.text);
	loopback_peer_stop(peer);
}

TEST(says_that_nobody_is_there) {
	assert_int_equal(MCP_UNREACHABLE, discover_at(loopback_peer_none(), PATIENCE_MS));
	assert_string_equal("could not be reached: connection refused, nothing listens there",
		reason.text);
}

int main(void) {
	loopback_peer_ready();
	return tests_run(NULL, NULL);
}
