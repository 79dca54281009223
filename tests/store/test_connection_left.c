/* Holds what is believed about the rest of a TTL, over a connection of our own, to what memcached says, and nothing
 * else. Who cannot say it is asked once. */
/* SPDX-License-Identifier: MIT */
#include "faults.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mcp_status ask_left(mcp_store *store, const char *name, uint64_t *left_ms) {
	mcp_key key = faults_key(name);
	*left_ms = 12345;
	return mcp_store_ttl_left(store, &key, left_ms);
}

/* The answers to "mg", by the key's number. */
static const char *const answers[] = {
	"HD t60\r\n",
	"HD t-1\r\n",
	"HD t1\r\n",
	"HD t0\r\n",
	"EN\r\n",
	"HD\r\n",
	"HD t\r\n",
	"HD t-2\r\n",
	"HD t+5\r\n",
	"HD t5x\r\n",
	"HD t4294967296\r\n",
	"HD t99999999999999999999\r\n",
	"HD t5 t6\r\n",
	"HD c7 t5\r\n",
	"NF\r\n",
	"END\r\n",
	"STORED\r\n",
	"60\r\n",
	"EN t5\r\n",
	"HD t60\r\nHD t60\r\n",
	"EN\r\nEN\r\n",
	"VALUE key 0 5 7\r\nvalue\r\nEND\r\n",
	"SERVER_ERROR busy\r\n",
	"ERROR\r\n",
};

enum {
	PLAIN = 5,
	REFUSED = sizeof(answers) / sizeof(*answers) - 2,
	UNKNOWN,
};

static const char *number_of(size_t number) {
	static char text[8];
	snprintf(text, sizeof(text), "%zu", number);
	return text;
}

/* Counts as requests those by "mg". */
static void introduce_oneself(int connection, faults_counts *counts) {
	char line[512];
	while (faults_hear(connection, counts, line)) {
		if (strncmp(line, "mg ", 3) == 0) {
			faults_say(connection, answers[atoi(line + 3)]);
			continue;
		}
		counts->requests--;
		faults_say(connection,
			strcmp(line, "mn") == 0            ? "MN\r\n"
				: strcmp(line, "version") == 0 ? "VERSION 1.6.18\r\n"
				: strcmp(line, "stats settings") == 0
				? "STAT maxbytes 67108864\r\nSTAT cas_enabled yes\r\nEND\r\n"
				: "END\r\n");
	}
}

TEST(what_memcached_says_is_believed) {
	static const uint64_t told_ms[] = {59000, MCP_STORE_NO_END, 0, 0};
	faults_meeting with = faults_meet_patiently(introduce_oneself);
	uint64_t left_ms;
	for (size_t i = 0; i < PLAIN - 1; i++) {
		assert_int_equal(MCP_OK, ask_left(with.store, number_of(i), &left_ms));
		assert_true(left_ms == told_ms[i]);
	}
	assert_int_equal(MCP_NOT_FOUND, ask_left(with.store, number_of(PLAIN - 1), &left_ms));
	assert_int_equal(1, with.peer.counts->connections);
	assert_int_equal(PLAIN, with.peer.counts->requests);
	faults_part(&with);
}

TEST(what_it_would_not_say_is_a_protocol_failure) {
	faults_meeting with = faults_meet_patiently(introduce_oneself);
	uint64_t left_ms;
	for (size_t i = PLAIN; i < REFUSED; i++) {
		assert_int_equal(MCP_PROTOCOL, ask_left(with.store, number_of(i), &left_ms));
		assert_int_equal((int)(i - PLAIN) + 1, with.peer.counts->connections);
	}
	assert_int_equal(MCP_REFUSED, ask_left(with.store, number_of(REFUSED), &left_ms));
	faults_part(&with);
}

