/* How long things live, and what a server says of itself: TTLs at their edges, touch, flush, ping,
 * stats, start. */
/* SPDX-License-Identifier: MIT */
/* Ids that no read has told, which the first of these cases try, are no server's to a marked one. */
#define CONFORMANCE_FOR_MARKED false
#include "conformance.h"

#include "../../src/core/envelope/envelope.h"

#include <stdlib.h>
#include <time.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))
#define DAY_MS (24ull * 60 * 60 * 1000)

static void set_for(mcp_store *store, const char *name, const char *value, uint64_t ttl_ms) {
	mcp_key key = conformance_key(name);
	mcp_record record = conformance_record(value);
	record.ttl_ms = ttl_ms;
	assert_int_equal(MCP_OK, mcp_store_set(store, &key, &record));
}

/* Asserts that the item lives: a lifetime that reaches memcached wrong is over at once, and the second add
 * would succeed. */
static void assert_alive(const conformance_subject *subject, uint64_t ttl_ms) {
	mcp_key key = conformance_key("key");
	mcp_record record = conformance_record("value");
	record.ttl_ms = ttl_ms;
	assert_int_equal(MCP_OK, mcp_store_add(subject->store, &key, &record));
	assert_int_equal(MCP_NOT_STORED, mcp_store_add(subject->store, &key, &record));
	conformance_assert_value(subject->store, "key", "value");
	uint64_t cas = conformance_cas_id(subject->store, "key");
	assert_int_equal(MCP_OK, mcp_store_cas(subject->store, &key, &record, cas));
	conformance_assert_value(subject->store, "key", "value");
	assert_int_equal(MCP_OK, mcp_store_touch(subject->store, &key, ttl_ms));
	conformance_assert_value(subject->store, "key", "value");
}

CASE(forever, "a TTL of 0 is alive") {
	assert_alive(subject, MCP_TTL_FOREVER);
}

CASE(one_millisecond, "a TTL of 1 ms is alive at once") {
	assert_alive(subject, 1);
}

CASE(a_second_and_a_half, "a TTL of 1.5 s is alive") {
	assert_alive(subject, 1500);
}

CASE(thirty_days_less_a_second, "a TTL of 30 days less a second is alive") {
	assert_alive(subject, 30 * DAY_MS - 1000);
}

CASE(thirty_days_less_a_fraction, "a TTL of 30 days less a fraction of a second is alive") {
	assert_alive(subject, 30 * DAY_MS - 999);
}

CASE(thirty_days, "a TTL of 30 days is alive") {
	assert_alive(subject, 30 * DAY_MS);
}

CASE(thirty_one_days, "a TTL of 31 days is alive") {
	assert_alive(subject, 31 * DAY_MS);
}

CASE(ten_years, "a TTL of 10 years is alive") {
	assert_alive(subject, 3650 * DAY_MS);
}

CASE(a_hundred_years, "a TTL of 100 years is alive") {
	assert_alive(subject, 36500 * DAY_MS);
}

CASE(longest_there_is, "the longest TTL there is is alive") {
	assert_alive(subject, UINT64_MAX);
}

/* Stores everything that is to be seen by waiting, in one wait. */
static void store_for_a_second(mcp_store *store) {
	mcp_key added = conformance_key("added");
	mcp_record record = conformance_record("value");
	record.ttl_ms = 1000;
	assert_int_equal(MCP_OK, mcp_store_add(store, &added, &record));
	set_for(store, "set", "value", 1000);
	conformance_set(store, "swapped", "value");
	mcp_key swapped = conformance_key("swapped");
	uint64_t cas = conformance_cas_id(store, "swapped");
	assert_int_equal(MCP_OK, mcp_store_cas(store, &swapped, &record, cas));
	conformance_set(store, "touched", "value");
	mcp_key touched = conformance_key("touched");
	assert_int_equal(MCP_OK, mcp_store_touch(store, &touched, 1000));
	set_for(store, "counted", "9", 1000);
	mcp_key counted = conformance_key("counted");
	uint64_t number;
	assert_int_equal(MCP_OK, mcp_store_increment(store, &counted, 1, &number));
	set_for(store, "marked", "value", 1000);
	mcp_key marked = conformance_key("marked");
	assert_int_equal(MCP_OK, mcp_store_prepend(store, &marked, mcp_bytes_of("=", 1)));
}

static void store_for_longer(mcp_store *store) {
	mcp_key key = conformance_key("extended");
	set_for(store, "extended", "value", 1000);
	assert_int_equal(MCP_OK, mcp_store_touch(store, &key, 60000));
	key = conformance_key("eternal");
	set_for(store, "eternal", "value", 1000);
	assert_int_equal(MCP_OK, mcp_store_touch(store, &key, MCP_TTL_FOREVER));
	set_for(store, "anew", "value", 1000);
	conformance_set(store, "anew", "value");
	conformance_set(store, "endless", "value");
}

static bool is_within_a_second_of(const struct timespec *began) {
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - began->tv_sec) * 1000 + (now.tv_nsec - began->tv_nsec) / 1000000 < 1000;
}

