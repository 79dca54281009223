/* What the store in memory does beyond the contract: time by its own clock, eviction by its limit,
 * the faults that tests make. */
/* SPDX-License-Identifier: MIT */
#include "conformance.h"

#include "../../src/core/expiry.h"
#include "../../src/store/store_memory.h"

#include <stdio.h>
#include <stdlib.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))
#define START_MS 1763688000250ull
#define DAY_MS (24ull * 60 * 60 * 1000)

enum {
	SERVER_LIMIT = 64 * 1024 * 1024,
	LARGE = 1000000,
	MANY = 5000,
	NAME_LENGTH = 16,
};

static uint64_t clock_ms;

static uint64_t read_clock_ms(const mcp_environment *environment) {
	(void)environment;
	return clock_ms;
}

static const mcp_environment environment = {.wall_ms = read_clock_ms,
	.monotonic_ms = read_clock_ms};

static int create(void **state) {
	clock_ms = START_MS;
	*state = mcp_store_memory_create("memory://test", &environment);
	return *state == NULL ? -1 : 0;
}

static int destroy(void **state) {
	mcp_store_free(*state);
	return 0;
}

static void set_for(mcp_store *store, const char *name, uint64_t ttl_ms) {
	mcp_key key = conformance_key(name);
	mcp_record record = conformance_record("value");
	record.ttl_ms = ttl_ms;
	assert_int_equal(MCP_OK, mcp_store_set(store, &key, &record));
}

static bool is_there(mcp_store *store, const char *name) {
	return conformance_status_of(store, name) == MCP_OK;
}

static uint64_t started_us(mcp_store *store) {
	mcp_key key = conformance_key("any");
	uint64_t started = 0;
	assert_int_equal(MCP_OK, mcp_store_started_us(store, &key, &started));
	return started;
}

/* How long an item lives that is stored `phase_ms` after the server's last tick. */
static uint64_t lifetime_ms(mcp_store *store, uint64_t ttl_ms, uint64_t phase_ms) {
	uint64_t stored_ms = START_MS + phase_ms;
	clock_ms = stored_ms;
	set_for(store, "key", ttl_ms);
	uint64_t alive_ms = ttl_ms;
	uint64_t gone_ms = ttl_ms + 4000;
	while (gone_ms - alive_ms > 1) {
		uint64_t middle_ms = alive_ms + (gone_ms - alive_ms) / 2;
		clock_ms = stored_ms;
		set_for(store, "key", ttl_ms);
		clock_ms = stored_ms + middle_ms;
		*(is_there(store, "key") ? &alive_ms : &gone_ms) = middle_ms;
	}
	return gone_ms;
}

static void items_live_their_ttl_and_less_than_two_seconds_more(void **state) {
	const uint64_t ttls_ms[] = {1, 999, 1000, 1001, 60000, 30 * DAY_MS - 1000};
	for (size_t i = 0; i < COUNT_OF(ttls_ms); i++) {
		for (uint64_t phase_ms = 0; phase_ms < 1000; phase_ms += 37) {
			uint64_t lived_ms = lifetime_ms(*state, ttls_ms[i], phase_ms);
			assert_in_range(lived_ms, ttls_ms[i], ttls_ms[i] + 1999);
		}
	}
}

static void from_thirty_days_on_items_live_less_than_three_seconds_more(void **state) {
	const uint64_t ttls_ms[] = {30 * DAY_MS - 999, 30 * DAY_MS, 31 * DAY_MS, 3650 * DAY_MS};
	for (size_t i = 0; i < COUNT_OF(ttls_ms); i++) {
		for (uint64_t phase_ms = 0; phase_ms < 1000; phase_ms += 37) {
			uint64_t lived_ms = lifetime_ms(*state, ttls_ms[i], phase_ms);
			assert_in_range(lived_ms, ttls_ms[i], ttls_ms[i] + 2999);
		}
	}
}

static void the_clock_ticks_in_seconds_from_the_creation(void **state) {
	set_for(*state, "key", 1000);
	clock_ms = START_MS + 1999;
	assert_true(is_there(*state, "key"));
	clock_ms = START_MS + 2000;
	assert_false(is_there(*state, "key"));
}

static void an_item_without_ttl_outlives_a_thousand_years(void **state) {
	set_for(*state, "key", MCP_TTL_FOREVER);
	clock_ms += 365000 * DAY_MS;
	assert_true(is_there(*state, "key"));
}

