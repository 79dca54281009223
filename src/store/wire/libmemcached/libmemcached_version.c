/* SPDX-License-Identifier: MIT */
#include "libmemcached_version.h"

#include <libmemcached/memcached.h>
#include <stdio.h>

const char *mcp_libmemcached_version(void) {
	return memcached_lib_version();
}

bool mcp_libmemcached_is_supported(void) {
	unsigned major = 0, minor = 0, patch = 0;
	if (sscanf(memcached_lib_version(), "%u.%u.%u", &major, &minor, &patch) < 2) {
		return false;
	}
	return major > 1 || (major == 1 && (minor > 1 || (minor == 1 && patch >= 4)));
}
