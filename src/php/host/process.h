/* Identifies this process, so that a forked child neither uses nor releases resources of its parent, and checks
 * whether other processes are running. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_HOST_PROCESS_H
#define MCP_PHP_HOST_PROCESS_H

#include "../../core/atomics.h"
#include "php.h"

#include <stdint.h>

#ifndef _WIN32
#include <sys/types.h>
#endif

/* Process id. 0: not yet read in this process. NULL: the kernel cannot wipe the page. Private to process.c. */
extern mcp_atomic_u32 *php_mcp_process_noted;

/* Start caching the process id. One thread calls it before the first php_mcp_process_id(). May be called again. */
void php_mcp_process_watch(void);

/* Call getpid() and cache the id if possible. */
pid_t php_mcp_process_ask_id(void);

/* getpid() without its system call: the kernel itself clears the cached id in a child, however the child was forked.
 * Calls getpid() if that is unsupported, and on Windows, which has no fork. */
static inline pid_t php_mcp_process_id(void) {
	pid_t id = EXPECTED(php_mcp_process_noted != NULL)
		? (pid_t)atomic_load_explicit(php_mcp_process_noted, memory_order_relaxed)
		: 0;
	return EXPECTED(id != 0) ? id : php_mcp_process_ask_id();
}

/* Inode of this process's PID namespace, which never changes: pid_namespaces(7). 0: unknown, for example without
 * /proc in a chroot of php-fpm. */
uint64_t php_mcp_process_namespace(void);
/* Hash of the kernel's boot id; 0: unknown. */
uint64_t php_mcp_process_boot(void);
/* Hash of boot, namespaces and host name. Equal hashes: process ids and start times are comparable. 0: unknown. */
uint64_t php_mcp_process_machine(void);
/* Start time of this process in ticks since boot; 0: unknown. */
uint64_t php_mcp_process_start(void);

/* True only if this PID namespace has no process with this id and start time. `start`: from php_mcp_process_start();
 * 0: any. */
bool php_mcp_process_is_gone(uint32_t pid, uint64_t start);

#endif
