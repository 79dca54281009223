/* Holds decimal numbers to what both memcached and PHP take for one, at the ends of their range and for
 * every byte that is no digit. */
/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../../src/core/bytes.h"

TEST(numbers_are_read_to_the_ends_of_their_range) {
	int64_t number;
	uint64_t natural;
	assert_true(mcp_decimal_parse_i64(mcp_bytes_text("9223372036854775807"), &number));
	assert_true(number == INT64_MAX);
	assert_true(mcp_decimal_parse_i64(mcp_bytes_text("-9223372036854775808"), &number));
	assert_true(number == INT64_MIN);
	assert_true(mcp_decimal_parse_u64(mcp_bytes_text("18446744073709551615"), &natural));
	assert_true(natural == UINT64_MAX);
	assert_true(mcp_decimal_parse_u64(mcp_bytes_text("0"), &natural));
	assert_true(natural == 0);
}

TEST(what_does_not_fit_is_no_number) {
	static const char *const large[] = {"9223372036854775808", "-9223372036854775809",
		"18446744073709551616", "99999999999999999999", "100000000000000000000000000",
		"-100000000000000000000000000"};
	int64_t number;
	for (size_t i = 0; i < sizeof(large) / sizeof(large[0]); i++) {
		assert_false(mcp_decimal_parse_i64(mcp_bytes_text(large[i]), &number));
	}
	uint64_t natural;
	assert_false(mcp_decimal_parse_u64(mcp_bytes_text("18446744073709551616"), &natural));
	assert_false(mcp_decimal_parse_u64(mcp_bytes_text("20000000000000000000"), &natural));
	assert_false(mcp_decimal_parse_u64(mcp_bytes_text("-1"), &natural));
}

TEST(anything_but_digits_is_no_number) {
	static const char *const bad[] = {"", " ", "-", "+1", " 1", "1.5", "1e3", "0x10", "7x", "--1",
		"-0", "1 2", "1\t", "1\n", "\t1", "1-"};
	int64_t number;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_false(mcp_decimal_parse_i64(mcp_bytes_text(bad[i]), &number));
	}
	for (int byte = 0; byte < 256; byte++) {
		char text[3] = {'1', (char)byte, '1'};
		bool is_digit = byte >= '0' && byte <= '9';
		assert_int_equal(is_digit, mcp_decimal_parse_i64(mcp_bytes_of(text, 3), &number));
	}
}

TEST(the_spaces_that_a_decr_leaves_are_no_part_of_it) {
	int64_t number;
	uint64_t natural;
	assert_true(mcp_decimal_parse_i64(mcp_bytes_text("9 "), &number));
	assert_true(number == 9);
	assert_true(mcp_decimal_parse_u64(mcp_bytes_text("12345               "), &natural));
	assert_true(natural == 12345);
	assert_int_equal(1, mcp_decimal_trim(mcp_bytes_text("9   ")).length);
	assert_int_equal(0, mcp_decimal_trim(mcp_bytes_text("   ")).length);
	assert_int_equal(2, mcp_decimal_trim(mcp_bytes_text(" 9 ")).length);
}

TEST(what_is_written_reads_back) {
	static const int64_t numbers[] = {0, 1, -1, 9, 10, -10, 99, 100, INT64_MAX, INT64_MAX - 1,
		INT64_MIN, INT64_MIN + 1, 1000000000000000000, -1000000000000000000};
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		char text[MCP_DECIMAL_MAX_LENGTH];
		char expected[32];
		size_t length = mcp_decimal_format_i64(numbers[i], text);
		snprintf(expected, sizeof(expected), "%lld", (long long)numbers[i]);
		assert_int_equal(strlen(expected), length);
		assert_memory_equal(expected, text, length);
		int64_t number;
		assert_true(mcp_decimal_parse_i64(mcp_bytes_of(text, length), &number));
		assert_true(number == numbers[i]);
	}
}

TEST(the_largest_of_64_bits_is_written) {
	char text[MCP_DECIMAL_MAX_LENGTH];
	size_t length = mcp_decimal_format_u64(UINT64_MAX, text);
	assert_int_equal(20, length);
	assert_memory_equal("18446744073709551615", text, length);
}

TEST(a_sum_that_does_not_fit_is_not_written) {
	int64_t sum = 7;
	assert_false(mcp_decimal_add(INT64_MAX, 1, &sum));
	assert_false(mcp_decimal_add(INT64_MIN, -1, &sum));
	assert_false(mcp_decimal_add(INT64_MIN, INT64_MIN, &sum));
	assert_int_equal(7, sum);
	assert_true(mcp_decimal_add(INT64_MAX, INT64_MIN, &sum));
	assert_int_equal(-1, sum);
	assert_true(mcp_decimal_add(INT64_MAX - 1, 1, &sum));
	assert_true(sum == INT64_MAX);
}

static void assert_formats(uint64_t number) {
	char text[MCP_DECIMAL_MAX_LENGTH + 1], expected[MCP_DECIMAL_MAX_LENGTH + 1];
	text[mcp_decimal_format_u64(number, text)] = '\0';
	snprintf(expected, sizeof(expected), "%" PRIu64, number);
	assert_string_equal(expected, text);
}

TEST(formats_around_every_power_of_ten) {
	uint64_t power = 1;
	for (int digits = 1; digits <= MCP_DECIMAL_MAX_LENGTH; digits++, power *= 10) {
		for (uint64_t by = 0; by < 12; by++) {
			assert_formats(power + by);
			assert_formats(power - (by < power ? by : power));
			assert_formats(power + power / 7 * by);
		}
	}
	for (uint64_t number = 0; number < 20000; number++) {
		assert_formats(number);
	}
}

/* Scans in memory of just this length: nothing beyond it may be read. */
static void assert_scanned(uint64_t number, size_t digits, char behind, size_t room) {
	size_t length = digits + room;
	char *text = malloc(length + 1);
	assert_non_null(text);
	snprintf(text, length + 1, "%0*" PRIu64, (int)digits, number);
	memset(text + digits, behind, room);
	char *exact = realloc(text, length);
	assert_non_null(exact);
	uint64_t read = 0;
	assert_ptr_equal(exact + digits, mcp_decimal_scan_u64(exact, exact + length, &read));
	assert_true(read == number);
	free(exact);
}

TEST(digits_are_read_up_to_any_other_byte) {
	uint64_t number = 0;
	for (size_t digits = 1; digits <= MCP_DECIMAL_MAX_LENGTH - 1; digits++) {
		number = number * 10 + digits % 10;
		for (int byte = 0; byte < 256; byte++) {
			for (size_t room = 0; room <= 9 && (byte < '0' || byte > '9'); room++) {
				assert_scanned(number, digits, (char)byte, room);
				assert_scanned(number / 100, digits, (char)byte, room);
			}
		}
	}
}
