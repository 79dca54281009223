/* A file as shared memory. Its first bytes say whose it is and what the rest means; they are written under a lock,
 * so that of two processes that start at once one makes it and the other finds it made. */
/* SPDX-License-Identifier: MIT */
#include "shared_file.h"

#include "php.h"

#ifdef PHP_WIN32

void *mcp_shared_file_map(const char *path, size_t size, uint64_t layout, const char **why) {
	(void)path;
	(void)size;
	(void)layout;
	*why = "it cannot be mapped on this system";
	return NULL;
}

#else

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A process that makes the file needs microseconds. Another one may have stopped just there: a start-up does not
 * wait for it for ever. */
#define LOCK_ATTEMPTS 200
#define LOCK_PAUSE_NS 5000000

static const char magic[16] = "mcpatterns mem";

typedef struct file_head {
	char magic[sizeof(magic)];
	uint64_t layout;
	uint64_t size;
} file_head;

_Static_assert(sizeof(file_head) <= MCP_SHARED_FILE_HEAD, "the head has its room");

static int open_file(const char *path) {
	/* Not O_TRUNC, and no wait for the other end of a pipe. */
	int common = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
	int file = open(path, common | O_CREAT | O_EXCL, S_IRUSR | S_IWUSR);
	if (file < 0 && errno == EEXIST) {
		file = open(path, common);
	}
	return file;
}

/* NULL, or what is wrong with it. */
static const char *judge_owner(const struct stat *status) {
	if (!S_ISREG(status->st_mode)) {
		return "it is no regular file";
	}
	if (status->st_uid != geteuid()) {
		return "it belongs to another user";
	}
	if ((status->st_mode & 07777) != (S_IRUSR | S_IWUSR)) {
		return "it must have the mode 0600";
	}
	return status->st_nlink == 1 ? NULL : "it has a second name";
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

/* All of it is had at once: a page that the file system had no room for would end the process that touches it. */
static const char *make(int file, const file_head *head) {
	int failure = posix_fallocate(file, 0, (off_t)head->size);
	if (failure != 0) {
		return ftruncate(file, 0) == 0 ? strerror(failure) : strerror(errno);
	}
	bool is_written = pwrite(file, head, sizeof(*head), 0) == (ssize_t)sizeof(*head);
	return is_written ? NULL : strerror(errno);
}

static const char *make_or_judge(int file, const file_head *wanted) {
	struct stat status;
	if (fstat(file, &status) != 0) {
		return strerror(errno);
	}
	const char *why = judge_owner(&status);
	if (why != NULL) {
		return why;
	}
	if (status.st_size == 0) {
		return make(file, wanted);
	}
	file_head found;
	if (pread(file, &found, sizeof(found), 0) != (ssize_t)sizeof(found) ||
		memcmp(found.magic, wanted->magic, sizeof(magic)) != 0) {
		return "it is not of this extension";
	}
	if (found.layout != wanted->layout || found.size != wanted->size ||
		(uint64_t)status.st_size != wanted->size) {
		return "it is of another size, version or boot; delete it while no PHP uses it";
	}
	return NULL;
}

static void *map(int file, size_t size, const char **why) {
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (memory == MAP_FAILED) {
		*why = strerror(errno);
		return NULL;
	}
	return memory;
}

void *mcp_shared_file_map(const char *path, size_t size, uint64_t layout, const char **why) {
	file_head head = {.layout = layout, .size = size};
	memcpy(head.magic, magic, sizeof(magic));
	int file = open_file(path);
	if (file < 0) {
		*why = errno == ELOOP ? "it is a link" : strerror(errno);
		return NULL;
	}
	void *memory = NULL;
	*why = lock(file) ? make_or_judge(file, &head) : "it is locked by another process";
	if (*why == NULL) {
		memory = map(file, size, why);
	}
	/* The mapping keeps the file open, and with it a lock that is not ended. */
	flock(file, LOCK_UN);
	close(file);
	return memory;
}

#endif
