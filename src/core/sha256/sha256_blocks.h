/* The ways to take whole blocks into a hash: all of them do the same. Private to src/core/sha256. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_SHA256_BLOCKS_H
#define MCP_CORE_SHA256_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
