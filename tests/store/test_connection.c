/* Watches the store while a real memcached freezes, dies and comes back: how long a call lasts, which status it
 * ends with, and that no answer ever reaches another question. */
/* SPDX-License-Identifier: MIT */
#include "faults.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static int open_store(void **state) {
	*state = faults_store(faults_server.socket);
	return 0;
}

static int close_store(void **state) {
	mcp_store_free(*state);
	return 0;
}

#define WITH_STORE(name) TEST_WITH(name, open_store, close_store)

WITH_STORE(a_frozen_server_costs_one_timeout_and_then_nothing) {
	faults_set(*state, "frozen", "value");
	faults_freeze(&faults_server);
	uint64_t began_ms = faults_now_ms();
	assert_int_equal(MCP_TIMEOUT, faults_get(*state, "frozen"));
	faults_assert_one_timeout(began_ms);
	began_ms = faults_now_ms();
	for (int i = 0; i < 1000; i++) {
		assert_int_equal(MCP_UNREACHABLE, faults_get(*state, "frozen"));
	}
	faults_assert_lasted(began_ms, 0, 0);
	faults_thaw(&faults_server);
	faults_pass_ms(FAULTS_PAUSE_MS);
	faults_assert_value(*state, "frozen", "value");
}

/* Somebody who insists pays for it, once for each reason. */
WITH_STORE(who_insists_is_let_through_once_until_it_answers) {
	mcp_store *store = *state;
	mcp_key key = faults_key("insisted");
	faults_set(store, "insisted", "value");
	for (int outage = 0; outage < 2; outage++) {
		faults_freeze(&faults_server);
		assert_int_equal(MCP_TIMEOUT, faults_get(store, "insisted"));
		mcp_store_bypass_breaker(store, &key, MCP_BYPASS_TO_RESOLVE);
		assert_int_equal(MCP_TIMEOUT, faults_get(store, "insisted"));
		mcp_store_bypass_breaker(store, &key, MCP_BYPASS_TO_RESOLVE);
		assert_int_equal(MCP_UNREACHABLE, faults_get(store, "insisted"));
		faults_thaw(&faults_server);
		assert_int_equal(MCP_UNREACHABLE, faults_get(store, "insisted"));
		mcp_store_bypass_breaker(store, &key, MCP_BYPASS_TO_RELEASE);
		faults_assert_value(store, "insisted", "value");
	}
}

WITH_STORE(a_late_answer_is_never_anothers) {
	faults_set(*state, "first", "one");
	faults_set(*state, "second", "two");
	faults_freeze(&faults_server);
	assert_int_equal(MCP_TIMEOUT, faults_get(*state, "first"));
	faults_thaw(&faults_server);
	faults_pass_ms(FAULTS_PAUSE_MS);
	faults_assert_value(*state, "second", "two");
	faults_assert_value(*state, "first", "one");
}

/* Asserts it and passes the pause, as the breaker would hide the second write's own outcome. */
static void assert_unknown(mcp_status status) {
	assert_int_equal(MCP_UNKNOWN, status);
	faults_pass_ms(FAULTS_PAUSE_MS);
}

/* A write that compares is sent only after a read over its connection that returned an item. The thawed server can
 * execute an unanswered delete between the set and the read. */
static void read_and_freeze(mcp_store *store) {
	faults_thaw(&faults_server);
	do {
		faults_set(store, "key", "1");
	} while (faults_get(store, "key") != MCP_OK);
	faults_freeze(&faults_server);
}

WITH_STORE(every_unanswered_write_is_unknown) {
	static const mcp_op_verb compared[] = {MCP_OP_CAS, MCP_OP_DELETE_IF};
	mcp_record record = faults_record("1");
	faults_set(*state, "key", "1");
	faults_freeze(&faults_server);
	for (int i = 0; i < FAULTS_WRITES; i++) {
		assert_unknown(faults_write(*state, faults_writes[i]));
	}
	for (int i = 0; i < 2; i++) {
		read_and_freeze(*state);
		assert_unknown(faults_ask(*state, compared[i], &record, (mcp_proof){.cas = 7}));
	}
	/* Not thawed: the writes would land now, among those of other tests. */
	faults_kill(&faults_server);
	faults_restart(&faults_server);
}

