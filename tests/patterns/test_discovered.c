/* Lists without versions, as DNS gives them: G7.2 and G7.4. Those with versions are the simulator's. */
/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "../../src/patterns/discovery/discovered.h"

enum { REFRESH_MS = 30000 };

/* Two processes of a host, what DNS says now, and what happens while the first one asks. */
static mcp_discovery_registry_record record;
static mcp_discovered first, second;
static uint64_t now_ms;
static const char *told; /* NULL: nothing */
static unsigned asked;
static void (*meanwhile)(void);

static uint64_t clock_ms(const mcp_environment *environment) {
	(void)environment;
	return now_ms;
}

static void sleep_ms(const mcp_environment *environment, uint32_t duration_ms) {
	(void)environment;
	now_ms += duration_ms;
}

static mcp_status ask(void *context, mcp_cluster *cluster, mcp_reason *reason) {
	(void)context;
	const char *list = told;
	void (*happens)(void) = meanwhile;
	asked++;
	meanwhile = NULL;
	if (happens != NULL) {
		happens();
	}
	if (list == NULL) {
		mcp_reason_say(reason, "was not found");
		return MCP_UNREACHABLE;
	}
	*cluster = (mcp_cluster){.servers = 1};
	cluster->length = (size_t)snprintf(cluster->text, sizeof(cluster->text), "%s", list);
	return MCP_OK;
}

static bool is_usable(void *context, const mcp_cluster *cluster) {
	(void)context;
	return cluster->servers > 0;
}

static void renew(mcp_discovered *process) {
	static const mcp_environment environment = {.wall_ms = clock_ms,
		.monotonic_ms = clock_ms,
		.sleep_ms = sleep_ms};
	const mcp_discovered_settings settings = {
		.environment = &environment,
		.connect_timeout_ms = 200,
		.timeout_ms = 500,
		.retry_after_ms = 1000,
		.refresh_ms = REFRESH_MS,
		.is_unversioned = true,
		.ask = ask,
		.is_usable = is_usable,
	};
	mcp_discovered_renew(process, &settings);
}

static void assert_known(const mcp_discovered *process, uint64_t version, const char *list) {
	assert_true(process->list.cluster.version == version);
	assert_int_equal(strlen(list), process->list.cluster.length);
	assert_memory_equal(list, process->list.cluster.text, strlen(list));
}

static int begin(void **state) {
	(void)state;
	memset((void *)&record, 0, sizeof(record));
	first = second = (mcp_discovered){.record = &record};
	now_ms = 1000;
	asked = 0;
	told = "a:1";
	meanwhile = NULL;
	return 0;
}

static void one_process_asks_each_time_that_it_is_due(void **state) {
	(void)state;
	renew(&first);
	renew(&second);
	assert_int_equal(1, asked);
	told = "b:1";
	now_ms += REFRESH_MS - 1;
	renew(&second);
	assert_int_equal(1, asked);
	assert_known(&second, 1, "a:1");
	now_ms += 1;
	renew(&second);
	renew(&first);
	assert_int_equal(2, asked);
	assert_known(&first, 2, "b:1");
	assert_int_equal(2, first.changes);
}

static void an_equal_list_is_no_change(void **state) {
	(void)state;
	renew(&first);
	now_ms += REFRESH_MS;
	renew(&first);
	assert_int_equal(2, asked);
	assert_int_equal(1, first.changes);
	assert_known(&first, 1, "a:1");
	assert_false(first.has_failed);
}

static void a_former_list_is_a_new_one(void **state) {
	(void)state;
	static const char *const lists[] = {"a:1", "b:1", "a:1"};
	for (unsigned i = 0; i < 3; i++, now_ms += REFRESH_MS) {
		told = lists[i];
		renew(&first);
		renew(&second);
		assert_known(&first, i + 1, lists[i]);
		assert_known(&second, i + 1, lists[i]);
	}
}

static void no_reply_keeps_the_list(void **state) {
	(void)state;
	renew(&first);
	told = NULL;
	now_ms += REFRESH_MS;
	renew(&first);
	assert_true(first.has_failed);
	assert_known(&first, 1, "a:1");
	renew(&second);
	assert_known(&second, 1, "a:1");
	assert_int_equal(2, asked);
}

/* The first process is stopped until its turn has ended. Meanwhile, the second one gets another list. */
static void second_asks(void) {
	now_ms += 5000;
	told = "b:1";
	renew(&second);
}

static void a_late_reply_is_not_used(void **state) {
	(void)state;
	meanwhile = second_asks;
	renew(&first);
	assert_int_equal(2, asked);
	assert_known(&second, 1, "b:1");
	assert_known(&first, 1, "b:1");
	told = "c:1";
	now_ms += REFRESH_MS;
	meanwhile = second_asks;
	renew(&first);
	assert_known(&first, 1, "b:1");
	assert_known(&second, 1, "b:1");
}

static void time_passes(void) {
	now_ms += 5000;
}

static void a_late_reply_is_used_if_nobody_else_asked(void **state) {
	(void)state;
	meanwhile = time_passes;
	renew(&first);
	renew(&second);
	assert_int_equal(1, asked);
	assert_known(&first, 1, "a:1");
	assert_known(&second, 1, "a:1");
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(one_process_asks_each_time_that_it_is_due, begin),
		cmocka_unit_test_setup(an_equal_list_is_no_change, begin),
		cmocka_unit_test_setup(a_former_list_is_a_new_one, begin),
		cmocka_unit_test_setup(no_reply_keeps_the_list, begin),
		cmocka_unit_test_setup(a_late_reply_is_not_used, begin),
		cmocka_unit_test_setup(a_late_reply_is_used_if_nobody_else_asked, begin),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
