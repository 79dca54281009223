/* Holds increment and decrement to what they read, return and leave behind: memcached's unsigned 64 bits with
 * its wrap, floor and padding. */
/* SPDX-License-Identifier: MIT */
#include "conformance.h"

#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))

static uint64_t increment(const conformance_subject *subject, uint64_t by) {
	mcp_key key = conformance_key("key");
	uint64_t number = 0;
	assert_int_equal(MCP_OK, mcp_store_increment(subject->store, &key, by, &number));
	return number;
}

static uint64_t decrement(const conformance_subject *subject, uint64_t by) {
	mcp_key key = conformance_key("key");
	uint64_t number = 0;
	assert_int_equal(MCP_OK, mcp_store_decrement(subject->store, &key, by, &number));
	return number;
}

/* Asserts the padding: memcached pads what becomes shorter, and makes a new item without padding while another of its
 * threads looks at the old one. */
static void assert_padded(const conformance_subject *subject, const char *padded) {
	mcp_bytes value = conformance_get(subject->store, "key").value;
	mcp_bytes bare = mcp_bytes_of(padded, strcspn(padded, " "));
	if (!mcp_bytes_equal(bare, value)) {
		conformance_assert_bytes(padded, value);
	}
}

/* Sets it on memory of NULs. Above 2^63 memcached 1.6 looks for a minus sign, and reads on behind the value
 * until a NUL: bytes of items that stood there before decide. So the memory that the number will be put in,
 * which is what a delete of a similar item has just freed, gets NULs first. */
static void set_huge(const conformance_subject *subject, const char *text) {
	static const char nuls[30] = {0};
	mcp_key key = conformance_key("key");
	mcp_record record = conformance_record_of(nuls, sizeof(nuls));
	assert_int_equal(MCP_OK, mcp_store_set(subject->store, &key, &record));
	assert_int_equal(MCP_OK, mcp_store_delete(subject->store, &key));
	conformance_set(subject->store, "key", text);
}

CASE(absent, "increment and decrement of an absent key leave nothing") {
	mcp_key key = conformance_key("key");
	uint64_t number = 0;
	assert_int_equal(MCP_NOT_FOUND, mcp_store_increment(subject->store, &key, 1, &number));
	assert_int_equal(MCP_NOT_FOUND, mcp_store_decrement(subject->store, &key, 1, &number));
	conformance_assert_absent(subject->store, "key");
}

CASE(increment_answers, "increment answers and stores the sum") {
	conformance_set(subject->store, "key", "41");
	assert_int_equal(42, increment(subject, 1));
	conformance_assert_value(subject->store, "key", "42");
	assert_int_equal(142, increment(subject, 100));
	conformance_assert_value(subject->store, "key", "142");
}

CASE(decrement_answers, "decrement answers and stores the difference") {
	conformance_set(subject->store, "key", "42");
	assert_int_equal(41, decrement(subject, 1));
	conformance_assert_value(subject->store, "key", "41");
}

CASE(above_32_bits, "a step above 2^32 is added and taken away whole") {
	conformance_set(subject->store, "key", "10");
	assert_int_equal(4294967311ull, increment(subject, 4294967301ull));
	conformance_assert_value(subject->store, "key", "4294967311");
	assert_int_equal(9, decrement(subject, 4294967302ull));
}

CASE(wraps, "increment wraps at 2^64") {
	set_huge(subject, "18446744073709551615");
	assert_int_equal(0, increment(subject, 1));
	assert_padded(subject, "0                   ");
}

CASE(adds_the_largest, "the largest step can be added") {
	conformance_set(subject->store, "key", "5");
	assert_int_equal(4, increment(subject, UINT64_MAX));
	conformance_set(subject->store, "key", "0");
	assert_true(increment(subject, UINT64_MAX) == UINT64_MAX);
	conformance_assert_value(subject->store, "key", "18446744073709551615");
}

CASE(floors, "decrement stops at 0") {
	conformance_set(subject->store, "key", "5");
	assert_int_equal(0, decrement(subject, 6));
	conformance_assert_value(subject->store, "key", "0");
	assert_int_equal(0, decrement(subject, UINT64_MAX));
}

CASE(pads, "decrement keeps the length by padding with spaces") {
	conformance_set(subject->store, "key", "10");
	assert_int_equal(9, decrement(subject, 1));
	assert_padded(subject, "9 ");
	conformance_set(subject->store, "key", "1000");
	assert_int_equal(0, decrement(subject, 5000));
	assert_padded(subject, "0   ");
}

CASE(fills_the_padding, "increment fills the padding again") {
	conformance_set(subject->store, "key", "10");
	decrement(subject, 1);
	assert_int_equal(10, increment(subject, 1));
	conformance_assert_value(subject->store, "key", "10");
}

