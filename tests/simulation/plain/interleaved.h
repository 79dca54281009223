/* Lets other clients run before each atomic operation on a 64-bit word. Include it only in
 * core/discovery/registry.c, before everything else. */
/* SPDX-License-Identifier: MIT */
#ifndef PLAIN_INTERLEAVED_H
#define PLAIN_INTERLEAVED_H

#include "core/atomics.h"

uint64_t plain_interleaved_load(const mcp_atomic_u64 *word);
bool plain_interleaved_exchange(mcp_atomic_u64 *word, uint64_t *expected, uint64_t value);

#ifdef PLAIN_INTERLEAVED
#undef atomic_compare_exchange_strong
#undef atomic_load_explicit
#define atomic_compare_exchange_strong(word, expected, value) \
	plain_interleaved_exchange(word, expected, value)
#define atomic_load_explicit(word, order) plain_interleaved_load(word)
#endif

#endif
