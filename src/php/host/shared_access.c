/* A group may be written as its number: a container often knows no names. */
/* SPDX-License-Identifier: MIT */
#include "shared_access.h"

#include <string.h>

static bool read_mode(const char *text, mcp_shared_access *access) {
	text += *text == '0';
	if (strcmp(text, "600") == 0) {
		access->mode = 0600;
		return true;
	}
	access->mode = 0660;
	return strcmp(text, "660") == 0;
}

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
	return errno == 0 && read < UINT32_MAX; /* which means "as it is" to chown */
}

/* Reads the group when the module starts: no other thread asks for groups. */
static bool read_group(const char *name, mcp_shared_access *access) {
	if (read_number(name, &access->group)) {
		return true;
	}
	const struct group *group = getgrnam(name);
	if (group != NULL) {
		access->group = (uint32_t)group->gr_gid;
	}
	return group != NULL;
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
	return read_mode(mode, access);
}
