/* HMAC-SHA-256 over an unambiguous text: purpose, length and bytes of the key, flags, counter, and the
 * payload to the end. */
/* SPDX-License-Identifier: MIT */
#include "signature.h"

#include <string.h>

#define BLOCK_LENGTH MCP_SHA256_BLOCK
#define INNER_PAD 0x36
#define OUTER_PAD 0x5C

/* No purpose is a prefix of another, because the terminating zero byte is hashed, too. */
static const char *const purposes[] = {
	[MCP_SIGNED_VALUE] = "mcpatterns value 1",
	[MCP_SIGNED_ROW] = "mcpatterns row 1",
	[MCP_SIGNED_EVENT] = "mcpatterns event 1",
	[MCP_SIGNED_SESSION] = "mcpatterns session 1",
};
static const char *const names[] = {
	[MCP_NAMED_TAG] = "mcpatterns tag 1",
	[MCP_NAMED_NAMESPACE] = "mcpatterns namespace 1",
};
static const char hash_purpose[] = "mcpatterns hash 1";
static const char fingerprint_purpose[] = "mcpatterns fingerprint 1";

static void begin_with_pad(mcp_sha256 *state, const unsigned char secret[BLOCK_LENGTH],
	unsigned char pad) {
	unsigned char block[BLOCK_LENGTH];
	for (size_t i = 0; i < BLOCK_LENGTH; i++) {
		block[i] = secret[i] ^ pad;
	}
	mcp_sha256_begin(state);
	mcp_sha256_add(state, mcp_bytes_of((const char *)block, BLOCK_LENGTH));
	mcp_sha256_wipe(block, sizeof(block));
}

/* A secret longer than a block is hashed first (RFC 2104, section 2). */
void mcp_signing_key_make(mcp_signing_key *key, mcp_bytes secret) {
	unsigned char block[BLOCK_LENGTH] = {0};
	if (secret.length > BLOCK_LENGTH) {
		mcp_sha256 state;
		mcp_sha256_begin(&state);
		mcp_sha256_add(&state, secret);
		mcp_sha256_finish(&state, block);
	} else {
		memcpy(block, secret.data, secret.length);
	}
	begin_with_pad(&key->inner, block, INNER_PAD);
	begin_with_pad(&key->outer, block, OUTER_PAD);
	mcp_sha256_wipe(block, sizeof(block));
}

bool mcp_signing_keys_equal(const mcp_signing_key *one, const mcp_signing_key *other) {
	return memcmp(one->inner.words, other->inner.words, sizeof(one->inner.words)) == 0 &&
		memcmp(one->outer.words, other->outer.words, sizeof(one->outer.words)) == 0;
}

static void add_number(mcp_sha256 *state, uint32_t number) {
	const char bytes[4] = {(char)number, (char)(number >> 8), (char)(number >> 16),
		(char)(number >> 24)};
	mcp_sha256_add(state, mcp_bytes_of(bytes, sizeof(bytes)));
}

static void add_purpose(mcp_sha256 *state, const char *purpose) {
	mcp_sha256_add(state, mcp_bytes_of(purpose, strlen(purpose) + 1));
}

static void finish_hmac(const mcp_signing_key *key, mcp_sha256 *state,
	unsigned char digest[MCP_SHA256_LENGTH]) {
	mcp_sha256_finish(state, digest);
	*state = key->outer;
	mcp_sha256_add(state, mcp_bytes_of((const char *)digest, MCP_SHA256_LENGTH));
	mcp_sha256_finish(state, digest);
}

static void hash(const mcp_signing_key *key, const mcp_signed_value *value,
	unsigned char digest[MCP_SHA256_LENGTH]) {
	mcp_sha256 state = key->inner;
	add_purpose(&state, purposes[value->purpose]);
	add_number(&state, (uint32_t)value->wire_key.length);
	mcp_sha256_add(&state, value->wire_key);
	add_number(&state, value->flags);
	add_number(&state, value->has_counter);
	add_number(&state, value->counter_epoch);
	mcp_sha256_add(&state, value->payload);
	finish_hmac(key, &state, digest);
}

void mcp_signature_sign_by(const mcp_signing_key *key, const mcp_signed_value *value,
	unsigned char signature[MCP_SIGNATURE_LENGTH]) {
	unsigned char digest[MCP_SHA256_LENGTH];
	hash(key, value, digest);
	memcpy(signature, digest, MCP_SIGNATURE_LENGTH);
}

/* Compare all bytes, in constant time. */
static bool is_equal(const unsigned char *one, const unsigned char *other) {
	volatile unsigned char difference = 0;
	for (size_t i = 0; i < MCP_SIGNATURE_LENGTH; i++) {
		difference |= one[i] ^ other[i];
	}
	return difference == 0;
}

size_t mcp_signature_find(const mcp_signing_keys *keys, const mcp_signed_value *value,
	const unsigned char signature[MCP_SIGNATURE_LENGTH]) {
	unsigned char digest[MCP_SHA256_LENGTH];
	for (size_t i = 0; i < keys->count; i++) {
		hash(&keys->keys[i], value, digest);
		if (is_equal(digest, signature)) {
			return i;
		}
	}
	return keys->count;
}

static uint64_t first_number(const unsigned char digest[MCP_SHA256_LENGTH]) {
	uint64_t number = 0;
	for (size_t i = 0; i < sizeof(number); i++) {
		number = number << 8 | digest[i];
	}
	return number;
}

uint64_t mcp_signature_name(const mcp_signing_key *key, mcp_named_kind kind, mcp_bytes prefix,
	mcp_bytes name) {
	unsigned char digest[MCP_SHA256_LENGTH];
	mcp_sha256 state;
	if (key != NULL) {
		state = key->inner;
	} else {
		mcp_sha256_begin(&state);
	}
	add_purpose(&state, names[kind]);
	mcp_sha256_add(&state, prefix);
	mcp_sha256_add(&state, mcp_bytes_of("", 1));
	mcp_sha256_add(&state, name);
	if (key != NULL) {
		finish_hmac(key, &state, digest);
	} else {
		mcp_sha256_finish(&state, digest);
	}
	return first_number(digest);
}

uint64_t mcp_signature_hash(const mcp_signing_keys *keys, mcp_bytes message) {
	const mcp_signing_key *key = &keys->keys[keys->count - 1];
	unsigned char digest[MCP_SHA256_LENGTH];
	mcp_sha256 state = key->inner;
	add_purpose(&state, hash_purpose);
	mcp_sha256_add(&state, message);
	finish_hmac(key, &state, digest);
	return first_number(digest);
}

/* Each key hashes the result of the previous keys. */
void mcp_signature_fingerprint(const mcp_signing_keys *keys,
	unsigned char fingerprint[MCP_SIGNATURE_LENGTH]) {
	unsigned char digest[MCP_SHA256_LENGTH] = {0};
	for (size_t i = 0; i < keys->count; i++) {
		mcp_sha256 state = keys->keys[i].inner;
		add_purpose(&state, fingerprint_purpose);
		mcp_sha256_add(&state, mcp_bytes_of((const char *)digest, sizeof(digest)));
		finish_hmac(&keys->keys[i], &state, digest);
	}
	memcpy(fingerprint, digest, MCP_SIGNATURE_LENGTH);
}
