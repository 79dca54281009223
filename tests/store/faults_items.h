/* Gives a test of a store the clocks, the keys, and the items to store and to want back; on every system. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_TESTS_STORE_FAULTS_ITEMS_H
#define MCP_TESTS_STORE_FAULTS_ITEMS_H

#include <cmocka.h>

#include "../../src/store/store.h"

/* Returns real clocks; faults_pass_ms() moves the monotonic one on, for everybody. */
const mcp_environment *faults_environment(void);
void faults_pass_ms(uint64_t duration_ms);
uint64_t faults_now_ms(void);

mcp_key faults_key(const char *text);
mcp_record faults_record(const char *text);
void faults_set(mcp_store *store, const char *key, const char *value);
/* Asserts MCP_OK with exactly this value. */
void faults_assert_value(mcp_store *store, const char *key, const char *value);
mcp_status faults_get(mcp_store *store, const char *key);
/* Gets 2 keys at once, and returns the status of the first one that is not MCP_OK. */
mcp_status faults_get_two(mcp_store *store, const char *one, const char *two);

/* Each write that compares nothing. */
enum { FAULTS_WRITES = 9 };
extern const mcp_op_verb faults_writes[FAULTS_WRITES];
/* Asks for any operation of one status: of "key", with `record`, and with 1 as the amount. */
mcp_status faults_ask(mcp_store *store, mcp_op_verb verb, const mcp_record *record,
	mcp_proof expects);
/* Writes "value" so. */
mcp_status faults_write(mcp_store *store, mcp_op_verb verb);

/* The reason of the last failure; NULL: none. */
const char *faults_reason(mcp_store *store);

#endif
