/* Random numbers of the kernel, some at a time: one system call for many tokens. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_RANDOMNESS_H
#define MCP_PHP_RANDOMNESS_H

#include "process.h"

#include <stdint.h>

#define MCP_RANDOM_NUMBERS 32

/* One thread's numbers; begins as zero. A number is wiped when it is handed out, and a child of a fork takes
 * none that its parent has fetched. */
typedef struct mcp_randomness {
	uint64_t numbers[MCP_RANDOM_NUMBERS];
	unsigned left;
	pid_t fetched_by;
} mcp_randomness;

uint64_t php_mcp_randomness_take(mcp_randomness *randomness);

#endif
