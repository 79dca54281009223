/* Sends many writes in one go, where the answer is more than a word, or a cas id is compared: a number that is none
 * is one write's, and no id is compared over another connection than it was read from. Over our own wire. */
/* SPDX-License-Identifier: MIT */
#include "faults.h"
#include "writes.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { WRITES = 3 };

static const char *const names[WRITES] = {"a", "b", "c"};

static void write_three(mcp_store *store, mcp_op_verb verb, test_write writes[WRITES]) {
	for (unsigned i = 0; i < WRITES; i++) {
		writes[i] = (test_write){
			.key = faults_key(names[i]),
			.cas = 10 + i,
			.by = 20 + i,
			.number = 99,
			.status = MCP_NO_CAS, /* which no write here answers */
		};
	}
	test_writes_run(store, verb, writes, WRITES);
}

static void assert_statuses(const test_write writes[WRITES], mcp_status a, mcp_status b,
	mcp_status c) {
	const mcp_status expected[WRITES] = {a, b, c};
	for (int i = 0; i < WRITES; i++) {
		assert_int_equal(expected[i], writes[i].status);
	}
}

/* The peer's answer to three writes, when it has heard all of them; a later batch once more. */
static const char *answer;
static bool stays_connected;

static bool hear_decrements(int connection, faults_counts *counts) {
	static const char *const lines[] = {"decr a 20", "decr b 21", "decr c 22"};
	return faults_hear_lines(connection, counts, lines, WRITES);
}

static void answer_decrements(int connection, faults_counts *counts) {
	while (hear_decrements(connection, counts)) {
		faults_say(connection, answer);
		if (!stays_connected) {
			return;
		}
	}
}

static faults_meeting meet(faults_talk talk, const char *says, bool stays) {
	answer = says;
	stays_connected = stays;
	return faults_meet_patiently(talk);
}

TEST(many_decrements_are_one_round_trip) {
	faults_meeting with =
		meet(answer_decrements, "5\r\nNOT_FOUND\r\n18446744073709551615\r\n", true);
	test_write writes[WRITES];
	for (int i = 0; i < 3; i++) {
		write_three(with.store, MCP_OP_DECREMENT, writes);
		assert_statuses(writes, MCP_OK, MCP_NOT_FOUND, MCP_OK);
		assert_int_equal(5, writes[0].number);
		assert_int_equal(99, writes[1].number);
		assert_true(writes[2].number == UINT64_MAX);
	}
	assert_int_equal(1, with.peer.counts->connections);
	assert_int_equal(3 * WRITES, with.peer.counts->requests);
	faults_part(&with);
}

TEST(what_is_no_number_is_one_writes_answer) {
	faults_meeting with = meet(answer_decrements,
		"CLIENT_ERROR cannot increment or decrement non-numeric value\r\n5\r\n6\r\n", true);
	test_write writes[WRITES];
	for (int i = 0; i < 2; i++) {
		write_three(with.store, MCP_OP_DECREMENT, writes);
		assert_statuses(writes, MCP_NOT_A_NUMBER, MCP_OK, MCP_OK);
		assert_int_equal(5, writes[1].number);
		assert_int_equal(6, writes[2].number);
	}
	assert_int_equal(1, with.peer.counts->connections);
	faults_part(&with);
}

TEST(a_number_cut_short_is_none) {
	faults_meeting with = meet(answer_decrements, "5\r\n12", false);
	test_write writes[WRITES];
	write_three(with.store, MCP_OP_DECREMENT, writes);
	assert_statuses(writes, MCP_OK, MCP_UNKNOWN, MCP_UNKNOWN);
	assert_int_equal(5, writes[0].number);
	assert_int_equal(99, writes[1].number);
	assert_int_equal(WRITES, with.peer.counts->requests);
	faults_part(&with);
}

/* A write of a value answers as a set does, and a number is no answer to it. */
TEST(a_number_is_no_answer_to_a_compared_write) {
	faults_meeting with = meet(answer_decrements, "5\r\nSTORED\r\n6\r\n", false);
	test_write writes[WRITES];
	write_three(with.store, MCP_OP_DECREMENT, writes);
	assert_statuses(writes, MCP_OK, MCP_UNKNOWN, MCP_UNKNOWN);
	faults_part(&with);
}

