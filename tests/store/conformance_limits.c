/* Names what must be refused before the wire, by every operation alike, and how much must still go through: a
 * key that memcached would read as two, a value that it would throw away. */
/* SPDX-License-Identifier: MIT */
#include "conformance.h"

#include <stdlib.h>

enum {
	OPERATIONS = 11,
};

/* Calls everything that takes a key. */
static void call_all(mcp_store *store, const mcp_key *key, mcp_status statuses[OPERATIONS]) {
	mcp_record record = conformance_record("1");
	mcp_item item;
	mcp_op reply;
	uint64_t number;
	statuses[0] = mcp_store_get(store, key, &item);
	statuses[1] = mcp_store_add(store, key, &record);
	statuses[2] = mcp_store_set(store, key, &record);
	statuses[3] = mcp_store_cas(store, key, &record, 1);
	statuses[4] = mcp_store_delete_if(store, key, 1);
	statuses[5] = mcp_store_increment(store, key, 1, &number);
	statuses[6] = mcp_store_decrement(store, key, 1, &number);
	statuses[7] = mcp_store_touch(store, key, 1000);
	statuses[8] = mcp_store_prepend(store, key, mcp_bytes_of("1", 1));
	statuses[9] = mcp_store_append(store, key, mcp_bytes_of("1", 1));
	statuses[10] = mcp_store_delete(store, key);
	mcp_store_get_many(store, key, 1, &reply);
	assert_int_equal(statuses[0], reply.status);
}

static void assert_refused(const conformance_subject *subject, const char *bytes, size_t length) {
	mcp_key key = conformance_key_of(bytes, length);
	mcp_status statuses[OPERATIONS];
	call_all(subject->store, &key, statuses);
	for (size_t i = 0; i < OPERATIONS; i++) {
		assert_int_equal(MCP_BAD_KEY, statuses[i]);
	}
	conformance_assert_absent(subject->store, "a");
	conformance_assert_absent(subject->store, "b");
}

CASE(empty_key, "an empty key is refused by every operation") {
	assert_refused(subject, "", 0);
}

CASE(newline, "a key with a line end is refused and injects nothing") {
	static const char injection[] = "a 0 0 1\r\nx\r\nset b";
	assert_refused(subject, "a\nb", 3);
	assert_refused(subject, "a\r\n", 3);
	assert_refused(subject, injection, sizeof(injection) - 1);
}

CASE(space, "a key with a space is refused wherever it stands") {
	assert_refused(subject, "a b", 3);
	assert_refused(subject, " a", 2);
	assert_refused(subject, "a ", 2);
}

CASE(every_control_character, "a key with any control character is refused") {
	for (int byte = 0; byte <= 0x20; byte++) {
		const char bytes[] = {'a', (char)byte, 'b'};
		assert_refused(subject, bytes, sizeof(bytes));
	}
	assert_refused(subject, "a\x7f", 2);
}

CASE(too_long, "a key of 251 bytes is refused") {
	char bytes[MCP_WIRE_KEY_MAX + 1];
	memset(bytes, 'k', sizeof(bytes));
	assert_refused(subject, bytes, sizeof(bytes));
}

static void assert_accepted(const conformance_subject *subject, const char *bytes, size_t length) {
	mcp_key key = conformance_key_of(bytes, length);
	mcp_status statuses[OPERATIONS];
	call_all(subject->store, &key, statuses);
	const mcp_status expected[OPERATIONS] = {MCP_NOT_FOUND, MCP_OK, MCP_OK, MCP_EXISTS, MCP_EXISTS,
		MCP_OK, MCP_OK, MCP_OK, MCP_OK, MCP_OK};
	for (size_t i = 0; i < OPERATIONS; i++) {
		assert_int_equal(expected[i], statuses[i]);
	}
}

CASE(longest, "a key of 250 bytes goes through every operation") {
	char bytes[MCP_WIRE_KEY_MAX];
	memset(bytes, 'k', sizeof(bytes));
	assert_accepted(subject, bytes, sizeof(bytes));
}

CASE(utf8, "a UTF-8 key goes through every operation") {
	static const char text[] = "ключ-鍵-🔑";
	assert_accepted(subject, text, sizeof(text) - 1);
}

CASE(every_other_byte, "every other byte may stand in a key") {
	char bytes[0xFF - 0x20];
	size_t length = 0;
	for (int byte = 0x21; byte <= 0xFF; byte++) {
		if (byte != 0x7f) {
			bytes[length++] = (char)byte;
		}
	}
	assert_accepted(subject, bytes, length);
}

