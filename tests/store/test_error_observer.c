/* A observed store answers as the one it aims at, and its observer hears of each failure among the answers and of
 * nothing else. */
/* SPDX-License-Identifier: MIT */
#include "../../src/store/memory/store_memory.h"
#include "../../src/store/store.h"
#include "../../src/store/wrapped/error_observer.h"
#include "faults.h"
#include "writes.h"

#include <string.h>

#define INDEX 7

typedef struct testimony {
	int failures;
	mcp_status last;
	char reason[MCP_REASON_MAX];
} testimony;

static void take_note(void *context, size_t index, mcp_status status,
	const mcp_store_failure *failure) {
	testimony *heard = context;
	assert_int_equal(INDEX, index);
	heard->failures++;
	heard->last = status;
	strcpy(heard->reason, failure != NULL ? failure->reason.text : "");
}

static mcp_store *watch(testimony *heard, mcp_store *inner) {
	*heard = (testimony){0};
	mcp_store *store = mcp_error_observer_create(take_note, heard, INDEX);
	assert_non_null(store);
	mcp_error_observer_aim(store, inner);
	return store;
}

static void ignore_line(void *context, mcp_bytes name, mcp_bytes value) {
}

/* The operations that have one status, with that of the store in memory, which may also find another item. */
static const struct {
	mcp_op_verb verb;
	mcp_status expected;
} asked[] = {
	{MCP_OP_SET, MCP_OK},
	{MCP_OP_GET, MCP_OK},
	{MCP_OP_ADD, MCP_NOT_STORED},
	{MCP_OP_CAS, MCP_EXISTS},
	{MCP_OP_INCREMENT, MCP_OK},
	{MCP_OP_DECREMENT, MCP_OK},
	{MCP_OP_TOUCH, MCP_OK},
	{MCP_OP_PREPEND, MCP_OK},
	{MCP_OP_APPEND, MCP_OK},
	{MCP_OP_DELETE_IF, MCP_EXISTS},
	{MCP_OP_DELETE, MCP_OK},
	{MCP_OP_PING, MCP_OK},
	{MCP_OP_FLUSH, MCP_OK},
};

enum { ASKED = sizeof(asked) / sizeof(asked[0]) };

static mcp_status ask(mcp_store *store, int number) {
	mcp_record record = faults_record("5");
	mcp_op op = {.verb = asked[number].verb};
	return faults_ask(store, op.verb, &record, (mcp_proof){.cas = mcp_op_compares(&op)});
}

TEST(answers_are_not_told) {
	mcp_store *inner = mcp_store_memory_create("memory://m", faults_environment());
	testimony heard;
	mcp_store *store = watch(&heard, inner);
	mcp_key key = faults_key("key");
	uint64_t started_us;
	for (int i = 0; i < ASKED; i++) {
		mcp_status status = ask(store, i);
		bool is_another = asked[i].expected == MCP_EXISTS && status == MCP_OK;
		assert_true(is_another || status == asked[i].expected);
	}
	assert_int_equal(MCP_OK, mcp_store_stats(store, ignore_line, NULL));
	assert_int_equal(MCP_OK, mcp_store_started_us(store, &key, &started_us));
	assert_int_equal(0, heard.failures);
	assert_string_equal("memory://m", store->address);
	mcp_store_free(store);
	mcp_store_free(inner);
}

TEST(every_failure_is_told_with_its_reason) {
	mcp_store *inner = faults_store("/tmp/mcpatterns-nothing/here.sock");
	testimony heard;
	mcp_store *store = watch(&heard, inner);
	mcp_key key = faults_key("key");
	uint64_t started_us;
	for (int i = 0; i < ASKED; i++) {
		assert_int_equal(MCP_UNREACHABLE, ask(store, i));
		assert_int_equal(i + 1, heard.failures);
		assert_int_equal(MCP_UNREACHABLE, heard.last);
		assert_string_equal("could not be reached: no such file", heard.reason);
	}
	assert_int_equal(MCP_UNREACHABLE, mcp_store_stats(store, ignore_line, NULL));
	assert_int_equal(MCP_UNREACHABLE, mcp_store_started_us(store, &key, &started_us));
	assert_int_equal(MCP_UNREACHABLE, mcp_store_settings(store, ignore_line, NULL));
	assert_int_equal(ASKED + 3, heard.failures);
	assert_ptr_equal(inner, mcp_store_failed(store));
	mcp_store_free(store);
	mcp_store_free(inner);
}

TEST(failures_of_many_are_told) {
	mcp_store *inner = faults_store("/tmp/mcpatterns-nothing/here.sock");
	testimony heard;
	mcp_store *store = watch(&heard, inner);
	mcp_key keys[2] = {faults_key("a"), faults_key("b")};
	mcp_op replies[2];
	mcp_status statuses[2];
	test_write writes[2] = {
		{.key = keys[0], .record = faults_record("1")},
		{.key = keys[1], .record = faults_record("2")},
	};
	mcp_store_get_many(store, keys, 2, replies);
	assert_int_equal(2, heard.failures);
	test_writes_run(store, MCP_OP_SET, writes, 2);
	assert_int_equal(4, heard.failures);
	mcp_store_delete_many(store, keys, 2, statuses);
	assert_int_equal(6, heard.failures);
	mcp_store_free(store);
	mcp_store_free(inner);
}

TEST(failures_of_steps_are_told) {
	testimony heard;
	mcp_store *inner = faults_store("/tmp/mcpatterns-nothing/here.sock");
	mcp_store *store = watch(&heard, inner);
	mcp_key key = faults_key("key");
	mcp_record record = faults_record("5");
	mcp_op steps[] = {
		{.verb = MCP_OP_ADD, .key = &key, .record = &record},
		{.verb = MCP_OP_GET, .key = &key},
	};
	mcp_store_steps(store, steps, 2);
	assert_int_equal(MCP_UNREACHABLE, steps[0].status);
	assert_int_equal(2, heard.failures);
	steps[0] = (mcp_op){.verb = MCP_OP_DELETE_IF, .key = &key, .expects = {1, 1}};
	mcp_store *memory = mcp_store_memory_create("memory://m", faults_environment());
	mcp_error_observer_aim(store, memory);
	mcp_store_steps(store, steps, 1);
	assert_int_equal(MCP_UNSUPPORTED, steps[0].status);
	assert_int_equal(2, heard.failures);
	mcp_store_free(store);
	mcp_store_free(memory);
	mcp_store_free(inner);
}

TEST(it_may_aim_at_another) {
	mcp_store *down = faults_store("/tmp/mcpatterns-nothing/here.sock");
	mcp_store *memory = mcp_store_memory_create("memory://m", faults_environment());
	testimony heard;
	mcp_store *store = watch(&heard, down);
	assert_int_equal(MCP_UNREACHABLE, mcp_store_ping(store));
	mcp_error_observer_aim(store, memory);
	assert_int_equal(MCP_OK, mcp_store_ping(store));
	assert_string_equal("memory://m", store->address);
	assert_int_equal(1, heard.failures);
	mcp_store_free(store);
	mcp_store_free(down);
	mcp_store_free(memory);
}

int main(void) {
	return faults_run(NULL, NULL);
}
