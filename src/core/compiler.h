/* Compiler hints for frequent and rare code, and intrinsics, for each compiler. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_COMPILER_H
#define MCP_CORE_COMPILER_H

#ifdef _WIN32
#include <intrin.h>
#endif

/* SELDOM and APART keep a function out of its callers, which would otherwise save its registers on every
 * hit; SELDOM is also marked cold. INLINED is for short code in the path of every hit. */
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
