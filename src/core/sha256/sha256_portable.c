/* Portable SHA-256: exposes the block function and the constants of libsodium's implementation. */
/* SPDX-License-Identifier: MIT */
#include "sha256.h"

#include "../vendor/sha256.h"

#include "../vendor/libsodium/hash_sha256_cp.c"

const uint32_t *const mcp_sha256_constants = Krnd;

void mcp_sha256_blocks_portable(uint32_t words[8], const unsigned char *blocks, size_t count) {
	uint32_t schedule[64], state[8];
	for (size_t i = 0; i < count; i++) {
		SHA256_Transform(words, blocks + 64 * i, schedule, state);
	}
	sodium_memzero(schedule, sizeof(schedule));
	sodium_memzero(state, sizeof(state));
}
