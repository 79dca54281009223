/* Preload before the sanitizer. PHP loads extensions with RTLD_DEEPBIND, which would hide the sanitizer's malloc from
 * them. This file removes the flag. */
/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <dlfcn.h>

typedef void *opener(const char *file, int mode);

void *dlopen(const char *file, int mode) {
	opener *next = (opener *)dlsym(RTLD_NEXT, "dlopen");
	return next(file, mode & ~RTLD_DEEPBIND);
}
