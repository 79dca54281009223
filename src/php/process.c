/* The process id in a page that the kernel wipes in the child of any fork (MADV_WIPEONFORK, Linux 4.14), as
 * cryptographic libraries watch over their random state. pthread_atfork() would miss a child of clone(). */
/* SPDX-License-Identifier: MIT */
#include "process.h"

#include "php.h"

#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

#ifndef PHP_WIN32
#include <sys/mman.h>
#endif

typedef _Atomic pid_t noted_id;

/* 0: not yet asked for in this process. NULL: the kernel does not wipe. Lives as long as the process. */
static noted_id *noted;

#ifdef MADV_WIPEONFORK
/* An emulator that ignores advice says yes to this one, too. */
#define NO_ADVICE (-1)

static noted_id *make_wiped_page(void) {
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
static noted_id *make_wiped_page(void) {
	return NULL;
}
#endif

void mcp_process_watch(void) {
	if (noted == NULL) {
		noted = make_wiped_page();
	}
}

pid_t mcp_process_id(void) {
	if (UNEXPECTED(noted == NULL)) {
		return getpid();
	}
	pid_t id = atomic_load_explicit(noted, memory_order_relaxed);
	if (UNEXPECTED(id == 0)) {
		id = getpid();
		atomic_store_explicit(noted, id, memory_order_relaxed);
	}
	return id;
}
