/* HMAC-SHA-256 over a text that can be read in one way only: its purpose, the key's length and bytes, the
 * flags, the counter, and the payload to the end. */
/* SPDX-License-Identifier: MIT */
#include "signature.h"

#include "../vendor/libsodium/utils.h"

#include <string.h>

#define BLOCK_LENGTH 64
#define INNER_PAD 0x36
#define OUTER_PAD 0x5C

/* None is another's beginning, for each ends with a zero byte, which is hashed with it. */
static const char *const purposes[] = {
	[MCP_SIGNED_VALUE] = "mcpatterns value 1",
	[MCP_SIGNED_ROW] = "mcpatterns row 1",
	[MCP_SIGNED_EVENT] = "mcpatterns event 1",
	[MCP_SIGNED_SESSION] = "mcpatterns session 1",
};
static const char hash_purpose[] = "mcpatterns hash 1";
static const char fingerprint_purpose[] = "mcpatterns fingerprint 1";

static void begin_with_pad(crypto_hash_sha256_state *state,
	const unsigned char secret[BLOCK_LENGTH], unsigned char pad) {
	unsigned char block[BLOCK_LENGTH];
	for (size_t i = 0; i < BLOCK_LENGTH; i++) {
		block[i] = secret[i] ^ pad;
	}
	crypto_hash_sha256_init(state);
	crypto_hash_sha256_update(state, block, BLOCK_LENGTH);
	sodium_memzero(block, sizeof(block));
}

/* Hashes a secret longer than a block first (RFC 2104, section 2). */
void mcp_signing_key_make(mcp_signing_key *key, mcp_bytes secret) {
	unsigned char block[BLOCK_LENGTH] = {0};
	if (secret.length > BLOCK_LENGTH) {
		crypto_hash_sha256_state state;
		crypto_hash_sha256_init(&state);
		crypto_hash_sha256_update(&state, (const unsigned char *)secret.data, secret.length);
		crypto_hash_sha256_final(&state, block);
	} else {
		memcpy(block, secret.data, secret.length);
	}
	begin_with_pad(&key->inner, block, INNER_PAD);
	begin_with_pad(&key->outer, block, OUTER_PAD);
	sodium_memzero(block, sizeof(block));
}

static void add_number(crypto_hash_sha256_state *state, uint32_t number) {
	unsigned char bytes[4] = {(unsigned char)number, (unsigned char)(number >> 8),
		(unsigned char)(number >> 16), (unsigned char)(number >> 24)};
	crypto_hash_sha256_update(state, bytes, sizeof(bytes));
}

static void add_bytes(crypto_hash_sha256_state *state, mcp_bytes bytes) {
	crypto_hash_sha256_update(state, (const unsigned char *)bytes.data, bytes.length);
}

static void add_purpose(crypto_hash_sha256_state *state, const char *purpose) {
	add_bytes(state, mcp_bytes_of(purpose, strlen(purpose) + 1));
}

static void finish(const mcp_signing_key *key, crypto_hash_sha256_state *state,
	unsigned char digest[crypto_hash_sha256_BYTES]) {
	crypto_hash_sha256_final(state, digest);
	*state = key->outer;
	crypto_hash_sha256_update(state, digest, crypto_hash_sha256_BYTES);
	crypto_hash_sha256_final(state, digest);
}

static void hash(const mcp_signing_key *key, const mcp_signed_value *value,
	unsigned char digest[crypto_hash_sha256_BYTES]) {
	crypto_hash_sha256_state state = key->inner;
	add_purpose(&state, purposes[value->purpose]);
	add_number(&state, (uint32_t)value->wire_key.length);
	add_bytes(&state, value->wire_key);
	add_number(&state, value->flags);
	add_number(&state, value->has_counter);
	add_number(&state, value->counter_epoch);
	add_bytes(&state, value->payload);
	finish(key, &state, digest);
}

void mcp_signature_sign(const mcp_signing_keys *keys, const mcp_signed_value *value,
	unsigned char signature[MCP_SIGNATURE_LENGTH]) {
	unsigned char digest[crypto_hash_sha256_BYTES];
	hash(&keys->keys[0], value, digest);
	memcpy(signature, digest, MCP_SIGNATURE_LENGTH);
}

/* Looks at every byte, also after one that differs. */
static bool is_equal(const unsigned char *one, const unsigned char *other) {
	volatile unsigned char difference = 0;
	for (size_t i = 0; i < MCP_SIGNATURE_LENGTH; i++) {
		difference |= one[i] ^ other[i];
	}
	return difference == 0;
}

bool mcp_signature_verify(const mcp_signing_keys *keys, const mcp_signed_value *value,
	const unsigned char signature[MCP_SIGNATURE_LENGTH]) {
	unsigned char digest[crypto_hash_sha256_BYTES];
	bool is_right = false;
	for (size_t i = 0; i < keys->count && !is_right; i++) {
		hash(&keys->keys[i], value, digest);
		is_right = is_equal(digest, signature);
	}
	return is_right;
}

uint64_t mcp_signature_hash(const mcp_signing_keys *keys, mcp_bytes message) {
	const mcp_signing_key *key = &keys->keys[keys->count - 1];
	unsigned char digest[crypto_hash_sha256_BYTES];
	crypto_hash_sha256_state state = key->inner;
	add_purpose(&state, hash_purpose);
	add_bytes(&state, message);
	finish(key, &state, digest);
	uint64_t number = 0;
	for (size_t i = 0; i < sizeof(number); i++) {
		number = number << 8 | digest[i];
	}
	return number;
}

/* Hashes by each key what the keys before it have made. */
void mcp_signature_fingerprint(const mcp_signing_keys *keys,
	unsigned char fingerprint[MCP_SIGNATURE_LENGTH]) {
	unsigned char digest[crypto_hash_sha256_BYTES] = {0};
	for (size_t i = 0; i < keys->count; i++) {
		crypto_hash_sha256_state state = keys->keys[i].inner;
		add_purpose(&state, fingerprint_purpose);
		crypto_hash_sha256_update(&state, digest, sizeof(digest));
		finish(&keys->keys[i], &state, digest);
	}
	memcpy(fingerprint, digest, MCP_SIGNATURE_LENGTH);
}
