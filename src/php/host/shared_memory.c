/* Opens the host's shared memory and divides it. The state of this file is set in MINIT and MSHUTDOWN only: threads and
 * forked children use it unchanged. */
/* SPDX-License-Identifier: MIT */
#include "shared_memory.h"

#include "../../core/metrics/counts.h"
#include "../../core/vendor/xxh64.h"
#include "shared_access.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define MCP_SHARED_LAYOUT 13

/* Bytes of the file's own header. */
#define MCP_SHARED_FILE_HEAD 64

#ifndef PHP_WIN32
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#endif

#define KIB 1024
#define MIB (1024 * KIB)

/* Space for the file's header, unused without a file. One page on all supported systems, so that parts are
 * page-aligned. */
#define HEAD_SIZE (4 * KIB)

#define METRICS_SIZE (1 * MIB)
#define METRICS_SHARE 4
#define METRICS_LEAST (256 * KIB)

#define BELLS_SHARE 256
#define BELLS_LEAST HEAD_SIZE
#define BELLS_MOST (64 * KIB)

/* Longer messages are truncated. */
#define TROUBLE_MAX 512

#define DISCOVERIES_SIZE (260 * KIB)
#define DISCOVERIES_LEAST (1 * MIB)

typedef struct extent {
	size_t start;
	size_t size;
} extent;

static struct {
	char *memory; /* NULL: none */
	size_t size;
	extent parts[MCP_SHARED_PARTS];
	char *path;                /* NULL: no file; malloc'ed */
	char trouble[TROUBLE_MAX]; /* "": as configured */
} shared;

static size_t metrics_size(size_t bytes) {
	if (bytes < METRICS_LEAST) {
		return 0;
	}
	size_t share = bytes / METRICS_SHARE / HEAD_SIZE * HEAD_SIZE;
	return share < METRICS_SIZE ? share : METRICS_SIZE;
}

static size_t bells_size(size_t bytes) {
	size_t size = BELLS_LEAST;
	while (size < BELLS_MOST && size * 2 <= bytes / BELLS_SHARE) {
		size *= 2;
	}
	return size;
}

static void divide(size_t bytes) {
	size_t bells = bells_size(bytes);
	shared.parts[MCP_SHARED_METRICS].size = metrics_size(bytes);
	shared.parts[MCP_SHARED_BELLS].size = bells;
	shared.parts[MCP_SHARED_DISCOVERIES].size = bytes >= DISCOVERIES_LEAST ? DISCOVERIES_SIZE : 0;
	shared.parts[MCP_SHARED_HOLDERS].size = bells;
	size_t start = HEAD_SIZE;
	for (int part = 0; part < MCP_SHARED_PARTS; part++) {
		shared.parts[part].start = start;
		start += shared.parts[part].size;
	}
	shared.parts[MCP_SHARED_NEAR].size = bytes - start;
}

/* Hash everything that another build or boot could interpret differently: times in a file count from the boot. No user
 * controls the hashed data, so no user can forge a collision. */
static uint64_t layout(void) {
	static const char version[] = PHP_MCPATTERNS_VERSION;
	uint64_t hash = XXH64(version, sizeof(version), MCP_SHARED_LAYOUT);
	uint64_t numbers[] = {php_mcp_process_boot(), sizeof(void *), sizeof(size_t),
		0x0102030405060708, HEAD_SIZE, shared.parts[MCP_SHARED_METRICS].size,
		shared.parts[MCP_SHARED_BELLS].size, shared.parts[MCP_SHARED_DISCOVERIES].size,
		shared.parts[MCP_SHARED_HOLDERS].size, shared.parts[MCP_SHARED_NEAR].size,
		mcp_counts_fingerprint()};
	return XXH64(numbers, sizeof(numbers), hash);
}

/* File as shared memory. The header identifies this module and the layout, and is written under a lock: if two
 * processes start together, one creates the file and the other finds it. Other processes can have a file with another
 * layout mapped, so it is unlinked under its lock and replaced instead of overwritten. */

/* Properties of the file that a process expects. */
typedef struct wanted {
	uint64_t layout;
	uint64_t size;
	const mcp_shared_access *access;
} wanted;

#ifdef PHP_WIN32

static const char *map_path(const char *path, const wanted *wants, void **memory) {
	(void)path;
	(void)wants;
	(void)memory;
	return "this system cannot map it";
}

#else

/* Creating the file takes microseconds, but the process that creates it can be stopped meanwhile, so start-up must not
 * wait forever. */
#define LOCK_ATTEMPTS 200
#define LOCK_PAUSE_NS 5000000

/* Each start-up with another layout can replace the file once after this process has opened it and before this process
 * has locked it. */
