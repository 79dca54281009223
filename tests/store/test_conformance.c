/* Runs every conformance case against the store in memory, against a real memcached by each transport, and
 * against that one marked after an outage, each as a test of its own; and then memory and memcached side by side
 * with random calls. */
/* SPDX-License-Identifier: MIT */
#include "conformance.h"

#include "../../src/store/server/connection.h"
#include "../../src/store/failover/failover_marks.h"
#include "../../src/store/memory/store_memory.h"
#include "../../src/store/wire/direct/wire_direct.h"
#include "../../src/store/wire/libmemcached/wire_libmemcached.h"
#include "carrier_records.h"
#include "differential.h"
#include "private_server.h"
#include "system_clock.h"

#include <stdio.h>
#include <stdlib.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))

enum {
	MEMORY,
	LIBMEMCACHED,
	DIRECT,
	RECORDS, /* Direct over a carrier that is no plain socket */
	MARKED,
	STORES,
};

/* One case on one store. */
typedef struct assignment {
	const conformance_case *conformance_case;
	const conformance_subject *subject;
} assignment;

static private_server server;
static mcp_server_health *known;
static uint64_t memory_clock_ms = 1763688000250;
static conformance_subject subjects[STORES];

static void real_sleep_ms(const mcp_environment *environment, uint32_t duration_ms) {
	struct timespec duration = {duration_ms / 1000, (long)(duration_ms % 1000) * 1000000};
	while (nanosleep(&duration, &duration) != 0) {
	}
}

static uint64_t memory_wall_ms(const mcp_environment *environment) {
	return memory_clock_ms;
}

/* Returns the same each time: the stores need no randomness. */
static uint64_t no_random(const mcp_environment *environment) {
	return 4;
}

static const mcp_environment real_environment = {
	.wall_ms = system_clock_wall_ms,
	.monotonic_ms = system_clock_monotonic_ms,
	.random_u64 = no_random,
	.sleep_ms = real_sleep_ms,
};

static const mcp_environment memory_environment = {
	.wall_ms = memory_wall_ms,
	.monotonic_ms = memory_wall_ms,
	.random_u64 = no_random,
	.sleep_ms = real_sleep_ms,
};

static void sleep_through(const conformance_subject *subject, uint32_t duration_ms) {
	real_sleep_ms(NULL, duration_ms);
}

static void move_the_clock(const conformance_subject *subject, uint32_t duration_ms) {
	memory_clock_ms += duration_ms;
}

typedef mcp_wire *(*wire_maker)(const mcp_wire_settings *settings,
	const mcp_environment *environment);

static mcp_store *connect_to_server(wire_maker create) {
	const mcp_wire_settings settings = {
		.host = server.socket,
		.connect_timeout_ms = 5000,
		.timeout_ms = 5000,
	};
	mcp_wire *wire = create(&settings, &real_environment);
	return mcp_connection_create(wire, &settings, 1, &real_environment);
}

static mcp_wire *create_in_records(const mcp_wire_settings *settings,
	const mcp_environment *environment) {
	mcp_channel carrier = carrier_records_create();
	mcp_wire_settings carried = *settings;
	carried.carrier = &carrier;
	return mcp_wire_direct_create(&carried, environment);
}

/* Marks a server that has come back: everything that a case stores is stored after that. */
static mcp_store *mark_server(mcp_store *inner) {
	known = mcp_server_health_create(1, 42, &real_environment);
	mcp_store *store = known != NULL ? mcp_failover_marks_create(known, 0, true) : NULL;
	if (store != NULL) {
		mcp_failover_marks_aim(store, inner);
		known->servers[0].is_away = true;
		known->servers[0].outages = 1;
	}
	return store;
}

