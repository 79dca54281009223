/* SHA-256 (FIPS 180-4) of a text that comes in pieces: by the processor's own instructions where it has them, by
 * libsodium's code elsewhere; the digest is the same. Signatures, and the names that must be found by nobody, are
 * made with it; what only has to be spread has a faster hash (vendor/xxh64.h). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_SHA256_H
#define MCP_CORE_SHA256_H

#include "../bytes.h"

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

#endif