static bool hear_deletes(int connection, faults_counts *counts) {
	static const char *const lines[] = {"cas a 0 2592001 0 10", "", "cas b 0 2592001 0 11", "",
		"cas c 0 2592001 0 12", ""};
	return faults_hear_lines(connection, counts, lines, 2 * WRITES);
}

static void answer_deletes(int connection, faults_counts *counts) {
	while (hear_deletes(connection, counts)) {
		faults_say(connection, "STORED\r\nEXISTS\r\nNOT_FOUND\r\n");
	}
}

TEST(many_compared_deletes_are_one_round_trip) {
	faults_meeting with = faults_meet_patiently(answer_deletes);
	test_write writes[WRITES];
	for (int i = 0; i < 2; i++) {
		write_three(with.store, MCP_OP_DELETE_IF, writes);
		assert_statuses(writes, MCP_OK, MCP_EXISTS, MCP_NOT_FOUND);
	}
	assert_int_equal(2 * 2 * WRITES, with.peer.counts->requests);
	faults_part(&with);
}

/* Answers a first batch, and hangs up when nothing is under way. */
static void hang_up_when_idle(int connection, faults_counts *counts) {
	if (counts->connections == 1) {
		if (hear_decrements(connection, counts)) {
			faults_say(connection, "1\r\n2\r\n3\r\n");
		}
		return;
	}
	answer_deletes(connection, counts);
}

/* They may be other items' by now: the server may be another process. */
TEST(no_id_is_compared_over_another_connection) {
	faults_meeting with = faults_meet_patiently(hang_up_when_idle);
	mcp_store *other = faults_store(with.peer.socket);
	test_write writes[WRITES];
	write_three(with.store, MCP_OP_DECREMENT, writes);
	assert_statuses(writes, MCP_OK, MCP_OK, MCP_OK);
	/* The peer has hung up when it takes the next connection. */
	write_three(other, MCP_OP_DELETE_IF, writes);
	assert_statuses(writes, MCP_OK, MCP_EXISTS, MCP_NOT_FOUND);
	mcp_store_free(other);
	int requests = with.peer.counts->requests;
	write_three(with.store, MCP_OP_DELETE_IF, writes);
	assert_statuses(writes, MCP_EXISTS, MCP_EXISTS, MCP_EXISTS);
	write_three(with.store, MCP_OP_DELETE_IF, writes);
	assert_statuses(writes, MCP_EXISTS, MCP_EXISTS, MCP_EXISTS);
	assert_int_equal(requests, with.peer.counts->requests);
	faults_part(&with);
}

/* Hangs up when it is asked what it is, and stores whatever it is told to. */
static const faults_reply of_who_hangs_up[] = {{"stats", NULL},
	{"gets", "VALUE a 0 1 10\r\nx\r\nEND\r\n"}, {"", "STORED\r\n"}};

/* The question of how large the second one may be ends the connection that the first one's id, too, was read over. */
TEST(no_id_is_compared_behind_a_question_that_ended_its_connection) {
	static char large[10000];
	memset(large, 'x', sizeof(large) - 1);
	faults_meeting with = faults_meet_replies(of_who_hangs_up);
	mcp_key key = faults_key("a");
	mcp_item item;
	assert_int_equal(MCP_OK, mcp_store_get(with.store, &key, &item));
	test_write writes[] = {
		{.key = key, .record = faults_record("value"), .cas = item.cas, .status = MCP_NO_CAS},
		{.key = faults_key("b"), .record = faults_record(large), .cas = 11, .status = MCP_NO_CAS},
	};
	test_writes_run(with.store, MCP_OP_CAS, writes, 2);
	assert_int_equal(MCP_EXISTS, writes[0].status);
	assert_int_equal(MCP_EXISTS, writes[1].status);
	faults_part(&with);
}

int main(void) {
	return tests_run(faults_choose_direct, NULL);
}
