/* Holds the store that tells of changes to its one promise: whatever a write answers, its key's counter is raised when
 * it has come back, and by nothing else. */
/* SPDX-License-Identifier: MIT */
#include "memory_world.h"

#include "../../src/store/steps.h"
#include "../../src/store/wrapped/store_changes.h"

enum { COUNTERS = 1024 };

static mcp_atomic_u64 all;
static mcp_atomic_u64 of_keys[COUNTERS];
static const mcp_changes changes = {&all, of_keys, COUNTERS - 1};

static int open_told(void **state) {
	memset((void *)of_keys, 0, sizeof(of_keys));
	all = 0;
	if (memory_open(state) != 0) {
		return -1;
	}
	*state = mcp_store_changes_create(*state, &changes);
	return *state == NULL ? -1 : 0;
}

/* Makes it as mcp_key_make does of a Cache's name. */
static mcp_key told_key(const char *name) {
	mcp_key key = conformance_key(name);
	key.fingerprint = 1 + (unsigned char)*name;
	return key;
}

static uint64_t raised(const char *name) {
	mcp_key key = told_key(name);
	return mcp_changes_look(&changes, mcp_store_changes_hash(&key)).of_key;
}

static void each_write_raises_its_key_whatever_it_answers(void **state) {
	mcp_store *store = *state;
	mcp_key key = told_key("k");
	mcp_record record = conformance_record("5");
	mcp_item item;
	uint64_t number, expected = 0;
	assert_int_equal(MCP_OK, mcp_store_set(store, &key, &record));
	assert_int_equal(++expected, raised("k"));
	assert_int_equal(MCP_NOT_STORED, mcp_store_add(store, &key, &record));
	assert_int_equal(++expected, raised("k"));
	assert_int_equal(MCP_OK, mcp_store_increment(store, &key, 1, &number));
	assert_int_equal(++expected, raised("k"));
	assert_int_equal(MCP_OK, mcp_store_decrement(store, &key, 1, &number));
	assert_int_equal(++expected, raised("k"));
	assert_int_equal(MCP_OK, mcp_store_append(store, &key, mcp_bytes_of("0", 1)));
	assert_int_equal(++expected, raised("k"));
	assert_int_equal(MCP_OK, mcp_store_prepend(store, &key, mcp_bytes_of("1", 1)));
	assert_int_equal(++expected, raised("k"));
	assert_int_equal(MCP_OK, mcp_store_touch(store, &key, 1000));
	assert_int_equal(++expected, raised("k"));
	assert_int_equal(MCP_OK, mcp_store_get(store, &key, &item));
	assert_int_equal(MCP_OK, mcp_store_cas(store, &key, &record, item.cas));
	assert_int_equal(++expected, raised("k"));
	assert_int_equal(MCP_EXISTS, mcp_store_delete_if(store, &key, item.cas));
	assert_int_equal(++expected, raised("k"));
	assert_int_equal(MCP_OK, mcp_store_delete(store, &key));
	assert_int_equal(++expected, raised("k"));
	assert_int_equal(MCP_NOT_FOUND, mcp_store_delete(store, &key));
	assert_int_equal(++expected, raised("k"));
	assert_int_equal(0, raised("another"));
	assert_int_equal(0, all);
}

static void many_writes_raise_each_of_their_keys(void **state) {
	mcp_key keys[] = {told_key("a"), told_key("b")};
	mcp_write writes[] = {{.key = keys[0], .record = conformance_record("1")},
		{.key = keys[1], .record = conformance_record("2")}};
	mcp_store_set_many(*state, writes, 2);
	assert_int_equal(1, raised("a"));
	assert_int_equal(1, raised("b"));
	mcp_status statuses[2];
	mcp_store_delete_many(*state, keys, 2, statuses);
	assert_int_equal(2, raised("a"));
	assert_int_equal(2, raised("b"));
}

static void reads_raise_nothing_and_a_flush_all(void **state) {
	mcp_store *store = *state;
	mcp_key key = told_key("k");
	mcp_item item;
	uint64_t cas;
	mcp_reply reply;
	assert_int_equal(MCP_NOT_FOUND, mcp_store_get(store, &key, &item));
	assert_int_equal(MCP_NOT_FOUND, mcp_store_cas_of(store, &key, &cas));
	mcp_store_get_many(store, &key, 1, &reply);
	assert_int_equal(MCP_OK, mcp_store_ping(store));
	assert_int_equal(0, raised("k"));
	assert_int_equal(0, all);
	assert_int_equal(MCP_OK, mcp_store_flush(store));
	assert_int_equal(0, raised("k"));
	assert_int_equal(1, all);
}

static void each_step_that_writes_raises_its_key(void **state) {
	mcp_key keys[] = {told_key("a"), told_key("b"), told_key("c")};
	mcp_record record = conformance_record("5");
	mcp_store_step steps[] = {
		{.verb = MCP_STEP_ADD, .key = &keys[0], .record = &record},
		{.verb = MCP_STEP_TOUCH, .key = &keys[1], .record = &record},
		{.verb = MCP_STEP_GET, .key = &keys[0]},
		{.verb = MCP_STEP_GET, .key = &keys[2]},
	};
	mcp_store_steps(*state, steps, 4);
	assert_int_equal(MCP_OK, steps[2].status);
	assert_int_equal(1, raised("a"));
	assert_int_equal(1, raised("b"));
	assert_int_equal(0, raised("c"));
}

static void what_is_never_near_raises_nothing(void **state) {
	mcp_key key = conformance_key("lock:k");
	mcp_record record = conformance_record("5");
	assert_int_equal(MCP_OK, mcp_store_set(*state, &key, &record));
	for (size_t i = 0; i < COUNTERS; i++) {
		assert_int_equal(0, of_keys[i]);
	}
	assert_int_equal(0, all);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(each_write_raises_its_key_whatever_it_answers, open_told,
			memory_close),
		cmocka_unit_test_setup_teardown(many_writes_raise_each_of_their_keys, open_told,
			memory_close),
		cmocka_unit_test_setup_teardown(reads_raise_nothing_and_a_flush_all, open_told,
			memory_close),
		cmocka_unit_test_setup_teardown(each_step_that_writes_raises_its_key, open_told,
			memory_close),
		cmocka_unit_test_setup_teardown(what_is_never_near_raises_nothing, open_told, memory_close),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
