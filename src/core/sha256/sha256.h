/* SHA-256 (FIPS 180-4) of a text that comes in pieces: by the processor's own instructions where it has them, by
 * libsodium's code elsewhere; the digest is the same. Signatures, and the names that must be found by nobody, are
 * made with it; what only has to be spread has a faster hash (vendor/xxh64.h). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_SHA256_SHA256_H
#define MCP_CORE_SHA256_SHA256_H

#include "../bytes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MCP_SHA256_LENGTH 32
#define MCP_SHA256_BLOCK 64

/* May be copied, and gone on with from there as often as one likes. Holds what was hashed: whoever hashes a secret
 * wipes it. */
typedef struct mcp_sha256 {
	uint32_t words[8];
	uint64_t length;                      /* of what was added, in bytes */
	unsigned char rest[MCP_SHA256_BLOCK]; /* the last length % MCP_SHA256_BLOCK of them */
} mcp_sha256;

void mcp_sha256_begin(mcp_sha256 *hash);
void mcp_sha256_add(mcp_sha256 *hash, mcp_bytes bytes);

/* Ends a hash, which is wiped: it cannot be gone on with. */
void mcp_sha256_finish(mcp_sha256 *hash, unsigned char digest[MCP_SHA256_LENGTH]);

/* Overwrites what no one is to find in memory; no compiler leaves it out. */
void mcp_sha256_wipe(void *bytes, size_t length);

/* The ways to take whole blocks into a hash: all of them do the same. Private to src/core/sha256. */

/* Takes `count` blocks of 64 bytes, of any alignment, into the eight words of a hash. */
typedef void mcp_sha256_blocks(uint32_t words[8], const unsigned char *blocks, size_t count);

/* libsodium's: in C, for every processor. */
mcp_sha256_blocks mcp_sha256_blocks_portable;

/* By instructions that not every processor of its kind has: only where this one says that it does. For Arm, clang knows
 * them but when it compiles for nothing older. */
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

/* The 64 constants of the rounds (FIPS 180-4, section 4.2.2). */
extern const uint32_t *const mcp_sha256_constants;

#endif
