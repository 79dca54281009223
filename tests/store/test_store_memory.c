/* Tests the store in memory beyond the contract: time by its own clock, the restarts that tests make. */
/* SPDX-License-Identifier: MIT */
#include "memory_world.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))

static uint64_t started_us(mcp_store *store) {
	mcp_key key = conformance_key("any");
	uint64_t started = 0;
	assert_int_equal(MCP_OK, mcp_store_started_us(store, &key, &started));
	return started;
}

/* Measures how long an item lives that is stored `phase_ms` after the server's last tick. */
static uint64_t lifetime_ms(mcp_store *store, uint64_t ttl_ms, uint64_t phase_ms) {
	uint64_t stored_ms = START_MS + phase_ms;
	memory_clock_ms = stored_ms;
	memory_set_for(store, "key", ttl_ms);
	uint64_t alive_ms = ttl_ms;
	uint64_t gone_ms = ttl_ms + 4000;
	while (gone_ms - alive_ms > 1) {
		uint64_t middle_ms = alive_ms + (gone_ms - alive_ms) / 2;
		memory_clock_ms = stored_ms;
		memory_set_for(store, "key", ttl_ms);
		memory_clock_ms = stored_ms + middle_ms;
		*(memory_has(store, "key") ? &alive_ms : &gone_ms) = middle_ms;
	}
	return gone_ms;
}

MEMORY_TEST(items_live_their_ttl_and_less_than_two_seconds_more) {
	const uint64_t ttls_ms[] = {1, 999, 1000, 1001, 60000, 30 * DAY_MS - 1000};
	for (size_t i = 0; i < COUNT_OF(ttls_ms); i++) {
		for (uint64_t phase_ms = 0; phase_ms < 1000; phase_ms += 37) {
			uint64_t lived_ms = lifetime_ms(*state, ttls_ms[i], phase_ms);
			assert_in_range(lived_ms, ttls_ms[i], ttls_ms[i] + 1999);
		}
	}
}

MEMORY_TEST(from_thirty_days_on_items_live_less_than_three_seconds_more) {
	const uint64_t ttls_ms[] = {30 * DAY_MS - 999, 30 * DAY_MS, 31 * DAY_MS, 3650 * DAY_MS};
	for (size_t i = 0; i < COUNT_OF(ttls_ms); i++) {
		for (uint64_t phase_ms = 0; phase_ms < 1000; phase_ms += 37) {
			uint64_t lived_ms = lifetime_ms(*state, ttls_ms[i], phase_ms);
			assert_in_range(lived_ms, ttls_ms[i], ttls_ms[i] + 2999);
		}
	}
}

MEMORY_TEST(the_clock_ticks_in_seconds_from_the_creation) {
	memory_set_for(*state, "key", 1000);
	memory_clock_ms = START_MS + 1999;
	assert_true(memory_has(*state, "key"));
	memory_clock_ms = START_MS + 2000;
	assert_false(memory_has(*state, "key"));
}

MEMORY_TEST(an_item_without_ttl_outlives_a_thousand_years) {
	memory_set_for(*state, "key", MCP_TTL_FOREVER);
	memory_clock_ms += 365000 * DAY_MS;
	assert_true(memory_has(*state, "key"));
}

MEMORY_TEST(a_clock_set_back_makes_items_live_longer) {
	memory_set_for(*state, "key", 1000);
	memory_clock_ms = START_MS - DAY_MS;
	assert_true(memory_has(*state, "key"));
	memory_set_for(*state, "other", 1000);
	memory_clock_ms += 3000;
	assert_false(memory_has(*state, "other"));
	assert_true(memory_has(*state, "key"));
	memory_clock_ms = START_MS + 3000;
	assert_false(memory_has(*state, "key"));
}

MEMORY_TEST(a_clock_before_the_creation_ticks_as_evenly) {
	memory_clock_ms = START_MS - 500;
	memory_set_for(*state, "key", 1000);
	memory_clock_ms = START_MS + 999;
	assert_true(memory_has(*state, "key"));
	memory_clock_ms = START_MS + 1000;
	assert_false(memory_has(*state, "key"));
}

