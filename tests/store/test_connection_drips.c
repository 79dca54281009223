/* Meets the store with answers that do not end: statistics without a last line, an item that comes byte by
 * byte, and a process that is told to end while it waits for one. */
/* SPDX-License-Identifier: MIT */
#include "faults.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static void flood(int connection, faults_counts *counts) {
	static const char lines[] = "STAT one 1\r\nSTAT two 2\r\nSTAT three 3\r\nSTAT four 4\r\n";
	char line[512];
	while (faults_hear(connection, counts, line)) {
		if (strncmp(line, "stats", 5) != 0) {
			faults_say(connection,
				strncmp(line, "version", 7) == 0 ? "VERSION 1.6.18\r\n" : "END\r\n");
			continue;
		}
		while (send(connection, lines, sizeof(lines) - 1, MSG_NOSIGNAL) > 0) {
		}
	}
}

static void ignore_line(void *context, mcp_bytes name, mcp_bytes value) {
	(*(int *)context)++;
}

TEST(statistics_without_end_are_cut_off) {
	faults_meeting with = faults_meet_patiently(flood);
	int lines = 0;
	assert_int_equal(MCP_PROTOCOL, mcp_store_stats(with.store, ignore_line, &lines));
	assert_int_equal(0, lines);
	assert_int_equal(MCP_NOT_FOUND, faults_get(with.store, "key"));
	faults_part(&with);
}

static void drip_a_value(int connection, faults_counts *counts) {
	char line[512];
	while (faults_hear(connection, counts, line)) {
		faults_drip(connection, "VALUE key 0 1 7\r\nx\r\nEND\r\n", FAULTS_TIMEOUT_MS / 8);
	}
}

TEST(who_answers_more_slowly_than_a_timeout_is_left_alone) {
	faults_meeting with = faults_meet(drip_a_value);
	if (faults_by == FAULTS_LIBMEMCACHED) {
		faults_assert_value(with.store, "key", "x");
	} else {
		assert_int_equal(MCP_TIMEOUT, faults_get(with.store, "key"));
	}
	assert_int_equal(MCP_UNREACHABLE, faults_get(with.store, "key"));
	faults_part(&with);
}

/* A single item, in bytes that each come in time. libmemcached waits for every one of them. */
static void an_answer_of_our_own_wire_lasts_no_longer_than_one_timeout(void **state) {
	faults_by = FAULTS_DIRECT;
	faults_meeting with = faults_meet(drip_a_value);
	uint64_t began_ms = faults_now_ms();
	assert_int_equal(MCP_TIMEOUT, faults_get(with.store, "key"));
	faults_assert_one_timeout(began_ms);
	faults_part(&with);
}

static void drip_for_ever(int connection, faults_counts *counts) {
	char line[512];
	faults_hear(connection, counts, line);
	faults_say(connection, "VALUE key 0 1000000 7\r\n");
	while (faults_drip(connection, "x", FAULTS_TIMEOUT_MS / 8)) {
	}
}

static const int numbers[] = {SIGTERM, SIGINT, SIGQUIT};
static uint64_t deadly;

static uint64_t deadly_signals(const mcp_environment *environment) {
	return deadly;
}

/* Sets the signals' defaults: a process that a shell starts in the background ignores SIGINT and SIGQUIT, and
 * so do its children. */
static void set_default_dispositions(void) {
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		signal(numbers[i], SIG_DFL);
	}
}

/* Starts a child that waits for an answer that never ends. */
static pid_t start_waiting(const faults_peer *peer) {
	pid_t child = fork();
	if (child != 0) {
		return child;
	}
	set_default_dispositions();
	mcp_environment environment = *faults_environment();
	environment.deadly_signals = deadly_signals;
	mcp_wire_settings settings = faults_settings(peer->socket, FAULTS_TIMEOUT_MS);
	mcp_store *store = faults_connect(&settings, 1, &environment);
	faults_get(store, "key");
	_exit(1);
}

static void wait_for_the_request(const faults_peer *peer) {
	while (*(volatile int *)&peer->counts->requests == 0) {
		usleep(1000);
	}
}

TEST(a_deadly_signal_ends_the_process_while_it_waits) {
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		faults_peer peer;
		faults_peer_start(&peer, drip_for_ever);
		deadly = (uint64_t)1 << (numbers[i] - 1);
		pid_t child = start_waiting(&peer);
		wait_for_the_request(&peer);
		int status;
		kill(child, numbers[i]);
		assert_int_equal(child, waitpid(child, &status, 0));
		assert_true(WIFSIGNALED(status));
		assert_int_equal(numbers[i], WTERMSIG(status));
		faults_peer_stop(&peer);
	}
}

/* Says whether it is pending, and not delivered. */
static bool is_pending(pid_t pid, int number) {
	char path[64], line[256];
	unsigned long long mask = 0, shared = 0;
	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	FILE *file = fopen(path, "r");
	assert_non_null(file);
	while (fgets(line, sizeof(line), file) != NULL) {
		sscanf(line, "SigPnd: %llx", &mask);
		sscanf(line, "ShdPnd: %llx", &shared);
	}
	fclose(file);
	return ((mask | shared) >> (number - 1)) & 1;
}

/* For libmemcached, which a handler would make wait for ever. */
static void another_signal_waits_until_the_call_is_over(void **state) {
	faults_by = FAULTS_LIBMEMCACHED;
	faults_peer peer;
	faults_peer_start(&peer, drip_for_ever);
	deadly = (uint64_t)1 << (SIGINT - 1);
	pid_t child = start_waiting(&peer);
	wait_for_the_request(&peer);
	kill(child, SIGTERM);
	assert_true(is_pending(child, SIGTERM));
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	faults_peer_stop(&peer);
}

int main(void) {
	const struct CMUnitTest of_one[] = {
		cmocka_unit_test(another_signal_waits_until_the_call_is_over),
		cmocka_unit_test(an_answer_of_our_own_wire_lasts_no_longer_than_one_timeout),
	};
	return faults_run(NULL, NULL) + cmocka_run_group_tests(of_one, NULL, NULL);
}
