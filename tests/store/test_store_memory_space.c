/* How the store in memory keeps its items: apart from each other, within its limit, and none beyond its end. */
/* SPDX-License-Identifier: MIT */
#include "memory_world.h"

#include <stdio.h>
#include <stdlib.h>

enum {
	SERVER_LIMIT = 64 * 1024 * 1024,
	LARGE = 1000000,
	MANY = 5000,
	NAME_LENGTH = 16,
};

MEMORY_TEST(count_tells_the_living) {
	assert_int_equal(0, mcp_store_memory_count(*state));
	memory_set_for(*state, "a", 0);
	memory_set_for(*state, "b", 1000);
	memory_set_for(*state, "a", 0);
	assert_int_equal(2, mcp_store_memory_count(*state));
	memory_clock_ms += 5000;
	assert_int_equal(1, mcp_store_memory_count(*state));
}

static void read_bytes(void *context, mcp_bytes name, mcp_bytes value) {
	if (mcp_bytes_equal(mcp_bytes_text("bytes"), name)) {
		*(bool *)context = mcp_bytes_equal(mcp_bytes_text("0"), value);
	}
}

static bool is_without_bytes(mcp_store *store) {
	bool is_zero = false;
	assert_int_equal(MCP_OK, mcp_store_stats(store, read_bytes, &is_zero));
	return is_zero;
}

MEMORY_TEST(removed_items_take_no_bytes) {
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

MEMORY_TEST(evict_drops_one_item) {
	mcp_key key = conformance_key("a");
	memory_set_for(*state, "a", 0);
	memory_set_for(*state, "b", 0);
	uint64_t cas = conformance_cas_id(*state, "a");
	mcp_store_memory_evict(*state, &key);
	mcp_store_memory_evict(*state, &key);
	assert_false(memory_has(*state, "a"));
	assert_true(memory_has(*state, "b"));
	assert_int_equal(MCP_OK, conformance_add(*state, "a", "again"));
	assert_true(conformance_cas_id(*state, "a") > cas);
}

static void set_large(mcp_store *store, int number, const char *bytes) {
	char name[NAME_LENGTH];
	snprintf(name, sizeof(name), "large-%d", number);
	mcp_key key = conformance_key(name);
	mcp_record record = conformance_record_of(bytes, LARGE);
	assert_int_equal(MCP_OK, mcp_store_set(store, &key, &record));
}

MEMORY_TEST(beyond_the_limit_the_least_recently_used_goes) {
	char *bytes = conformance_pattern(LARGE);
	conformance_set(*state, "unused", "value");
	conformance_set(*state, "used", "value");
	for (int i = 0; i < SERVER_LIMIT / LARGE + 1; i++) {
		set_large(*state, i, bytes);
		assert_true(memory_has(*state, "used"));
	}
	assert_false(memory_has(*state, "unused"));
	assert_false(memory_has(*state, "large-0"));
	assert_true(memory_has(*state, "large-1"));
	assert_int_equal(SERVER_LIMIT / LARGE + 1, mcp_store_memory_count(*state));
	free(bytes);
}

MEMORY_TEST(replacing_one_value_evicts_nothing) {
	char *bytes = conformance_pattern(LARGE);
	conformance_set(*state, "small", "value");
	for (int i = 0; i < 2 * SERVER_LIMIT / LARGE; i++) {
		set_large(*state, 0, bytes);
	}
	assert_int_equal(2, mcp_store_memory_count(*state));
	assert_true(memory_has(*state, "small"));
	free(bytes);
}

static void name_number(char name[NAME_LENGTH], int number) {
	snprintf(name, NAME_LENGTH, "key-%d", number);
}

MEMORY_TEST(thousands_of_keys_are_kept_apart) {
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
		assert_int_equal(i % 2 == 1, memory_has(*state, name));
		if (i % 2 == 1) {
			conformance_assert_value(*state, name, name);
		}
	}
	assert_int_equal(MANY / 2, mcp_store_memory_count(*state));
}

MEMORY_TEST(two_stores_share_nothing) {
	mcp_store *other = mcp_store_memory_create("memory://other", &memory_environment);
	assert_non_null(other);
	conformance_set(*state, "key", "value");
	conformance_assert_absent(other, "key");
	assert_string_equal("memory://other", other->address);
	assert_string_equal("memory://test", ((mcp_store *)*state)->address);
	mcp_store_disown(other);
	conformance_assert_value(*state, "key", "value");
}

/* Two servers and a budget for a few of their values. */
MEMORY_TEST(servers_that_share_a_budget_make_room_for_each_other) {
	static char bytes[1000];
	mcp_memory_budget budget = {.limit_bytes = 5000};
	mcp_store *stores[2];
	mcp_key kept = conformance_key("kept");
	mcp_item item;
	for (int i = 0; i < 2; i++) {
		stores[i] = mcp_store_memory_create("memory://shared", &memory_environment);
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
