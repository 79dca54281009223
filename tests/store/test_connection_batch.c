/* Sends many writes in one go: each is sent once, in one round trip, and answered for itself; whose answer did not
 * come is unknown, whatever the server does. Over our own wire. */
/* SPDX-License-Identifier: MIT */
#include "faults.h"
#include "writes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { WRITES = 4, VALUE = 60000 };

static const char *const names[WRITES] = {"a", "b", "c", "d"};

static bool hear_sets(int connection, faults_counts *counts) {
	static const char *const lines[] = {"set a 0 0 5", "value", "set b 0 0 5", "value",
		"set c 0 0 5", "value", "set d 0 0 5", "value"};
	return faults_hear_lines(connection, counts, lines, 2 * WRITES);
}

static bool hear_deletes(int connection, faults_counts *counts) {
	static const char *const lines[] = {"delete a", "delete b", "delete c", "delete d"};
	return faults_hear_lines(connection, counts, lines, WRITES);
}

/* Answers when all have been sent: whoever waits for an answer before that waits for ever. */
static void answer_all_at_the_end(int connection, faults_counts *counts) {
	while (hear_sets(connection, counts)) {
		faults_say(connection, "STORED\r\nSTORED\r\nNOT_STORED\r\nSTORED\r\n");
	}
}

TEST(many_sets_are_one_round_trip) {
	faults_meeting with = faults_meet_patiently(answer_all_at_the_end);
	mcp_status statuses[WRITES];
	for (int i = 0; i < 3; i++) {
		test_set_four(with.store, names, statuses);
		assert_four(statuses, MCP_OK, MCP_OK, MCP_NOT_STORED, MCP_OK);
	}
	assert_int_equal(1, with.peer.counts->connections);
	assert_int_equal(3 * 2 * WRITES, with.peer.counts->requests);
	faults_part(&with);
}

static void answer_all_deletes_at_the_end(int connection, faults_counts *counts) {
	while (hear_deletes(connection, counts)) {
		faults_say(connection, "DELETED\r\nNOT_FOUND\r\nDELETED\r\nDELETED\r\n");
	}
}

TEST(many_deletes_are_one_round_trip) {
	faults_meeting with = faults_meet_patiently(answer_all_deletes_at_the_end);
	mcp_status statuses[WRITES];
	for (int i = 0; i < 3; i++) {
		test_delete_four(with.store, names, statuses);
		assert_four(statuses, MCP_OK, MCP_NOT_FOUND, MCP_OK, MCP_OK);
	}
	assert_int_equal(3 * WRITES, with.peer.counts->requests);
	faults_part(&with);
}

/* The peer's answer to the first four sets; then it hangs up. Later connections are answered. */
static const char *first_answer;
static bool stays_connected;

static void answer_oddly(int connection, faults_counts *counts) {
	if (counts->connections > 1) {
		answer_all_at_the_end(connection, counts);
		return;
	}
	char line[512];
	if (hear_sets(connection, counts)) {
		faults_say(connection, first_answer);
	}
	while (stays_connected && faults_hear(connection, counts, line)) {
	}
}

static faults_meeting meet_odd(const char *answer, bool stays) {
	first_answer = answer;
	stays_connected = stays;
	return faults_meet_patiently(answer_oddly);
}

TEST(what_a_broken_connection_leaves_is_unknown) {
	faults_meeting with = meet_odd("STORED\r\nNOT_STORED\r\nSTO", false);
	mcp_status statuses[WRITES];
	test_set_four(with.store, names, statuses);
	assert_four(statuses, MCP_OK, MCP_NOT_STORED, MCP_UNKNOWN, MCP_UNKNOWN);
	/* Nothing was sent again. */
	assert_int_equal(1, with.peer.counts->connections);
	assert_int_equal(2 * WRITES, with.peer.counts->requests);
	test_set_four(with.store, names, statuses);
	assert_four(statuses, MCP_OK, MCP_OK, MCP_NOT_STORED, MCP_OK);
	faults_part(&with);
}

TEST(what_silence_leaves_is_unknown_within_one_timeout) {
	first_answer = "STORED\r\n";
	stays_connected = true;
	faults_meeting with = faults_meet(answer_oddly);
	mcp_status statuses[WRITES];
	uint64_t began_ms = faults_now_ms();
	test_set_four(with.store, names, statuses);
	faults_assert_one_timeout(began_ms);
	assert_four(statuses, MCP_OK, MCP_UNKNOWN, MCP_UNKNOWN, MCP_UNKNOWN);
	test_set_four(with.store, names, statuses);
	assert_four(statuses, MCP_UNREACHABLE, MCP_UNREACHABLE, MCP_UNREACHABLE, MCP_UNREACHABLE);
	assert_int_equal(2 * WRITES, with.peer.counts->requests);
	faults_part(&with);
}