/* Asserts it unless, on a busy machine, more time passes than the test asks for: then the end of an item proves
 * nothing. */
static void assert_lives_for_a_second(const conformance_subject *subject, const char *name,
	const struct timespec *began) {
	mcp_status status = conformance_status_of(subject->store, name);
	if (is_within_a_second_of(began)) {
		assert_int_equal(MCP_OK, status);
	}
}

CASE(a_second_passes, "a TTL of a second lives a second and less than three") {
	static const char *const mortal[] = {"added", "set", "swapped", "touched", "counted", "marked"};
	static const char *const lasting[] = {"extended", "eternal", "anew", "endless"};
	struct timespec began;
	clock_gettime(CLOCK_MONOTONIC, &began);
	store_for_a_second(subject->store);
	store_for_longer(subject->store);
	subject->pass_ms(subject, 500);
	for (size_t i = 0; i < COUNT_OF(mortal); i++) {
		assert_lives_for_a_second(subject, mortal[i], &began);
	}
	subject->pass_ms(subject, 2600);
	for (size_t i = 0; i < COUNT_OF(mortal); i++) {
		conformance_assert_absent(subject->store, mortal[i]);
	}
	for (size_t i = 0; i < COUNT_OF(lasting); i++) {
		conformance_assert_value(subject->store, lasting[i], "value");
	}
	assert_int_equal(MCP_OK, conformance_add(subject->store, "added", "again"));
	assert_int_equal(MCP_NOT_FOUND, conformance_delete(subject->store, "set"));
	assert_int_equal(MCP_NOT_FOUND, conformance_cas(subject->store, "swapped", "again", 1));
}

/* Asserts it with room, as a busy machine may take a while from one call to the next. */
static void assert_left(mcp_store *store, const char *name, uint64_t ttl_ms) {
	mcp_key key = conformance_key(name);
	uint64_t left_ms = 0;
	assert_int_equal(MCP_OK, mcp_store_ttl_left(store, &key, &left_ms));
	assert_in_range(left_ms, ttl_ms - 20000, ttl_ms);
}

/* Asserts that an item stored anew with what is left does not live longer. */
static void assert_not_longer(mcp_store *store, const char *name) {
	mcp_key key = conformance_key(name);
	uint64_t before_ms, after_ms;
	assert_int_equal(MCP_OK, mcp_store_ttl_left(store, &key, &before_ms));
	set_for(store, name, "again", before_ms);
	assert_int_equal(MCP_OK, mcp_store_ttl_left(store, &key, &after_ms));
	assert_in_range(after_ms, before_ms - 20000, before_ms);
}

CASE(what_is_left, "what is left of a TTL is told and never too long, or not known") {
	mcp_key key = conformance_key("key"), unsafe = conformance_key("no key");
	uint64_t left_ms = 0;
	if (!subject->proves) {
		assert_int_equal(MCP_UNSUPPORTED, mcp_store_ttl_left(subject->store, &key, &left_ms));
		return;
	}
	assert_int_equal(MCP_BAD_KEY, mcp_store_ttl_left(subject->store, &unsafe, &left_ms));
	assert_int_equal(MCP_NOT_FOUND, mcp_store_ttl_left(subject->store, &key, &left_ms));
	conformance_set(subject->store, "key", "value");
	mcp_item item = conformance_get(subject->store, "key");
	assert_int_equal(MCP_OK, mcp_store_ttl_left(subject->store, &key, &left_ms));
	assert_true(left_ms == MCP_STORE_NO_END);
	conformance_assert_bytes("value", item.value);
	assert_true(conformance_cas_id(subject->store, "key") == item.cas);
	set_for(subject->store, "minute", "value", 60000);
	assert_left(subject->store, "minute", 60000);
	assert_not_longer(subject->store, "minute");
	set_for(subject->store, "month", "value", 31 * DAY_MS);
	assert_left(subject->store, "month", 31 * DAY_MS + 2000);
}

CASE(touch_absent, "touch of an absent key is not found and leaves nothing") {
	mcp_key key = conformance_key("key");
	assert_int_equal(MCP_NOT_FOUND, mcp_store_touch(subject->store, &key, 1000));
	conformance_assert_absent(subject->store, "key");
}

CASE(touch_keeps, "touch keeps value, flags and cas id") {
	conformance_set_flagged(subject->store, "key", "value", 0x4D430001u);
	uint64_t cas = conformance_cas_id(subject->store, "key");
	mcp_key key = conformance_key("key");
	assert_int_equal(MCP_OK, mcp_store_touch(subject->store, &key, 60000));
	mcp_item item = conformance_get(subject->store, "key");
	conformance_assert_bytes("value", item.value);
	assert_int_equal(0x4D430001u, item.flags);
	assert_int_equal(cas, item.cas);
}

