/* A keyed hash over a value and the key it stands under: whoever does not know the secret can neither make one
 * nor move a value to another key. HMAC (RFC 2104) with SHA-256, of which the first 128 bits are kept. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_SIGNATURE_H
#define MCP_CORE_SIGNATURE_H

#include "../bytes.h"
#include "../sha256/sha256.h"

#include <stdbool.h>
#include <stdint.h>

#define MCP_SIGNATURE_LENGTH 16

/* A secret, ready to be used: the hash's state after either of HMAC's two pads. */
typedef struct mcp_signing_key {
	mcp_sha256 inner, outer;
} mcp_signing_key;

/* The first signs, all verify, and each names tags. */
typedef struct mcp_signing_keys {
	size_t count; /* > 0 */
	mcp_signing_key keys[];
} mcp_signing_keys;

void mcp_signing_key_make(mcp_signing_key *key, mcp_bytes secret);
/* Says whether they were made of one secret, as HMAC reads it: with zero bytes behind it is the same. */
bool mcp_signing_keys_equal(const mcp_signing_key *one, const mcp_signing_key *other);

/* A purpose that a reader takes the signed bytes for: bytes signed for one of them are valid for none of the
 * others. */
typedef enum mcp_signed_purpose {
	MCP_SIGNED_VALUE,
	MCP_SIGNED_ROW,
	MCP_SIGNED_EVENT,
	MCP_SIGNED_SESSION,
} mcp_signed_purpose;

/* A value as it is signed. */
typedef struct mcp_signed_value {
	mcp_signed_purpose purpose;
	mcp_bytes wire_key;
	uint32_t flags; /* the payload's own */
	/* A running number stands beside the payload, and is shown in its place: without this any integer could be given one. */
	bool has_counter;
	uint32_t counter_epoch; /* 0 without one */
	mcp_bytes payload;
} mcp_signed_value;

void mcp_signature_sign_by(const mcp_signing_key *key, const mcp_signed_value *value,
	unsigned char signature[MCP_SIGNATURE_LENGTH]);
static inline void mcp_signature_sign(const mcp_signing_keys *keys, const mcp_signed_value *value,
	unsigned char signature[MCP_SIGNATURE_LENGTH]) {
	mcp_signature_sign_by(&keys->keys[0], value, signature);
}

/* Returns which key has signed it; keys->count: none of them. Takes as long for a signature that is nearly right as for any
 * other. */
size_t mcp_signature_find(const mcp_signing_keys *keys, const mcp_signed_value *value,
	const unsigned char signature[MCP_SIGNATURE_LENGTH]);
static inline bool mcp_signature_verify(const mcp_signing_keys *keys, const mcp_signed_value *value,
	const unsigned char signature[MCP_SIGNATURE_LENGTH]) {
	return mcp_signature_find(keys, value, signature) < keys->count;
}

/* A kind of thing that is known by the hash of its name alone: none of one kind has the text of another. */
typedef enum mcp_named_kind {
	MCP_NAMED_TAG,
	MCP_NAMED_NAMESPACE,
} mcp_named_kind;

/* Returns the first 64 bits of SHA-256 of a name and the pool's prefix, which has no zero byte. With a key of HMAC-SHA-256:
 * then nobody without it finds another name that has them; without one (NULL) 2^64 hashes find one. */
uint64_t mcp_signature_name(const mcp_signing_key *key, mcp_named_kind kind, mcp_bytes prefix,
	mcp_bytes name);

/* Makes 64 bits of a message, which nobody can compute without the key. The last key makes them, so that they stay
 * the same while keys are changed by putting new ones in front. */
uint64_t mcp_signature_hash(const mcp_signing_keys *keys, mcp_bytes message);

/* Tells secrets apart, one or several in their order, and tells nobody what they are. */
void mcp_signature_fingerprint(const mcp_signing_keys *keys,
	unsigned char fingerprint[MCP_SIGNATURE_LENGTH]);

#endif