static void drip_answers(int connection, faults_counts *counts) {
	if (hear_sets(connection, counts)) {
		faults_drip(connection, "STORED\r\nSTORED\r\nSTORED\r\nSTORED\r\n", FAULTS_TIMEOUT_MS / 10);
	}
}

TEST(dripping_answers_have_one_timeout_together) {
	faults_meeting with = faults_meet(drip_answers);
	mcp_status statuses[WRITES];
	uint64_t began_ms = faults_now_ms();
	test_set_four(with.store, names, statuses);
	faults_assert_one_timeout(began_ms);
	assert_int_equal(MCP_UNKNOWN, statuses[WRITES - 1]);
	faults_part(&with);
}

TEST(a_servers_refusal_is_one_writes) {
	faults_meeting with = meet_odd("STORED\r\nSERVER_ERROR out of memory storing object\r\n"
								   "SERVER_ERROR object too large for cache\r\nSTORED\r\n",
		true);
	mcp_status statuses[WRITES];
	test_set_four(with.store, names, statuses);
	assert_four(statuses, MCP_OK, MCP_REFUSED, MCP_TOO_LARGE, MCP_OK);
	assert_int_equal(1, with.peer.counts->connections);
	faults_part(&with);
}

TEST(a_proxys_refusal_is_unknown) {
	faults_meeting with =
		meet_odd("STORED\r\nSERVER_ERROR Connection timed out\r\nSTORED\r\nSTORED\r\n", true);
	mcp_status statuses[WRITES];
	test_set_four(with.store, names, statuses);
	assert_four(statuses, MCP_OK, MCP_UNKNOWN, MCP_OK, MCP_OK);
	faults_part(&with);
}

/* Nobody knows whose the lines behind it are. */
TEST(behind_an_error_all_is_unknown) {
	faults_meeting with = meet_odd("STORED\r\nERROR\r\nSTORED\r\nSTORED\r\n", true);
	mcp_status statuses[WRITES];
	test_set_four(with.store, names, statuses);
	assert_four(statuses, MCP_OK, MCP_REFUSED, MCP_UNKNOWN, MCP_UNKNOWN);
	test_set_four(with.store, names, statuses);
	assert_four(statuses, MCP_OK, MCP_OK, MCP_NOT_STORED, MCP_OK);
	assert_int_equal(2, with.peer.counts->connections);
	faults_part(&with);
}

TEST(behind_nonsense_all_is_unknown) {
	faults_meeting with = meet_odd("STORED\r\nVALUE b 0 1 1\r\nx\r\nEND\r\n", true);
	mcp_status statuses[WRITES];
	test_set_four(with.store, names, statuses);
	assert_four(statuses, MCP_OK, MCP_UNKNOWN, MCP_UNKNOWN, MCP_UNKNOWN);
	faults_part(&with);
}

TEST(an_answer_too_many_makes_the_last_unknown) {
	faults_meeting with = meet_odd("STORED\r\nSTORED\r\nSTORED\r\nSTORED\r\nSTORED\r\n", true);
	mcp_status statuses[WRITES];
	test_set_four(with.store, names, statuses);
	assert_int_equal(MCP_UNKNOWN, statuses[WRITES - 1]);
	test_set_four(with.store, names, statuses);
	assert_four(statuses, MCP_OK, MCP_OK, MCP_NOT_STORED, MCP_OK);
	faults_part(&with);
}

/* Hangs up as a restart does: the writes that follow go over a new connection, and all are known. */
static void hang_up_when_idle(int connection, faults_counts *counts) {
	if (counts->connections > 1) {
		answer_all_at_the_end(connection, counts);
	} else if (hear_sets(connection, counts)) {
		faults_say(connection, "STORED\r\nSTORED\r\nSTORED\r\nSTORED\r\n");
	}
}

TEST(an_idle_connections_end_leaves_nothing_unknown) {
	faults_meeting with = faults_meet_patiently(hang_up_when_idle);
	mcp_status statuses[WRITES];
	test_set_four(with.store, names, statuses);
	assert_four(statuses, MCP_OK, MCP_OK, MCP_OK, MCP_OK);
	mcp_store *other =
		faults_store(with.peer.socket); /* is served when the first connection has ended */
	test_set_four(other, names, statuses);
	assert_four(statuses, MCP_OK, MCP_OK, MCP_NOT_STORED, MCP_OK);
	mcp_store_free(other);
	test_set_four(with.store, names, statuses);
	assert_four(statuses, MCP_OK, MCP_OK, MCP_NOT_STORED, MCP_OK);
	assert_int_equal(3, with.peer.counts->connections);
	faults_part(&with);
}

