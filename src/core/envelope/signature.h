/* Keyed hash over a value and its key: without the secret, it is impossible to sign a value or to move it to
 * another key. HMAC (RFC 2104) with SHA-256, truncated to 128 bits. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_SIGNATURE_H
#define MCP_CORE_SIGNATURE_H

#include "../bytes.h"
#include "../sha256/sha256.h"

#include <stdbool.h>
#include <stdint.h>

#define MCP_SIGNATURE_LENGTH 16

/* A prepared secret: the hash states after HMAC's two pads. */
typedef struct mcp_signing_key {
	mcp_sha256 inner, outer;
} mcp_signing_key;

/* The first key signs, all keys verify, and each key gives its own names to tags. */
typedef struct mcp_signing_keys {
	size_t count; /* > 0 */
	mcp_signing_key keys[];
} mcp_signing_keys;

void mcp_signing_key_make(mcp_signing_key *key, mcp_bytes secret);
/* Whether both keys are from the same secret. HMAC ignores trailing zero bytes. */
bool mcp_signing_keys_equal(const mcp_signing_key *one, const mcp_signing_key *other);

/* Purpose of the signed bytes: a signature for one purpose is invalid for all others. */
typedef enum mcp_signed_purpose {
	MCP_SIGNED_VALUE,
	MCP_SIGNED_ROW,
	MCP_SIGNED_EVENT,
	MCP_SIGNED_SESSION,
} mcp_signed_purpose;

/* Everything that a signature covers. */
typedef struct mcp_signed_value {
	mcp_signed_purpose purpose;
	mcp_bytes wire_key;
	uint32_t flags; /* flags of the payload */
	/* A running number exists and replaces the payload. Signed, because otherwise an attacker could add a running
	 * number to any integer. */
	bool has_counter;
	uint32_t counter_epoch; /* 0 without has_counter */
	mcp_bytes payload;
} mcp_signed_value;

void mcp_signature_sign_by(const mcp_signing_key *key, const mcp_signed_value *value,
	unsigned char signature[MCP_SIGNATURE_LENGTH]);
static inline void mcp_signature_sign(const mcp_signing_keys *keys, const mcp_signed_value *value,
	unsigned char signature[MCP_SIGNATURE_LENGTH]) {
	mcp_signature_sign_by(&keys->keys[0], value, signature);
}

/* Index of the key that has signed the value; keys->count: none. Constant time for any wrong signature. */
size_t mcp_signature_find(const mcp_signing_keys *keys, const mcp_signed_value *value,
	const unsigned char signature[MCP_SIGNATURE_LENGTH]);
static inline bool mcp_signature_verify(const mcp_signing_keys *keys, const mcp_signed_value *value,
	const unsigned char signature[MCP_SIGNATURE_LENGTH]) {
	return mcp_signature_find(keys, value, signature) < keys->count;
}

/* Kinds of things identified by a hash of their name; the hashed texts of different kinds are never equal. */
typedef enum mcp_named_kind {
	MCP_NAMED_TAG,
	MCP_NAMED_NAMESPACE,
} mcp_named_kind;

/* First 64 bits of SHA-256 of a name and the pool's prefix, which has no zero byte. With a key, HMAC-SHA-256: without
 * the key, a collision cannot be computed. `key` NULL: about 2^64 computed hashes find a second name with a given
 * hash. */
uint64_t mcp_signature_name(const mcp_signing_key *key, mcp_named_kind kind, mcp_bytes prefix,
	mcp_bytes name);

/* Hash of a message, 64 bits, which cannot be computed without the key. Uses the last key, so that the result is stable
 * while new keys are added in front. */
uint64_t mcp_signature_hash(const mcp_signing_keys *keys, mcp_bytes message);

/* Identifies one or several secrets, in order, without revealing them. */
void mcp_signature_fingerprint(const mcp_signing_keys *keys,
	unsigned char fingerprint[MCP_SIGNATURE_LENGTH]);

#endif