WITH_STORE(a_value_larger_than_the_sockets_buffers_costs_one_timeout_too) {
	mcp_key key = faults_key("large");
	char *value = calloc(1, 1000000);
	mcp_record record = {.body = mcp_bytes_of(value, 1000000)};
	assert_int_equal(MCP_OK, mcp_store_set(*state, &key, &record));
	faults_freeze(&faults_server);
	uint64_t began_ms = faults_now_ms();
	assert_unknown(mcp_store_set(*state, &key, &record));
	faults_assert_one_timeout(began_ms);
	faults_thaw(&faults_server);
	free(value);
}

WITH_STORE(many_keys_on_a_frozen_server_cost_one_timeout_too) {
	enum { COUNT = 5000 };
	static char names[COUNT][200];
	static mcp_key keys[COUNT];
	static mcp_op replies[COUNT];
	for (int i = 0; i < COUNT; i++) {
		memset(names[i], 'k', sizeof(names[i]));
		int length = snprintf(names[i], sizeof(names[i]), "%d", i);
		names[i][length] = '-';
		keys[i].wire = mcp_bytes_of(names[i], sizeof(names[i]));
	}
	assert_int_equal(MCP_OK, mcp_store_ping(*state));
	faults_freeze(&faults_server);
	uint64_t began_ms = faults_now_ms();
	mcp_store_get_many(*state, keys, COUNT, replies);
	faults_assert_one_timeout(began_ms);
	faults_thaw(&faults_server);
	for (int i = 0; i < COUNT; i++) {
		assert_int_equal(MCP_TIMEOUT, replies[i].status);
	}
}

WITH_STORE(a_dead_server_is_unreachable_at_once) {
	faults_set(*state, "dead", "value");
	faults_kill(&faults_server);
	uint64_t began_ms = faults_now_ms();
	assert_int_equal(MCP_UNREACHABLE, faults_get(*state, "dead"));
	assert_int_equal(MCP_UNREACHABLE, faults_get(*state, "dead"));
	faults_assert_lasted(began_ms, 0, 0);
	faults_restart(&faults_server);
}

WITH_STORE(a_write_that_could_not_connect_was_not_sent) {
	mcp_key key = faults_key("refused");
	mcp_record record = faults_record("value");
	faults_kill(&faults_server);
	assert_int_equal(MCP_UNREACHABLE, mcp_store_set(*state, &key, &record));
	faults_restart(&faults_server);
}

WITH_STORE(reads_and_writes_survive_a_restart) {
	mcp_key key = faults_key("restarted");
	mcp_record record = faults_record("value");
	faults_set(*state, "restarted", "value");
	faults_kill(&faults_server);
	faults_restart(&faults_server);
	assert_int_equal(MCP_NOT_FOUND, faults_get(*state, "restarted"));
	faults_kill(&faults_server);
	faults_restart(&faults_server);
	assert_int_equal(MCP_OK, mcp_store_set(*state, &key, &record));
}

WITH_STORE(a_get_many_survives_a_restart) {
	mcp_key keys[2] = {faults_key("a"), faults_key("b")};
	mcp_op replies[2];
	assert_int_equal(MCP_OK, mcp_store_ping(*state));
	faults_kill(&faults_server);
	faults_restart(&faults_server);
	mcp_store_get_many(*state, keys, 2, replies);
	assert_int_equal(MCP_NOT_FOUND, replies[0].status);
	assert_int_equal(MCP_NOT_FOUND, replies[1].status);
}

/* Each try is made when our own pause is over, all within one second of the wall clock. */
WITH_STORE(only_our_own_pause_counts) {
	faults_kill(&faults_server);
	for (int i = 0; i < 50; i++) {
		assert_int_equal(MCP_UNREACHABLE, faults_get(*state, "key"));
		faults_pass_ms(FAULTS_PAUSE_MS);
	}
	faults_restart(&faults_server);
	assert_int_equal(MCP_NOT_FOUND, faults_get(*state, "key"));
}

static volatile sig_atomic_t signals;

static void count_signal(int number) {
	signals++;
}

WITH_STORE(signals_do_not_lengthen_a_wait) {
	struct sigaction action = {.sa_handler = count_signal};
	struct itimerval every_5_ms = {{0, 5000}, {0, 5000}};
	struct itimerval off = {0};
	assert_int_equal(MCP_OK, mcp_store_ping(*state));
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &every_5_ms, NULL);
	faults_freeze(&faults_server);
	uint64_t began_ms = faults_now_ms();
	mcp_status status = faults_get(*state, "key");
	uint64_t lasted_ms = faults_now_ms() - began_ms;
	setitimer(ITIMER_REAL, &off, NULL);
	faults_thaw(&faults_server);
	assert_int_equal(MCP_TIMEOUT, status);
	assert_in_range(lasted_ms, FAULTS_TIMEOUT_MS - 1, FAULTS_TIMEOUT_MS + FAULTS_SLACK_MS);
	assert_true(signals > 0);
}

