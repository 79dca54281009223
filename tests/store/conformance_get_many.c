/* Holds a read of many keys to what it must return: each key's own answer at the key's own place, all views
 * valid together. */
/* SPDX-License-Identifier: MIT */
#include "conformance.h"

#include <stdio.h>
#include <stdlib.h>

enum {
	MANY = 100,
	NAME_MAX_LENGTH = 16,
	LARGE = 200000,
};

CASE(order, "get_many answers in the order of the keys, not of the items") {
	conformance_set(subject->store, "a", "value of a");
	conformance_set(subject->store, "b", "value of b");
	conformance_set(subject->store, "c", "value of c");
	mcp_key keys[] = {conformance_key("c"), conformance_key("a"), conformance_key("b")};
	mcp_op replies[3];
	mcp_store_get_many(subject->store, keys, 3, replies);
	conformance_assert_bytes("value of c", replies[0].item.value);
	conformance_assert_bytes("value of a", replies[1].item.value);
	conformance_assert_bytes("value of b", replies[2].item.value);
}

CASE(missing_between, "get_many tells missing keys from those between them") {
	conformance_set(subject->store, "b", "value of b");
	conformance_set(subject->store, "d", "value of d");
	mcp_key keys[] = {conformance_key("a"), conformance_key("b"), conformance_key("c"),
		conformance_key("d"), conformance_key("e")};
	mcp_op replies[5];
	mcp_store_get_many(subject->store, keys, 5, replies);
	const mcp_status expected[] = {MCP_NOT_FOUND, MCP_OK, MCP_NOT_FOUND, MCP_OK, MCP_NOT_FOUND};
	for (size_t i = 0; i < 5; i++) {
		assert_int_equal(expected[i], replies[i].status);
	}
	conformance_assert_bytes("value of b", replies[1].item.value);
	conformance_assert_bytes("value of d", replies[3].item.value);
}

CASE(all_missing, "get_many of missing keys alone finds none") {
	mcp_key keys[] = {conformance_key("a"), conformance_key("b")};
	mcp_op replies[2] = {{.status = MCP_OK}, {.status = MCP_OK}};
	mcp_store_get_many(subject->store, keys, 2, replies);
	assert_int_equal(MCP_NOT_FOUND, replies[0].status);
	assert_int_equal(MCP_NOT_FOUND, replies[1].status);
}

CASE(flags_and_cas, "get_many gives the flags and cas ids that get gives") {
	conformance_set_flagged(subject->store, "a", "1", 11);
	conformance_set_flagged(subject->store, "b", "2", 22);
	mcp_key keys[] = {conformance_key("a"), conformance_key("b")};
	mcp_op replies[2];
	mcp_store_get_many(subject->store, keys, 2, replies);
	assert_int_equal(11, replies[0].item.flags);
	assert_int_equal(22, replies[1].item.flags);
	assert_int_equal(conformance_cas_id(subject->store, "a"), replies[0].item.cas);
	assert_int_equal(conformance_cas_id(subject->store, "b"), replies[1].item.cas);
}

CASE(hundred, "get_many of 100 keys answers each with its own value") {
	char names[MANY][NAME_MAX_LENGTH];
	mcp_key keys[MANY];
	mcp_op replies[MANY];
	for (int i = 0; i < MANY; i++) {
		snprintf(names[i], sizeof(names[i]), "key-%d", i);
		keys[i] = conformance_key(names[i]);
		if (i % 3 != 0) {
			conformance_set(subject->store, names[i], names[i]);
		}
	}
	mcp_store_get_many(subject->store, keys, MANY, replies);
	for (int i = 0; i < MANY; i++) {
		assert_int_equal(i % 3 != 0 ? MCP_OK : MCP_NOT_FOUND, replies[i].status);
		if (i % 3 != 0) {
			conformance_assert_bytes(names[i], replies[i].item.value);
		}
	}
}

CASE(one, "get_many of one key is a get") {
	conformance_set(subject->store, "key", "value");
	mcp_key key = conformance_key("key");
	mcp_op reply;
	mcp_store_get_many(subject->store, &key, 1, &reply);
	assert_int_equal(MCP_OK, reply.status);
	conformance_assert_bytes("value", reply.item.value);
}

