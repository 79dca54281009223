/* Holds signatures to what PHP's hash_hmac() says of the same text, and to each part that they cover. */
/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../../src/core/envelope/signature.h"

static mcp_signing_keys *make_keys(const char *const *secrets, size_t count) {
	mcp_signing_keys *keys = malloc(sizeof(*keys) + count * sizeof(keys->keys[0]));
	assert_non_null(keys);
	keys->count = count;
	for (size_t i = 0; i < count; i++) {
		mcp_signing_key_make(&keys->keys[i], mcp_bytes_text(secrets[i]));
	}
	return keys;
}

static void assert_signature(const char *secret, mcp_signed_value value, const char *expected) {
	mcp_signing_keys *keys = make_keys(&secret, 1);
	unsigned char signature[MCP_SIGNATURE_LENGTH];
	mcp_signature_sign(keys, &value, signature);
	assert_memory_equal(signature, expected, MCP_SIGNATURE_LENGTH);
	assert_true(mcp_signature_verify(keys, &value, signature));
	free(keys);
}

/* hash_hmac('sha256', "mcpatterns value 1\0" (or "row", "event", "session") . pack('V', strlen($key)) . $key . pack('V3', $flags, $counter, $epoch) . $payload,
 * $secret): its first 16 bytes. */
TEST(signatures_are_hmacs) {
	assert_signature("secret",
		(mcp_signed_value){.wire_key = mcp_bytes_text("app:key"),
			.flags = 4,
			.payload = mcp_bytes_text("a:0:{}")},
		"\x9c\x0e\x98\x84\xf6\xb9\x9f\x63\x27\xae\xcb\x24\x07\xcb\x37\x45");
	char secret[66] = {0}, payload[1001] = {0};
	memset(secret, 'k', 64);
	assert_signature(secret,
		(mcp_signed_value){.wire_key = mcp_bytes_text("k"), .payload = mcp_bytes_none()},
		"\xcf\xd8\x21\x6c\x4c\xd8\x8c\xdd\xd4\xb4\xee\xf2\x9b\x18\x83\x00");
	secret[64] = 'k';
	memset(payload, 'x', 1000);
	assert_signature(secret,
		(mcp_signed_value){.wire_key = mcp_bytes_text("k"),
			.flags = 0x94,
			.payload = mcp_bytes_text(payload)},
		"\x61\x2f\xe8\x60\xce\xed\x6b\x17\x9d\x73\x33\x02\x47\x0d\x13\xaa");
	assert_signature("secret",
		(mcp_signed_value){.wire_key = mcp_bytes_text("n"),
			.flags = 1,
			.has_counter = true,
			.counter_epoch = 0x89ABCD00,
			.payload = mcp_bytes_text("42")},
		"\x4d\xb9\xe9\x57\xa5\x23\x42\xd2\xff\xc9\x99\xd3\x33\xce\x67\x60");
}

TEST(each_purpose_has_its_own) {
	const char *const expected[] = {
		[MCP_SIGNED_VALUE] = "\x9c\x0e\x98\x84\xf6\xb9\x9f\x63\x27\xae\xcb\x24\x07\xcb\x37\x45",
		[MCP_SIGNED_ROW] = "\xb1\x18\xfc\x04\xe1\x4c\xbe\x0f\x31\x03\x4c\xa7\x69\x76\x1d\xec",
		[MCP_SIGNED_EVENT] = "\xd3\x98\x62\x24\x4e\x5b\x35\xbc\xc8\xf8\x9f\x9c\xd4\xe2\x53\x54",
		[MCP_SIGNED_SESSION] = "\x42\xd4\xe2\x18\xa2\xda\x00\x08\x4a\x97\xba\x0e\xa7\xd5\x1b\x03",
	};
	for (mcp_signed_purpose purpose = MCP_SIGNED_VALUE; purpose <= MCP_SIGNED_SESSION; purpose++) {
		assert_signature("secret",
			(mcp_signed_value){.purpose = purpose,
				.wire_key = mcp_bytes_text("app:key"),
				.flags = 4,
				.payload = mcp_bytes_text("a:0:{}")},
			expected[purpose]);
	}
}

