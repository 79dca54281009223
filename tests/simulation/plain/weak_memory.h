/* Delays stores of wake-up stamps as a processor does without a fence: other clients do not see a store until its
 * client reaches a fence, or until it happens. Include it only in core/waking/wakeups.c, before everything else. */
/* SPDX-License-Identifier: MIT */
#ifndef PLAIN_WEAK_MEMORY_H
#define PLAIN_WEAK_MEMORY_H

#include "core/atomics.h"

bool plain_weak_exchange(mcp_atomic_u64 *word, uint64_t *expected, uint64_t value);
void plain_weak_store(mcp_atomic_u64 *word, uint64_t value);
uint64_t plain_weak_load_u64(const mcp_atomic_u64 *word);
uint32_t plain_weak_load_u32(const mcp_atomic_u32 *word);
void plain_weak_fence(void);
/* Drops pending stores. Call it before a run. */
void plain_weak_prepare(void);

#ifdef PLAIN_WEAK_MEMORY
#undef atomic_compare_exchange_strong
#undef atomic_store_explicit
#undef atomic_load_explicit
#define atomic_compare_exchange_strong(word, expected, value) \
	plain_weak_exchange(word, expected, value)
#define atomic_store_explicit(word, value, order) plain_weak_store(word, value)
#define atomic_load_explicit(word, order) \
	_Generic((word), mcp_atomic_u64 *: plain_weak_load_u64,                      \
		const mcp_atomic_u64 *: plain_weak_load_u64,                             \
		mcp_atomic_u32 *: plain_weak_load_u32,                                   \
		const mcp_atomic_u32 *: plain_weak_load_u32)(word)
#define mcp_atomics_fence() plain_weak_fence()
#endif

#endif