MEMORY_TEST(increment_does_not_extend_a_life) {
	mcp_key key = conformance_key("key");
	mcp_record record = {.body = mcp_bytes_text("9"), .ttl_ms = 1000};
	uint64_t number = 0;
	assert_int_equal(MCP_OK, mcp_store_set(*state, &key, &record));
	memory_clock_ms += 1500;
	assert_int_equal(MCP_OK, mcp_store_increment(*state, &key, 1, &number));
	memory_clock_ms += 1000;
	assert_int_equal(MCP_NOT_FOUND, mcp_store_increment(*state, &key, 1, &number));
}

MEMORY_TEST(expired_items_are_not_there_for_any_operation) {
	mcp_key key = conformance_key("key");
	mcp_record record = conformance_record("1");
	uint64_t number = 0;
	memory_set_for(*state, "key", 1000);
	uint64_t cas = conformance_cas_id(*state, "key");
	memory_clock_ms += 5000;
	assert_int_equal(0, mcp_store_memory_count(*state));
	assert_int_equal(MCP_NOT_FOUND, mcp_store_cas(*state, &key, &record, cas));
	memory_set_for(*state, "key", 1000);
	memory_clock_ms += 5000;
	assert_int_equal(MCP_NOT_FOUND, mcp_store_touch(*state, &key, 1000));
	memory_set_for(*state, "key", 1000);
	memory_clock_ms += 5000;
	assert_int_equal(MCP_NOT_FOUND, mcp_store_decrement(*state, &key, 1, &number));
	memory_set_for(*state, "key", 1000);
	memory_clock_ms += 5000;
	assert_int_equal(MCP_OK, mcp_store_add(*state, &key, &record));
}

MEMORY_TEST(restart_forgets_everything_and_starts_cas_ids_again) {
	memory_set_for(*state, "key", 0);
	uint64_t first = conformance_cas_id(*state, "key");
	memory_set_for(*state, "key", 0);
	mcp_store_memory_restart(*state);
	assert_false(memory_has(*state, "key"));
	assert_int_equal(0, mcp_store_memory_count(*state));
	memory_set_for(*state, "key", 0);
	assert_int_equal(first, conformance_cas_id(*state, "key"));
}

MEMORY_TEST(every_restart_gives_a_later_start) {
	uint64_t first_us = started_us(*state);
	assert_int_equal(START_MS / 1000 * 1000000, first_us);
	mcp_store_memory_restart(*state);
	uint64_t second_us = started_us(*state);
	assert_true(second_us > first_us);
	memory_clock_ms -= DAY_MS;
	mcp_store_memory_restart(*state);
	assert_true(started_us(*state) > second_us);
	memory_clock_ms += 2 * DAY_MS;
	mcp_store_memory_restart(*state);
	assert_int_equal(memory_clock_ms / 1000 * 1000000, started_us(*state));
}

MEMORY_TEST(the_start_stays_while_time_passes) {
	uint64_t first_us = started_us(*state);
	memory_clock_ms += DAY_MS + 1;
	mcp_store_flush(*state);
	assert_int_equal(first_us, started_us(*state));
}

MEMORY_TEST(a_restart_between_two_seconds_keeps_lifetimes) {
	memory_clock_ms = START_MS + 333;
	mcp_store_memory_restart(*state);
	memory_set_for(*state, "key", 1000);
	memory_clock_ms += 1999;
	assert_true(memory_has(*state, "key"));
	memory_clock_ms += 1;
	assert_false(memory_has(*state, "key"));
}

MEMORY_TEST(a_view_survives_eviction_and_restart) {
	mcp_key key = conformance_key("key");
	conformance_set(*state, "key", "the old value");
	mcp_item item = conformance_get(*state, "key");
	mcp_store_memory_evict(*state, &key);
	mcp_store_memory_restart(*state);
	conformance_assert_bytes("the old value", item.value);
}