/* The test and the peer count each other's turns where requests are counted. */
enum { ITS_TURN = 1000, DONE = 2000 };

static void say_more_when_idle(int connection, faults_counts *counts) {
	volatile int *turn = &counts->requests;
	if (counts->connections > 1) {
		answer_all_at_the_end(connection, counts);
	} else if (hear_sets(connection, counts)) {
		faults_say(connection, "STORED\r\nSTORED\r\nSTORED\r\nSTORED\r\n");
		while (*turn != ITS_TURN) {
			usleep(1000);
		}
		faults_say(connection, "NOT_STORED\r\n");
		*turn = DONE;
		hear_sets(connection, counts);
		faults_say(connection, "STORED\r\nSTORED\r\nSTORED\r\nSTORED\r\n");
	}
}

TEST(what_nobody_asked_for_is_no_writes_answer) {
	faults_meeting with = faults_meet_patiently(say_more_when_idle);
	volatile int *turn = &with.peer.counts->requests;
	mcp_status statuses[WRITES];
	test_set_four(with.store, names, statuses);
	assert_four(statuses, MCP_OK, MCP_OK, MCP_OK, MCP_OK);
	*turn = ITS_TURN;
	while (*turn != DONE) {
		usleep(1000);
	}
	test_set_four(with.store, names, statuses);
	assert_four(statuses, MCP_OK, MCP_OK, MCP_NOT_STORED, MCP_OK);
	assert_int_equal(2, with.peer.counts->connections);
	faults_part(&with);
}

/* Has room for a few requests and replies only. */
static void shrink_buffers(int connection) {
	int least = 1;
	setsockopt(connection, SOL_SOCKET, SO_SNDBUF, &least, sizeof(least));
	setsockopt(connection, SOL_SOCKET, SO_RCVBUF, &least, sizeof(least));
}

static void read_nothing(int connection, faults_counts *counts) {
	shrink_buffers(connection);
	counts->requests++;
	pause();
}

/* With the shorter values, MCP_STORE_AHEAD_MAX writes have nearly the most bytes that such a batch may have; the lines of
 * their commands, the longest that there are, come to it. */
enum { SHORT = 1000, SHORT_VALUE = 159, LARGE_VALUE = 5000 };

static const uint64_t long_ttl_ms = 100 * 86400000ull;

/* Over a unix socket, and over TCP. */
static faults_meeting meet_over(bool is_tcp, faults_talk talk, uint32_t timeout_ms) {
	faults_meeting with;
	(is_tcp ? faults_peer_start_at_a_port : faults_peer_start)(&with.peer, talk);
	mcp_wire_settings settings = faults_settings(with.peer.socket, timeout_ms);
	settings.port = with.peer.port;
	with.store = faults_connect(&settings, FAULTS_PAUSE_MS, faults_environment());
	return with;
}

static void set_many(mcp_store *store, test_write *writes, size_t length) {
	static char bytes[LARGE_VALUE], texts[SHORT][8];
	memset(bytes, 'v', sizeof(bytes));
	for (int i = 0; i < SHORT; i++) {
		snprintf(texts[i], sizeof(texts[i]), "k%d", i);
		writes[i] = (test_write){
			.key = faults_key(texts[i]),
			.record = {.body = mcp_bytes_of(bytes, length),
				.flags = UINT32_MAX,
				.ttl_ms = long_ttl_ms},
			.status = MCP_NO_CAS,
		};
	}
	test_writes_run(store, MCP_OP_SET, writes, SHORT);
}

/* Short or long: a batch of short writes fits the buffers, one of long writes does not. */
TEST(nothing_is_done_by_who_reads_nothing) {
	static test_write writes[SHORT];
	static const size_t lengths[] = {SHORT_VALUE, LARGE_VALUE};
	for (int round = 0; round < 4; round++) {
		faults_meeting with = meet_over(round / 2, read_nothing, FAULTS_TIMEOUT_MS);
		uint64_t began_ms = faults_now_ms();
		set_many(with.store, writes, lengths[round % 2]);
		faults_assert_lasted(began_ms, FAULTS_TIMEOUT_MS - 1, 2 * FAULTS_TIMEOUT_MS);
		assert_int_equal(MCP_UNKNOWN, writes[0].status);
		for (int i = 1; i < SHORT; i++) {
			assert_true(writes[i].status == MCP_UNKNOWN || writes[i].status == MCP_UNREACHABLE);
		}
		assert_int_equal(MCP_UNREACHABLE, writes[SHORT - 1].status);
		faults_part(&with);
	}
}