TEST(who_does_not_know_the_command_is_asked_once) {
	faults_meeting with = faults_meet_patiently(introduce_oneself);
	uint64_t left_ms;
	for (int i = 0; i < 3; i++) {
		assert_int_equal(MCP_UNSUPPORTED, ask_left(with.store, number_of(UNKNOWN), &left_ms));
	}
	assert_int_equal(MCP_NOT_FOUND, faults_get(with.store, "key"));
	assert_int_equal(1, with.peer.counts->requests);
	assert_int_equal(1, with.peer.counts->connections);
	faults_part(&with);
}

/* What an old one replies, and many a proxy. */
static const faults_reply of_an_old_one[] = {{"gets", "END\r\n"}, {"", "ERROR\r\n"}};

TEST(who_knows_no_meta_commands_is_not_asked_by_them) {
	faults_meeting with = faults_meet_replies(of_an_old_one);
	uint64_t left_ms;
	for (int i = 0; i < 3; i++) {
		assert_int_equal(MCP_UNSUPPORTED, ask_left(with.store, "key", &left_ms));
	}
	assert_int_equal(MCP_NOT_FOUND, faults_get(with.store, "key"));
	assert_int_equal(1, with.peer.counts->connections);
	assert_int_equal(4, with.peer.counts->requests);
	faults_part(&with);
}

/* It closes as twemproxy does. */
static const faults_reply of_twemproxy[] = {{"gets", "VALUE key 0 5 7\r\nvalue\r\nEND\r\n"},
	{"", NULL}};

/* The question was the connection's end, and the item may be another one's by now. */
TEST(what_was_read_before_a_question_too_much_is_not_written_over) {
	faults_meeting with = faults_meet_replies(of_twemproxy);
	mcp_key key = faults_key("key");
	mcp_record record = faults_record("value");
	uint64_t left_ms;
	for (int i = 0; i < 2; i++) {
		faults_assert_value(with.store, "key", "value");
		assert_int_equal(MCP_UNSUPPORTED, ask_left(with.store, "key", &left_ms));
		assert_int_equal(MCP_EXISTS, mcp_store_cas(with.store, &key, &record, 7));
	}
	faults_assert_value(with.store, "key", "value");
	int connections = with.peer.counts->connections;
	assert_int_equal(MCP_UNSUPPORTED, ask_left(with.store, "key", &left_ms));
	faults_assert_value(with.store, "key", "value");
	assert_int_equal(connections, with.peer.counts->connections);
	faults_part(&with);
}

TEST(a_connection_that_breaks_at_it_takes_its_cas_ids_with_it) {
	mcp_store *store = faults_store(faults_server.socket);
	mcp_key key = faults_key("key");
	mcp_record record = faults_record("value");
	uint64_t left_ms, cas;
	faults_set(store, "key", "value");
	assert_int_equal(MCP_OK, mcp_store_cas_of(store, &key, &cas));
	assert_int_equal(MCP_OK, ask_left(store, "key", &left_ms));
	assert_true(left_ms == MCP_STORE_NO_END);
	faults_kill(&faults_server);
	faults_restart(&faults_server);
	uint64_t breaks = mcp_store_breaks(store);
	assert_int_equal(MCP_UNSUPPORTED, ask_left(store, "key", &left_ms));
	assert_int_equal(MCP_EXISTS, mcp_store_cas(store, &key, &record, cas));
	assert_true(mcp_store_breaks(store) > breaks);
	assert_int_equal(MCP_NOT_FOUND, faults_get(store, "key"));
	assert_int_equal(MCP_NOT_FOUND, ask_left(store, "key", &left_ms));
	mcp_store_free(store);
}

TEST(no_answer_is_none) {
	mcp_store *store = faults_store(faults_server.socket);
	uint64_t left_ms;
	assert_int_equal(MCP_NOT_FOUND, ask_left(store, "key", &left_ms));
	faults_freeze(&faults_server);
	assert_int_equal(MCP_TIMEOUT, ask_left(store, "key", &left_ms));
	faults_thaw(&faults_server);
	mcp_store_free(store);
}

int main(void) {
	return tests_run(faults_server_start_direct, faults_server_stop);
}
