/* Who may store and delete, and what a write that was refused must leave alone. */
/* SPDX-License-Identifier: MIT */
#include "conformance.h"
#include "writes.h"

#include <stdio.h>
#include <stdlib.h>

CASE(add_absent, "add stores where nothing was") {
	assert_int_equal(MCP_OK, conformance_add(subject->store, "key", "value"));
	conformance_assert_value(subject->store, "key", "value");
}

CASE(add_taken, "add on a taken key is not stored and changes nothing") {
	conformance_set_flagged(subject->store, "key", "first", 5);
	uint64_t cas = conformance_cas_id(subject->store, "key");
	assert_int_equal(MCP_NOT_STORED, conformance_add(subject->store, "key", "second"));
	mcp_item item = conformance_get(subject->store, "key");
	conformance_assert_bytes("first", item.value);
	assert_int_equal(5, item.flags);
	assert_int_equal(cas, item.cas);
}

CASE(add_to_an_empty_value, "an empty value takes its key, too") {
	conformance_set(subject->store, "key", "");
	assert_int_equal(MCP_NOT_STORED, conformance_add(subject->store, "key", "value"));
}

CASE(add_after_delete, "add stores again after a delete") {
	conformance_set(subject->store, "key", "first");
	conformance_delete(subject->store, "key");
	assert_int_equal(MCP_OK, conformance_add(subject->store, "key", "second"));
	conformance_assert_value(subject->store, "key", "second");
}

CASE(set_replaces, "set replaces value, flags and cas id") {
	conformance_set_flagged(subject->store, "key", "first", 5);
	uint64_t cas = conformance_cas_id(subject->store, "key");
	conformance_set_flagged(subject->store, "key", "second one", 6);
	mcp_item item = conformance_get(subject->store, "key");
	conformance_assert_bytes("second one", item.value);
	assert_int_equal(6, item.flags);
	assert_true(item.cas != cas);
}

CASE(set_of_the_same, "set of the same value gives a new cas id") {
	conformance_set(subject->store, "key", "value");
	uint64_t cas = conformance_cas_id(subject->store, "key");
	conformance_set(subject->store, "key", "value");
	assert_true(conformance_cas_id(subject->store, "key") != cas);
}

CASE(cas_ids_grow, "cas ids grow with every write of whatever key") {
	uint64_t last = 0;
	for (int i = 0; i < 10; i++) {
		conformance_set(subject->store, i % 2 == 0 ? "even" : "odd", "value");
		uint64_t cas = conformance_cas_id(subject->store, i % 2 == 0 ? "even" : "odd");
		assert_true(cas > last);
		last = cas;
	}
}

CASE(cas_of_the_current, "cas with the current id stores value and flags under a new id") {
	conformance_set_flagged(subject->store, "key", "first", 5);
	mcp_key key = conformance_key("key");
	mcp_record record = conformance_record("second");
	record.flags = 6;
	uint64_t cas = conformance_cas_id(subject->store, "key");
	assert_int_equal(MCP_OK, mcp_store_cas(subject->store, &key, &record, cas));
	mcp_item item = conformance_get(subject->store, "key");
	conformance_assert_bytes("second", item.value);
	assert_int_equal(6, item.flags);
	assert_true(item.cas != cas);
}

CASE(cas_of_the_past, "cas with an old id says exists and changes nothing") {
	conformance_set(subject->store, "key", "first");
	uint64_t old = conformance_cas_id(subject->store, "key");
	conformance_set(subject->store, "key", "second");
	uint64_t cas = conformance_cas_id(subject->store, "key");
	assert_int_equal(MCP_EXISTS, conformance_cas(subject->store, "key", "third", old));
	conformance_assert_value(subject->store, "key", "second");
	assert_int_equal(cas, conformance_cas_id(subject->store, "key"));
}

CASE(cas_of_two, "of two cas with one id the second is refused") {
	conformance_set(subject->store, "key", "first");
	uint64_t cas = conformance_cas_id(subject->store, "key");
	assert_int_equal(MCP_OK, conformance_cas(subject->store, "key", "winner", cas));
	assert_int_equal(MCP_EXISTS, conformance_cas(subject->store, "key", "loser", cas));
	conformance_assert_value(subject->store, "key", "winner");
}

