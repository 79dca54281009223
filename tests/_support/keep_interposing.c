/* PHP loads extensions so that they look for symbols among themselves first (RTLD_DEEPBIND), which would
 * hide the sanitizer's malloc from them: preloaded before it, this takes that away. */
/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <dlfcn.h>

typedef void *opener(const char *file, int mode);

void *dlopen(const char *file, int mode) {
	opener *next = (opener *)dlsym(RTLD_NEXT, "dlopen");
	return next(file, mode & ~RTLD_DEEPBIND);
}
