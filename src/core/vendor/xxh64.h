/* Include shim, not part of xxHash: XXH64 without the XXH3 family, as static functions. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_VENDOR_XXH64_H
#define MCP_VENDOR_XXH64_H

#define XXH_INLINE_ALL
#define XXH_NO_XXH3

/* xxhash.h declares XXH3 as static also where it leaves it undefined. gcc warns of that at the end of
 * the including file, and heeds only what is in force there: hence no push and pop. clang, which does
 * not warn of it, still finds unused functions in the including file. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wunused-function"
#endif

#include "xxhash.h"

#endif