CASE(cas_of_the_absent, "cas of an absent key is not found and stores nothing") {
	conformance_set(subject->store, "key", "value");
	uint64_t cas = conformance_cas_id(subject->store, "key");
	conformance_delete(subject->store, "key");
	assert_int_equal(MCP_NOT_FOUND, conformance_cas(subject->store, "key", "again", cas));
	conformance_assert_absent(subject->store, "key");
}

CASE(cas_of_a_new_life, "cas with an id from before a delete is refused") {
	conformance_set(subject->store, "key", "value");
	uint64_t cas = conformance_cas_id(subject->store, "key");
	conformance_delete(subject->store, "key");
	conformance_add(subject->store, "key", "value");
	assert_int_equal(MCP_EXISTS, conformance_cas(subject->store, "key", "again", cas));
}

CASE(cas_of_another_key, "cas with another key's id is refused") {
	conformance_set(subject->store, "a", "value of a");
	conformance_set(subject->store, "b", "value of b");
	uint64_t cas = conformance_cas_id(subject->store, "a");
	assert_int_equal(MCP_EXISTS, conformance_cas(subject->store, "b", "changed", cas));
	conformance_assert_value(subject->store, "b", "value of b");
}

CASE(delete_found, "delete removes its key and no other") {
	conformance_set(subject->store, "key", "value");
	conformance_set(subject->store, "other", "stays");
	assert_int_equal(MCP_OK, conformance_delete(subject->store, "key"));
	conformance_assert_absent(subject->store, "key");
	conformance_assert_value(subject->store, "other", "stays");
}

CASE(delete_absent, "delete of an absent key is not found") {
	assert_int_equal(MCP_NOT_FOUND, conformance_delete(subject->store, "key"));
	conformance_set(subject->store, "key", "value");
	assert_int_equal(MCP_OK, conformance_delete(subject->store, "key"));
	assert_int_equal(MCP_NOT_FOUND, conformance_delete(subject->store, "key"));
}

CASE(delete_if_current, "delete_if with the current id deletes, and add stores again") {
	conformance_set(subject->store, "key", "value");
	uint64_t cas = conformance_cas_id(subject->store, "key");
	assert_int_equal(MCP_OK, conformance_delete_if(subject->store, "key", cas));
	conformance_assert_absent(subject->store, "key");
	assert_int_equal(MCP_OK, conformance_add(subject->store, "key", "free again"));
}

CASE(delete_if_changed, "delete_if with an old id says exists and keeps the value") {
	conformance_set(subject->store, "key", "first");
	uint64_t old = conformance_cas_id(subject->store, "key");
	conformance_set(subject->store, "key", "second");
	assert_int_equal(MCP_EXISTS, conformance_delete_if(subject->store, "key", old));
	conformance_assert_value(subject->store, "key", "second");
}

CASE(delete_if_absent, "delete_if of an absent key is not found") {
	conformance_set(subject->store, "key", "value");
	uint64_t cas = conformance_cas_id(subject->store, "key");
	assert_int_equal(MCP_OK, conformance_delete_if(subject->store, "key", cas));
	assert_int_equal(MCP_NOT_FOUND, conformance_delete_if(subject->store, "key", cas));
}

CASE(set_many, "set_many stores every record with its flags") {
	conformance_set(subject->store, "b", "old b");
	test_write writes[] = {
		{.key = conformance_key("a"), .record = conformance_record("new a")},
		{.key = conformance_key("b"), .record = conformance_record("new b")},
		{.key = conformance_key("c"), .record = conformance_record("")},
	};
	writes[1].record.flags = 9;
	test_writes_run(subject->store, MCP_OP_SET, writes, 3);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(MCP_OK, writes[i].status);
	}
	conformance_assert_value(subject->store, "a", "new a");
	conformance_assert_value(subject->store, "b", "new b");
	assert_int_equal(9, conformance_get(subject->store, "b").flags);
	conformance_assert_value(subject->store, "c", "");
}

CASE(set_many_with_refusals, "set_many refuses what set refuses and stores the rest") {
	char *bytes = conformance_pattern(MCP_STORE_ITEM_MAX);
	test_write writes[] = {
		{.key = conformance_key("a b"), .record = conformance_record("refused")},
		{.key = conformance_key("b"), .record = conformance_record_of(bytes, MCP_STORE_ITEM_MAX)},
		{.key = conformance_key("c"), .record = conformance_record("stored")},
	};
	test_writes_run(subject->store, MCP_OP_SET, writes, 3);
	assert_int_equal(MCP_BAD_KEY, writes[0].status);
	assert_int_equal(MCP_TOO_LARGE, writes[1].status);
	assert_int_equal(MCP_OK, writes[2].status);
	conformance_assert_absent(subject->store, "b");
	conformance_assert_value(subject->store, "c", "stored");
	free(bytes);
}