WITH_STORE(signals_are_as_before_after_a_call) {
	sigset_t blocked;
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGUSR1);
	sigprocmask(SIG_BLOCK, &blocked, NULL);
	assert_int_equal(MCP_OK, mcp_store_ping(*state));
	sigprocmask(SIG_BLOCK, NULL, &blocked);
	assert_int_equal(1, sigismember(&blocked, SIGUSR1));
	assert_int_equal(0, sigismember(&blocked, SIGUSR2));
	assert_int_equal(0, sigismember(&blocked, SIGALRM));
}

static void run_child(mcp_store *store) {
	mcp_store_disown(store);
	mcp_store *own = faults_store(faults_server.socket);
	mcp_key key = faults_key("forked");
	mcp_item item;
	for (int i = 0; i < 200; i++) {
		if (mcp_store_get(own, &key, &item) != MCP_OK || item.value.length != 5) {
			_exit(1);
		}
	}
	mcp_store_free(own);
	_exit(0);
}

WITH_STORE(a_child_that_disowns_leaves_the_parents_connection_alone) {
	uint64_t started_us, again_us;
	mcp_key key = faults_key("forked");
	faults_set(*state, "forked", "value");
	faults_set(*state, "parents", "own");
	pid_t child = fork();
	if (child == 0) {
		run_child(*state);
	}
	for (int i = 0; i < 200; i++) {
		faults_assert_value(*state, "parents", "own");
	}
	int status;
	waitpid(child, &status, 0);
	assert_int_equal(0, status);
	faults_assert_value(*state, "parents", "own");
	assert_int_equal(MCP_OK, mcp_store_started_us(*state, &key, &started_us));
	assert_int_equal(MCP_OK, mcp_store_started_us(*state, &key, &again_us));
	assert_int_equal(started_us, again_us);
}

/* Asked on new connections, for longer than any of the server's clocks takes to tick. */
WITH_STORE(the_start_of_a_server_never_changes) {
	mcp_key key = faults_key("start");
	uint64_t first_us = 0;
	assert_int_equal(MCP_OK, mcp_store_started_us(*state, &key, &first_us));
	assert_in_range(first_us, 1600000000000000, 4000000000000000);
	assert_int_equal(0, first_us % 1000000);
	for (int i = 0; i < 30; i++) {
		uint64_t us;
		mcp_store *other = faults_store(faults_server.socket);
		assert_int_equal(MCP_OK, mcp_store_started_us(other, &key, &us));
		mcp_store_free(other);
		assert_int_equal(first_us, us);
		usleep(50000);
	}
}

TEST(a_path_that_is_no_socket_is_unreachable) {
	char path[300];
	memset(path, 'p', sizeof(path));
	path[0] = '/';
	path[sizeof(path) - 1] = '\0';
	mcp_store *store = faults_store(path);
	assert_int_equal(MCP_UNREACHABLE, faults_get(store, "key"));
	mcp_store_free(store);
}

WITH_STORE(views_of_many_survive_writes) {
	enum { COUNT = 300 };
	static char names[COUNT][64];
	mcp_key keys[COUNT];
	mcp_op replies[COUNT];
	for (int i = 0; i < COUNT; i++) {
		snprintf(names[i], sizeof(names[i]), "%060d", i);
		keys[i] = faults_key(names[i]);
		faults_set(*state, names[i], names[i]);
	}
	mcp_store_get_many(*state, keys, COUNT, replies);
	for (int i = 0; i < COUNT; i++) {
		mcp_record copy = {.head = {"head", 4}, .body = replies[(i + 1) % COUNT].item.value};
		assert_int_equal(MCP_OK, mcp_store_set(*state, &keys[i], &copy));
	}
	for (int i = 0; i < COUNT; i++) {
		assert_int_equal(MCP_OK, replies[i].status);
		assert_int_equal(60, replies[i].item.value.length);
		assert_memory_equal(names[i], replies[i].item.value.data, 60);
	}
}

int main(void) {
	return faults_run(faults_server_start, faults_server_stop);
}