CASE(none, "get_many of no keys does nothing") {
	conformance_set(subject->store, "key", "value");
	mcp_store_get_many(subject->store, NULL, 0, NULL);
	conformance_assert_value(subject->store, "key", "value");
}

CASE(empty_values, "get_many finds empty values") {
	conformance_set(subject->store, "a", "");
	conformance_set(subject->store, "b", "not empty");
	conformance_set(subject->store, "c", "");
	mcp_key keys[] = {conformance_key("a"), conformance_key("b"), conformance_key("c")};
	mcp_op replies[3];
	mcp_store_get_many(subject->store, keys, 3, replies);
	assert_int_equal(MCP_OK, replies[0].status);
	assert_int_equal(MCP_OK, replies[2].status);
	conformance_assert_bytes("", replies[0].item.value);
	conformance_assert_bytes("not empty", replies[1].item.value);
	conformance_assert_bytes("", replies[2].item.value);
}

CASE(unsafe_among_safe, "get_many refuses unsafe keys and answers the others") {
	conformance_set(subject->store, "a", "value of a");
	conformance_set(subject->store, "b", "value of b");
	mcp_key keys[] = {conformance_key("a"), conformance_key("a b"), conformance_key("b"),
		conformance_key("")};
	mcp_op replies[4];
	mcp_store_get_many(subject->store, keys, 4, replies);
	assert_int_equal(MCP_BAD_KEY, replies[1].status);
	assert_int_equal(MCP_BAD_KEY, replies[3].status);
	conformance_assert_bytes("value of a", replies[0].item.value);
	conformance_assert_bytes("value of b", replies[2].item.value);
}

CASE(only_unsafe, "get_many of unsafe keys alone refuses them all") {
	mcp_key keys[] = {conformance_key("a\n"), conformance_key("")};
	mcp_op replies[2];
	mcp_store_get_many(subject->store, keys, 2, replies);
	assert_int_equal(MCP_BAD_KEY, replies[0].status);
	assert_int_equal(MCP_BAD_KEY, replies[1].status);
}

CASE(large_values_together, "get_many's views of large values are valid together") {
	char *bytes = conformance_pattern(LARGE + 3);
	mcp_key keys[] = {conformance_key("a"), conformance_key("b"), conformance_key("c")};
	for (size_t i = 0; i < 3; i++) {
		mcp_record record = conformance_record_of(bytes + i, LARGE);
		assert_int_equal(MCP_OK, mcp_store_set(subject->store, &keys[i], &record));
	}
	mcp_op replies[3];
	mcp_store_get_many(subject->store, keys, 3, replies);
	for (size_t i = 0; i < 3; i++) {
		assert_true(mcp_bytes_equal(mcp_bytes_of(bytes + i, LARGE), replies[i].item.value));
	}
	free(bytes);
}

CASE(views_survive_writes, "get_many's views survive writes and can be their arguments") {
	conformance_set(subject->store, "a", "old a");
	conformance_set(subject->store, "b", "old b");
	mcp_key keys[] = {conformance_key("a"), conformance_key("b")};
	mcp_op replies[2];
	mcp_store_get_many(subject->store, keys, 2, replies);
	mcp_record swapped = {.body = replies[1].item.value};
	assert_int_equal(MCP_OK,
		mcp_store_cas(subject->store, &keys[0], &swapped, replies[0].item.cas));
	assert_int_equal(MCP_OK, mcp_store_delete(subject->store, &keys[1]));
	conformance_assert_bytes("old a", replies[0].item.value);
	conformance_assert_bytes("old b", replies[1].item.value);
	conformance_assert_value(subject->store, "a", "old b");
}

CASE(single_reads_after, "get and get_many take turns without mixing answers") {
	conformance_set(subject->store, "a", "value of a");
	conformance_set(subject->store, "b", "value of b");
	mcp_key keys[] = {conformance_key("a"), conformance_key("absent"), conformance_key("b")};
	mcp_op replies[3];
	mcp_store_get_many(subject->store, keys, 3, replies);
	conformance_assert_value(subject->store, "a", "value of a");
	conformance_assert_absent(subject->store, "absent");
	mcp_store_get_many(subject->store, keys + 1, 2, replies);
	assert_int_equal(MCP_NOT_FOUND, replies[0].status);
	conformance_assert_bytes("value of b", replies[1].item.value);
}
