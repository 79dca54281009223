/* Include shim, not part of libsodium: the one function of its utils.h that hash_sha256_cp.c calls. Secrets are
 * hashed too, so no compiler may leave the clearing out. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_VENDOR_SODIUM_UTILS_H
#define MCP_VENDOR_SODIUM_UTILS_H

#include <stddef.h>
#include <string.h>

static inline void sodium_memzero(void *const bytes, const size_t length) {
	memset(bytes, 0, length);
#if defined(__GNUC__)
	__asm__ __volatile__("" : : "r"(bytes) : "memory");
#else
	for (volatile unsigned char *at = bytes, *end = at + length; at < end; at++) {
		*at = 0;
	}
#endif
}

#endif