static int open_stores(void **state) {
	if (!private_server_start(&server)) {
		return -1;
	}
	subjects[MEMORY].store = mcp_store_memory_create("memory://test", &memory_environment);
	subjects[MEMORY].pass_ms = move_the_clock;
	subjects[MEMORY].proves = true;
	subjects[LIBMEMCACHED].store = connect_to_server(mcp_wire_libmemcached_create);
	subjects[LIBMEMCACHED].pass_ms = sleep_through;
	subjects[DIRECT].store = connect_to_server(mcp_wire_direct_create);
	subjects[DIRECT].pass_ms = sleep_through;
	subjects[DIRECT].proves = true;
	subjects[RECORDS].store = connect_to_server(create_in_records);
	subjects[RECORDS].pass_ms = sleep_through;
	subjects[RECORDS].proves = true;
	subjects[MARKED].store = mark_server(subjects[LIBMEMCACHED].store);
	subjects[MARKED].pass_ms = sleep_through;
	for (size_t i = 0; i < STORES; i++) {
		if (subjects[i].store == NULL) {
			return -1;
		}
	}
	return 0;
}

static int close_stores(void **state) {
	for (size_t i = 0; i < STORES; i++) {
		if (subjects[i].store != NULL) {
			mcp_store_free(subjects[i].store);
		}
	}
	if (known != NULL) {
		mcp_server_health_free(known);
	}
	private_server_stop(&server);
	return 0;
}

static int empty_store(void **state) {
	const assignment *assigned = *state;
	return mcp_store_flush(assigned->subject->store) == MCP_OK ? 0 : -1;
}

static void run_case(void **state) {
	const assignment *assigned = *state;
	assigned->conformance_case->run(assigned->subject);
}

/* Compares both stores with one clock; long TTLs, so that a slow run sees the same as a quick one. */
static void compare(mcp_store *memcached, uint64_t seed) {
	mcp_store *memory = mcp_store_memory_create("memory://twin", &real_environment);
	assert_non_null(memory);
	differential_run(memory, memcached, seed);
	mcp_store_free(memory);
}

static void random_calls_are_answered_alike(void **state) {
	compare(subjects[LIBMEMCACHED].store, 20111117);
	assert_int_equal(MCP_OK, mcp_store_flush(subjects[DIRECT].store));
	compare(subjects[DIRECT].store, 20111118);
	assert_int_equal(MCP_OK, mcp_store_flush(subjects[RECORDS].store));
	compare(subjects[RECORDS].store, 20111119);
}

static char *name_of(const char *store, const char *sentence) {
	size_t length = strlen(store) + strlen(": ") + strlen(sentence) + 1;
	char *name = malloc(length);
	if (name == NULL) {
		abort();
	}
	snprintf(name, length, "%s: %s", store, sentence);
	return name;
}

/* Lists the tests. The memory allocated here is used until the process ends; the list is static so that it
 * stays known. */
static struct CMUnitTest *list_tests(size_t *count) {
	static const char *const names[STORES] = {
		[MEMORY] = "memory",
		[LIBMEMCACHED] = "libmemcached",
		[DIRECT] = "direct",
		[RECORDS] = "direct in records",
		[MARKED] = "marked libmemcached",
	};
	static struct CMUnitTest tests[1024];
	static assignment assignments[1024];
	size_t next = 0;
	for (size_t i = 0; i < conformance_count * STORES && next < COUNT_OF(tests) - 1; i++) {
		const conformance_case *one = &conformance_cases[i / STORES];
		if (i % STORES == MARKED && !one->is_for_marked) {
			continue;
		}
		assignments[next] = (assignment){one, &subjects[i % STORES]};
		tests[next] = (struct CMUnitTest){name_of(names[i % STORES], one->sentence), run_case,
			empty_store, NULL, &assignments[next]};
		next++;
	}
	tests[next++] = (struct CMUnitTest)cmocka_unit_test(random_calls_are_answered_alike);
	*count = next;
	return tests;
}

int main(void) {
	size_t count = 0;
	const struct CMUnitTest *tests = list_tests(&count);
	return _cmocka_run_group_tests("conformance", tests, count, open_stores, close_stores);
}