static void a_clock_set_back_makes_items_live_longer(void **state) {
	set_for(*state, "key", 1000);
	clock_ms = START_MS - DAY_MS;
	assert_true(is_there(*state, "key"));
	set_for(*state, "other", 1000);
	clock_ms += 3000;
	assert_false(is_there(*state, "other"));
	assert_true(is_there(*state, "key"));
	clock_ms = START_MS + 3000;
	assert_false(is_there(*state, "key"));
}

static void a_clock_before_the_creation_ticks_as_evenly(void **state) {
	clock_ms = START_MS - 500;
	set_for(*state, "key", 1000);
	clock_ms = START_MS + 999;
	assert_true(is_there(*state, "key"));
	clock_ms = START_MS + 1000;
	assert_false(is_there(*state, "key"));
}

static void increment_does_not_extend_a_life(void **state) {
	mcp_key key = conformance_key("key");
	mcp_record record = {.body = conformance_bytes("9"), .ttl_ms = 1000};
	uint64_t number = 0;
	assert_int_equal(MCP_OK, mcp_store_set(*state, &key, &record));
	clock_ms += 1500;
	assert_int_equal(MCP_OK, mcp_store_increment(*state, &key, 1, &number));
	clock_ms += 1000;
	assert_int_equal(MCP_NOT_FOUND, mcp_store_increment(*state, &key, 1, &number));
}

static void expired_items_are_not_there_for_any_operation(void **state) {
	mcp_key key = conformance_key("key");
	mcp_record record = conformance_record("1");
	uint64_t number = 0;
	set_for(*state, "key", 1000);
	uint64_t cas = conformance_cas_id(*state, "key");
	clock_ms += 5000;
	assert_int_equal(0, mcp_store_memory_count(*state));
	assert_int_equal(MCP_NOT_FOUND, mcp_store_cas(*state, &key, &record, cas));
	set_for(*state, "key", 1000);
	clock_ms += 5000;
	assert_int_equal(MCP_NOT_FOUND, mcp_store_touch(*state, &key, 1000));
	set_for(*state, "key", 1000);
	clock_ms += 5000;
	assert_int_equal(MCP_NOT_FOUND, mcp_store_decrement(*state, &key, 1, &number));
	set_for(*state, "key", 1000);
	clock_ms += 5000;
	assert_int_equal(MCP_OK, mcp_store_add(*state, &key, &record));
}

static void count_tells_the_living(void **state) {
	assert_int_equal(0, mcp_store_memory_count(*state));
	set_for(*state, "a", 0);
	set_for(*state, "b", 1000);
	set_for(*state, "a", 0);
	assert_int_equal(2, mcp_store_memory_count(*state));
	clock_ms += 5000;
	assert_int_equal(1, mcp_store_memory_count(*state));
}

static void read_bytes(void *context, mcp_bytes name, mcp_bytes value) {
	if (mcp_bytes_equal(conformance_bytes("bytes"), name)) {
		*(bool *)context = mcp_bytes_equal(conformance_bytes("0"), value);
	}
}

static bool is_without_bytes(mcp_store *store) {
	bool is_zero = false;
	assert_int_equal(MCP_OK, mcp_store_stats(store, read_bytes, &is_zero));
	return is_zero;
}

static void removed_items_take_no_bytes(void **state) {
	mcp_key key = conformance_key("key");
	uint64_t number = 0;
	conformance_set(*state, "key", "99");
	assert_false(is_without_bytes(*state));
	assert_int_equal(MCP_OK, mcp_store_increment(*state, &key, 1, &number));
	conformance_set(*state, "key", "a longer value");
	conformance_delete(*state, "key");
	assert_true(is_without_bytes(*state));
	conformance_set(*state, "key", "value");
	mcp_store_memory_evict(*state, &key);
	assert_true(is_without_bytes(*state));
	conformance_set(*state, "key", "value");
	mcp_store_flush(*state);
	assert_true(is_without_bytes(*state));
}

