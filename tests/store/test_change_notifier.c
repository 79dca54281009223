/* Holds the store that tells of changes to its promises: whatever a write answers, its key's counter is raised when it has
 * come back, and by nothing else; and who waits for the key is woken by what may end its wait, and by nothing else. */
/* SPDX-License-Identifier: MIT */
#include "memory_world.h"

#include "../../src/store/store.h"
#include "../../src/store/wrapped/change_notifier.h"
#include "writes.h"

enum { COUNTERS = 1024 };

static mcp_atomic_u64 all;
static mcp_atomic_u64 of_keys[COUNTERS];
static const mcp_changes changes = {&all, of_keys, COUNTERS - 1};

static mcp_wakeup one_bell;
static const mcp_wakeups bells = {&one_bell, 0};
static struct {
	unsigned wakes;
	bool wakes_one;
	uint64_t raised_from;
} heard;

static uint64_t bell_ms(const mcp_environment *environment) {
	return 1000;
}

static void wake(const mcp_environment *environment, const mcp_atomic_u32 *word, uint32_t bits,
	bool wakes_one) {
	heard.wakes++;
	heard.wakes_one = wakes_one;
}

static const mcp_environment ringer = {.bell_ms = bell_ms, .wake = wake};

static int open_told(void **state) {
	memset((void *)of_keys, 0, sizeof(of_keys));
	memset(&one_bell, 0, sizeof(one_bell));
	memset(&heard, 0, sizeof(heard));
	all = 0;
	if (memory_open(state) != 0) {
		return -1;
	}
	*state = mcp_change_notifier_create(*state, &(mcp_notified_host){&changes, &bells, &ringer});
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
	return mcp_changes_snapshot(&changes, key.fingerprint).of_key;
}

