/* Holds one key's read to what it must return: the bytes, flags and cas id of the last write, in a view that
 * outlives writes. */
/* SPDX-License-Identifier: MIT */
#include "conformance.h"

#include <stdlib.h>

CASE(absent, "get of an absent key is not found") {
	conformance_assert_absent(subject->store, "absent");
}

CASE(value_flags_and_cas, "get returns the value, the flags and a cas id other than 0") {
	conformance_set_flagged(subject->store, "key", "value", 77);
	mcp_item item = conformance_get(subject->store, "key");
	conformance_assert_bytes("value", item.value);
	assert_int_equal(77, item.flags);
	assert_true(item.cas != 0);
}

CASE(head_and_body, "head and body are read back as one value") {
	mcp_key key = conformance_key("key");
	mcp_record record = {.head = mcp_bytes_text("head\r\n"), .body = mcp_bytes_text("body")};
	assert_int_equal(MCP_OK, mcp_store_set(subject->store, &key, &record));
	conformance_assert_value(subject->store, "key", "head\r\nbody");
}

CASE(head_alone, "a head without a body is a value") {
	mcp_key key = conformance_key("key");
	mcp_record record = {.head = mcp_bytes_text("head"), .body = mcp_bytes_none()};
	assert_int_equal(MCP_OK, mcp_store_set(subject->store, &key, &record));
	conformance_assert_value(subject->store, "key", "head");
}

static void assert_round_trip(const conformance_subject *subject, const char *bytes,
	size_t length) {
	mcp_key key = conformance_key("key");
	mcp_record record = conformance_record_of(bytes, length);
	assert_int_equal(MCP_OK, mcp_store_set(subject->store, &key, &record));
	mcp_item item = conformance_get(subject->store, "key");
	assert_true(mcp_bytes_equal(record.body, item.value));
	/* The connection is still in step: another key's answer follows. */
	conformance_assert_absent(subject->store, "other");
}

CASE(hostile_bytes, "a value full of the protocol's own words is read back unchanged") {
	static const char bytes[] =
		"\0a\r\nEND\r\nVALUE other 0 1\r\nx\r\nEND\r\nset other 0 0 1\r\ny\r\n\0";
	assert_round_trip(subject, bytes, sizeof(bytes));
}

CASE(every_byte, "every byte from 0 to 255 is read back") {
	char bytes[256];
	for (int i = 0; i < 256; i++) {
		bytes[i] = (char)i;
	}
	assert_round_trip(subject, bytes, sizeof(bytes));
}

CASE(empty, "an empty value is found and is empty") {
	assert_round_trip(subject, "", 0);
}

CASE(only_a_line_end, "a value that is only a line end is read back") {
	assert_round_trip(subject, "\r\n", 2);
}

static void assert_length_round_trip(const conformance_subject *subject, size_t length) {
	char *bytes = conformance_pattern(length);
	assert_round_trip(subject, bytes, length);
	free(bytes);
}

CASE(length_1, "a value of 1 byte is read back") {
	assert_length_round_trip(subject, 1);
}

CASE(length_1000, "a value of 1,000 bytes is read back") {
	assert_length_round_trip(subject, 1000);
}

CASE(length_100000, "a value of 100,000 bytes is read back") {
	assert_length_round_trip(subject, 100000);
}

CASE(just_below_the_limit, "a value just below the limit is read back") {
	assert_length_round_trip(subject, MCP_STORE_ITEM_MAX - strlen("key") - 1);
}

CASE(all_flags, "all 32 bits of the flags are kept") {
	const uint32_t flags[] = {0, 1, 0x4D430005u, 0x7FFFFFFFu, 0x80000000u, 0xFFFFFFFFu};
	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++) {
		conformance_set_flagged(subject->store, "key", "value", flags[i]);
		assert_int_equal(flags[i], conformance_get(subject->store, "key").flags);
	}
}

CASE(reads_change_nothing, "a read does not change the cas id") {
	conformance_set(subject->store, "key", "value");
	uint64_t cas = conformance_cas_id(subject->store, "key");
	assert_int_equal(cas, conformance_cas_id(subject->store, "key"));
}

