/* Many writes, each with its own key and record. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_STORE_WRITES_H
#define TESTS_STORE_WRITES_H

#include "../../src/store/store.h"
#include "faults_items.h"

#include <stdlib.h>

typedef struct test_write {
	mcp_key key;
	mcp_record record;
	uint64_t cas;
	mcp_proof proof; /* instead of `cas` if it is not empty */
	uint64_t by;
	mcp_status status;
	uint64_t number;
} test_write;

static inline void test_writes_run(mcp_store *store, mcp_op_verb verb, test_write *writes,
	size_t count) {
	mcp_op *ops = calloc(count + 1, sizeof(*ops));
	for (size_t i = 0; i < count; i++) {
		ops[i] = (mcp_op){
			.verb = verb,
			.key = &writes[i].key,
			.record = &writes[i].record,
			.expects = {.cas = writes[i].cas},
			.by = writes[i].by,
			.status = writes[i].status,
			.number = writes[i].number,
		};
		if (writes[i].proof.connection != 0) {
			ops[i].expects = writes[i].proof;
		}
	}
	mcp_store_run_all(store, ops, count);
	for (size_t i = 0; i < count; i++) {
		writes[i].status = ops[i].status;
		writes[i].number = ops[i].number;
	}
	free(ops);
}

/* Sets 4 keys to "value", or deletes them, all at once. A status that was not set is MCP_NO_CAS. */
static inline void test_set_four(mcp_store *store, const char *const names[4],
	mcp_status statuses[4]) {
	test_write writes[4];
	for (int i = 0; i < 4; i++) {
		writes[i] = (test_write){.key = faults_key(names[i]), .record = faults_record("value")};
		writes[i].status = MCP_NO_CAS;
	}
	test_writes_run(store, MCP_OP_SET, writes, 4);
	for (int i = 0; i < 4; i++) {
		statuses[i] = writes[i].status;
	}
}

static inline void test_delete_four(mcp_store *store, const char *const names[4],
	mcp_status statuses[4]) {
	mcp_key keys[4];
	for (int i = 0; i < 4; i++) {
		keys[i] = faults_key(names[i]);
		statuses[i] = MCP_NO_CAS;
	}
	mcp_store_delete_many(store, keys, 4, statuses);
}

static inline void assert_four(const mcp_status statuses[4], mcp_status a, mcp_status b,
	mcp_status c, mcp_status d) {
	const mcp_status expected[4] = {a, b, c, d};
	for (int i = 0; i < 4; i++) {
		assert_int_equal(expected[i], statuses[i]);
	}
}

#endif
