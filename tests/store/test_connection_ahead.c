/* Runs over several servers at the same time, by the direct transport: all are sent their gets or writes before the first reply is
 * read, none pays for another's slowness, and what has no reply is unknown there alone. */
/* SPDX-License-Identifier: MIT */
#include "faults.h"

#include "../../src/store/cluster/store_cluster.h"
#include "writes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SERVERS = 2, LARGE = 900000, MANY = 250, WRITES = 2 * MANY, NAME = 16 };

/* A pipe on which one peer tells the other, across processes: a byte for each request. */
static int heard[2];

static size_t pick_first_letter(void *router, mcp_bytes route) {
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

TEST(all_servers_are_asked_before_the_first_answer) {
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

static void answer(int connection, faults_counts *counts) {
	char line[512];
	while (faults_hear(connection, counts, line)) {
		faults_say(connection, "VALUE 1b 0 1 7\r\nB\r\nEND\r\n");
	}
}

TEST(a_silent_server_costs_the_others_nothing) {
	pair with = meet_two(faults_say_nothing, answer);
	mcp_op replies[2];
	ask_both(&with, replies);
	assert_int_equal(MCP_TIMEOUT, replies[0].status);
	assert_int_equal(MCP_OK, replies[1].status);
	assert_memory_equal("B", replies[1].item.value.data, 1);
	part(&with);
}

TEST(silent_servers_cost_one_timeout_together) {
	pair with = meet_two(faults_say_nothing, faults_say_nothing);
	mcp_op replies[2];
	uint64_t began_ms = faults_now_ms();
	ask_both(&with, replies);
	faults_assert_one_timeout(began_ms);
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

TEST(a_long_answer_has_its_time_behind_a_silent_server) {
	pair with = meet_two(faults_say_nothing, answer_at_length);
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

TEST(a_broken_connection_is_asked_once_more) {
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

TEST(who_cannot_be_reached_keeps_nobody_from_being_asked) {
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

/* Hears so many commands, a set with its value. */
static bool hear_some(int connection, faults_counts *counts, int count) {
	char line[512];
	for (int i = 0; i < count; i++) {
		if (!faults_hear(connection, counts, line)) {
			return false;
		}
		bool has_value = strncmp(line, "set ", 4) == 0;
		if (has_value && !faults_hear(connection, counts, line)) {
			return false;
		}
	}
	return true;
}

static void say_times(int connection, const char *text, int times) {
	for (int i = 0; i < times; i++) {
		faults_say(connection, text);
	}
}

/* Serves pairs of calls: two sets, then two deletes, for this server. */
static void serve(int connection, faults_counts *counts, bool waits) {
	char byte;
	for (int round = 0; hear_some(connection, counts, 2); round++) {
		if (waits) {
			assert_int_equal(1, read(heard[0], &byte, 1));
		} else {
			assert_int_equal(1, write(heard[1], "x", 1));
		}
		faults_say(connection,
			round % 2 == 0 ? "STORED\r\nNOT_STORED\r\n" : "NOT_FOUND\r\nDELETED\r\n");
	}
}

static void answer_writes_at_once(int connection, faults_counts *counts) {
	serve(connection, counts, false);
}

static void answer_writes_when_the_other_was_sent(int connection, faults_counts *counts) {
	serve(connection, counts, true);
}

static const char *const names[4] = {"0a", "1b", "1c", "0d"};

TEST(all_servers_are_sent_theirs_before_the_first_answer) {
	pair with = meet_two(answer_writes_when_the_other_was_sent, answer_writes_at_once);
	mcp_status statuses[4];
	for (int i = 0; i < 3; i++) {
		test_set_four(with.cluster, names, statuses);
		assert_four(statuses, MCP_OK, MCP_OK, MCP_NOT_STORED, MCP_NOT_STORED);
		test_delete_four(with.cluster, names, statuses);
		assert_four(statuses, MCP_NOT_FOUND, MCP_NOT_FOUND, MCP_OK, MCP_OK);
	}
	assert_int_equal(1, with.servers[0].peer.counts->connections);
	part(&with);
}

static void store_all(int connection, faults_counts *counts) {
	while (hear_some(connection, counts, 1)) {
		faults_say(connection, "STORED\r\n");
	}
}

TEST(a_silent_server_leaves_its_own_writes_unknown) {
	pair with = meet_two(faults_say_nothing, store_all);
	mcp_status statuses[4];
	test_set_four(with.cluster, names, statuses);
	assert_four(statuses, MCP_UNKNOWN, MCP_OK, MCP_OK, MCP_UNKNOWN);
	test_set_four(with.cluster, names, statuses);
	assert_four(statuses, MCP_UNREACHABLE, MCP_OK, MCP_OK, MCP_UNREACHABLE);
	part(&with);
}

TEST(writes_to_silent_servers_cost_one_timeout_together) {
	pair with = meet_two(faults_say_nothing, faults_say_nothing);
	mcp_status statuses[4];
	uint64_t began_ms = faults_now_ms();
	test_delete_four(with.cluster, names, statuses);
	faults_assert_one_timeout(began_ms);
	assert_four(statuses, MCP_UNKNOWN, MCP_UNKNOWN, MCP_UNKNOWN, MCP_UNKNOWN);
	part(&with);
}

/* Hangs up in the middle of its answers. */
static void answer_half(int connection, faults_counts *counts) {
	if (hear_some(connection, counts, 2)) {
		faults_say(connection, "STORED\r\n");
	}
}

TEST(what_a_broken_connection_has_not_answered_is_unknown) {
	pair with = meet_two(answer_half, store_all);
	mcp_status statuses[4];
	test_set_four(with.cluster, names, statuses);
	assert_four(statuses, MCP_OK, MCP_OK, MCP_OK, MCP_UNKNOWN);
	part(&with);
}

/* Says what no set is answered. */
static void talk_nonsense(int connection, faults_counts *counts) {
	if (hear_some(connection, counts, 2)) {
		faults_say(connection, "VALUE 1b 0 1 7\r\nB\r\nEND\r\n");
	}
	faults_say_nothing(connection, counts);
}

TEST(nonsense_of_one_is_not_the_others) {
	pair with = meet_two(store_all, talk_nonsense);
	mcp_status statuses[4];
	test_set_four(with.cluster, names, statuses);
	assert_int_equal(MCP_OK, statuses[0]);
	assert_int_equal(MCP_OK, statuses[3]);
	assert_int_not_equal(MCP_OK, statuses[1]);
	assert_int_not_equal(MCP_OK, statuses[2]);
	part(&with);
}

/* Answers each batch when all of it has been sent: 100, 100 and 50. */
static void answer_batches(int connection, faults_counts *counts) {
	for (;;) {
		for (int left = MANY; left > 0; left -= MCP_STORE_AHEAD_ANY) {
			int count = left < MCP_STORE_AHEAD_ANY ? left : MCP_STORE_AHEAD_ANY;
			if (!hear_some(connection, counts, count)) {
				return;
			}
			say_times(connection, "DELETED\r\n", count);
		}
	}
}

TEST(more_than_a_batch_goes_in_rounds) {
	pair with = meet_two(answer_batches, answer_batches);
	static char texts[WRITES][NAME];
	static mcp_key keys[WRITES];
	static mcp_status statuses[WRITES];
	for (int i = 0; i < WRITES; i++) {
		snprintf(texts[i], NAME, "%d-%d", i % SERVERS, i);
		keys[i] = faults_key(texts[i]);
	}
	mcp_store_delete_many(with.cluster, keys, WRITES, statuses);
	for (int i = 0; i < WRITES; i++) {
		assert_int_equal(MCP_OK, statuses[i]);
	}
	assert_int_equal(MANY, with.servers[0].peer.counts->requests);
	assert_int_equal(MANY, with.servers[1].peer.counts->requests);
	part(&with);
}

TEST(a_key_that_must_not_be_sent_is_answered_beside_the_others) {
	pair with = meet_two(store_all, store_all);
	const char *mixed[3] = {"0 bad", "1 bad", "1good"};
	test_write writes[3];
	for (int i = 0; i < 3; i++) {
		writes[i] = (test_write){.key = faults_key(mixed[i]), .record = faults_record("value")};
	}
	test_writes_run(with.cluster, MCP_OP_SET, writes, 3);
	assert_int_equal(MCP_BAD_KEY, writes[0].status);
	assert_int_equal(MCP_BAD_KEY, writes[1].status);
	assert_int_equal(MCP_OK, writes[2].status);
	assert_int_equal(0, with.servers[0].peer.counts->requests);
	part(&with);
}

int main(void) {
	return tests_run(choose_direct, NULL);
}