static bool hear_set_and_refuse(int connection, faults_counts *counts) {
	char line[512];
	if (!faults_hear(connection, counts, line) || !faults_hear(connection, counts, line)) {
		return false;
	}
	faults_say(connection, "SERVER_ERROR out of memory storing object\r\n");
	return true;
}

/* Reads no request before the last reply has left. */
static void reply_before_reading_on(int connection, faults_counts *counts) {
	shrink_buffers(connection);
	while (hear_set_and_refuse(connection, counts)) {
	}
}

TEST(a_server_that_waits_for_its_replies_has_all_requests) {
	static test_write writes[SHORT];
	for (int is_tcp = 0; is_tcp < 2; is_tcp++) {
		faults_meeting with = meet_over(is_tcp, reply_before_reading_on, FAULTS_PATIENCE_MS);
		set_many(with.store, writes, SHORT_VALUE);
		for (int i = 0; i < SHORT; i++) {
			assert_int_equal(MCP_REFUSED, writes[i].status);
		}
		assert_int_equal(1, with.peer.counts->connections);
		assert_int_equal(2 * SHORT, with.peer.counts->requests);
		faults_part(&with);
	}
}

/* The first batch is answered when it has been sent, and must have so many writes. */
static void count_batches(int connection, faults_counts *counts) {
	char line[512];
	for (int left = SHORT, heard = 0; faults_hear(connection, counts, line);) {
		if (!faults_hear(connection, counts, line)) {
			return;
		}
		heard++;
		left--;
		if (heard == MCP_STORE_AHEAD_MAX || left == 0) {
			for (; heard > 0; heard--) {
				faults_say(connection, "STORED\r\n");
			}
		}
	}
}

TEST(a_thousand_short_writes_are_three_round_trips) {
	static test_write writes[SHORT];
	faults_meeting with = faults_meet_patiently(count_batches);
	set_many(with.store, writes, SHORT_VALUE);
	for (int i = 0; i < SHORT; i++) {
		assert_int_equal(MCP_OK, writes[i].status);
	}
	faults_part(&with);
}

/* More than any socket takes, in several batches: the first costs a timeout, the others nothing. */
TEST(who_reads_nothing_costs_one_timeout) {
	enum { MANY = 40 };
	faults_meeting with = faults_meet(read_nothing);
	char *bytes = malloc(VALUE);
	memset(bytes, 'v', VALUE);
	test_write writes[MANY];
	for (int i = 0; i < MANY; i++) {
		writes[i] = (test_write){
			.key = faults_key(names[i % WRITES]),
			.record = {.body = mcp_bytes_of(bytes, VALUE)},
		};
	}
	uint64_t began_ms = faults_now_ms();
	test_writes_run(with.store, MCP_OP_SET, writes, MANY);
	faults_assert_lasted(began_ms, FAULTS_TIMEOUT_MS - 1, 2 * FAULTS_TIMEOUT_MS);
	assert_int_equal(MCP_UNKNOWN, writes[0].status);
	assert_int_equal(MCP_UNREACHABLE, writes[MANY - 1].status);
	free(bytes);
	faults_part(&with);
}

/* Answers each by itself and at once, to a caller that reads none before it has sent everything. */
static void answer_each_at_once(int connection, faults_counts *counts) {
	char line[512];
	while (faults_hear(connection, counts, line)) {
		if (strncmp(line, "delete ", 7) == 0) {
			faults_say(connection, "DELETED\r\n");
		}
	}
}

TEST(many_batches_are_all_answered) {
	enum { MANY = 1050 };
	faults_meeting with = faults_meet_patiently(answer_each_at_once);
	static char texts[MANY][16];
	static mcp_key keys[MANY];
	static mcp_status statuses[MANY];
	for (int i = 0; i < MANY; i++) {
		snprintf(texts[i], sizeof(texts[i]), "key%d", i);
		keys[i] = faults_key(texts[i]);
	}
	mcp_store_delete_many(with.store, keys, MANY, statuses);
	for (int i = 0; i < MANY; i++) {
		assert_int_equal(MCP_OK, statuses[i]);
	}
	assert_int_equal(MANY, with.peer.counts->requests);
	faults_part(&with);
}

int main(void) {
	return tests_run(faults_choose_direct, NULL);
}
