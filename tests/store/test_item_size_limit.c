/* No server has a process take more memory for an answer than its environment allows: one item by what is announced,
 * before a byte of it, and all items of a call together. An answer within the bounds is read as ever. */
/* SPDX-License-Identifier: MIT */
#include "faults.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { MIB = 1024 * 1024, OF_ITEM = 2 * MIB, OF_CALL = 5 * MIB };

static mcp_item_size_limits item_size_limits(const mcp_environment *environment) {
	return (mcp_item_size_limits){OF_ITEM, OF_CALL};
}

static mcp_environment bounded;

static void say_zeroes(int connection, size_t length) {
	static const char zeroes[65536];
	while (length > 0) {
		size_t piece = length < sizeof(zeroes) ? length : sizeof(zeroes);
		if (send(connection, zeroes, piece, MSG_NOSIGNAL) != (ssize_t)piece) {
			return;
		}
		length -= piece;
	}
}

/* Answers a key that is a number of bytes, of which "has..." are sent, and "says..." are only announced. */
static void answer(int connection, const char *key) {
	char text[300];
	const char *digits = key + strcspn(key, "0123456789");
	size_t length = strtoull(digits, NULL, 10);
	snprintf(text, sizeof(text), "VALUE %s 0 %zu 7\r\n", key, length);
	faults_say(connection, text);
	if (strncmp(key, "has", 3) == 0) {
		say_zeroes(connection, length);
		faults_say(connection, "\r\n");
	}
}

static void answer_as_the_keys_say(int connection, faults_counts *counts) {
	char line[512];
	while (faults_hear(connection, counts, line)) {
		if (strncmp(line, "stats", 5) == 0) {
			faults_say(connection, "STAT item_size_max 1048576\r\nEND\r\n");
			continue;
		}
		strtok(line, " ");
		for (const char *key; (key = strtok(NULL, " ")) != NULL;) {
			answer(connection, key);
		}
		faults_say(connection, "END\r\n");
	}
}

static faults_meeting meet(const mcp_environment *environment) {
	faults_meeting with;
	faults_peer_start(&with.peer, answer_as_the_keys_say);
	mcp_wire_settings settings = faults_settings(with.peer.socket, 5000);
	with.store = faults_connect(&settings, 0, environment);
	return with;
}

static void assert_too_large(mcp_store *store) {
	assert_non_null(strstr(mcp_store_last_failure(store)->reason.text, "reply that is too large"));
}

TEST(an_item_is_refused_by_what_is_announced) {
	faults_meeting with = meet(&bounded);
	assert_int_equal(MCP_OK, faults_get(with.store, "has2000000"));
	const char *const lies[] = {"says1073741824", "says2200000", "has2200000"};
	for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
		assert_int_equal(MCP_ANSWER_TOO_LARGE, faults_get(with.store, lies[i]));
		assert_too_large(with.store);
		assert_int_equal(MCP_ANSWER_TOO_LARGE, faults_get_two(with.store, "has7", lies[i]));
		assert_too_large(with.store);
		assert_int_equal(MCP_OK, faults_get_two(with.store, "has7", "has1000000"));
	}
	faults_part(&with);
}

TEST(what_a_server_says_of_itself_bounds_its_items) {
	faults_meeting with = meet(&bounded);
	mcp_key key = faults_key("key");
	assert_int_equal(MCP_OK, faults_get(with.store, "has1500000"));
	assert_in_range(mcp_store_item_max(with.store, &key, 100000), 1, MIB);
	assert_int_equal(MCP_ANSWER_TOO_LARGE, faults_get(with.store, "says1500000"));
	assert_too_large(with.store);
	/* It is another connection's, which nothing was asked on. */
	assert_int_equal(MCP_OK, faults_get(with.store, "has1500000"));
	faults_part(&with);
}

/* A value that a call before has left in the place is no second value. */
TEST(an_item_that_grows_from_call_to_call_is_one_item) {
	faults_meeting with = meet(&bounded);
	mcp_key limit = faults_key("key");
	assert_in_range(mcp_store_item_max(with.store, &limit, 100000), 1, MIB);
	for (size_t bytes = 100000; bytes <= 1000000; bytes += 100000) {
		char name[32];
		snprintf(name, sizeof(name), "has%zu", bytes);
		mcp_key key = faults_key(name);
		mcp_op reply;
		mcp_store_get_many(with.store, &key, 1, &reply);
		assert_int_equal(MCP_OK, reply.status);
		assert_int_equal(bytes, reply.item.value.length);
	}
	faults_part(&with);
}