#define OPEN_ATTEMPTS 16

static const char magic[16] = "mcpatterns mem";

typedef struct file_head {
	char magic[sizeof(magic)];
	uint64_t layout;
	uint64_t size;
} file_head;

_Static_assert(sizeof(file_head) <= MCP_SHARED_FILE_HEAD, "the head has its room");

/* Reason to open the path again: the name is free, or another file has it. */
static const char replaced[] = "other processes keep recreating it";

#define SETTING "mcpatterns.shared_memory_group allows several users"

static int open_file(const char *path) {
	/* No O_TRUNC; O_NONBLOCK avoids waiting for the other end of a pipe. */
	int common = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
	int file = open(path, common | O_CREAT | O_EXCL, S_IRUSR | S_IWUSR);
	if (file < 0 && errno == EEXIST) {
		file = open(path, common);
	}
	return file;
}

static const char *why_not_opened(const mcp_shared_access *access) {
	switch (errno) {
		case ELOOP:
			return "it is a symbolic link";
		case EACCES:
			return access->has_group ? "permission denied" : "permission denied; " SETTING;
		default:
			return strerror(errno);
	}
}

static mode_t mode_of(const struct stat *status) {
	return status->st_mode & 07777;
}

static bool has_wanted_access(const struct stat *status, const mcp_shared_access *access) {
	return mode_of(status) == access->mode &&
		(!access->has_group || status->st_gid == access->group);
}

/* True if only this user, root or the group's members could have given the file this owner and group. */
static bool is_ours(const struct stat *status, const mcp_shared_access *access) {
	return status->st_uid == geteuid() || (access->has_group && has_wanted_access(status, access));
}

/* Also accept a file that its creator has not given to the group, or not yet. Only the creator could have written to
 * such a file. */
static bool has_safe_mode(const struct stat *status, const mcp_shared_access *access) {
	return mode_of(status) == access->mode || mode_of(status) == (S_IRUSR | S_IWUSR);
}

/* Returns NULL if the file is acceptable, otherwise the reason. Accepts a file that has been unlinked. */
static const char *judge_owner(const struct stat *status, const mcp_shared_access *access) {
	if (!S_ISREG(status->st_mode)) {
		return "it is not a regular file";
	}
	if (!is_ours(status, access)) {
		return access->has_group ? "it belongs to another user or group"
								 : "it belongs to another user; " SETTING;
	}
	if (!has_safe_mode(status, access)) {
		return access->mode == 0660 ? "it must have the mode 0660" : "it must have the mode 0600";
	}
	return status->st_nlink <= 1 ? NULL : "it has a second hard link";
}

static bool lock(int file) {
	for (int i = 0; i < LOCK_ATTEMPTS; i++) {
		if (flock(file, LOCK_EX | LOCK_NB) == 0) {
			return true;
		}
		nanosleep(&(struct timespec){.tv_nsec = LOCK_PAUSE_NS}, NULL);
	}
	return false;
}

/* Apply the configured access to our file. Another user's file already has this access, or it would have been
 * rejected. */
static const char *give_access(int file, const struct stat *status,
	const mcp_shared_access *access) {
	if (has_wanted_access(status, access)) {
		return NULL;
	}
	if (access->has_group && fchown(file, (uid_t)-1, (gid_t)access->group) != 0) {
		return errno == EPERM ? "this user is not a member of the group" : strerror(errno);
	}
	return fchmod(file, (mode_t)access->mode) == 0 ? NULL : strerror(errno);
}

/* Allocate all blocks: touching a page without disk space would kill the process. Writes the header first, so that the
 * file of a process that is killed here is identified as ours and as too short. */
static const char *make_file(int file, const wanted *wants) {
	file_head head = {.layout = wants->layout, .size = wants->size};
	memcpy(head.magic, magic, sizeof(magic));
	if (pwrite(file, &head, sizeof(head), 0) != (ssize_t)sizeof(head)) {
		return strerror(errno);
	}
	int failure = posix_fallocate(file, 0, (off_t)head.size);
	if (failure != 0) {
		return ftruncate(file, 0) == 0 ? strerror(failure) : strerror(errno);
	}
	return NULL;
}

/* True if the path still leads to this file. A file is unlinked only under its lock. */
static bool has_name(const char *path, const struct stat *status) {
	struct stat named;
	return lstat(path, &named) == 0 && named.st_dev == status->st_dev &&
		named.st_ino == status->st_ino;
}