TEST(every_part_is_covered) {
	const char *secret = "secret";
	mcp_signing_keys *keys = make_keys(&secret, 1);
	mcp_signed_value value = {.wire_key = mcp_bytes_text("key"),
		.flags = 4,
		.payload = mcp_bytes_text("N;")};
	unsigned char signature[MCP_SIGNATURE_LENGTH];
	mcp_signature_sign(keys, &value, signature);
	const mcp_signed_value others[] = {
		{.purpose = MCP_SIGNED_ROW,
			.wire_key = mcp_bytes_text("key"),
			.flags = 4,
			.payload = mcp_bytes_text("N;")},
		{.purpose = MCP_SIGNED_EVENT,
			.wire_key = mcp_bytes_text("key"),
			.flags = 4,
			.payload = mcp_bytes_text("N;")},
		{.purpose = MCP_SIGNED_SESSION,
			.wire_key = mcp_bytes_text("key"),
			.flags = 4,
			.payload = mcp_bytes_text("N;")},
		{.wire_key = mcp_bytes_text("kez"), .flags = 4, .payload = mcp_bytes_text("N;")},
		{.wire_key = mcp_bytes_text("ke"), .flags = 4, .payload = mcp_bytes_text("yN;")},
		{.wire_key = mcp_bytes_text("key"), .flags = 0, .payload = mcp_bytes_text("N;")},
		{.wire_key = mcp_bytes_text("key"),
			.flags = 4,
			.has_counter = true,
			.payload = mcp_bytes_text("N;")},
		{.wire_key = mcp_bytes_text("key"),
			.flags = 4,
			.counter_epoch = 0x100,
			.payload = mcp_bytes_text("N;")},
		{.wire_key = mcp_bytes_text("key"), .flags = 4, .payload = mcp_bytes_text("N")},
		{.wire_key = mcp_bytes_text("key"), .flags = 4, .payload = mcp_bytes_text("N;;")},
	};
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		assert_false(mcp_signature_verify(keys, &others[i], signature));
	}
	for (size_t i = 0; i < MCP_SIGNATURE_LENGTH; i++) {
		signature[i] ^= 0x80;
		assert_false(mcp_signature_verify(keys, &value, signature));
		signature[i] ^= 0x80;
	}
	assert_true(mcp_signature_verify(keys, &value, signature));
	free(keys);
}

TEST(the_first_key_signs_and_all_verify) {
	const char *const secrets[] = {"new", "old"};
	mcp_signing_keys *both = make_keys(secrets, 2);
	mcp_signing_keys *new_one = make_keys(secrets, 1), *old_one = make_keys(secrets + 1, 1);
	mcp_signed_value value = {.wire_key = mcp_bytes_text("key"), .payload = mcp_bytes_text("text")};
	unsigned char signature[MCP_SIGNATURE_LENGTH];
	mcp_signature_sign(both, &value, signature);
	assert_true(mcp_signature_verify(new_one, &value, signature));
	assert_false(mcp_signature_verify(old_one, &value, signature));
	mcp_signature_sign(old_one, &value, signature);
	assert_true(mcp_signature_verify(both, &value, signature));
	assert_false(mcp_signature_verify(new_one, &value, signature));
	assert_int_equal(1, mcp_signature_find(both, &value, signature));
	mcp_signature_sign_by(&both->keys[1], &value, signature);
	assert_int_equal(0, mcp_signature_find(old_one, &value, signature));
	free(both);
	free(new_one);
	free(old_one);
}

/* hash('sha256', "mcpatterns tag 1\0$prefix\0$name"), or "namespace", and hash_hmac(): the first 16 digits. */
TEST(names_are_hashes) {
	const char *secret = "secret";
	mcp_signing_keys *keys = make_keys(&secret, 1);
	const mcp_signing_key *key = &keys->keys[0];
	assert_true(mcp_signature_name(NULL, MCP_NAMED_TAG, mcp_bytes_text("app:"),
					mcp_bytes_text("news")) == 0xb1c0a545e894c180);
	assert_true(mcp_signature_name(NULL, MCP_NAMED_NAMESPACE, mcp_bytes_text("app:"),
					mcp_bytes_text("shop.")) == 0x870f06776fe729fd);
	assert_true(mcp_signature_name(key, MCP_NAMED_TAG, mcp_bytes_text("app:"),
					mcp_bytes_text("news")) == 0x19adeee530e2b9a0);
	assert_true(mcp_signature_name(key, MCP_NAMED_NAMESPACE, mcp_bytes_text(""),
					mcp_bytes_text("")) == 0x95a25a22750cab68);
	free(keys);
}

/* HMAC fills a secret up with zero bytes. */
TEST(one_secret_is_one_key) {
	mcp_signing_key keys[4];
	mcp_signing_key_make(&keys[0], mcp_bytes_text("secret"));
	mcp_signing_key_make(&keys[1], mcp_bytes_text("secret"));
	mcp_signing_key_make(&keys[2], mcp_bytes_of("secret\0", 7));
	mcp_signing_key_make(&keys[3], mcp_bytes_text("secreu"));
	assert_true(mcp_signing_keys_equal(&keys[0], &keys[1]));
	assert_true(mcp_signing_keys_equal(&keys[0], &keys[2]));
	assert_false(mcp_signing_keys_equal(&keys[0], &keys[3]));
}

/* Equal secrets in the same order have one fingerprint, and no others have it. */
TEST(fingerprints_tell_secrets_apart) {
	const char *const lists[][2] = {{"a", "b"}, {"b", "a"}, {"a", "a"}, {"a"}, {"b"}, {"ab"}};
	enum { LISTS = sizeof(lists) / sizeof(lists[0]) };
	unsigned char fingerprints[LISTS][MCP_SIGNATURE_LENGTH], again[MCP_SIGNATURE_LENGTH];
	for (size_t i = 0; i < LISTS; i++) {
		mcp_signing_keys *keys = make_keys(lists[i], lists[i][1] != NULL ? 2 : 1);
		mcp_signature_fingerprint(keys, fingerprints[i]);
		mcp_signature_fingerprint(keys, again);
		assert_memory_equal(fingerprints[i], again, sizeof(again));
		free(keys);
		for (size_t j = 0; j < i; j++) {
			assert_memory_not_equal(fingerprints[i], fingerprints[j], sizeof(again));
		}
	}
}