/* More than twice what a call may take: what is read at once may fill the room that has been made. */
enum { KEYS = 12 };

static mcp_status get_some(mcp_store *store, size_t count) {
	static const char *const names[KEYS] = {"has1100001", "has1100002", "has1100003", "has1100004",
		"has1100005", "has1100006", "has1100007", "has1100008", "has1100009", "has1100010",
		"has1100011", "has1100012"};
	mcp_key keys[KEYS];
	mcp_op replies[KEYS];
	for (size_t i = 0; i < count; i++) {
		keys[i] = faults_key(names[i]);
	}
	mcp_store_get_many(store, keys, count, replies);
	for (size_t i = 0; i < count; i++) {
		if (replies[i].status != MCP_OK) {
			return replies[i].status;
		}
		assert_int_equal(1100001 + i, replies[i].item.value.length);
	}
	return MCP_OK;
}

TEST(a_call_is_bounded_on_the_whole) {
	faults_meeting with = meet(&bounded);
	for (int round = 0; round < 3; round++) {
		assert_int_equal(MCP_OK, get_some(with.store, 3));
		assert_int_equal(MCP_ANSWER_TOO_LARGE, get_some(with.store, KEYS));
		assert_too_large(with.store);
	}
	faults_part(&with);
}

TEST(without_bounds_there_are_none) {
	faults_meeting with = meet(faults_environment());
	assert_int_equal(MCP_OK, faults_get(with.store, "has3000000"));
	assert_int_equal(MCP_OK, get_some(with.store, KEYS));
	faults_part(&with);
}

/* --- what a real server holds that takes more than this process --- */

static mcp_store *store_on_large_server(private_server *server) {
	*server = (private_server){.option = "-I", .argument = "8m"};
	assert_true(private_server_start(server));
	mcp_wire_settings settings = faults_settings(server->socket, 5000);
	return faults_connect(&settings, 0, &bounded);
}

/* Together less than a call may take, and more by what an allocator that hands out KiB has given each. */
enum { MANY = 4000, OF_MANY = 1100 };

TEST(what_values_have_is_counted) {
	static char names[MANY][16];
	static mcp_key keys[MANY];
	static mcp_op replies[MANY];
	private_server server;
	mcp_store *store = store_on_large_server(&server);
	char bytes[OF_MANY] = "";
	mcp_record record = faults_record("");
	record.body = mcp_bytes_of(bytes, sizeof(bytes));
	for (size_t i = 0; i < MANY; i++) {
		snprintf(names[i], sizeof(names[i]), "k%zu", i);
		keys[i] = faults_key(names[i]);
		assert_int_equal(MCP_OK, mcp_store_set(store, &keys[i], &record));
	}
	mcp_store_get_many(store, keys, MANY, replies);
	for (size_t i = 0; i < MANY; i++) {
		assert_int_equal(MCP_OK, replies[i].status);
		assert_int_equal(OF_MANY, replies[i].item.value.length);
	}
	mcp_store_free(store);
	private_server_stop(&server);
}

TEST(what_could_not_be_read_is_not_stored) {
	private_server server;
	mcp_store *store = store_on_large_server(&server);
	mcp_key key = faults_key("key");
	mcp_record record = faults_record("old");
	size_t beyond = OF_ITEM - strlen("key");
	char *bytes = calloc(1, beyond);
	assert_int_equal(MCP_OK, mcp_store_set(store, &key, &record));
	record.body = mcp_bytes_of(bytes, beyond);
	assert_int_equal(MCP_TOO_LARGE, mcp_store_set(store, &key, &record));
	faults_assert_value(store, "key", "old");
	assert_int_equal(OF_ITEM, mcp_store_item_max(store, &key, beyond));
	record.body.length = beyond - 1;
	assert_int_equal(MCP_OK, mcp_store_set(store, &key, &record));
	mcp_item item;
	assert_int_equal(MCP_OK, mcp_store_get(store, &key, &item));
	assert_int_equal(beyond - 1, item.value.length);
	free(bytes);
	mcp_store_free(store);
	private_server_stop(&server);
}

int main(void) {
	bounded = *faults_environment();
	bounded.item_size_limits = item_size_limits;
	return faults_run(NULL, NULL);
}