/* Use the file at the path, while it is locked. */
static const char *take_file(const char *path, int file, const struct stat *status,
	const wanted *wants, void **memory) {
	file_head found;
	if (status->st_size == 0) {
		const char *why = give_access(file, status, wants->access);
		why = why == NULL ? make_file(file, wants) : why;
		if (why != NULL) {
			return why;
		}
	} else if (pread(file, &found, sizeof(found), 0) != (ssize_t)sizeof(found) ||
		memcmp(found.magic, magic, sizeof(magic)) != 0) {
		return "it was not created by this extension";
	} else if (found.layout != wants->layout || found.size != wants->size ||
		(uint64_t)status->st_size != wants->size || !has_wanted_access(status, wants->access)) {
		return unlink(path) == 0
			? replaced
			: "it has another size, version or group or is from an earlier boot, and cannot be deleted";
	}
	void *mapped = mmap(NULL, wants->size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (mapped == MAP_FAILED) {
		return strerror(errno);
	}
	*memory = mapped;
	return NULL;
}

static const char *judge_file(const char *path, int file, const wanted *wants, void **memory) {
	struct stat status;
	if (fstat(file, &status) != 0) {
		return strerror(errno);
	}
	const char *why = judge_owner(&status, wants->access);
	if (why != NULL) {
		return why;
	}
	if (!lock(file)) {
		return "it is locked by another process";
	}
	if (fstat(file, &status) != 0) { /* others might have changed it before the lock */
		return strerror(errno);
	}
	if (!has_name(path, &status)) {
		return replaced;
	}
	why = judge_owner(&status, wants->access);
	return why == NULL ? take_file(path, file, &status, wants, memory) : why;
}

/* Map the file that processes of different masters share, and create it if it is missing. Replaces a file of this
 * module if its layout differs or it is too short. Processes that have mapped the replaced file keep it. Rejects a file
 * that is not this module's, or that users other than this user and the group could write. Follows no link. Returns
 * NULL, or the reason for a failure. */
static const char *map_path(const char *path, const wanted *wants, void **memory) {
	const char *why = replaced;
	for (int i = 0; i < OPEN_ATTEMPTS && why == replaced; i++) {
		int file = open_file(path);
		if (file < 0) {
			return why_not_opened(wants->access);
		}
		why = judge_file(path, file, wants, memory);
		/* The mapping keeps the file open, and would keep the lock. */
		flock(file, LOCK_UN);
		close(file);
	}
	return why;
}

#endif

static char *map_anonymous(size_t bytes) {
#if defined(PHP_WIN32) || !defined(MAP_ANONYMOUS)
	(void)bytes;
	return NULL;
#else
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED) {
		snprintf(shared.trouble, sizeof(shared.trouble), "cannot allocate %zu bytes: %s", bytes,
			strerror(errno));
		zend_error(E_CORE_WARNING, "mcpatterns.shared_memory: %s", shared.trouble);
		return NULL;
	}
	return memory;
#endif
}

static char *map_file(const char *path, const mcp_shared_access *access, size_t bytes) {
	wanted wants = {.layout = layout(), .size = bytes, .access = access};
	void *memory = NULL;
	const char *why = map_path(path, &wants, &memory);
	if (why != NULL) {
		snprintf(shared.trouble, sizeof(shared.trouble), "\"%s\" cannot be used (%s)", path, why);
		zend_error(E_CORE_WARNING,
			"mcpatterns.shared_memory_path: %s."
			" Anonymous memory is used instead, which no other master or script shares.",
			shared.trouble);
		return NULL;
	}
	shared.path = pestrdup(path, true);
	return memory;
}

/* Create the memory. `bytes` 0: none. `path` "": no file, and `access` is ignored. */
static void make(size_t bytes, const char *path, const mcp_shared_access *access) {
	if (bytes == 0) {
		return;
	}
	bytes = bytes / HEAD_SIZE * HEAD_SIZE;
	divide(bytes);
	shared.memory = *path != '\0' ? map_file(path, access, bytes) : NULL;
	if (shared.memory == NULL) {
		shared.memory = map_anonymous(bytes);
	}
	shared.size = shared.memory != NULL ? bytes : 0;
}

void php_mcp_shared_memory_open(void) {
	mcp_shared_access access;
	php_mcp_shared_access_read(MCP_G(shared_memory_group), MCP_G(shared_memory_mode), &access);
	make((size_t)MCP_G(shared_memory), MCP_G(shared_memory_path), &access);
}

void php_mcp_shared_memory_close(void) {
#ifndef PHP_WIN32
	if (shared.memory != NULL) {
		munmap(shared.memory, shared.size);
	}
#endif
	if (shared.path != NULL) {
		pefree(shared.path, true);
	}
	memset(&shared, 0, sizeof(shared));
}

void *php_mcp_shared_memory_part(mcp_shared_part part, size_t *size) {
	const extent *place = &shared.parts[part];
	*size = shared.memory != NULL ? place->size : 0;
	return *size > 0 ? shared.memory + place->start : NULL;
}

