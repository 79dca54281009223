/* Include shim, not part of libsodium: its SHA-256 under names of our own, so that nothing is
 * mixed up with a libsodium in the same process. Compiled by core/sha256/sha256.c alone. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_VENDOR_SHA256_H
#define MCP_VENDOR_SHA256_H

#define SODIUM_STATIC
#ifndef CONFIGURED
#define CONFIGURED 1
#endif

#define crypto_hash_sha256_state mcp_vendor_sha256_state
#define crypto_hash_sha256_statebytes mcp_vendor_sha256_statebytes
#define crypto_hash_sha256_bytes mcp_vendor_sha256_bytes
#define crypto_hash_sha256_init mcp_vendor_sha256_init
#define crypto_hash_sha256_update mcp_vendor_sha256_update
#define crypto_hash_sha256_final mcp_vendor_sha256_final
#define crypto_hash_sha256 mcp_vendor_sha256

#include "libsodium/crypto_hash_sha256.h"

#endif
