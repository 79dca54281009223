/* Watches a get_many over several servers at the same time, over our own wire: all are asked before the first
 * answer is read, and none pays for another's slowness. */
/* SPDX-License-Identifier: MIT */
#include "faults.h"

#include "../../src/store/cluster/store_cluster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SERVERS = 2, LARGE = 900000 };

/* A pipe on which one peer tells the other, across processes: a byte for each request. */
static int heard[2];

static size_t pick_first_letter(void *router, mcp_bytes route) {
	(void)router;
	return (size_t)(route.data[0] - '0');
}

/* Two peers behind one cluster. */
typedef struct pair {
	faults_meeting servers[SERVERS];
	mcp_store *cluster;
} pair;

static pair meet_two(faults_talk first, faults_talk second) {
	pair with = {.servers = {faults_meet(first), faults_meet(second)}};
	mcp_store *members[SERVERS] = {with.servers[0].store, with.servers[1].store};
	with.cluster = mcp_store_cluster_create(members, SERVERS, pick_first_letter, NULL);
	assert_non_null(with.cluster);
	return with;
}

static void part(pair *with) {
	mcp_store_free(with->cluster);
	faults_part(&with->servers[0]);
	faults_part(&with->servers[1]);
}

static int choose_direct(void **state) {
	(void)state;
	faults_by = FAULTS_DIRECT;
	return pipe(heard);
}

static void answer_at_once(int connection, faults_counts *counts) {
	char line[512];
	while (faults_hear(connection, counts, line)) {
		assert_int_equal(1, write(heard[1], "x", 1));
		faults_say(connection, "VALUE 1b 0 1 7\r\nB\r\nEND\r\n");
	}
}

static void answer_when_the_other_was_asked(int connection, faults_counts *counts) {
	char line[512], byte;
	while (faults_hear(connection, counts, line)) {
		assert_int_equal(1, read(heard[0], &byte, 1));
		faults_say(connection, "VALUE 0a 0 1 7\r\nA\r\nEND\r\n");
	}
}

static void ask_both(pair *with, mcp_op replies[2]) {
	mcp_key keys[2] = {faults_key("0a"), faults_key("1b")};
	mcp_store_get_many(with->cluster, keys, 2, replies);
}

static void all_servers_are_asked_before_the_first_answer(void **state) {
	(void)state;
	pair with = meet_two(answer_when_the_other_was_asked, answer_at_once);
	mcp_op replies[2];
	for (int i = 0; i < 3; i++) {
		ask_both(&with, replies);
		assert_int_equal(MCP_OK, replies[0].status);
		assert_int_equal(MCP_OK, replies[1].status);
		assert_memory_equal("A", replies[0].item.value.data, 1);
		assert_memory_equal("B", replies[1].item.value.data, 1);
	}
	part(&with);
}

static void say_nothing(int connection, faults_counts *counts) {
	char line[512];
	while (faults_hear(connection, counts, line)) {
	}
}

static void answer(int connection, faults_counts *counts) {
	char line[512];
	while (faults_hear(connection, counts, line)) {
		faults_say(connection, "VALUE 1b 0 1 7\r\nB\r\nEND\r\n");
	}
}

static void a_silent_server_costs_the_others_nothing(void **state) {
	(void)state;
	pair with = meet_two(say_nothing, answer);
	mcp_op replies[2];
	ask_both(&with, replies);
	assert_int_equal(MCP_TIMEOUT, replies[0].status);
	assert_int_equal(MCP_OK, replies[1].status);
	assert_memory_equal("B", replies[1].item.value.data, 1);
	part(&with);
}

static void silent_servers_cost_one_timeout_together(void **state) {
	(void)state;
	pair with = meet_two(say_nothing, say_nothing);
	mcp_op replies[2];
	uint64_t began_ms = faults_now_ms();
	ask_both(&with, replies);
	assert_in_range(faults_now_ms() - began_ms, FAULTS_TIMEOUT_MS - 1,
		FAULTS_TIMEOUT_MS + FAULTS_SLACK_MS);
	assert_int_equal(MCP_TIMEOUT, replies[0].status);
	assert_int_equal(MCP_TIMEOUT, replies[1].status);
	part(&with);
}

/* Answers more than a socket holds: most of it is sent when it is read. */
static void answer_at_length(int connection, faults_counts *counts) {
	char line[512];
	char *value = malloc(LARGE + 1);
	memset(value, 'v', LARGE);
	value[LARGE] = '\0';
	while (faults_hear(connection, counts, line)) {
		snprintf(line, sizeof(line), "VALUE 1b 0 %d 7\r\n", LARGE);
		faults_say(connection, line);
		faults_say(connection, value);
		faults_say(connection, "\r\nEND\r\n");
	}
	free(value);
}

static void a_long_answer_has_its_time_behind_a_silent_server(void **state) {
	(void)state;
	pair with = meet_two(say_nothing, answer_at_length);
	mcp_op replies[2];
	ask_both(&with, replies);
	assert_int_equal(MCP_TIMEOUT, replies[0].status);
	assert_int_equal(MCP_OK, replies[1].status);
	assert_int_equal(LARGE, replies[1].item.value.length);
	assert_int_equal('v', replies[1].item.value.data[LARGE - 1]);
	part(&with);
}

/* Closes each connection behind its first request. */
static void hang_up_once(int connection, faults_counts *counts) {
	char line[512];
	if (counts->connections == 1) {
		faults_hear(connection, counts, line);
		return;
	}
	answer(connection, counts);
}

static void a_broken_connection_is_asked_once_more(void **state) {
	(void)state;
	pair with = meet_two(answer_at_length, hang_up_once);
	mcp_op replies[2];
	ask_both(&with, replies);
	assert_int_equal(MCP_PROTOCOL, replies[0].status); /* it has another key's value */
	assert_int_equal(MCP_OK, replies[1].status);
	assert_int_equal(2, with.servers[1].peer.counts->connections);
	ask_both(&with, replies);
	assert_int_equal(MCP_OK, replies[1].status);
	part(&with);
}

static void who_cannot_be_reached_keeps_nobody_from_being_asked(void **state) {
	(void)state;
	pair with = meet_two(answer, answer);
	faults_peer_stop(&with.servers[0].peer);
	mcp_op replies[2];
	ask_both(&with, replies);
	assert_int_equal(MCP_UNREACHABLE, replies[0].status);
	assert_int_equal(MCP_OK, replies[1].status);
	ask_both(&with, replies);
	assert_int_equal(MCP_UNREACHABLE, replies[0].status);
	assert_int_equal(MCP_OK, replies[1].status);
	faults_peer_start(&with.servers[0].peer, answer);
	part(&with);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_servers_are_asked_before_the_first_answer),
		cmocka_unit_test(a_silent_server_costs_the_others_nothing),
		cmocka_unit_test(silent_servers_cost_one_timeout_together),
		cmocka_unit_test(a_long_answer_has_its_time_behind_a_silent_server),
		cmocka_unit_test(a_broken_connection_is_asked_once_more),
		cmocka_unit_test(who_cannot_be_reached_keeps_nobody_from_being_asked),
	};
	return cmocka_run_group_tests(tests, choose_direct, NULL);
}