static void evict_drops_one_item(void **state) {
	mcp_key key = conformance_key("a");
	set_for(*state, "a", 0);
	set_for(*state, "b", 0);
	uint64_t cas = conformance_cas_id(*state, "a");
	mcp_store_memory_evict(*state, &key);
	mcp_store_memory_evict(*state, &key);
	assert_false(is_there(*state, "a"));
	assert_true(is_there(*state, "b"));
	assert_int_equal(MCP_OK, conformance_add(*state, "a", "again"));
	assert_true(conformance_cas_id(*state, "a") > cas);
}

static void restart_forgets_everything_and_starts_cas_ids_again(void **state) {
	set_for(*state, "key", 0);
	uint64_t first = conformance_cas_id(*state, "key");
	set_for(*state, "key", 0);
	mcp_store_memory_restart(*state);
	assert_false(is_there(*state, "key"));
	assert_int_equal(0, mcp_store_memory_count(*state));
	set_for(*state, "key", 0);
	assert_int_equal(first, conformance_cas_id(*state, "key"));
}

static void every_restart_gives_a_later_start(void **state) {
	uint64_t first_us = started_us(*state);
	assert_int_equal(START_MS / 1000 * 1000000, first_us);
	mcp_store_memory_restart(*state);
	uint64_t second_us = started_us(*state);
	assert_true(second_us > first_us);
	clock_ms -= DAY_MS;
	mcp_store_memory_restart(*state);
	assert_true(started_us(*state) > second_us);
	clock_ms += 2 * DAY_MS;
	mcp_store_memory_restart(*state);
	assert_int_equal(clock_ms / 1000 * 1000000, started_us(*state));
}

static void the_start_stays_while_time_passes(void **state) {
	uint64_t first_us = started_us(*state);
	clock_ms += DAY_MS + 1;
	mcp_store_flush(*state);
	assert_int_equal(first_us, started_us(*state));
}

static void a_restart_between_two_seconds_keeps_lifetimes(void **state) {
	clock_ms = START_MS + 333;
	mcp_store_memory_restart(*state);
	set_for(*state, "key", 1000);
	clock_ms += 1999;
	assert_true(is_there(*state, "key"));
	clock_ms += 1;
	assert_false(is_there(*state, "key"));
}

static void a_view_survives_eviction_and_restart(void **state) {
	mcp_key key = conformance_key("key");
	conformance_set(*state, "key", "the old value");
	mcp_item item = conformance_get(*state, "key");
	mcp_store_memory_evict(*state, &key);
	mcp_store_memory_restart(*state);
	conformance_assert_bytes("the old value", item.value);
}

static void set_large(mcp_store *store, int number, const char *bytes) {
	char name[NAME_LENGTH];
	snprintf(name, sizeof(name), "large-%d", number);
	mcp_key key = conformance_key(name);
	mcp_record record = conformance_record_of(bytes, LARGE);
	assert_int_equal(MCP_OK, mcp_store_set(store, &key, &record));
}

static void beyond_the_limit_the_least_recently_used_goes(void **state) {
	char *bytes = conformance_pattern(LARGE);
	conformance_set(*state, "unused", "value");
	conformance_set(*state, "used", "value");
	for (int i = 0; i < SERVER_LIMIT / LARGE + 1; i++) {
		set_large(*state, i, bytes);
		assert_true(is_there(*state, "used"));
	}
	assert_false(is_there(*state, "unused"));
	assert_false(is_there(*state, "large-0"));
	assert_true(is_there(*state, "large-1"));
	assert_int_equal(SERVER_LIMIT / LARGE + 1, mcp_store_memory_count(*state));
	free(bytes);
}

static void replacing_one_value_evicts_nothing(void **state) {
	char *bytes = conformance_pattern(LARGE);
	conformance_set(*state, "small", "value");
	for (int i = 0; i < 2 * SERVER_LIMIT / LARGE; i++) {
		set_large(*state, 0, bytes);
	}
	assert_int_equal(2, mcp_store_memory_count(*state));
	assert_true(is_there(*state, "small"));
	free(bytes);
}

static void name_number(char name[NAME_LENGTH], int number) {
	snprintf(name, NAME_LENGTH, "key-%d", number);
}

static void thousands_of_keys_are_kept_apart(void **state) {
	char name[NAME_LENGTH];
	for (int i = 0; i < MANY; i++) {
		name_number(name, i);
		conformance_set(*state, name, name);
	}
	for (int i = 0; i < MANY; i += 2) {
		name_number(name, i);
		assert_int_equal(MCP_OK, conformance_delete(*state, name));
	}
	for (int i = 0; i < MANY; i++) {
		name_number(name, i);
		assert_int_equal(i % 2 == 1, is_there(*state, name));
		if (i % 2 == 1) {
			conformance_assert_value(*state, name, name);
		}
	}
	assert_int_equal(MANY / 2, mcp_store_memory_count(*state));
}

