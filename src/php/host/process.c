/* Caches the process id in a page that the kernel wipes in any forked child (MADV_WIPEONFORK, Linux 4.14), as
 * cryptographic libraries do. pthread_atfork() would miss a child of clone(). */
/* SPDX-License-Identifier: MIT */
#include "process.h"

#include "../../core/vendor/xxh64.h"
#include "php.h"

/* Exists as long as the process. */
mcp_atomic_u32 *php_mcp_process_noted;

#ifdef _WIN32

void php_mcp_process_watch(void) {
}

pid_t php_mcp_process_ask_id(void) {
	return (pid_t)GetCurrentProcessId();
}

bool php_mcp_process_is_gone(uint32_t pid, uint64_t start) {
	(void)pid;
	(void)start;
	return false;
}

uint64_t php_mcp_process_namespace(void) {
	return 0;
}

uint64_t php_mcp_process_boot(void) {
	return 0;
}

uint64_t php_mcp_process_machine(void) {
	return 0;
}

uint64_t php_mcp_process_start(void) {
	return 0;
}

#else

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Invalid advice: only an emulator that ignores all advice accepts this value. */
#define NO_ADVICE (-1)

static mcp_atomic_u32 *make_wiped_page(void) {
#ifdef MADV_WIPEONFORK
	long size = sysconf(_SC_PAGESIZE);
	if (size <= 0) {
		return NULL;
	}
	void *page =
		mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED) {
		return NULL;
	}
	if (madvise(page, (size_t)size, NO_ADVICE) != 0 &&
		madvise(page, (size_t)size, MADV_WIPEONFORK) == 0) {
		return page;
	}
	munmap(page, (size_t)size);
#endif
	return NULL;
}

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

/* --- /proc: on systems other than Linux, all of its data counts as unknown --- */

/* Buffer size for /proc/PID/stat, whose name in parentheses has at most 64 bytes, and for the start of
 * /proc/PID/status. */
#define TEXT_MAX 2048

/* Read the start of a /proc file. Returns false on failure. */
static bool read_text(const char *path, char text[TEXT_MAX]) {
	int file = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length = file >= 0 ? read(file, text, TEXT_MAX - 1) : -1;
	if (file >= 0) {
		close(file);
	}
	text[length > 0 ? length : 0] = '\0';
	return length > 0;
}

static uint64_t inode_of(const char *path) {
	struct stat status;
	return stat(path, &status) == 0 ? (uint64_t)status.st_ino : 0;
}

uint64_t php_mcp_process_namespace(void) {
	return inode_of("/proc/self/ns/pid");
}

/* The kernel generates the id, so a forged collision is impossible. */
uint64_t php_mcp_process_boot(void) {
	char name[TEXT_MAX];
	return read_text("/proc/sys/kernel/random/boot_id", name) ? XXH64(name, strlen(name), 0) : 0;
}

/* Includes the host name, because virtual machines that were cloned while they ran share a boot id. A forged collision
 * gains nothing: an attacker who can write a process into an item can also delete the item. */
uint64_t php_mcp_process_machine(void) {
	struct {
		uint64_t boot, ids, times;
		char host[256];
	} machine = {0};
	machine.boot = php_mcp_process_boot();
	machine.ids = php_mcp_process_namespace();
	/* The kernel shifts start times by the offset of this namespace. 0: the kernel has no time namespaces. */
	machine.times = inode_of("/proc/self/ns/time");
	if (machine.boot == 0 || machine.ids == 0 ||
		gethostname(machine.host, sizeof(machine.host) - 1) != 0) {
		return 0;
	}
	return XXH64(&machine, sizeof(machine), 0);
}

/* State of a process in /proc. */
typedef struct process_stat {
	char state;
	uint64_t threads;
	uint64_t start;
} process_stat;

/* Reads these fields of /proc/PID/stat, which follow the name in parentheses: proc(5). */
static bool read_process_stat(const char *path, process_stat *found) {
	static const char fields[] =
		") %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s"
		" %" SCNu64 " %*s %" SCNu64;
	char text[TEXT_MAX];
	const char *at = read_text(path, text) ? strrchr(text, ')') : NULL;
	return at != NULL && sscanf(at, fields, &found->state, &found->threads, &found->start) == 3;
}

/* True if /proc shows the ids of this process's PID namespace. In a new namespace without its own /proc, the ids
 * differ. */
static bool has_own_proc(void) {
	static const char field[] = "\nNSpid:\t";
	char text[TEXT_MAX];
	const char *at = read_text("/proc/self/status", text) ? strstr(text, field) : NULL;
	if (at == NULL) {
		return false;
	}
	char *end;
	at += sizeof(field) - 1;
	return strtoull(at, &end, 10) == (unsigned long long)getpid() && *end == '\n';
}

uint64_t php_mcp_process_start(void) {
	process_stat found;
	return has_own_proc() && read_process_stat("/proc/self/stat", &found) ? found.start : 0;
}

/* A zombie counts as gone, because it has closed everything, unless other threads of the process are running. */
bool php_mcp_process_is_gone(uint32_t pid, uint64_t start) {
	if (pid == 0) {
		return false;
	}
	if (kill((pid_t)pid, 0) != 0 && errno == ESRCH) {
		return true;
	}
	char path[64];
	process_stat found;
	snprintf(path, sizeof(path), "/proc/%u/stat", (unsigned)pid);
	if (start == 0 || !read_process_stat(path, &found) || found.start == 0) {
		return false;
	}
	bool is_gone = found.start != start || (found.state == 'Z' && found.threads <= 1);
	return is_gone && has_own_proc();
}

#endif
