/* The clocks are the system's. */
/* SPDX-License-Identifier: MIT */
#include "faults_items.h"

#include "system_clock.h"

#include <string.h>

static uint64_t moved_ms;

static uint64_t monotonic_ms(const mcp_environment *environment) {
	return system_clock_monotonic_ms(environment) + moved_ms;
}

/* Draws another number each time: two stores must not have one name in proofs. */
static uint64_t random_u64(const mcp_environment *environment) {
	static uint64_t last = 1;
	last = last * 6364136223846793005u + 1442695040888963407u;
	return last;
}

static const mcp_environment environment = {
	.wall_ms = system_clock_wall_ms,
	.monotonic_ms = monotonic_ms,
	.random_u64 = random_u64,
};

const mcp_environment *faults_environment(void) {
	return &environment;
}

void faults_pass_ms(uint64_t duration_ms) {
	moved_ms += duration_ms;
}

uint64_t faults_now_ms(void) {
	return system_clock_ms(CLOCK_MONOTONIC);
}

mcp_key faults_key(const char *text) {
	mcp_bytes wire = mcp_bytes_text(text);
	return (mcp_key){.wire = wire, .route = wire};
}

mcp_record faults_record(const char *text) {
	return (mcp_record){.body = mcp_bytes_text(text)};
}

void faults_set(mcp_store *store, const char *key, const char *value) {
	mcp_key wire = faults_key(key);
	mcp_record record = faults_record(value);
	assert_int_equal(MCP_OK, mcp_store_set(store, &wire, &record));
}

mcp_status faults_get(mcp_store *store, const char *key) {
	mcp_key wire = faults_key(key);
	mcp_item item;
	return mcp_store_get(store, &wire, &item);
}

mcp_status faults_get_two(mcp_store *store, const char *one, const char *two) {
	mcp_key keys[2] = {faults_key(one), faults_key(two)};
	mcp_op replies[2];
	mcp_store_get_many(store, keys, 2, replies);
	return replies[0].status != MCP_OK ? replies[0].status : replies[1].status;
}

const mcp_op_verb faults_writes[] = {MCP_OP_SET, MCP_OP_ADD, MCP_OP_PREPEND, MCP_OP_APPEND,
	MCP_OP_INCREMENT, MCP_OP_DECREMENT, MCP_OP_TOUCH, MCP_OP_DELETE, MCP_OP_FLUSH};

mcp_status faults_ask(mcp_store *store, mcp_op_verb verb, const mcp_record *record,
	mcp_proof expects) {
	mcp_key key = faults_key("key");
	mcp_op op = {.verb = verb, .key = &key, .record = record, .expects = expects, .by = 1};
	return verb == MCP_OP_GET ? mcp_store_get(store, &key, &op.item) : mcp_store_change(store, &op);
}

mcp_status faults_write(mcp_store *store, mcp_op_verb verb) {
	mcp_record record = faults_record("value");
	return faults_ask(store, verb, &record, (mcp_proof){0});
}

const char *faults_reason(mcp_store *store) {
	const mcp_store_failure *failure = mcp_store_last_failure(store);
	return failure != NULL ? failure->reason.text : NULL;
}

void faults_assert_value(mcp_store *store, const char *key, const char *value) {
	mcp_key wire = faults_key(key);
	mcp_item item;
	assert_int_equal(MCP_OK, mcp_store_get(store, &wire, &item));
	assert_int_equal(strlen(value), item.value.length);
	assert_memory_equal(value, item.value.data, item.value.length);
}
