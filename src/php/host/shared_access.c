/* Reads the settings for access to the shared file. A group can be a number, because a container often has no names of
 * groups. */
/* SPDX-License-Identifier: MIT */
#include "shared_access.h"

#include <string.h>

#ifdef _WIN32

static bool read_group(const char *name, mcp_shared_access *access) {
	(void)name;
	(void)access;
	return false;
}

#else

#include <errno.h>
#include <grp.h>
#include <stdlib.h>

static bool read_number(const char *text, uint32_t *number) {
	if (*text == '\0' || strspn(text, "0123456789") != strlen(text)) {
		return false;
	}
	errno = 0;
	unsigned long read = strtoul(text, NULL, 10);
	*number = (uint32_t)read;
	return errno == 0 && read < UINT32_MAX; /* chown() treats it as "unchanged" */
}

/* Sizes of the buffer for a group, whose list of members can be long. */
#define SIZE_LEAST 1024
#define SIZE_MOST (1024 * SIZE_LEAST)

/* Look up the group with a buffer of `size` bytes. Returns errno. *id is unchanged if there is no such group. */
static int ask_for_group(const char *name, size_t size, uint32_t *id) {
	struct group group;
	struct group *found = NULL;
	char *memory = malloc(size);
	int failure = memory != NULL ? getgrnam_r(name, &group, memory, size, &found) : ENOMEM;
	if (found != NULL) {
		*id = (uint32_t)found->gr_gid;
	}
	free(memory);
	return failure;
}

/* Uses the thread-safe lookup, because each new thread reads the settings while other threads can look up groups. */
static bool read_group(const char *name, mcp_shared_access *access) {
	if (read_number(name, &access->group)) {
		return true;
	}
	access->group = UINT32_MAX;
	for (size_t size = SIZE_LEAST; size <= SIZE_MOST; size *= 2) {
		if (ask_for_group(name, size, &access->group) != ERANGE) {
			break;
		}
	}
	return access->group != UINT32_MAX;
}

#endif

bool php_mcp_shared_access_read(const char *group, const char *mode, mcp_shared_access *access) {
	*access = (mcp_shared_access){.has_group = *group != '\0'};
	if (access->has_group && !read_group(group, access)) {
		return false;
	}
	if (*mode == '\0') {
		access->mode = access->has_group ? 0660 : 0600;
		return true;
	}
	mode += *mode == '0';
	access->mode = strcmp(mode, "600") == 0 ? 0600 : 0660;
	return access->mode == 0600 || strcmp(mode, "660") == 0;
}
