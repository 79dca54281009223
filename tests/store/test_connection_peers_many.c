/* Meets get_many with peers that are no memcached, or a broken one: answers that are slow, in another order, or
 * from two lives of a server. */
/* SPDX-License-Identifier: MIT */
#include "faults.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Hears a line of any length; false if the other side closed. */
static bool hear_first_key(int connection, char key[256]) {
	size_t length = 0;
	unsigned spaces = 0;
	char letter;
	while (read(connection, &letter, 1) == 1) {
		if (letter == '\n') {
			key[length] = '\0';
			return true;
		}
		spaces += letter == ' ';
		if (spaces == 1 && letter != ' ' && letter != '\r' && length < 255) {
			key[length++] = letter;
		}
	}
	return false;
}

/* Has the first key of each request, and is restarted before the second one: then other ids are given. */
static void restart_before_the_second_request(int connection, faults_counts *counts) {
	char key[256];
	while (hear_first_key(connection, key)) {
		if (counts->connections == 1 && counts->requests++ == 1) {
			return;
		}
		char answer[512];
		snprintf(answer, sizeof(answer), "VALUE %s 0 1 %d\r\nx\r\nEND\r\n", key,
			counts->connections);
		faults_say(connection, answer);
	}
}

enum { LONG_KEYS = 60, LONG_KEY = 200 };

TEST(many_keys_are_all_of_one_connection) {
	faults_meeting with = faults_meet_patiently(restart_before_the_second_request);
	static char names[LONG_KEYS][LONG_KEY + 1];
	mcp_key keys[LONG_KEYS];
	mcp_op replies[LONG_KEYS];
	for (int i = 0; i < LONG_KEYS; i++) {
		memset(names[i], 'k', LONG_KEY);
		snprintf(names[i] + LONG_KEY - 3, 4, "%03d", i);
		keys[i] = faults_key(names[i]);
	}
	mcp_store_get_many(with.store, keys, LONG_KEYS, replies);
	assert_int_equal(2, with.peer.counts->connections);
	unsigned found = 0;
	for (int i = 0; i < LONG_KEYS; i++) {
		assert_true(replies[i].status == MCP_OK || replies[i].status == MCP_NOT_FOUND);
		if (replies[i].status == MCP_OK) {
			assert_int_equal(2, replies[i].item.cas);
			assert_memory_equal("x", replies[i].item.value.data, 1);
			found++;
		}
	}
	assert_int_equal(2, found);
	assert_int_equal(MCP_OK, replies[0].status);
	faults_part(&with);
}

/* Answers with a hundred items, each whole, at two thirds of a timeout from the last. */
static void answer_slowly(int connection, faults_counts *counts) {
	char line[512];
	while (faults_hear(connection, counts, line)) {
		for (int i = 0; i < 100; i++) {
			char text[64];
			snprintf(text, sizeof(text), "VALUE %d 0 1 7\r\nx\r\n", i);
			faults_say(connection, text);
			usleep(FAULTS_TIMEOUT_MS * 1000 * 2 / 3);
		}
		faults_say(connection, "END\r\n");
	}
}

TEST(many_slow_answers_last_no_longer_than_one) {
	faults_meeting with = faults_meet(answer_slowly);
	char names[100][16];
	mcp_key keys[100];
	mcp_op replies[100];
	for (int i = 0; i < 100; i++) {
		snprintf(names[i], sizeof(names[i]), "%d", i);
		keys[i] = faults_key(names[i]);
	}
	uint64_t began_ms = faults_now_ms();
	mcp_store_get_many(with.store, keys, 100, replies);
	faults_assert_lasted(began_ms, 0, FAULTS_TIMEOUT_MS);
	assert_int_equal(MCP_TIMEOUT, replies[0].status);
	assert_int_equal(MCP_TIMEOUT, replies[99].status);
	faults_part(&with);
}

/* Answers in any order, as some proxies do. */
static void answer_backwards(int connection, faults_counts *counts) {
	char line[512];
	while (faults_hear(connection, counts, line)) {
		faults_say(connection, "VALUE c 0 1 9\r\nC\r\nVALUE a 0 1 7\r\nA\r\nEND\r\n");
	}
}

TEST(answers_in_another_order_find_their_keys) {
	faults_meeting with = faults_meet_patiently(answer_backwards);
	mcp_key keys[3] = {faults_key("a"), faults_key("b"), faults_key("c")};
	mcp_op replies[3];
	mcp_store_get_many(with.store, keys, 3, replies);
	assert_int_equal(MCP_OK, replies[0].status);
	assert_memory_equal("A", replies[0].item.value.data, 1);
	assert_int_equal(7, replies[0].item.cas);
	assert_int_equal(MCP_NOT_FOUND, replies[1].status);
	assert_int_equal(MCP_OK, replies[2].status);
	assert_memory_equal("C", replies[2].item.value.data, 1);
	faults_part(&with);
}

int main(void) {
	return faults_run(NULL, NULL);
}
