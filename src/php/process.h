/* Which process this is, asked before every operation: a forked child must neither use what its parent has
 * opened nor give back what its parent holds. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_PROCESS_H
#define MCP_PHP_PROCESS_H

#include <sys/types.h>

/* To be called before the first mcp_process_id, by one thread; more than once does no harm. */
void mcp_process_watch(void);

/* getpid() without its system call: the kernel itself forgets the number in the child of a fork, however the
 * child was made. Where it cannot, this is getpid(). */
pid_t mcp_process_id(void);

#endif
