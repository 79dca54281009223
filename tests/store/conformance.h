/* The duties of every store, as a list of sentences with a function each: the contract of store.h in executable
 * form. Whoever writes a store runs the whole list against it, see test_conformance.c. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_TESTS_STORE_CONFORMANCE_H
#define MCP_TESTS_STORE_CONFORMANCE_H

#include <cmocka.h>

#include "../../src/store/store.h"

/* The store under test, and how time passes for it: by moving a clock or by sleeping. */
typedef struct conformance_subject {
	mcp_store *store;
	void (*pass_ms)(const struct conformance_subject *subject, uint32_t duration_ms);
	void *context;
	bool proves; /* its writes */
} conformance_subject;

/* A duty, which is held to on an empty store. */
typedef struct conformance_case {
	const char *sentence;
	void (*run)(const conformance_subject *subject);
	bool is_for_marked; /* stores */
} conformance_case;

#ifndef CONFORMANCE_FOR_MARKED
#define CONFORMANCE_FOR_MARKED true
#endif

/* Defines a case. */
#define CASE(name, sentence)                                                           \
	static void name(const conformance_subject *subject);                              \
	__attribute__((constructor)) static void name##_joins(void) {                      \
		conformance_join(&(conformance_case){sentence, name, CONFORMANCE_FOR_MARKED}); \
	}                                                                                  \
	static void name(const conformance_subject *subject)

enum { CONFORMANCE_CASES_MAX = 200 };
extern conformance_case conformance_cases[CONFORMANCE_CASES_MAX];
extern size_t conformance_count;
void conformance_join(const conformance_case *one);

/* Makes keys, and the next one values, from literals for the cases. The views are of the arguments. */
mcp_key conformance_key(const char *text);
mcp_key conformance_key_of(const char *bytes, size_t length);
mcp_record conformance_record(const char *text);
mcp_record conformance_record_of(const char *bytes, size_t length);

/* Sets; like the next ones it fails the test if the store does not say MCP_OK. */
void conformance_set(mcp_store *store, const char *key, const char *value);
void conformance_set_flagged(mcp_store *store, const char *key, const char *value, uint32_t flags);
mcp_item conformance_get(mcp_store *store, const char *key);
uint64_t conformance_cas_id(mcp_store *store, const char *key);

/* Says the store's answer in one word, as the next ones do. */
mcp_status conformance_status_of(mcp_store *store, const char *key);
mcp_status conformance_add(mcp_store *store, const char *key, const char *value);
mcp_status conformance_cas(mcp_store *store, const char *key, const char *value, uint64_t cas);
mcp_status conformance_delete(mcp_store *store, const char *key);
mcp_status conformance_delete_if(mcp_store *store, const char *key, uint64_t cas);

void conformance_assert_bytes(const char *expected, mcp_bytes bytes);
void conformance_assert_value(mcp_store *store, const char *key, const char *expected);
void conformance_assert_absent(mcp_store *store, const char *key);

/* Makes `length` bytes that repeat nowhere soon; the caller frees. */
char *conformance_pattern(size_t length);

#endif