CASE(add_many, "many adds are answered as add is") {
	conformance_set(subject->store, "b", "old b");
	test_write writes[] = {
		{.key = conformance_key("a"), .record = conformance_record("new a")},
		{.key = conformance_key("b"), .record = conformance_record("new b")},
		{.key = conformance_key("c d"), .record = conformance_record("refused")},
		{.key = conformance_key("a"), .record = conformance_record("newer a")},
	};
	test_writes_run(subject->store, MCP_OP_ADD, writes, 4);
	assert_int_equal(MCP_OK, writes[0].status);
	assert_int_equal(MCP_NOT_STORED, writes[1].status);
	assert_int_equal(MCP_BAD_KEY, writes[2].status);
	assert_int_equal(MCP_NOT_STORED, writes[3].status);
	conformance_assert_value(subject->store, "a", "new a");
	conformance_assert_value(subject->store, "b", "old b");
}

CASE(decrement_many, "many decrements are answered each with its number") {
	conformance_set(subject->store, "a", "12");
	conformance_set(subject->store, "b", "none");
	conformance_set(subject->store, "c", "18446744073709551615");
	test_write writes[] = {
		{.key = conformance_key("a"), .by = 5, .number = 77},
		{.key = conformance_key("b"), .by = 5, .number = 77},
		{.key = conformance_key("absent"), .by = 5, .number = 77},
		{.key = conformance_key("c"), .by = UINT64_MAX - 3, .number = 77},
		{.key = conformance_key("c\r\n"), .by = 5, .number = 77},
		{.key = conformance_key("a"), .by = 100, .number = 77},
	};
	test_writes_run(subject->store, MCP_OP_DECREMENT, writes, 6);
	const mcp_status expected[] = {MCP_OK, MCP_NOT_A_NUMBER, MCP_NOT_FOUND, MCP_OK, MCP_BAD_KEY,
		MCP_OK};
	const uint64_t numbers[] = {7, 77, 77, 3, 77, 0};
	for (size_t i = 0; i < 6; i++) {
		assert_int_equal(expected[i], writes[i].status);
		bool has_number = expected[i] == MCP_OK;
		assert_true(!has_number || writes[i].number == numbers[i]);
	}
	conformance_assert_value(subject->store, "b", "none");
}

CASE(cas_many, "many cas store over what has the id, and over nothing else") {
	conformance_set(subject->store, "a", "value");
	conformance_set(subject->store, "b", "value");
	conformance_set(subject->store, "c", "value");
	uint64_t old = conformance_cas_id(subject->store, "b");
	conformance_set(subject->store, "b", "newer");
	mcp_record stored = {.head = mcp_bytes_of("ne", 2), .body = mcp_bytes_of("west", 4)};
	test_write writes[] = {
		{.key = conformance_key("a"),
			.record = stored,
			.cas = conformance_cas_id(subject->store, "a")},
		{.key = conformance_key("b"), .record = stored, .cas = old},
		{.key = conformance_key("absent"), .record = stored, .cas = old},
		{.key = conformance_key("c"), .record = stored, .cas = 0},
		{.key = conformance_key("c d"), .record = stored, .cas = old},
	};
	test_writes_run(subject->store, MCP_OP_CAS, writes, 5);
	assert_int_equal(MCP_OK, writes[0].status);
	assert_int_equal(MCP_EXISTS, writes[1].status);
	assert_int_equal(MCP_NOT_FOUND, writes[2].status);
	assert_int_equal(MCP_EXISTS, writes[3].status);
	assert_int_equal(MCP_BAD_KEY, writes[4].status);
	conformance_assert_value(subject->store, "a", "newest");
	conformance_assert_value(subject->store, "b", "newer");
	conformance_assert_value(subject->store, "c", "value");
	conformance_assert_absent(subject->store, "absent");
}

