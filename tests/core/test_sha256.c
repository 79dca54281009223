/* Holds SHA-256 to the standard's examples, to what PHP's hash() says of every length around a block's end, and the
 * processor's instructions to the portable code. */
/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../../src/core/bytes.h"
#include "../../src/core/sha256/sha256.h"

static void assert_digest(mcp_sha256 *hash, const char *expected) {
	unsigned char digest[MCP_SHA256_LENGTH];
	char hex[2 * MCP_SHA256_LENGTH];
	mcp_sha256_finish(hash, digest);
	mcp_hex_write(digest, sizeof(digest), hex);
	assert_memory_equal(hex, expected, sizeof(hex));
}

TEST(the_standards_examples) {
	mcp_sha256 hash;
	mcp_sha256_begin(&hash);
	assert_digest(&hash, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	mcp_sha256_begin(&hash);
	mcp_sha256_add(&hash, mcp_bytes_of("abc", 3));
	assert_digest(&hash, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	char a[1000];
	memset(a, 'a', sizeof(a));
	mcp_sha256_begin(&hash);
	for (int i = 0; i < 1000; i++) {
		mcp_sha256_add(&hash, mcp_bytes_of(a, sizeof(a)));
	}
	assert_digest(&hash, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* $s = ''; for ($n = 0; $n <= 300; $n++) $s .= hash('sha256', substr(str_repeat('mcpatterns', 40), 0, $n), true);
 * hash('sha256', $s); each text is given in two pieces, cut at every place that a remainder of 7 allows. */
TEST(every_length_in_two_pieces) {
	char text[400];
	for (size_t i = 0; i < sizeof(text); i++) {
		text[i] = "mcpatterns"[i % 10];
	}
	for (size_t cut = 0; cut <= 300; cut += 7) {
		mcp_sha256 all;
		mcp_sha256_begin(&all);
		for (size_t n = 0; n <= 300; n++) {
			size_t first = cut < n ? cut : n;
			unsigned char digest[MCP_SHA256_LENGTH];
			mcp_sha256 one;
			mcp_sha256_begin(&one);
			mcp_sha256_add(&one, mcp_bytes_of(text, first));
			mcp_sha256_add(&one, mcp_bytes_none());
			mcp_sha256_add(&one, mcp_bytes_of(text + first, n - first));
			mcp_sha256_finish(&one, digest);
			mcp_sha256_add(&all, mcp_bytes_of((const char *)digest, sizeof(digest)));
		}
		assert_digest(&all, "cb0116c79808c1a470b548d0eb5b9bf699a91b50b17326cf106ea3a13ed13d34");
	}
}

/* Blocks of pseudorandom bytes at every alignment, one and several at once. */
TEST(instructions_do_what_the_portable_code_does) {
#ifdef MCP_SHA256_INSTRUCTIONS
	if (!mcp_sha256_asks_processor()) {
		skip();
	}
	unsigned char bytes[16 + 5 * MCP_SHA256_BLOCK];
	uint64_t seed = 1;
	for (int round = 0; round < 2000; round++) {
		uint32_t one[8], other[8];
		for (size_t i = 0; i < sizeof(bytes); i++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			bytes[i] = (unsigned char)(seed >> 56);
		}
		memcpy(one, bytes, sizeof(one));
		memcpy(other, one, sizeof(one));
		size_t count = (size_t)round % 5 + 1;
		mcp_sha256_blocks_portable(one, bytes + round % 16, count);
		mcp_sha256_blocks_by_instructions(other, bytes + round % 16, count);
		assert_memory_equal(one, other, sizeof(one));
	}
#else
	skip();
#endif
}

TEST(a_finished_hash_is_wiped) {
	mcp_sha256 hash;
	static const mcp_sha256 zeros;
	unsigned char digest[MCP_SHA256_LENGTH];
	mcp_sha256_begin(&hash);
	mcp_sha256_add(&hash, mcp_bytes_of("secret", 6));
	mcp_sha256_finish(&hash, digest);
	assert_memory_equal(&hash, &zeros, sizeof(hash));
}
