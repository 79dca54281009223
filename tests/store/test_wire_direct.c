/* Tests what only our own wire promises: an answer is bounded as a whole, over TCP and unix sockets, with
 * signals or without, and what comes with it is nobody else's. */
/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* ppoll */
#include "../../src/store/wire/socket.h"
#include "faults.h"

#include <fcntl.h>
#include <poll.h>
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

static void assert_takes(mcp_store *store, const char *key, uint32_t timeout_ms) {
	uint64_t began_ms = faults_now_ms();
	assert_int_equal(MCP_TIMEOUT, faults_get(store, key));
	faults_assert_lasted(began_ms, timeout_ms - 1, timeout_ms);
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

static mcp_store *face(faults_peer *peer, bool is_local, uint32_t timeout_ms) {
	(is_local ? faults_peer_start : faults_peer_start_at_a_port)(peer, talk_sense);
	return connect_to(is_local ? peer->socket : "127.0.0.1", peer->port, timeout_ms);
}

/* 20 ms: too short to block. */
TEST(a_server_that_is_silent_or_drips_costs_one_timeout) {
	static const uint32_t timeouts_ms[] = {FAULTS_TIMEOUT_MS, 20};
	for (int i = 0; i < 4; i++) {
		faults_peer peer;
		uint32_t timeout_ms = timeouts_ms[i / 2];
		mcp_store *store = face(&peer, i % 2, timeout_ms);
		assert_takes(store, "key", timeout_ms);
		mcp_store_free(store);
		store = connect_to(i % 2 ? peer.socket : "127.0.0.1", peer.port, timeout_ms);
		assert_takes(store, "drip", timeout_ms);
		mcp_store_free(store);
		faults_peer_stop(&peer);
	}
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

/* A handler runs while it waits, and neither ends nor restarts the wait. */
TEST(signals_lengthen_no_wait) {
	for (int is_local = 0; is_local <= 1; is_local++) {
		faults_peer peer;
		mcp_store *store = face(&peer, is_local, FAULTS_TIMEOUT_MS);
		faults_assert_value(store, "value", "head");
		signals = 0;
		ring_every_ms(3);
		faults_assert_value(store, "value", "head");
		assert_takes(store, "key", FAULTS_TIMEOUT_MS);
		ring_every_ms(0);
		assert_true(signals > 10);
		mcp_store_free(store);
		faults_peer_stop(&peer);
	}
}

/* --- which waits are polls --- */

enum { TRIAL = 256, PERIOD = 8192 };

static int polls, looks;

/* Replaces libc's. */
int poll(struct pollfd *of, nfds_t count, int timeout_ms) {
	struct timespec limit = {timeout_ms / 1000, timeout_ms % 1000 * 1000000L};
	polls += timeout_ms > 0;
	looks += timeout_ms == 0;
	return ppoll(of, count, timeout_ms < 0 ? NULL : &limit, NULL);
}

static int polls_of_gets(mcp_store *store, int count) {
	polls = 0;
	for (int i = 0; i < count; i++) {
		assert_int_equal(MCP_NOT_FOUND, faults_get(store, "key"));
	}
	return polls;
}

static int polled_us, blocked_us;

/* Shows a time that each wait takes as the test wants. */
static uint64_t waited_ns(const mcp_environment *environment) {
	static int reads, polls_before;
	static uint64_t now_ns;
	(void)environment;
	bool is_begin = reads++ % 2 == 0;
	now_ns += is_begin ? 0 : 1000u * (unsigned)(polls > polls_before ? polled_us : blocked_us);
	polls_before = polls;
	return now_ns;
}

static void reply_to_all(int connection, faults_counts *counts) {
	char line[512];
	while (faults_hear(connection, counts, line)) {
		bool is_value = strncmp(line, "set", 3) == 0 && faults_hear(connection, counts, line);
		faults_say(connection, is_value ? "STORED\r\n" : "END\r\n");
	}
}

static faults_meeting meet_by_the_clock(mcp_environment *environment) {
	faults_meeting with;
	faults_peer_start(&with.peer, reply_to_all);
	mcp_wire_settings settings = faults_settings(with.peer.socket, FAULTS_PATIENCE_MS);
	*environment = *faults_environment();
	environment->monotonic_ns = waited_ns;
	with.store = faults_connect(&settings, FAULTS_PAUSE_MS, environment);
	return with;
}

TEST(short_requests_wait_as_it_is_faster_until_the_next_trial) {
	mcp_environment environment;
	faults_meeting with = meet_by_the_clock(&environment);
	polled_us = 2, blocked_us = 1;
	assert_int_equal(TRIAL / 2, polls_of_gets(with.store, TRIAL));
	polled_us = 1, blocked_us = 2;
	assert_int_equal(0, polls_of_gets(with.store, PERIOD - TRIAL));
	assert_int_equal(TRIAL / 2, polls_of_gets(with.store, TRIAL));
	assert_int_equal(PERIOD - TRIAL, polls_of_gets(with.store, PERIOD - TRIAL));
	faults_part(&with);
}

TEST(long_and_many_requests_poll) {
	static char body[300];
	mcp_key keys[] = {faults_key("a"), faults_key("b")};
	mcp_record record = {.body = {memset(body, 'x', sizeof(body)), sizeof(body)}};
	mcp_op replies[2];
	mcp_environment environment;
	faults_meeting with = meet_by_the_clock(&environment);
	assert_int_equal(1, polls_of_gets(with.store, 2));
	for (int i = 1; i <= 2; i++) {
		mcp_store_get_many(with.store, keys, 2, replies);
		assert_int_equal(MCP_NOT_FOUND, replies[0].status);
		assert_int_equal(MCP_OK, mcp_store_set(with.store, &keys[0], &record));
		assert_int_equal(1 + 2 * i, polls);
	}
	faults_part(&with);
}

TEST(several_writes_look_at_a_unix_socket_first) {
	mcp_key keys[] = {faults_key("a"), faults_key("b")};
	mcp_record record = faults_record("value");
	mcp_op writes[2];
	mcp_op *both[] = {&writes[0], &writes[1]};
	mcp_environment environment;
	faults_meeting with = meet_by_the_clock(&environment);
	for (size_t count = 1; count <= 2; count++) {
		looks = 0;
		mcp_op_begin(&writes[0], MCP_OP_SET, &keys[0], &record);
		mcp_op_begin(&writes[1], MCP_OP_SET, &keys[1], &record);
		mcp_store_run(with.store, both, count);
		assert_int_equal(MCP_OK, writes[count - 1].status);
		assert_int_equal(count - 1, looks);
	}
	faults_part(&with);
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
