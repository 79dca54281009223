/* Holds the digits that are written all at once to those that printf writes. */
/* SPDX-License-Identifier: MIT */
#include "../../src/core/bytes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void assert_hex(uint64_t number) {
	char text[MCP_HEX_U64_LENGTH + 1], expected[MCP_HEX_U64_LENGTH + 1];
	uint64_t read;
	text[mcp_hex_write_u64(number, text)] = '\0';
	snprintf(expected, sizeof(expected), "%016" PRIx64, number);
	assert_string_equal(expected, text);
	assert_true(mcp_hex_read_u64(text, &read));
	assert_int_equal(number, read);
}

TEST(every_digit_stands_in_every_place) {
	for (unsigned place = 0; place < 64; place += 4) {
		for (uint64_t digit = 0; digit < 16; digit++) {
			assert_hex(digit << place);
			assert_hex(~(digit << place));
			assert_hex(0x0123456789abcdefu ^ digit << place);
		}
	}
}

TEST(what_is_no_digit_is_not_read) {
	uint64_t read;
	for (int byte = 1; byte < 256; byte++) {
		char text[] = "0123456789abcdef";
		bool is_digit = strchr(text, byte) != NULL;
		text[7] = (char)byte;
		assert_int_equal(is_digit, mcp_hex_read_u64(text, &read));
	}
}
