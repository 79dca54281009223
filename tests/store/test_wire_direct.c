/* Tests what only our own wire promises: an answer is bounded as a whole, over TCP and unix sockets, with
 * signals or without, and what comes with it is nobody else's. */
/* SPDX-License-Identifier: MIT */
#include "../../src/store/wire/socket.h"
#include "faults.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

/* Where an answer comes, however busy the machine is. */
enum { PATIENCE_MS = 5000 };

static mcp_store *connect_to(const char *host, uint16_t port, uint32_t timeout_ms) {
	mcp_wire_settings settings = faults_settings(host, timeout_ms);
	settings.port = port;
	return faults_connect(&settings, 0, faults_environment());
}

static mcp_status set(mcp_store *store, const char *key) {
	mcp_key wire = faults_key(key);
	mcp_record record = {.head = {"he", 2}, .body = {"ad", 2}, .flags = 7};
	return mcp_store_set(store, &wire, &record);
}

static void assert_takes_a_timeout(mcp_store *store) {
	uint64_t began_ms = faults_now_ms();
	assert_int_equal(MCP_TIMEOUT, faults_get(store, "key"));
	faults_assert_one_timeout(began_ms);
}

/* Answers "get key" with its value, and stores for "set"; another key is never answered, or drips. */
static void talk_sense(int connection, faults_counts *counts) {
	char line[512];
	while (faults_hear(connection, counts, line)) {
		if (strcmp(line, "gets value") == 0) {
			faults_say(connection, "VALUE value 7 4 12\r\n");
			usleep(20000);
			faults_say(connection, "head\r\nEND\r\n");
		} else if (strncmp(line, "set ", 4) == 0) {
			assert_string_equal("set value 7 0 4", line);
			faults_hear(connection, counts, line);
			faults_say(connection, strcmp(line, "head") == 0 ? "STORED\r\n" : "NOT_STORED\r\n");
		} else if (strcmp(line, "gets drip") == 0) {
			faults_drip(connection, "VALUE drip 0 1000 7\r\nxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", 25);
		}
	}
}

TEST(a_tcp_server_is_spoken_to) {
	faults_peer peer;
	faults_peer_start_at_a_port(&peer, talk_sense);
	mcp_store *store = connect_to("127.0.0.1", peer.port, PATIENCE_MS);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(MCP_OK, set(store, "value"));
		faults_assert_value(store, "value", "head");
	}
	mcp_store_free(store);
	faults_peer_stop(&peer);
}

TEST(a_name_is_looked_up) {
	faults_peer peer;
	faults_peer_start_at_a_port(&peer, talk_sense);
	mcp_store *store = connect_to("localhost", peer.port, PATIENCE_MS);
	faults_assert_value(store, "value", "head");
	mcp_store_free(store);
	faults_peer_stop(&peer);
}

TEST(a_tcp_server_that_is_silent_or_drips_costs_one_timeout) {
	faults_peer peer;
	faults_peer_start_at_a_port(&peer, talk_sense);
	mcp_store *store = connect_to("127.0.0.1", peer.port, FAULTS_TIMEOUT_MS);
	assert_takes_a_timeout(store);
	mcp_store_free(store);
	store = connect_to("127.0.0.1", peer.port, FAULTS_TIMEOUT_MS);
	uint64_t began_ms = faults_now_ms();
	assert_int_equal(MCP_TIMEOUT, faults_get(store, "drip"));
	faults_assert_one_timeout(began_ms);
	mcp_store_free(store);
	faults_peer_stop(&peer);
}

static volatile sig_atomic_t signals;

static void count_signal(int number) {
	signals++;
}

static void ring_every_ms(suseconds_t pause_ms) {
	struct sigaction action = {.sa_handler = count_signal};
	struct itimerval pause = {{0, pause_ms * 1000}, {0, pause_ms * 1000}};
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &pause, NULL);
}

/* A handler runs while it waits, and neither ends the wait nor begins it anew. */
TEST(signals_lengthen_no_wait_over_tcp) {
	faults_peer peer;
	faults_peer_start_at_a_port(&peer, talk_sense);
	mcp_store *store = connect_to("127.0.0.1", peer.port, FAULTS_TIMEOUT_MS);
	faults_assert_value(store, "value", "head");
	signals = 0;
	ring_every_ms(3);
	faults_assert_value(store, "value", "head");
	assert_takes_a_timeout(store);
	ring_every_ms(0);
	assert_true(signals > 10);
	mcp_store_free(store);
	faults_peer_stop(&peer);
}

enum { FILLING = 16 * 1024, HEAD = sizeof("VALUE key 0 16361 7\r\n") - 1 };

/* Fills the first buffer to its last byte with a value; the answer's end comes later and makes it move. */
static void fill_the_buffer(int connection, faults_counts *counts) {
	static char answer[FILLING];
	char line[512];
	int head = snprintf(answer, sizeof(answer), "VALUE key 0 %d 7\r\n", FILLING - HEAD - 2);
	assert_int_equal(HEAD, head);
	memset(answer + HEAD, 'x', FILLING - HEAD);
	memcpy(answer + FILLING - 2, "\r\n", 2);
	while (faults_hear(connection, counts, line)) {
		send(connection, answer, sizeof(answer), MSG_NOSIGNAL);
		usleep(30000);
		faults_say(connection, "END\r\n");
	}
}