CASE(flush_forgets, "flush forgets everything and starts no cas id again") {
	conformance_set(subject->store, "a", "value");
	conformance_set(subject->store, "b", "value");
	uint64_t cas = conformance_cas_id(subject->store, "a");
	assert_int_equal(MCP_OK, mcp_store_flush(subject->store));
	conformance_assert_absent(subject->store, "a");
	conformance_assert_absent(subject->store, "b");
	assert_int_equal(MCP_NOT_FOUND, conformance_cas(subject->store, "a", "again", cas));
	assert_int_equal(MCP_OK, conformance_add(subject->store, "a", "new"));
	assert_true(conformance_cas_id(subject->store, "a") > cas);
	conformance_assert_value(subject->store, "a", "new");
}

CASE(flush_of_nothing, "flush of an empty store is a success") {
	assert_int_equal(MCP_OK, mcp_store_flush(subject->store));
	assert_int_equal(MCP_OK, mcp_store_flush(subject->store));
}

CASE(ping, "ping touches no data") {
	conformance_set(subject->store, "key", "value");
	assert_int_equal(MCP_OK, mcp_store_ping(subject->store));
	conformance_assert_value(subject->store, "key", "value");
}

/* Looks for one line of the stats. */
typedef struct search {
	const char *name;
	bool is_found;
	uint64_t number;
} search;

static void compare(void *context, mcp_bytes name, mcp_bytes value) {
	search *wanted = context;
	if (mcp_bytes_equal(mcp_bytes_text(wanted->name), name)) {
		char digits[32] = {0};
		assert_true(value.length < sizeof(digits));
		memcpy(digits, value.data, value.length);
		wanted->is_found = true;
		wanted->number = strtoull(digits, NULL, 10);
	}
}

static uint64_t statistic(mcp_store *store, const char *name) {
	search wanted = {.name = name};
	assert_int_equal(MCP_OK, mcp_store_stats(store, compare, &wanted));
	if (!wanted.is_found) {
		fail_msg("stats has no line \"%s\"", name);
	}
	return wanted.number;
}

CASE(stats_names, "stats has the lines that operators look for") {
	static const char *const names[] = {"uptime", "time", "limit_maxbytes", "curr_items",
		"total_items", "bytes", "evictions", "cmd_get", "cmd_set", "cmd_flush", "cmd_touch",
		"get_hits", "get_misses", "delete_hits", "delete_misses", "incr_hits", "incr_misses",
		"decr_hits", "decr_misses", "cas_hits", "cas_misses", "cas_badval", "touch_hits",
		"touch_misses"};
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		statistic(subject->store, names[i]);
	}
}

CASE(stats_count, "stats counts reads and writes") {
	uint64_t hits = statistic(subject->store, "get_hits");
	uint64_t misses = statistic(subject->store, "get_misses");
	uint64_t sets = statistic(subject->store, "cmd_set");
	uint64_t losers = statistic(subject->store, "cas_badval");
	conformance_set(subject->store, "key", "value");
	conformance_assert_value(subject->store, "key", "value");
	conformance_assert_absent(subject->store, "absent");
	conformance_cas(subject->store, "key", "refused", 1);
	assert_int_equal(hits + 1, statistic(subject->store, "get_hits"));
	assert_int_equal(misses + 1, statistic(subject->store, "get_misses"));
	assert_int_equal(sets + 2, statistic(subject->store, "cmd_set"));
	assert_int_equal(losers + 1, statistic(subject->store, "cas_badval"));
}

/* Looks for a setting, where the store is a server's. */
CASE(settings, "settings are told by servers, and stats after them are stats") {
	search wanted = {.name = "item_size_max"};
	bool has_some = strncmp(subject->store->address, "memory", 6) != 0;
	assert_int_equal(has_some ? MCP_OK : MCP_UNSUPPORTED,
		mcp_store_settings(subject->store, compare, &wanted));
	assert_int_equal(has_some, wanted.is_found);
	assert_int_equal(has_some ? 1024 * 1024 : 0, wanted.number);
	statistic(subject->store, "time");
}

CASE(calls_after_stats, "stats leaves the connection in step") {
	conformance_set(subject->store, "key", "value");
	statistic(subject->store, "time");
	conformance_assert_value(subject->store, "key", "value");
	conformance_assert_absent(subject->store, "absent");
}

CASE(started, "the start is constant and stands in stats") {
	mcp_key key = conformance_key("key");
	uint64_t first_us = 0;
	uint64_t second_us = 0;
	assert_int_equal(MCP_OK, mcp_store_started_us(subject->store, &key, &first_us));
	conformance_set(subject->store, "key", "value");
	assert_int_equal(MCP_OK, mcp_store_started_us(subject->store, &key, &second_us));
	assert_int_equal(first_us, second_us);
	uint64_t start_s = statistic(subject->store, "time") - statistic(subject->store, "uptime");
	/* The second may turn between the two calls. */
	assert_in_range(first_us / 1000000, start_s - 1, start_s + 1);
	conformance_assert_value(subject->store, "key", "value");
}

CASE(owner, "a store that is no cluster owns every key") {
	mcp_key key = conformance_key("key");
	assert_ptr_equal(subject->store, mcp_store_owner(subject->store, &key));
}

CASE(address, "a store has an address") {
	assert_non_null(subject->store->address);
	assert_true(strlen(subject->store->address) > 0);
}