static void two_stores_share_nothing(void **state) {
	mcp_store *other = mcp_store_memory_create("memory://other", &environment);
	assert_non_null(other);
	conformance_set(*state, "key", "value");
	conformance_assert_absent(other, "key");
	assert_string_equal("memory://other", other->address);
	assert_string_equal("memory://test", ((mcp_store *)*state)->address);
	mcp_store_disown(other);
	conformance_assert_value(*state, "key", "value");
}

/* Two servers and a budget for a few of their values. */
static void servers_that_share_a_budget_make_room_for_each_other(void **state) {
	(void)state;
	static char bytes[1000];
	mcp_memory_budget budget = {.limit_bytes = 5000};
	mcp_store *stores[2];
	mcp_key kept = conformance_key("kept");
	mcp_item item;
	for (int i = 0; i < 2; i++) {
		stores[i] = mcp_store_memory_create("memory://shared", &environment);
		mcp_store_memory_share(stores[i], &budget);
	}
	conformance_set(stores[0], "kept", "value");
	for (int i = 0; i < 50; i++) {
		char name[16];
		snprintf(name, sizeof(name), "key%d", i);
		mcp_key key = conformance_key(name);
		mcp_record record = conformance_record_of(bytes, sizeof(bytes));
		assert_int_equal(MCP_OK, mcp_store_set(stores[i % 2], &key, &record));
		assert_int_equal(MCP_OK, mcp_store_get(stores[i % 2], &key, &item));
		assert_int_equal(MCP_OK, mcp_store_get(stores[0], &kept, &item));
		assert_in_range(budget.bytes, 0, budget.limit_bytes);
	}
	assert_in_range(mcp_store_memory_count(stores[0]), 2, 4);
	assert_in_range(mcp_store_memory_count(stores[1]), 1, 3);
	mcp_store_memory_restart(stores[1]);
	mcp_store_free(stores[0]);
	assert_int_equal(0, budget.bytes);
	conformance_set(stores[1], "key", "value");
	assert_true(budget.bytes > 0);
	mcp_store_free(stores[1]);
	assert_null(budget.first);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(items_live_their_ttl_and_less_than_two_seconds_more),
		cmocka_unit_test(from_thirty_days_on_items_live_less_than_three_seconds_more),
		cmocka_unit_test(the_clock_ticks_in_seconds_from_the_creation),
		cmocka_unit_test(an_item_without_ttl_outlives_a_thousand_years),
		cmocka_unit_test(a_clock_set_back_makes_items_live_longer),
		cmocka_unit_test(a_clock_before_the_creation_ticks_as_evenly),
		cmocka_unit_test(increment_does_not_extend_a_life),
		cmocka_unit_test(expired_items_are_not_there_for_any_operation),
		cmocka_unit_test(count_tells_the_living),
		cmocka_unit_test(removed_items_take_no_bytes),
		cmocka_unit_test(evict_drops_one_item),
		cmocka_unit_test(restart_forgets_everything_and_starts_cas_ids_again),
		cmocka_unit_test(every_restart_gives_a_later_start),
		cmocka_unit_test(the_start_stays_while_time_passes),
		cmocka_unit_test(a_restart_between_two_seconds_keeps_lifetimes),
		cmocka_unit_test(a_view_survives_eviction_and_restart),
		cmocka_unit_test(beyond_the_limit_the_least_recently_used_goes),
		cmocka_unit_test(replacing_one_value_evicts_nothing),
		cmocka_unit_test(servers_that_share_a_budget_make_room_for_each_other),
		cmocka_unit_test(thousands_of_keys_are_kept_apart),
		cmocka_unit_test(two_stores_share_nothing),
	};
	struct CMUnitTest with_store[COUNT_OF(tests)];
	for (size_t i = 0; i < COUNT_OF(tests); i++) {
		with_store[i] = tests[i];
		with_store[i].setup_func = create;
		with_store[i].teardown_func = destroy;
	}
	return cmocka_run_group_tests_name("store_memory", with_store, NULL, NULL);
}
