/* Holds the stores that prove to what a write proves: who finds the item unchanged need not read it. The others say
 * that they cannot, and send nothing. */
/* SPDX-License-Identifier: MIT */
#include "conformance.h"
#include "writes.h"

#include <string.h>

typedef mcp_status (*write_record)(mcp_store *store, const mcp_key *key, const mcp_record *record);

/* Proves by a write that must be stored. */
static mcp_proof prove(const conformance_subject *subject, write_record write, const char *name,
	const char *value) {
	mcp_proof proof = {.cas = 0};
	mcp_key key = conformance_key(name);
	mcp_record record = conformance_record(value);
	record.proof = &proof;
	assert_int_equal(MCP_OK, write(subject->store, &key, &record));
	assert_int_equal(subject->proves, proof.cas != 0);
	return proof;
}

static mcp_status delete_proven(const conformance_subject *subject, const char *name,
	const mcp_proof *proof) {
	mcp_key key = conformance_key(name);
	return mcp_store_delete_proven(subject->store, &key, proof);
}

static mcp_status cas_proven(const conformance_subject *subject, const char *name,
	const char *value, mcp_proof *proof) {
	mcp_proof before = *proof;
	mcp_key key = conformance_key(name);
	mcp_record record = conformance_record(value);
	*proof = (mcp_proof){0};
	record.proof = proof;
	record.flags = 0xFFFFFFFF;
	return mcp_store_cas_proven(subject->store, &key, &record, &before);
}

static mcp_status answer_of(const conformance_subject *subject, mcp_status when_proven) {
	return subject->proves ? when_proven : MCP_UNSUPPORTED;
}

CASE(the_id_is_the_items, "a proof has the cas id that the item got") {
	mcp_proof added = prove(subject, mcp_store_add, "added", "value");
	mcp_proof set = prove(subject, mcp_store_set, "set", "value");
	if (subject->proves) {
		assert_true(added.cas == conformance_cas_id(subject->store, "added"));
		assert_true(set.cas == conformance_cas_id(subject->store, "set"));
	}
	conformance_assert_value(subject->store, "added", "value");
	conformance_assert_value(subject->store, "set", "value");
}

/* Looks at the split of what is sent: over a carrier that is not plain the look behind such a value leaves by itself. */
CASE(a_long_value_is_proven, "a value of many records proves itself") {
	static char value[40001];
	memset(value, 'v', sizeof(value) - 1);
	mcp_proof proof = prove(subject, mcp_store_set, "long", value);
	if (subject->proves) {
		assert_true(proof.cas == conformance_cas_id(subject->store, "long"));
	}
	conformance_assert_value(subject->store, "long", value);
	assert_int_equal(answer_of(subject, MCP_OK), cas_proven(subject, "long", "short", &proof));
}

CASE(a_refused_add, "an add that is refused proves nothing") {
	mcp_proof proof = {.cas = 0};
	mcp_key key = conformance_key("key");
	mcp_record record = conformance_record("second");
	record.proof = &proof;
	conformance_set(subject->store, "key", "first");
	assert_int_equal(MCP_NOT_STORED, mcp_store_add(subject->store, &key, &record));
	assert_true(proof.cas == 0);
	conformance_assert_value(subject->store, "key", "first");
}

CASE(delete_of_the_unchanged, "delete_proven deletes what is unchanged, once") {
	mcp_proof proof = prove(subject, mcp_store_add, "key", "value");
	assert_int_equal(answer_of(subject, MCP_OK), delete_proven(subject, "key", &proof));
	assert_int_equal(subject->proves ? MCP_NOT_FOUND : MCP_OK,
		conformance_status_of(subject->store, "key"));
	assert_int_equal(answer_of(subject, MCP_NOT_FOUND), delete_proven(subject, "key", &proof));
}

CASE(delete_of_the_changed,
	"delete_proven leaves what has been stored again, though it is the same") {
	mcp_proof proof = prove(subject, mcp_store_set, "key", "value");
	conformance_set(subject->store, "key", "value");
	assert_int_equal(answer_of(subject, MCP_EXISTS), delete_proven(subject, "key", &proof));
	conformance_assert_value(subject->store, "key", "value");
}

CASE(cas_of_the_unchanged, "cas_proven replaces what is unchanged, and proves itself") {
	mcp_proof proof = prove(subject, mcp_store_add, "key", "first");
	assert_int_equal(answer_of(subject, MCP_OK), cas_proven(subject, "key", "second", &proof));
	if (!subject->proves) {
		conformance_assert_value(subject->store, "key", "first");
		return;
	}
	mcp_item item = conformance_get(subject->store, "key");
	conformance_assert_bytes("second", item.value);
	assert_true(item.flags == 0xFFFFFFFF);
	assert_true(item.cas == proof.cas);
	assert_int_equal(MCP_OK, cas_proven(subject, "key", "third", &proof));
	conformance_assert_value(subject->store, "key", "third");
}

