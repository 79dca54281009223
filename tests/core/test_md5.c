/* MD5 of the messages that RFC 1321 gives, and of one for each way to end a block. */
/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../../src/core/hex.h"
#include "../../src/core/md5.h"

#include <string.h>

static void assert_digest(const char *expected, const char *text, size_t length) {
	unsigned char digest[MCP_MD5_LENGTH];
	char hex[2 * MCP_MD5_LENGTH + 1] = {0};
	mcp_md5(mcp_bytes_of(text, length), digest);
	mcp_hex_write(digest, MCP_MD5_LENGTH, hex);
	assert_string_equal(expected, hex);
}

static void the_rfcs_messages_have_the_rfcs_digests(void **state) {
	(void)state;
	static const char *const suite[][2] = {
		{"", "d41d8cd98f00b204e9800998ecf8427e"},
		{"a", "0cc175b9c0f1b6a831c399e269772661"},
		{"abc", "900150983cd24fb0d6963f7d28e17f72"},
		{"message digest", "f96b697d7cb7938d525a2f31aaf161d0"},
		{"abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"},
		{"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
			"d174ab98d277d9f5a5611c2c9f419d9f"},
		{"12345678901234567890123456789012345678901234567890123456789012345678901234567890",
			"57edf4a22be3c955ac49da2e2107b67a"},
	};
	for (size_t i = 0; i < sizeof(suite) / sizeof(*suite); i++) {
		assert_digest(suite[i][1], suite[i][0], strlen(suite[i][0]));
	}
}

/* Digests by Python's hashlib. */
static void every_end_of_a_block_is_right(void **state) {
	(void)state;
	static const struct {
		size_t length;
		const char *digest;
	} ends[] = {
		{55, "04364420e25c512fd958a70738aa8f72"},
		{56, "668a72d5ba17f08e62dabcafad6db14b"},
		{63, "7dc2ca208106a2f703567bdff99d8981"},
		{64, "c1bb4f81d892b2d57947682aeb252456"},
		{65, "1bc932052302d074bdec39795fe00cf6"},
		{119, "ab347a5f68c8a443cfcddc633f12c24f"},
		{120, "fb98667f98096de92620b64f46e1c5b5"},
		{128, "d69cb61a6ee87200676eb0d4b90edbcb"},
		{250, "79c1514b2407bf4708dfb8ef4b6827d5"},
	};
	char message[256];
	memset(message, 'x', sizeof(message));
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		assert_digest(ends[i].digest, message, ends[i].length);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_rfcs_messages_have_the_rfcs_digests),
		cmocka_unit_test(every_end_of_a_block_is_right),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