TEST(an_item_stays_whole_when_its_end_comes_later) {
	faults_meeting with = faults_meet_patiently(fill_the_buffer);
	mcp_key key = faults_key("key");
	for (int round = 0; round < 2; round++) {
		mcp_item item;
		assert_int_equal(MCP_OK, mcp_store_get(with.store, &key, &item));
		assert_int_equal(FILLING - HEAD - 2, item.value.length);
		for (size_t i = 0; i < item.value.length; i++) {
			assert_int_equal('x', item.value.data[i]);
		}
	}
	faults_part(&with);
}

/* Meets a peer that replies so to everything but a value. */
static faults_meeting meet(const char *answer) {
	static faults_reply replies[] = {{"head", ""}, {"", NULL}};
	replies[1].reply = answer;
	return faults_meet_replies(replies);
}

static mcp_status get_answered(const char *text) {
	faults_meeting with = meet(text);
	mcp_status status = faults_get(with.store, "key");
	faults_part(&with);
	return status;
}

static mcp_status set_answered(const char *text) {
	faults_meeting with = meet(text);
	mcp_status status = set(with.store, "key");
	faults_part(&with);
	return status;
}

/* It would be the next request's answer. */
TEST(what_comes_with_an_answer_is_no_other_answer) {
	assert_int_equal(MCP_PROTOCOL, get_answered("END\r\nEND\r\n"));
	assert_int_equal(MCP_PROTOCOL, get_answered("VALUE key 0 1 7\r\nx\r\nEND\r\nx"));
	assert_int_equal(MCP_PROTOCOL,
		get_answered("VALUE key 0 1 7\r\nx\r\nVALUE key 0 1 7\r\nx\r\nEND\r\n"));
	assert_int_equal(MCP_UNKNOWN, set_answered("STORED\r\nSTORED\r\n"));
	assert_int_equal(MCP_REFUSED, get_answered("ERROR\r\nERROR\r\n"));
}

TEST(an_answer_to_another_verb_is_none) {
	assert_int_equal(MCP_UNKNOWN, set_answered("DELETED\r\n"));
	assert_int_equal(MCP_UNKNOWN, set_answered("END\r\n"));
	assert_int_equal(MCP_UNKNOWN, set_answered("1\r\n"));
	assert_int_equal(MCP_UNKNOWN, set_answered("VALUE key 0 1 7\r\nx\r\n"));
	assert_int_equal(MCP_PROTOCOL, get_answered("STORED\r\n"));
	assert_int_equal(MCP_PROTOCOL, get_answered("STAT a b\r\n"));
	assert_int_equal(MCP_PROTOCOL, get_answered("MN\r\n"));
}

TEST(an_announced_giant_costs_neither_memory_nor_time) {
	assert_int_equal(MCP_PROTOCOL, get_answered("VALUE key 0 99999999999 7\r\nx"));
	assert_int_equal(MCP_TIMEOUT, get_answered("VALUE key 0 1073741824 7\r\nx"));
}

/* --- a peer that has said something and closed before it was asked --- */

static const char *last_words;

static mcp_socket_outcome connect_to_who_hangs_up(mcp_socket *self,
	const mcp_socket_address *address, mcp_deadline *deadline, uint32_t answer_timeout_ms) {
	int pair[2];
	assert_int_equal(0, socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair));
	assert_int_equal(strlen(last_words), write(pair[1], last_words, strlen(last_words)));
	close(pair[1]);
	self->descriptor = pair[0];
	return MCP_SOCKET_DONE;
}

static void expect_reason(const char *reason, const char *words) {
	mcp_channel_operations operations = mcp_channel_socket;
	operations.connect = connect_to_who_hangs_up;
	mcp_socket self = {.descriptor = -1};
	mcp_channel carrier = {&operations, &self};
	mcp_wire_settings settings = faults_settings("127.0.0.1", PATIENCE_MS);
	settings.carrier = &carrier;
	last_words = words;
	mcp_store *store = faults_connect(&settings, 0, faults_environment());
	assert_int_equal(MCP_UNREACHABLE, faults_get(store, "key"));
	assert_string_equal(reason, mcp_store_last_failure(store)->reason.text);
	mcp_store_free(store);
}

TEST(the_last_words_of_who_hangs_up_are_told) {
	expect_reason("replied \"ERROR Too many open connections\"",
		"ERROR Too many open connections\r\n");
	expect_reason("replied \"SERVER_ERROR busy\"", "SERVER_ERROR busy\r\n");
	expect_reason("broke the connection: connection closed", "");
	expect_reason("broke the connection: connection closed", "ERROR Too many op");
	expect_reason("broke the connection: connection closed", "END\r\n");
}

static size_t open_descriptors(void) {
	size_t open = 0;
	for (int i = 0; i < 256; i++) {
		open += fcntl(i, F_GETFD) >= 0;
	}
	return open;
}

TEST(failures_leave_no_descriptor_open) {
	size_t before = open_descriptors();
	get_answered("HELLO\r\n");
	set_answered("ERROR\r\n");
	mcp_store *store = connect_to("/tmp/mcpatterns-nothing/here.sock", 0, FAULTS_TIMEOUT_MS);
	assert_int_equal(MCP_UNREACHABLE, faults_get(store, "key"));
	mcp_store_free(store);
	assert_int_equal(before, open_descriptors());
}

int main(void) {
	return tests_run(faults_choose_direct, NULL);
}
