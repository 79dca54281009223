/* Says to each compiler in its own words which code runs often and which does not, and what the processor does in
 * one instruction. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_COMPILER_H
#define MCP_CORE_COMPILER_H

#include <stdint.h>
#ifdef _WIN32
#include <intrin.h>
#endif

/* Keep a function out of those that call it, or these would save its registers, too, and every hit pays for that:
 * of SELDOM the compiler also hears that it is seldom run. INLINED is the opposite, for what would not be worth a call
 * in the path of every hit. */
#ifdef _MSC_VER
#define MCP_SELDOM __declspec(noinline)
#define MCP_INLINED static __forceinline
#define MCP_APART __declspec(noinline)
#else
#define MCP_SELDOM __attribute__((noinline, cold))
#define MCP_INLINED static inline __attribute__((always_inline))
#define MCP_APART __attribute__((noinline))
#endif

/* Counts the bits that a number takes. */
static inline unsigned mcp_width_of(uint64_t number) {
#ifdef _WIN32
	unsigned long highest;
	return _BitScanReverse64(&highest, number) ? (unsigned)highest + 1 : 0;
#else
	return number == 0 ? 0 : 64 - (unsigned)__builtin_clzll(number);
#endif
}

#endif