CASE(not_terminated, "a key ends at its length, not at a NUL") {
	conformance_set(subject->store, "key", "value");
	mcp_key key = conformance_key_of("keyring", 3);
	mcp_item item;
	assert_int_equal(MCP_OK, mcp_store_get(subject->store, &key, &item));
	conformance_assert_bytes("value", item.value);
}

/* Makes a record that is one byte more than fits beside the key, in two parts. */
static mcp_record too_large(const char *bytes, const char *key) {
	size_t length = MCP_STORE_ITEM_MAX - strlen(key) + 1;
	return (mcp_record){.head = mcp_bytes_of(bytes, 80), .body = mcp_bytes_of(bytes, length - 80)};
}

CASE(large_set, "a set that is too large keeps the old value") {
	char *bytes = conformance_pattern(MCP_STORE_ITEM_MAX);
	mcp_key key = conformance_key("key");
	mcp_record record = too_large(bytes, "key");
	conformance_set_flagged(subject->store, "key", "old", 3);
	uint64_t cas = conformance_cas_id(subject->store, "key");
	assert_int_equal(MCP_TOO_LARGE, mcp_store_set(subject->store, &key, &record));
	mcp_item item = conformance_get(subject->store, "key");
	conformance_assert_bytes("old", item.value);
	assert_int_equal(3, item.flags);
	assert_int_equal(cas, item.cas);
	free(bytes);
}

CASE(large_cas, "a cas that is too large keeps the old value and its id") {
	char *bytes = conformance_pattern(MCP_STORE_ITEM_MAX);
	mcp_key key = conformance_key("key");
	mcp_record record = too_large(bytes, "key");
	conformance_set(subject->store, "key", "old");
	uint64_t cas = conformance_cas_id(subject->store, "key");
	assert_int_equal(MCP_TOO_LARGE, mcp_store_cas(subject->store, &key, &record, cas));
	conformance_assert_value(subject->store, "key", "old");
	assert_int_equal(MCP_OK, conformance_cas(subject->store, "key", "new", cas));
	free(bytes);
}

CASE(large_add, "an add that is too large stores nothing") {
	char *bytes = conformance_pattern(MCP_STORE_ITEM_MAX);
	mcp_key taken = conformance_key("taken");
	mcp_key absent = conformance_key("absent");
	mcp_record record = too_large(bytes, "absent");
	conformance_set(subject->store, "taken", "old");
	assert_int_equal(MCP_TOO_LARGE, mcp_store_add(subject->store, &absent, &record));
	conformance_assert_absent(subject->store, "absent");
	record = too_large(bytes, "taken");
	assert_int_equal(MCP_TOO_LARGE, mcp_store_add(subject->store, &taken, &record));
	conformance_assert_value(subject->store, "taken", "old");
	free(bytes);
}

CASE(long_key_counts, "the key's length counts towards the limit") {
	char *bytes = conformance_pattern(MCP_STORE_ITEM_MAX);
	char name[MCP_WIRE_KEY_MAX];
	memset(name, 'k', sizeof(name));
	mcp_key key = conformance_key_of(name, sizeof(name));
	mcp_record record = conformance_record_of(bytes, MCP_STORE_ITEM_MAX - sizeof(name) - 1);
	assert_int_equal(MCP_OK, mcp_store_set(subject->store, &key, &record));
	record.body.length += 2;
	assert_int_equal(MCP_TOO_LARGE, mcp_store_set(subject->store, &key, &record));
	mcp_item item;
	assert_int_equal(MCP_OK, mcp_store_get(subject->store, &key, &item));
	assert_int_equal(record.body.length - 2, item.value.length);
	free(bytes);
}

CASE(absurd_lengths, "lengths that add up beyond a size are too large") {
	mcp_key key = conformance_key("key");
	mcp_record record = {
		.head = mcp_bytes_of("x", SIZE_MAX),
		.body = mcp_bytes_of("x", 2),
	};
	assert_int_equal(MCP_TOO_LARGE, mcp_store_set(subject->store, &key, &record));
	record = (mcp_record){.head = mcp_bytes_of("x", 2), .body = mcp_bytes_of("x", SIZE_MAX)};
	assert_int_equal(MCP_TOO_LARGE, mcp_store_set(subject->store, &key, &record));
}
