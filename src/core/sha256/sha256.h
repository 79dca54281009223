/* SHA-256 (FIPS 180-4), incremental: with processor instructions if available, otherwise with libsodium's
 * code.
 * Used for signatures and secret names; distribution uses a faster hash (vendor/xxh64.h). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_SHA256_SHA256_H
#define MCP_CORE_SHA256_SHA256_H

#include "../bytes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MCP_SHA256_LENGTH 32
#define MCP_SHA256_BLOCK 64

/* A hash in progress. It may be copied and continued from any copy. It contains hashed data: wipe it after hashing a
 * secret. */
typedef struct mcp_sha256 {
	uint32_t words[8];
	uint64_t length;                      /* bytes added so far */
	unsigned char rest[MCP_SHA256_BLOCK]; /* the last length % MCP_SHA256_BLOCK bytes */
} mcp_sha256;

void mcp_sha256_begin(mcp_sha256 *hash);
void mcp_sha256_add(mcp_sha256 *hash, mcp_bytes bytes);

/* Finish a hash and wipe it: it cannot be continued. */
void mcp_sha256_finish(mcp_sha256 *hash, unsigned char digest[MCP_SHA256_LENGTH]);

/* Overwrite secrets in memory; compilers do not optimize this call away. */
void mcp_sha256_wipe(void *bytes, size_t length);

/* Implementations for whole blocks, with equal results. Private to src/core/sha256. */

/* Add `count` blocks of 64 bytes, of any alignment, to the 8 words of a hash. */
typedef void mcp_sha256_blocks(uint32_t words[8], const unsigned char *blocks, size_t count);

/* libsodium's code in C, for every processor. */
mcp_sha256_blocks mcp_sha256_blocks_portable;

/* mcp_sha256_blocks_by_instructions uses instructions that not every processor has. Call it only if
 * mcp_sha256_asks_processor returns true. For Arm, clang needs a target with these instructions. */
#if defined(__GNUC__) && defined(__x86_64__)
#define MCP_SHA256_INSTRUCTIONS
#elif defined(__GNUC__) && defined(__aarch64__) && defined(__linux__) && \
	(!defined(__clang__) || defined(__ARM_FEATURE_SHA2))
#define MCP_SHA256_INSTRUCTIONS
#endif

#ifdef MCP_SHA256_INSTRUCTIONS
mcp_sha256_blocks mcp_sha256_blocks_by_instructions;

bool mcp_sha256_asks_processor(void);
#endif

/* The 64 round constants (FIPS 180-4, section 4.2.2). */
extern const uint32_t *const mcp_sha256_constants;

#endif