CASE(keeps_the_length, "increment keeps the length of leading zeros as padding") {
	conformance_set(subject->store, "key", "0000000009");
	assert_int_equal(10, increment(subject, 1));
	assert_padded(subject, "10        ");
}

CASE(grows, "a number that needs more digits grows and keeps its flags") {
	conformance_set_flagged(subject->store, "key", "99", 0xCAFE0001u);
	assert_int_equal(100, increment(subject, 1));
	conformance_assert_value(subject->store, "key", "100");
	assert_int_equal(0xCAFE0001u, conformance_get(subject->store, "key").flags);
}

CASE(keeps_the_flags, "increment and decrement keep all flags") {
	conformance_set_flagged(subject->store, "key", "10", 0x4D430005u);
	increment(subject, 1);
	assert_int_equal(0x4D430005u, conformance_get(subject->store, "key").flags);
	decrement(subject, 5);
	assert_int_equal(0x4D430005u, conformance_get(subject->store, "key").flags);
}

CASE(changes_the_cas_id, "increment and decrement each give a new cas id") {
	conformance_set(subject->store, "key", "10");
	uint64_t first = conformance_cas_id(subject->store, "key");
	increment(subject, 1);
	uint64_t second = conformance_cas_id(subject->store, "key");
	assert_true(second > first);
	decrement(subject, 1);
	assert_true(conformance_cas_id(subject->store, "key") > second);
	assert_int_equal(MCP_EXISTS, conformance_cas(subject->store, "key", "0", first));
	assert_int_equal(MCP_EXISTS, conformance_delete_if(subject->store, "key", second));
}

CASE(by_nothing, "a step of 0 rewrites the number under a new cas id") {
	conformance_set(subject->store, "key", "007");
	uint64_t cas = conformance_cas_id(subject->store, "key");
	assert_int_equal(7, increment(subject, 0));
	assert_padded(subject, "7  ");
	assert_true(conformance_cas_id(subject->store, "key") > cas);
	assert_int_equal(7, decrement(subject, 0));
}

CASE(lenient_sevens, "blanks, a sign and leading zeros do not hide a 7") {
	static const char *const sevens[] = {"7", "007", " 7", "7 ", "\t7", "7\t", "\v7", "7\n",
		"7\r\n", "+7", "7 x", "7\tseven", "-18446744073709551609",
		"00000000000000000000000000000007", "                                 7",
		"7                                 "};
	for (size_t i = 0; i < COUNT_OF(sevens); i++) {
		conformance_set(subject->store, "key", sevens[i]);
		uint64_t number = increment(subject, 1);
		if (number != 8) {
			fail_msg("\"%s\" + 1 is %llu", sevens[i], (unsigned long long)number);
		}
	}
}

CASE(nul_ends_a_number, "a NUL ends a number") {
	mcp_key key = conformance_key("key");
	mcp_record record = conformance_record_of("7\0seven", 7);
	assert_int_equal(MCP_OK, mcp_store_set(subject->store, &key, &record));
	assert_int_equal(8, increment(subject, 1));
	assert_padded(subject, "8      ");
}

CASE(minus_zero, "minus zero is zero") {
	conformance_set(subject->store, "key", "-0");
	assert_int_equal(1, increment(subject, 1));
	assert_padded(subject, "1 ");
}

CASE(not_numbers, "what is not a number in 64 bits is refused and stays") {
	static const char *const texts[] = {"", "seven", "7x", "x7", "-5", " -5", "-", "+", "- 7",
		"+ 7", "--7", "1.5", "1e3", "0x7", "7,000", "18446744073709551616", "99999999999999999999",
		"100000000000000000000", "-18446744073709551616"};
	mcp_key key = conformance_key("key");
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		conformance_set(subject->store, "key", texts[i]);
		uint64_t cas = conformance_cas_id(subject->store, "key");
		uint64_t number = 0;
		mcp_status up = mcp_store_increment(subject->store, &key, 1, &number);
		mcp_status down = mcp_store_decrement(subject->store, &key, 1, &number);
		if (up != MCP_NOT_A_NUMBER || down != MCP_NOT_A_NUMBER) {
			fail_msg("\"%s\" was answered %d and %d", texts[i], (int)up, (int)down);
		}
		conformance_assert_value(subject->store, "key", texts[i]);
		assert_int_equal(cas, conformance_cas_id(subject->store, "key"));
	}
}

CASE(largest_number, "numbers up to 2^64 - 1 are exact") {
	set_huge(subject, "18446744073709551614");
	assert_true(increment(subject, 1) == UINT64_MAX);
	assert_true(decrement(subject, 1) == UINT64_MAX - 1);
	conformance_assert_value(subject->store, "key", "18446744073709551614");
}
