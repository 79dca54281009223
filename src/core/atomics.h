/* C11 atomics on 32-bit and 64-bit words in memory that threads or processes share. Windows uses compiler intrinsics:
 * Visual Studio 2019 has no <stdatomic.h>, and the header of Visual Studio 2022 is experimental. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_ATOMICS_H
#define MCP_CORE_ATOMICS_H

#include "compiler.h"

#include <stdbool.h>
#include <stdint.h>

#ifndef _WIN32

#include <stdatomic.h>

typedef _Atomic uint32_t mcp_atomic_u32;
typedef _Atomic uint64_t mcp_atomic_u64;

/* Full barrier, also between a store and a later load. */
static inline void mcp_atomics_fence(void) {
	atomic_thread_fence(memory_order_seq_cst);
}

#else

#if !defined(_WIN64) || defined(_M_ARM64)
#error "mcpatterns on Windows requires x64"
#endif

typedef volatile uint32_t mcp_atomic_u32;
typedef volatile uint64_t mcp_atomic_u64;

/* The memory order arguments are ignored. On x64 every load is an acquire and every store a release, if the
 * compiler does not reorder them. Additions and exchanges are full barriers. Do not use seq_cst loads,
 * stores or thread fences, which need stronger barriers. */

static inline uint64_t mcp_atomic_load_u64(const mcp_atomic_u64 *word) {
	uint64_t value = *word;
	_ReadWriteBarrier();
	return value;
}

static inline uint32_t mcp_atomic_load_u32(const mcp_atomic_u32 *word) {
	uint32_t value = *word;
	_ReadWriteBarrier();
	return value;
}

static inline void mcp_atomic_store_u64(mcp_atomic_u64 *word, uint64_t value) {
	_ReadWriteBarrier();
	*word = value;
}

static inline void mcp_atomic_store_u32(mcp_atomic_u32 *word, uint32_t value) {
	_ReadWriteBarrier();
	*word = value;
}

static inline uint64_t mcp_atomic_add_u64(mcp_atomic_u64 *word, uint64_t by) {
	return (uint64_t)_InterlockedExchangeAdd64((volatile __int64 *)word, (__int64)by);
}

static inline uint32_t mcp_atomic_add_u32(mcp_atomic_u32 *word, uint32_t by) {
	return (uint32_t)_InterlockedExchangeAdd((volatile long *)word, (long)by);
}

static inline bool mcp_atomic_exchange_u64(mcp_atomic_u64 *word, uint64_t *expected,
	uint64_t value) {
	uint64_t found = (uint64_t)_InterlockedCompareExchange64((volatile __int64 *)word,
		(__int64)value, (__int64)*expected);
	bool is_exchanged = found == *expected;
	*expected = found;
	return is_exchanged;
}

static inline void mcp_atomics_fence(void) {
	volatile long word = 0;
	_InterlockedExchange(&word, 1);
}

/* clang-format off */
#define atomic_load_explicit(word, order) \
	_Generic((word), mcp_atomic_u64 *: mcp_atomic_load_u64, const mcp_atomic_u64 *: mcp_atomic_load_u64, \
		mcp_atomic_u32 *: mcp_atomic_load_u32, const mcp_atomic_u32 *: mcp_atomic_load_u32)(word)
#define atomic_fetch_add_explicit(word, by, order) \
	_Generic((word), mcp_atomic_u64 *: mcp_atomic_add_u64, mcp_atomic_u32 *: mcp_atomic_add_u32)(word, by)
#define atomic_store_explicit(word, value, order) \
	_Generic((word), mcp_atomic_u64 *: mcp_atomic_store_u64, mcp_atomic_u32 *: mcp_atomic_store_u32)(word, value)
/* clang-format on */
#define atomic_compare_exchange_strong(word, expected, value) \
	mcp_atomic_exchange_u64(word, expected, value)
#define atomic_compare_exchange_strong_explicit(word, expected, value, order, order_of_failure) \
	mcp_atomic_exchange_u64(word, expected, value)
#define atomic_compare_exchange_weak_explicit(word, expected, value, order, order_of_failure) \
	mcp_atomic_exchange_u64(word, expected, value)
#define atomic_thread_fence(order) _ReadWriteBarrier()
#define atomic_signal_fence(order) _ReadWriteBarrier()

#endif

#endif
