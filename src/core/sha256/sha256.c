/* The parts of SHA-256 around its blocks: initial words, incomplete blocks and padding. */
/* SPDX-License-Identifier: MIT */
#include "sha256.h"

#include "../atomics.h"
#include "../vendor/libsodium/utils.h"

#include <string.h>

#ifdef MCP_SHA256_INSTRUCTIONS
/* Query the processor once per process, because in a virtual machine the host handles the query, which takes 1 µs. */
static bool has_instructions(void) {
	enum { NOT_ASKED, HAS_NONE, HAS_SOME };
	static mcp_atomic_u64 answer = NOT_ASKED;
	uint64_t known = atomic_load_explicit(&answer, memory_order_relaxed);
	if (known == NOT_ASKED) {
		known = mcp_sha256_asks_processor() ? HAS_SOME : HAS_NONE;
		atomic_store_explicit(&answer, known, memory_order_relaxed);
	}
	return known == HAS_SOME;
}
#endif

static void take_blocks(mcp_sha256 *hash, const unsigned char *blocks, size_t count) {
#ifdef MCP_SHA256_INSTRUCTIONS
	if (has_instructions()) {
		mcp_sha256_blocks_by_instructions(hash->words, blocks, count);
		return;
	}
#endif
	mcp_sha256_blocks_portable(hash->words, blocks, count);
}

void mcp_sha256_begin(mcp_sha256 *hash) {
	/* FIPS 180-4, section 5.3.3 */
	static const uint32_t first[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
		0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
	memcpy(hash->words, first, sizeof(first));
	hash->length = 0;
}

void mcp_sha256_add(mcp_sha256 *hash, mcp_bytes bytes) {
	const unsigned char *data = (const unsigned char *)bytes.data;
	size_t left = bytes.length, used = hash->length % MCP_SHA256_BLOCK;
	hash->length += left;
	if (used + left < MCP_SHA256_BLOCK) {
		if (left > 0) {
			memcpy(hash->rest + used, data, left);
		}
		return;
	}
	if (used > 0) {
		size_t missing = MCP_SHA256_BLOCK - used;
		memcpy(hash->rest + used, data, missing);
		take_blocks(hash, hash->rest, 1);
		data += missing;
		left -= missing;
	}
	size_t whole = left / MCP_SHA256_BLOCK;
	if (whole > 0) {
		take_blocks(hash, data, whole);
	}
	size_t end = left % MCP_SHA256_BLOCK;
	if (end > 0) {
		memcpy(hash->rest, data + left - end, end);
	}
}

static void write_big_endian(unsigned char *out, uint64_t number, size_t length) {
	for (size_t i = length; i-- > 0; number >>= 8) {
		out[i] = (unsigned char)number;
	}
}

/* Padding: one bit, zeros up to the last 8 bytes of a block, and the number of hashed bits. */
static void pad(mcp_sha256 *hash) {
	unsigned char end[2 * MCP_SHA256_BLOCK] = {0};
	size_t used = hash->length % MCP_SHA256_BLOCK;
	size_t blocks = used < MCP_SHA256_BLOCK - sizeof(uint64_t) ? 1 : 2;
	memcpy(end, hash->rest, used);
	end[used] = 0x80;
	write_big_endian(end + blocks * MCP_SHA256_BLOCK - sizeof(uint64_t), hash->length * 8,
		sizeof(uint64_t));
	take_blocks(hash, end, blocks);
	mcp_sha256_wipe(end, sizeof(end));
}

void mcp_sha256_finish(mcp_sha256 *hash, unsigned char digest[MCP_SHA256_LENGTH]) {
	pad(hash);
	for (size_t i = 0; i < 8; i++) {
		write_big_endian(digest + 4 * i, hash->words[i], 4);
	}
	mcp_sha256_wipe(hash, sizeof(*hash));
}

void mcp_sha256_wipe(void *bytes, size_t length) {
	sodium_memzero(bytes, length);
}
