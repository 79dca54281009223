/* Many writes, each with its own key and record. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_STORE_WRITES_H
#define TESTS_STORE_WRITES_H

#include "../../src/store/store.h"

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

#endif
