/* Signs what the input says, and holds the check to it: it verifies as it was signed, and with nothing changed, moved or
 * cut. An input's own signature never verifies, but by a chance of one in 2^128. */
/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include "../../src/core/envelope/signature.h"

static const mcp_signing_keys *keys(void) {
	static mcp_signing_keys *made;
	if (made == NULL) {
		made = malloc(sizeof(*made) + 2 * sizeof(made->keys[0]));
		require(made != NULL);
		made->count = 2;
		mcp_signing_key_make(&made->keys[0], mcp_bytes_of("new", 3));
		mcp_signing_key_make(&made->keys[1], mcp_bytes_of("old", 3));
	}
	return made;
}

/* Copies to heap blocks of exactly their lengths: a sanitizer sees every byte read beyond them. */
static mcp_bytes copy_of(const uint8_t *data, size_t size) {
	char *copy = malloc(size > 0 ? size : 1);
	require(copy != NULL);
	if (size > 0) {
		memcpy(copy, data, size);
	}
	return mcp_bytes_of(copy, size);
}

static bool verifies(mcp_signed_value value, const unsigned char *signature) {
	return mcp_signature_verify(keys(), &value, signature);
}

/* Requires that every part counts; key and payload stand behind each other, so only their lengths tell where
 * the one ends. */
static void require_only_this(mcp_signed_value value, const unsigned char *signature, uint8_t by) {
	mcp_signed_value other = value;
	other.flags ^= 1u << (by % 16);
	require(!verifies(other, signature));
	other = value;
	other.has_counter = !other.has_counter;
	require(!verifies(other, signature));
	other = value;
	other.counter_epoch ^= 1u << (by % 32);
	require(!verifies(other, signature));
	if (value.payload.length > 0) {
		other = value;
		other.payload.length--;
		require(!verifies(other, signature));
	}
	if (value.wire_key.length > 0) {
		other = value;
		other.wire_key.length--;
		require(!verifies(other, signature));
	}
	unsigned char damaged[MCP_SIGNATURE_LENGTH];
	memcpy(damaged, signature, sizeof(damaged));
	damaged[by % MCP_SIGNATURE_LENGTH] ^= (unsigned char)(1u << (by / MCP_SIGNATURE_LENGTH % 8));
	require(!verifies(value, damaged));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	enum { HEAD = MCP_SIGNATURE_LENGTH + 4 };
	if (size < HEAD) {
		return 0;
	}
	size_t key_length = data[HEAD - 1] % (size - HEAD + 1);
	mcp_signed_value value = {
		.wire_key = copy_of(data + HEAD, key_length),
		.flags = data[HEAD - 2],
		.has_counter = (data[HEAD - 3] & 1) != 0,
		.counter_epoch = data[HEAD - 3],
		.payload = copy_of(data + HEAD + key_length, size - HEAD - key_length),
	};
	unsigned char signature[MCP_SIGNATURE_LENGTH];
	mcp_signature_sign(keys(), &value, signature);
	require(verifies(value, signature));
	require_only_this(value, signature, data[HEAD - 4]);
	require(!verifies(value, data) || memcmp(data, signature, sizeof(signature)) == 0);
	free((char *)value.wire_key.data);
	free((char *)value.payload.data);
	return 0;
}