TEST_WITH(each_write_raises_its_key_whatever_it_answers, open_told, memory_close) {
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

TEST_WITH(many_writes_raise_each_of_their_keys, open_told, memory_close) {
	mcp_key keys[] = {told_key("a"), told_key("b")};
	test_write writes[] = {{.key = keys[0], .record = conformance_record("1")},
		{.key = keys[1], .record = conformance_record("2")}};
	test_writes_run(*state, MCP_OP_SET, writes, 2);
	assert_int_equal(1, raised("a"));
	assert_int_equal(1, raised("b"));
	mcp_status statuses[2];
	mcp_store_delete_many(*state, keys, 2, statuses);
	assert_int_equal(2, raised("a"));
	assert_int_equal(2, raised("b"));
}

TEST_WITH(reads_raise_nothing_and_a_flush_all, open_told, memory_close) {
	mcp_store *store = *state;
	mcp_key key = told_key("k");
	mcp_item item;
	uint64_t cas;
	mcp_op reply;
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

TEST_WITH(each_step_that_writes_raises_its_key, open_told, memory_close) {
	mcp_key keys[] = {told_key("a"), told_key("b"), told_key("c")};
	mcp_record record = conformance_record("5");
	mcp_op steps[] = {
		{.verb = MCP_OP_ADD, .key = &keys[0], .record = &record},
		{.verb = MCP_OP_TOUCH, .key = &keys[1], .record = &record},
		{.verb = MCP_OP_GET, .key = &keys[0]},
		{.verb = MCP_OP_GET, .key = &keys[2]},
	};
	mcp_store_steps(*state, steps, 4);
	assert_int_equal(MCP_OK, steps[2].status);
	assert_int_equal(1, raised("a"));
	assert_int_equal(1, raised("b"));
	assert_int_equal(0, raised("c"));
}

TEST_WITH(what_is_never_near_raises_nothing, open_told, memory_close) {
	mcp_key key = conformance_key("lock:k");
	mcp_record record = conformance_record("5");
	assert_int_equal(MCP_OK, mcp_store_set(*state, &key, &record));
	for (size_t i = 0; i < COUNTERS; i++) {
		assert_int_equal(0, of_keys[i]);
	}
	assert_int_equal(0, all);
}

/* Says how often somebody who waits was woken since it was last asked. */
static unsigned rings(void) {
	unsigned wakes = heard.wakes;
	heard.wakes = 0;
	return wakes;
}

TEST_WITH(a_write_that_may_end_a_wait_rings, open_told, memory_close) {
	mcp_store *store = *state;
	mcp_key key = told_key("k");
	mcp_record record = conformance_record("5");
	mcp_item item;
	uint64_t number;
	assert_int_equal(MCP_OK, mcp_store_set(store, &key, &record));
	assert_int_equal(0, rings()); /* nobody waits */
	mcp_wakeup_slot place = mcp_store_bell(store, &key);
	assert_ptr_equal(&one_bell, place.bell);
	mcp_bell_stamp(place.bell, 1000);
	uint32_t noted = mcp_bell_sequence(place.bell);
	assert_int_equal(MCP_OK, mcp_store_set(store, &key, &record));
	assert_int_equal(1, rings());
	assert_false(heard.wakes_one);
	assert_int_equal(noted + 1, mcp_bell_sequence(place.bell));
	assert_int_equal(MCP_NOT_STORED, mcp_store_add(store, &key, &record));
	assert_int_equal(MCP_OK, mcp_store_increment(store, &key, 1, &number));
	assert_int_equal(MCP_OK, mcp_store_append(store, &key, mcp_bytes_of("0", 1)));
	assert_int_equal(MCP_OK, mcp_store_touch(store, &key, 1000));
	assert_int_equal(MCP_OK, mcp_store_get(store, &key, &item));
	assert_int_equal(MCP_EXISTS, mcp_store_cas(store, &key, &record, item.cas + 1));
	assert_int_equal(0, rings());
	assert_int_equal(MCP_OK, mcp_store_cas(store, &key, &record, item.cas));
	assert_int_equal(1, rings());
	assert_int_equal(MCP_OK, mcp_store_delete(store, &key));
	assert_int_equal(1, rings());
	assert_int_equal(MCP_NOT_FOUND, mcp_store_delete(store, &key));
	assert_int_equal(0, rings());
	assert_int_equal(MCP_OK, mcp_store_add(store, &key, &record));
	assert_int_equal(1, rings());
}

TEST_WITH(a_claim_rings_for_nobody, open_told, memory_close) {
	mcp_key key = told_key("k");
	mcp_record record = conformance_record("5");
	record.is_claim = true;
	mcp_bell_stamp(&one_bell, 1000);
	assert_int_equal(MCP_OK, mcp_store_add(*state, &key, &record));
	assert_int_equal(MCP_OK, mcp_store_set(*state, &key, &record));
	assert_int_equal(0, rings());
}

TEST_WITH(many_writes_and_steps_ring_for_each, open_told, memory_close) {
	mcp_key keys[] = {told_key("a"), told_key("b")};
	test_write writes[] = {{.key = keys[0], .record = conformance_record("1")},
		{.key = keys[1], .record = conformance_record("2")}};
	mcp_bell_stamp(&one_bell, 1000);
	test_writes_run(*state, MCP_OP_SET, writes, 2);
	assert_int_equal(2, rings());
	mcp_status statuses[2];
	mcp_store_delete_many(*state, keys, 2, statuses);
	assert_int_equal(2, rings());
	mcp_record record = conformance_record("5");
	mcp_op steps[] = {
		{.verb = MCP_OP_ADD, .key = &keys[0], .record = &record},
		{.verb = MCP_OP_TOUCH, .key = &keys[0], .record = &record},
	};
	mcp_store_steps(*state, steps, 2);
	assert_int_equal(1, rings());
}

static void hear_ok(mcp_store *store, mcp_op *const *ops, size_t count) {
	for (size_t i = 0; i < count; i++) {
		ops[i]->status = MCP_OK;
	}
}

static void free_nothing(mcp_store *store) {
}

TEST_WITH(what_was_sent_ahead_rings_when_it_is_heard, open_told, memory_close) {
	static const mcp_store_operations answers = {.complete = hear_ok, .free = free_nothing};
	mcp_store ahead = {.operations = &answers, .address = "ahead"};
	mcp_store *told =
		mcp_change_notifier_create(&ahead, &(mcp_notified_host){&changes, &bells, &ringer});
	mcp_key keys[] = {told_key("a"), told_key("b")};
	mcp_record records[] = {conformance_record("1"), conformance_record("2")};
	mcp_op ops[] = {{.verb = MCP_OP_SET, .key = &keys[0], .record = &records[0]},
		{.verb = MCP_OP_SET, .key = &keys[1], .record = &records[1]}};
	mcp_op *both[] = {&ops[0], &ops[1]};
	mcp_bell_stamp(&one_bell, 1000);
	mcp_store_complete(told, both, 2);
	assert_int_equal(2, rings());
	assert_int_equal(1, raised("a"));
	records[1].is_claim = true;
	mcp_store_complete(told, both, 2);
	assert_int_equal(1, rings());
	mcp_store_free(told);
}

TEST_WITH(a_locks_change_is_for_one_and_of_no_copy, open_told, memory_close) {
	mcp_key key = told_key("lock:k");
	key.is_for_one = true;
	mcp_record record = conformance_record("5");
	mcp_bell_stamp(&one_bell, 1000);
	assert_int_equal(MCP_OK, mcp_store_set(*state, &key, &record));
	assert_int_equal(1, rings());
	assert_true(heard.wakes_one);
	assert_int_equal(0, raised("lock:k"));
}

static void note_raised_from(mcp_before_ring *work, uint64_t raised_from) {
	assert_int_equal(0, heard.wakes);
	heard.raised_from = raised_from;
}

TEST_WITH(work_is_done_before_the_ring_and_only_for_it, open_told, memory_close) {
	mcp_key key = told_key("k");
	mcp_before_ring work = {note_raised_from};
	mcp_record record = conformance_record("5");
	record.before_ring = &work;
	heard.raised_from = UINT64_MAX;
	assert_int_equal(MCP_OK, mcp_store_set(*state, &key, &record));
	assert_true(heard.raised_from == UINT64_MAX);
	mcp_bell_stamp(&one_bell, 1000);
	assert_int_equal(MCP_OK, mcp_store_set(*state, &key, &record));
	assert_int_equal(1, heard.raised_from);
	assert_int_equal(2, raised("k"));
	assert_int_equal(1, rings());
}

TEST_WITH(keys_without_a_fingerprint_have_no_bell, open_told, memory_close) {
	mcp_key key = conformance_key("row:k");
	assert_null(mcp_store_bell(*state, &key).bell);
}
