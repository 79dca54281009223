/* Include shim, not part of libsodium: the one function of its utils.h that hash_sha256_cp.c calls.
 * What is hashed here are cache keys, no secrets, so an ordinary clearing is enough. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_VENDOR_SODIUM_UTILS_H
#define MCP_VENDOR_SODIUM_UTILS_H

#include <stddef.h>
#include <string.h>

static inline void sodium_memzero(void *const bytes, const size_t length) {
	memset(bytes, 0, length);
}

#endif
