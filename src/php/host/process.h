/* Which process this is, asked before every operation: a forked child must neither use what its parent has
 * opened nor give back what its parent holds. And which other processes live. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_HOST_PROCESS_H
#define MCP_PHP_HOST_PROCESS_H

#include "../../core/atomics.h"
#include "php.h"

#include <stdint.h>

#ifndef _WIN32
#include <sys/types.h>
#endif

/* The process's id. 0: not yet asked for in this process. NULL: the kernel does not wipe. For process.c alone. */
extern mcp_atomic_u32 *php_mcp_process_noted;

/* Begins to note the process's id. One thread calls it before the first php_mcp_process_id; more than once does
 * no harm. */
void php_mcp_process_watch(void);

/* Calls getpid() and notes the id where it can be. */
pid_t php_mcp_process_ask_id(void);

/* Does what getpid() does without its system call: the kernel itself forgets the number in the child of a fork,
 * however the child was made. Where it cannot, this is getpid(); and on Windows, which has no fork. */
static inline pid_t php_mcp_process_id(void) {
	pid_t id = EXPECTED(php_mcp_process_noted != NULL)
		? (pid_t)atomic_load_explicit(php_mcp_process_noted, memory_order_relaxed)
		: 0;
	return EXPECTED(id != 0) ? id : php_mcp_process_ask_id();
}

/* Returns the inode of the namespace of this process's id, which is its own as long as it lives: pid_namespaces(7). 0: unknown, as
 * in a php-fpm with a chroot, where there is no /proc. */
uint64_t php_mcp_process_namespace(void);
/* Returns a hash of what the kernel calls this boot by; 0: unknown. */
uint64_t php_mcp_process_boot(void);
/* Returns a hash of boot, namespaces and host name: ids and starts of two processes mean the same if theirs are alike. 0:
 * unknown. */
uint64_t php_mcp_process_machine(void);
/* Returns when this process started, in ticks since the boot; 0: unknown. */
uint64_t php_mcp_process_start(void);

/* True only if no process of this id lives in this process's namespace, or it did not start then. `start`: of
 * php_mcp_process_start; 0: any. */
bool php_mcp_process_is_gone(uint32_t pid, uint64_t start);

/* Random numbers of the kernel, some at a time: one system call for many tokens. */

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