CASE(delete_if_many, "many delete_if delete what has the id, and nothing else") {
	conformance_set(subject->store, "a", "value");
	conformance_set(subject->store, "b", "value");
	conformance_set(subject->store, "c", "value");
	uint64_t old = conformance_cas_id(subject->store, "b");
	conformance_set(subject->store, "b", "newer");
	test_write writes[] = {
		{.key = conformance_key("a"), .cas = conformance_cas_id(subject->store, "a")},
		{.key = conformance_key("b"), .cas = old},
		{.key = conformance_key("absent"), .cas = old},
		{.key = conformance_key("c"), .cas = 0},
		{.key = conformance_key("c d"), .cas = old},
	};
	test_writes_run(subject->store, MCP_OP_DELETE_IF, writes, 5);
	assert_int_equal(MCP_OK, writes[0].status);
	assert_int_equal(MCP_EXISTS, writes[1].status);
	assert_int_equal(MCP_NOT_FOUND, writes[2].status);
	assert_int_equal(MCP_EXISTS, writes[3].status);
	assert_int_equal(MCP_BAD_KEY, writes[4].status);
	conformance_assert_absent(subject->store, "a");
	conformance_assert_value(subject->store, "b", "newer");
	conformance_assert_value(subject->store, "c", "value");
}

/* Decrements more than goes into one request. */
CASE(very_many_decrements, "decrements of more than one request are all answered") {
	enum { MANY = 230 };
	test_write *writes = calloc(MANY, sizeof(test_write));
	char(*texts)[16] = calloc(MANY, sizeof(*texts));
	for (int i = 0; i < MANY; i++) {
		snprintf(texts[i], sizeof(texts[i]), "many-%d", i);
		conformance_set(subject->store, texts[i], "1000");
		writes[i] = (test_write){.key = conformance_key(texts[i]), .by = (uint64_t)i};
	}
	test_writes_run(subject->store, MCP_OP_DECREMENT, writes, MANY);
	for (int i = 0; i < MANY; i++) {
		assert_int_equal(MCP_OK, writes[i].status);
		assert_int_equal(1000 - i, writes[i].number);
	}
	free(texts);
	free(writes);
}

CASE(delete_many, "delete_many answers each key as delete does") {
	conformance_set(subject->store, "a", "value");
	conformance_set(subject->store, "c", "value");
	conformance_set(subject->store, "stays", "value");
	mcp_key keys[] = {conformance_key("a"), conformance_key("b"), conformance_key("c"),
		conformance_key("c\r\n")};
	mcp_status statuses[4];
	mcp_store_delete_many(subject->store, keys, 4, statuses);
	assert_int_equal(MCP_OK, statuses[0]);
	assert_int_equal(MCP_NOT_FOUND, statuses[1]);
	assert_int_equal(MCP_OK, statuses[2]);
	assert_int_equal(MCP_BAD_KEY, statuses[3]);
	conformance_assert_absent(subject->store, "a");
	conformance_assert_absent(subject->store, "c");
	conformance_assert_value(subject->store, "stays", "value");
}

/* Sets more than goes into one request, and short and long values in turn, each in its place. */
CASE(very_many_sets, "set_many of more than one request stores each value whole") {
	enum { MANY = 230, LONGEST = 7000 };
	char *bytes = conformance_pattern(LONGEST);
	test_write *writes = calloc(MANY, sizeof(test_write));
	char(*texts)[16] = calloc(MANY, sizeof(*texts));
	for (int i = 0; i < MANY; i++) {
		snprintf(texts[i], sizeof(texts[i]), "many-%d", i);
		writes[i].key = conformance_key(texts[i]);
		size_t head = (size_t)i % 50, length = (size_t)i * 30;
		writes[i].record = (mcp_record){
			.head = mcp_bytes_of(bytes, head),
			.body = mcp_bytes_of(bytes + head, length),
			.flags = (uint32_t)i,
		};
	}
	test_writes_run(subject->store, MCP_OP_SET, writes, MANY);
	for (int i = 0; i < MANY; i++) {
		assert_int_equal(MCP_OK, writes[i].status);
		mcp_item item = conformance_get(subject->store, texts[i]);
		assert_int_equal(i, item.flags);
		assert_int_equal(i % 50 + i * 30, item.value.length);
		assert_memory_equal(bytes, item.value.data, item.value.length);
	}
	free(texts);
	free(writes);
	free(bytes);
}