const char *php_mcp_shared_memory_trouble(void) {
	return *shared.trouble != '\0' ? shared.trouble : NULL;
}

zend_string *php_mcp_shared_memory_describe(void) {
	if (shared.memory == NULL) {
		return zend_string_init(ZEND_STRL("none"), 0);
	}
	size_t unit = shared.size % MIB == 0 ? MIB : KIB;
	return zend_strpprintf(0, "%zu %s%s%s", shared.size / unit, unit == MIB ? "MiB" : "KiB",
		shared.path != NULL ? " in " : "", shared.path != NULL ? shared.path : "");
}

/* --- change counters, near cache, wake-up words and lock holders. Set at the same times as the memory, except each
 * thread's own record as a holder. --- */

#define OWN_COUNTERS 4096 /* a power of two */

static struct {
	mcp_changes changes;
	mcp_shm_cache near_cache;
	mcp_wakeups bells;
	mcp_holders holders;
	bool has_near_cache, has_bells, has_holders;
	/* without shared memory: one counter for all keys, then the counters of single keys */
	mcp_atomic_u64 *own;
} host;

void php_mcp_shared_memory_start_parts(void) {
	size_t size;
	void *memory = php_mcp_shared_memory_part(MCP_SHARED_NEAR, &size);
	host.has_near_cache = memory != NULL && mcp_shm_cache_open(&host.near_cache, memory, size);
	if (host.has_near_cache) {
		host.changes = host.near_cache.changes;
	} else {
		host.own = pecalloc(1 + OWN_COUNTERS, sizeof(*host.own), true);
		host.changes = (mcp_changes){host.own, host.own + 1, OWN_COUNTERS - 1};
	}
	memory = php_mcp_shared_memory_part(MCP_SHARED_BELLS, &size);
	host.has_bells = memory != NULL && MCP_G(environment).doze != NULL &&
		mcp_wakeups_open(&host.bells, memory, size);
	memory = php_mcp_shared_memory_part(MCP_SHARED_HOLDERS, &size);
	uint32_t drawn = (uint32_t)mcp_random_u64(&MCP_G(environment)) | 1;
	host.has_holders = memory != NULL && mcp_holders_open(&host.holders, memory, size, drawn);
}

void php_mcp_shared_memory_stop_parts(void) {
	php_mcp_shared_memory_leave_holders(&MCP_G(holder));
	if (host.own != NULL) {
		pefree((void *)host.own, true);
	}
	memset(&host, 0, sizeof(host));
}

const mcp_changes *php_mcp_shared_memory_changes(void) {
	return &host.changes;
}

const mcp_shm_cache *php_mcp_shared_memory_near_cache(void) {
	return host.has_near_cache ? &host.near_cache : NULL;
}

/* True if the process is alive, even if it belongs to another user. */
static bool is_alive(uint32_t pid) {
	return !php_mcp_process_is_gone(pid, 0);
}

mcp_near_writer php_mcp_shared_memory_near_writer(void) {
	uint32_t pid = (uint32_t)php_mcp_process_id();
	if (UNEXPECTED(MCP_G(near_writer).pid != pid)) {
		MCP_G(near_writer) = (mcp_near_writer){pid, php_mcp_process_namespace(), is_alive};
	}
	return MCP_G(near_writer);
}

char *php_mcp_shared_memory_near_copy(void) {
	if (MCP_G(near_copy) == NULL) {
		MCP_G(near_copy) = pemalloc(MCP_NEAR_ITEM_MAX, true);
	}
	return MCP_G(near_copy);
}

const mcp_wakeups *php_mcp_shared_memory_wakeups(void) {
	return host.has_bells ? &host.bells : NULL;
}

void php_mcp_shared_memory_leave_holders(mcp_holder *holder) {
	bool is_ours = holder->name.pid == (uint32_t)php_mcp_process_id();
	if (host.has_holders && is_ours && holder->name.machine != 0) {
		mcp_holder_leave(holder);
	}
}

void php_mcp_shared_memory_enter_holders(void) {
	mcp_holder_name name = {
		.machine = php_mcp_process_machine(),
		.start = php_mcp_process_start(),
		.pid = (uint32_t)php_mcp_process_id(),
	};
	if (name.pid > MCP_HOLDER_PID_MAX || name.start > MCP_HOLDER_START_MAX) {
		name.machine = 0;
	}
	bool is_shared = host.has_holders && name.machine != 0;
	mcp_holder_enter(&MCP_G(holder), is_shared ? &host.holders : NULL, &name,
		php_mcp_process_is_gone);
	MCP_G(late_locks).count = 0; /* the parent's entries: the parent might hold such a lock now */
}
