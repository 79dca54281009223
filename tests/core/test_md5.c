/* Digests of RFC 1321's own messages, and of one message of each length as PHP's md5() has them. */
/* SPDX-License-Identifier: MIT */
#include "../../src/core/bytes.h"
#include "../../src/core/md5.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { DIGEST = 16, LENGTH_MAX = 1000 };

static void digest_of(const char *message, size_t length, unsigned char digest[DIGEST]) {
	uint32_t words[MCP_MD5_WORDS];
	mcp_md5(mcp_bytes_of(message, length), words);
	for (int i = 0; i < MCP_MD5_WORDS; i++) {
		mcp_store_u32(digest + 4 * i, words[i]);
	}
}

static void assert_digest(const char *expected, const char *message, size_t length) {
	unsigned char digest[DIGEST];
	char hex[2 * DIGEST + 1];
	digest_of(message, length, digest);
	for (int i = 0; i < DIGEST; i++) {
		snprintf(hex + 2 * i, 3, "%02x", digest[i]);
	}
	assert_string_equal(expected, hex);
}

TEST(the_rfcs_messages_have_its_digests) {
	static const char *const suite[][2] = {
		{"d41d8cd98f00b204e9800998ecf8427e", ""},
		{"0cc175b9c0f1b6a831c399e269772661", "a"},
		{"900150983cd24fb0d6963f7d28e17f72", "abc"},
		{"f96b697d7cb7938d525a2f31aaf161d0", "message digest"},
		{"c3fcd3d76192e4007dfb496cca67e13b", "abcdefghijklmnopqrstuvwxyz"},
		{"d174ab98d277d9f5a5611c2c9f419d9f",
			"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"},
		{"57edf4a22be3c955ac49da2e2107b67a",
			"1234567890123456789012345678901234567890"
			"1234567890123456789012345678901234567890"},
	};
	for (size_t i = 0; i < sizeof(suite) / sizeof(suite[0]); i++) {
		assert_digest(suite[i][0], suite[i][1], strlen(suite[i][1]));
	}
}

TEST(nothing_at_all_is_a_message) {
	assert_digest("d41d8cd98f00b204e9800998ecf8427e", NULL, 0);
}

/* The digest of all digests, each of a message that ends where its memory does. PHP:
 * for ($n = 0; $n <= 1000; $n++) {
 *     for ($i = 0, $s = ''; $i < $n; $i++) $s .= chr(($n * 31 + $i * 7 + $i * $i) & 255);
 *     $all .= md5($s, true);
 * }
 * echo md5($all); */
TEST(messages_of_every_length_have_phps_digests) {
	static unsigned char all[(LENGTH_MAX + 1) * DIGEST];
	for (unsigned length = 0; length <= LENGTH_MAX; length++) {
		char *message = malloc(length + !length);
		for (unsigned i = 0; i < length; i++) {
			message[i] = (char)(length * 31 + i * 7 + i * i);
		}
		digest_of(message, length, all + length * DIGEST);
		free(message);
	}
	assert_digest("a6a62cfafe32814263b4bff785108409", (const char *)all, sizeof(all));
}