CASE(very_many_deletes, "delete_many of more than one request answers each") {
	enum { MANY = 230 };
	mcp_key *keys = calloc(MANY, sizeof(mcp_key));
	mcp_status *statuses = calloc(MANY, sizeof(mcp_status));
	char(*texts)[16] = calloc(MANY, sizeof(*texts));
	for (int i = 0; i < MANY; i++) {
		snprintf(texts[i], sizeof(texts[i]), "many-%d", i);
		keys[i] = conformance_key(texts[i]);
		if (i % 3 == 0) {
			conformance_set(subject->store, texts[i], "value");
		}
	}
	mcp_store_delete_many(subject->store, keys, MANY, statuses);
	for (int i = 0; i < MANY; i++) {
		assert_int_equal(i % 3 == 0 ? MCP_OK : MCP_NOT_FOUND, statuses[i]);
		conformance_assert_absent(subject->store, texts[i]);
	}
	free(texts);
	free(statuses);
	free(keys);
}

CASE(prepend_found, "prepend comes before the value, and keeps the flags") {
	conformance_set_flagged(subject->store, "key", "12", 5);
	uint64_t cas = conformance_cas_id(subject->store, "key");
	mcp_key key = conformance_key("key");
	assert_int_equal(MCP_OK, mcp_store_prepend(subject->store, &key, mcp_bytes_of("=", 1)));
	assert_int_equal(MCP_OK, mcp_store_prepend(subject->store, &key, mcp_bytes_of("ab", 2)));
	mcp_item item = conformance_get(subject->store, "key");
	conformance_assert_bytes("ab=12", item.value);
	assert_int_equal(5, item.flags);
	assert_true(item.cas != cas);
	uint64_t number;
	assert_int_equal(MCP_NOT_A_NUMBER, mcp_store_increment(subject->store, &key, 1, &number));
}

CASE(prepend_absent, "prepend to an absent key is not stored") {
	mcp_key key = conformance_key("key");
	assert_int_equal(MCP_NOT_STORED, mcp_store_prepend(subject->store, &key, mcp_bytes_of("=", 1)));
	conformance_assert_absent(subject->store, "key");
}

CASE(append_found, "append comes behind the value, and keeps the flags") {
	conformance_set_flagged(subject->store, "key", "12", 5);
	uint64_t cas = conformance_cas_id(subject->store, "key");
	mcp_key key = conformance_key("key");
	assert_int_equal(MCP_OK, mcp_store_append(subject->store, &key, mcp_bytes_of("3", 1)));
	assert_int_equal(MCP_OK,
		mcp_store_append(subject->store, &key,
			mcp_bytes_of("\0"
						 "a",
				2)));
	mcp_item item = conformance_get(subject->store, "key");
	assert_int_equal(5, item.value.length);
	assert_memory_equal("123\0a", item.value.data, 5);
	assert_int_equal(5, item.flags);
	assert_true(item.cas != cas);
}

CASE(append_absent, "append to an absent key is not stored") {
	mcp_key key = conformance_key("key");
	assert_int_equal(MCP_NOT_STORED, mcp_store_append(subject->store, &key, mcp_bytes_of("=", 1)));
	conformance_assert_absent(subject->store, "key");
}

/* Appends beyond the limit: a caller that adds where nothing is, and appends again, must not do so for ever. */
CASE(append_beyond_the_limit, "append beyond the limit is not stored, and what was there stays") {
	enum { PIECE = 300000 };
	char *piece = malloc(PIECE);
	memset(piece, 'x', PIECE);
	mcp_key key = conformance_key("key");
	mcp_record record = {.body = mcp_bytes_of(piece, PIECE)};
	assert_int_equal(MCP_OK, mcp_store_set(subject->store, &key, &record));
	mcp_status status = MCP_OK;
	size_t length = PIECE;
	while (status == MCP_OK && length < 2 * MCP_STORE_ITEM_MAX) {
		status = mcp_store_append(subject->store, &key, record.body);
		length += status == MCP_OK ? PIECE : 0;
	}
	assert_int_equal(MCP_NOT_STORED, status);
	assert_int_equal(length, conformance_get(subject->store, "key").value.length);
	free(piece);
}

CASE(many_of_none, "set_many and delete_many of nothing do nothing") {
	conformance_set(subject->store, "key", "value");
	test_writes_run(subject->store, MCP_OP_SET, NULL, 0);
	test_writes_run(subject->store, MCP_OP_DECREMENT, NULL, 0);
	mcp_store_delete_many(subject->store, NULL, 0, NULL);
	conformance_assert_value(subject->store, "key", "value");
}
