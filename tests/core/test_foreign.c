/* Holds the reader of other clients' flags to what php-memcached and pecl-memcache really store, and to refusing
 * everything else. */
/* SPDX-License-Identifier: MIT */
#include <string.h>
#include <cmocka.h>

#include "../../src/core/envelope/envelope.h"
#include "../../src/core/envelope/foreign.h"
#include "../../src/core/envelope/value_flags.h"

#define ZLIB (MCP_VALUE_COMPRESSED | MCP_VALUE_ZLIB)
#define FASTLZ (MCP_VALUE_COMPRESSED | MCP_VALUE_FASTLZ)
#define ZSTD (MCP_VALUE_COMPRESSED | MCP_VALUE_ZSTD)

static void expect(const char *item, uint32_t item_flags, const char *payload, uint32_t flags) {
	mcp_foreign_value value;
	assert_true(mcp_foreign_read(mcp_bytes_text(item), item_flags, &value));
	assert_true(mcp_bytes_equal(mcp_bytes_text(payload), value.payload));
	assert_int_equal(flags, value.flags);
	assert_non_null(value.payload.data); /* it is copied, also when it is empty */
}

static void expect_none(const char *item, uint32_t item_flags) {
	mcp_foreign_value value;
	assert_false(mcp_foreign_read(mcp_bytes_text(item), item_flags, &value));
}

TEST(php_memcacheds_flags_are_payloads_flags) {
	static const uint32_t compressions[] = {0, ZLIB, FASTLZ, ZSTD};
	for (size_t i = 0; i < sizeof(compressions) / sizeof(compressions[0]); i++) {
		expect("text", MCP_VALUE_STRING | compressions[i], "text", compressions[i]);
		for (uint32_t type = MCP_VALUE_SERIALIZED; type <= MCP_VALUE_MSGPACK; type++) {
			expect("bytes", type | compressions[i], "bytes", type | compressions[i]);
		}
	}
	expect("-5", 1, "-5", MCP_VALUE_INT);
	expect("0.1", 2, "0.1", MCP_VALUE_FLOAT);
	expect("-Infinity", 2, "-Infinity", MCP_VALUE_FLOAT);
	expect("1", 3, "1", MCP_VALUE_BOOL);
	expect("", 3, "", MCP_VALUE_BOOL);
}

TEST(pecl_memcaches_combinations_are_told_by_their_first_byte) {
	expect("a:0:{}", 1, "a:0:{}", MCP_VALUE_SERIALIZED);
	expect("\x78\x9C...", 2, "\x78\x9C...", MCP_VALUE_STRING | ZLIB | MCP_VALUE_BARE);
	expect("\x78\x9C...", 3, "\x78\x9C...", MCP_VALUE_SERIALIZED | ZLIB | MCP_VALUE_BARE);
}

TEST(pecl_memcaches_scalars_are_written_as_ours) {
	expect("1", 0x100, "1", MCP_VALUE_BOOL);
	expect("0", 0x100, "", MCP_VALUE_BOOL);
	expect("-5", 0x300, "-5", MCP_VALUE_INT);
	expect("1.0e+100", 0x700, "1.0e+100", MCP_VALUE_FLOAT);
	expect("INF", 0x700, "Infinity", MCP_VALUE_FLOAT);
	expect("-INF", 0x700, "-Infinity", MCP_VALUE_FLOAT);
	expect("NAN", 0x700, "NaN", MCP_VALUE_FLOAT);
}

TEST(numbers_lose_what_a_decrement_left) {
	expect("9 ", 1, "9", MCP_VALUE_INT);
	expect("9  ", 0x300, "9", MCP_VALUE_INT);
}

TEST(users_own_flags_are_not_looked_at) {
	expect("bytes", 0xABC20000u | MCP_VALUE_SERIALIZED, "bytes", MCP_VALUE_SERIALIZED);
	expect("text", 0x00020000u, "text", MCP_VALUE_STRING);
}

TEST(what_may_be_a_damaged_envelope_is_no_string) {
	expect_none("text", MCP_FLAG_ENVELOPE);
	expect_none("text", mcp_envelope_item_flags(MCP_VALUE_SERIALIZED));
}

TEST(flags_that_neither_client_gives_are_refused) {
	static const uint32_t none[] = {8, 9, 15, 0x10, 0x20, 0x34 - 0x10, 0x70, 0xB0, ZLIB | 1,
		ZLIB | 2, ZSTD | 3, 0x101, 0x200, 0x400, 0x500, 0x730, ZLIB | MCP_VALUE_BARE, 0x1000,
		0x8004};
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		expect_none("bytes", none[i]);
	}
}

TEST(the_epoch_is_the_items) {
	uint64_t epoch = mcp_foreign_epoch(mcp_bytes_text("text"), 0, 7);
	assert_int_equal(epoch, mcp_foreign_epoch(mcp_bytes_text("text"), 0, 7));
	assert_int_not_equal(epoch, mcp_foreign_epoch(mcp_bytes_text("text"), 0, 8));
	assert_int_not_equal(epoch, mcp_foreign_epoch(mcp_bytes_text("text"), 4, 7));
	assert_int_not_equal(epoch, mcp_foreign_epoch(mcp_bytes_text("texts"), 0, 7));
}
