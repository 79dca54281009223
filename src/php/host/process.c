/* The process id in a page that the kernel wipes in the child of any fork (MADV_WIPEONFORK, Linux 4.14), as
 * cryptographic libraries watch over their random state. pthread_atfork() would miss a child of clone(). */
/* SPDX-License-Identifier: MIT */
#include "process.h"

/* Lives as long as the process. */
mcp_atomic_u32 *php_mcp_process_noted;

#ifdef _WIN32

void php_mcp_process_watch(void) {
}

pid_t php_mcp_process_ask_id(void) {
	return (pid_t)GetCurrentProcessId();
}

#else

#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef MADV_WIPEONFORK
/* An emulator that ignores advice says yes to this one, too. */
#define NO_ADVICE (-1)

static mcp_atomic_u32 *make_wiped_page(void) {
	long size = sysconf(_SC_PAGESIZE);
	if (size <= 0) {
		return NULL;
	}
	void *page =
		mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED) {
		return NULL;
	}
	if (madvise(page, (size_t)size, NO_ADVICE) == 0 ||
		madvise(page, (size_t)size, MADV_WIPEONFORK) != 0) {
		munmap(page, (size_t)size);
		return NULL;
	}
	return page;
}
#else
static mcp_atomic_u32 *make_wiped_page(void) {
	return NULL;
}
#endif

void php_mcp_process_watch(void) {
	if (php_mcp_process_noted == NULL) {
		php_mcp_process_noted = make_wiped_page();
	}
}

pid_t php_mcp_process_ask_id(void) {
	pid_t id = getpid();
	if (php_mcp_process_noted != NULL) {
		atomic_store_explicit(php_mcp_process_noted, (uint32_t)id, memory_order_relaxed);
	}
	return id;
}

#endif