CASE(cas_of_the_changed, "cas_proven leaves what has been stored again") {
	mcp_proof proof = prove(subject, mcp_store_add, "key", "first");
	conformance_set(subject->store, "key", "other");
	assert_int_equal(answer_of(subject, MCP_EXISTS), cas_proven(subject, "key", "mine", &proof));
	assert_true(proof.cas == 0);
	conformance_assert_value(subject->store, "key", "other");
}

CASE(cas_of_the_gone, "cas_proven stores nothing where nothing is") {
	mcp_proof proof = prove(subject, mcp_store_add, "key", "first");
	conformance_delete(subject->store, "key");
	assert_int_equal(answer_of(subject, MCP_NOT_FOUND), cas_proven(subject, "key", "x", &proof));
	conformance_assert_absent(subject->store, "key");
}

/* Refuses the proof of a connection of before, or of another store. */
CASE(a_foreign_proof, "a proof of another connection is none") {
	mcp_proof proof = prove(subject, mcp_store_set, "key", "value");
	proof.connection++;
	assert_int_equal(MCP_UNSUPPORTED, delete_proven(subject, "key", &proof));
	assert_int_equal(MCP_UNSUPPORTED, cas_proven(subject, "key", "other", &proof));
	conformance_assert_value(subject->store, "key", "value");
}

CASE(a_key_that_is_refused, "a key that would not survive the wire is refused with a proof, too") {
	mcp_proof proof = prove(subject, mcp_store_set, "key", "value");
	assert_int_equal(answer_of(subject, MCP_BAD_KEY),
		delete_proven(subject, "key\r\nmd key", &proof));
	assert_int_equal(answer_of(subject, MCP_BAD_KEY), cas_proven(subject, "k k", "x", &proof));
	conformance_assert_value(subject->store, "key", "value");
}

/* Proves records that live as long: memcached takes a number above thirty days for a moment. */
CASE(proven_records_live_as_long, "what is proven lives as long as what is not") {
	mcp_proof proof = {.cas = 0};
	mcp_key key = conformance_key("month");
	mcp_record record = conformance_record("value");
	record.proof = &proof;
	record.ttl_ms = 31ull * 86400 * 1000;
	assert_int_equal(MCP_OK, mcp_store_add(subject->store, &key, &record));
	conformance_assert_value(subject->store, "month", "value");
	key = conformance_key("second");
	record.ttl_ms = 1000;
	assert_int_equal(MCP_OK, mcp_store_add(subject->store, &key, &record));
	subject->pass_ms(subject, 3100);
	conformance_assert_absent(subject->store, "second");
	conformance_assert_value(subject->store, "month", "value");
}

enum { MANY = 3 };

static const char *const names[MANY] = {"one", "two", "three"};

static void fill(test_write *writes, const char *value, mcp_proof *proofs) {
	for (size_t i = 0; i < MANY; i++) {
		proofs[i] = (mcp_proof){0};
		writes[i] = (test_write){.key = conformance_key(names[i])};
		writes[i].record = conformance_record(value);
		writes[i].record.proof = &proofs[i];
	}
}

/* Proves each of many by its own id; a write that is refused among them proves nothing, and leaves the others theirs. */
CASE(many_prove_themselves, "many writes prove themselves, each by its own id") {
	test_write writes[MANY];
	mcp_proof proofs[MANY];
	conformance_set(subject->store, names[1], "another's, which is longer than what is added");
	fill(writes, "value", proofs);
	test_writes_run(subject->store, MCP_OP_ADD, writes, MANY);
	for (size_t i = 0; i < MANY; i++) {
		mcp_item item;
		assert_int_equal(i == 1 ? MCP_NOT_STORED : MCP_OK, writes[i].status);
		assert_int_equal(MCP_OK, mcp_store_get(subject->store, &writes[i].key, &item));
		assert_int_equal(subject->proves && i != 1, proofs[i].cas != 0);
		assert_true(proofs[i].cas == 0 || proofs[i].cas == item.cas);
	}
}

/* Replaces of many what is unchanged. */
CASE(many_are_stored_by_their_proofs, "many are stored over what is unchanged by their proofs") {
	test_write writes[MANY];
	mcp_proof proofs[MANY];
	fill(writes, "first", proofs);
	test_writes_run(subject->store, MCP_OP_ADD, writes, MANY);
	conformance_set(subject->store, names[1], "first");
	for (size_t i = 0; i < MANY; i++) {
		writes[i].proof = proofs[i];
		writes[i].record = conformance_record("second");
	}
	writes[2].proof.connection++;
	test_writes_run(subject->store, MCP_OP_CAS, writes, MANY);
	/* An empty proof is of no item. */
	assert_int_equal(subject->proves ? MCP_OK : MCP_EXISTS, writes[0].status);
	assert_int_equal(MCP_EXISTS, writes[1].status);
	assert_int_equal(MCP_UNSUPPORTED, writes[2].status);
	conformance_assert_value(subject->store, names[0], subject->proves ? "second" : "first");
	conformance_assert_value(subject->store, names[1], "first");
	conformance_assert_value(subject->store, names[2], "first");
}
