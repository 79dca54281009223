/* Two processes of one host as holders of locks, which share a memory, and one of another host. Any of them can end. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_TESTS_PATTERNS_HOLDER_WORLD_H
#define MCP_TESTS_PATTERNS_HOLDER_WORLD_H

#include "../../src/core/holders/holders.h"

typedef struct holder_world {
	mcp_holder first, second, far;
} holder_world;

/* Returns the only one, made anew. */
holder_world *open_holder_world(void);
/* Ends a process as kill -9 does. */
void end_process(const mcp_holder *holder);
/* Says how many stamps a process has registered. */
unsigned registered(const mcp_holder *holder);

#endif
