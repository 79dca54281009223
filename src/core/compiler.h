/* What the compiler is told about code that runs often, and code that does not. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_COMPILER_H
#define MCP_CORE_COMPILER_H

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

#endif
