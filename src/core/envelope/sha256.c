/* Compiles libsodium's SHA-256, for all of core. */
/* SPDX-License-Identifier: MIT */
#include "../vendor/sha256.h"

#include "../vendor/libsodium/hash_sha256_cp.c"