CASE(similar_keys, "keys that differ in case or length are different keys") {
	conformance_set(subject->store, "key", "lower");
	conformance_set(subject->store, "KEY", "upper");
	conformance_set(subject->store, "key1", "longer");
	conformance_assert_value(subject->store, "key", "lower");
	conformance_assert_value(subject->store, "KEY", "upper");
	conformance_assert_value(subject->store, "key1", "longer");
	conformance_assert_absent(subject->store, "ke");
}

/* Makes every kind of write, all of them to the key that is being looked at. */
static void write_in_every_way(mcp_store *store) {
	uint64_t number = 0;
	mcp_key key = conformance_key("key");
	conformance_set(store, "key", "another value");
	conformance_add(store, "key", "refused");
	conformance_cas(store, "key", "refused", 1);
	conformance_delete(store, "key");
	conformance_add(store, "key", "7");
	mcp_store_increment(store, &key, 5, &number);
	mcp_store_decrement(store, &key, 5, &number);
	mcp_store_touch(store, &key, 60000);
	conformance_delete_if(store, "key", 1);
	mcp_store_ping(store);
	mcp_store_flush(store);
}

CASE(view_survives_writes, "a view survives every kind of write to its key") {
	conformance_set(subject->store, "key", "the old value");
	mcp_item item = conformance_get(subject->store, "key");
	write_in_every_way(subject->store);
	conformance_assert_bytes("the old value", item.value);
}

CASE(view_is_written, "a view can be the argument of a set of its own key") {
	conformance_set(subject->store, "key", "value");
	mcp_key key = conformance_key("key");
	mcp_item item = conformance_get(subject->store, "key");
	mcp_record twice = {.head = item.value, .body = item.value};
	assert_int_equal(MCP_OK, mcp_store_set(subject->store, &key, &twice));
	conformance_assert_value(subject->store, "key", "valuevalue");
}

CASE(view_is_swapped_in, "a part of a view can be the argument of a cas") {
	conformance_set(subject->store, "key", "value");
	mcp_key key = conformance_key("key");
	mcp_item item = conformance_get(subject->store, "key");
	mcp_record tail = {.body = mcp_bytes_of(item.value.data + 1, item.value.length - 1)};
	assert_int_equal(MCP_OK, mcp_store_cas(subject->store, &key, &tail, item.cas));
	conformance_assert_value(subject->store, "key", "alue");
}

CASE(nothing_is_suspect, "what one server's own store reads is never suspect") {
	conformance_set(subject->store, "key", "value");
	mcp_key key = conformance_key("key");
	mcp_op reply;
	memset(&reply, 0xFF, sizeof(reply));
	assert_int_equal(MCP_OK, mcp_store_get(subject->store, &key, &reply.item));
	assert_false(reply.item.is_suspect);
	memset(&reply, 0xFF, sizeof(reply));
	mcp_store_get_many(subject->store, &key, 1, &reply);
	assert_false(reply.item.is_suspect);
}

CASE(cas_id_alone, "the cas id alone is the one that a get tells, and ends no view") {
	uint64_t cas = 1;
	mcp_key key = conformance_key("key");
	assert_int_equal(MCP_NOT_FOUND, mcp_store_cas_of(subject->store, &key, &cas));
	conformance_set(subject->store, "key", "value");
	mcp_item item = conformance_get(subject->store, "key");
	assert_int_equal(MCP_OK, mcp_store_cas_of(subject->store, &key, &cas));
	assert_true(item.cas == cas);
	conformance_assert_bytes("value", item.value);
	conformance_set(subject->store, "key", "another");
	assert_int_equal(MCP_OK, mcp_store_cas_of(subject->store, &key, &cas));
	assert_true(item.cas < cas);
	conformance_assert_bytes("value", item.value);
	mcp_key unsafe = conformance_key("no key");
	assert_int_equal(MCP_BAD_KEY, mcp_store_cas_of(subject->store, &unsafe, &cas));
}

CASE(one_candidate, "one server is its own only candidate and member") {
	mcp_key key = conformance_key("key");
	assert_ptr_equal(subject->store, mcp_store_candidate(subject->store, &key, 0));
	assert_null(mcp_store_candidate(subject->store, &key, 1));
	assert_int_equal(1, mcp_store_member_count(subject->store));
	assert_ptr_equal(subject->store, mcp_store_member(subject->store, 0));
}
