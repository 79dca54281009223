/* The host's shared memory and its parts. Written in MINIT and MSHUTDOWN alone: threads and forked children find it
 * as it was made. */
/* SPDX-License-Identifier: MIT */
#include "shared_memory.h"

#include "../../core/metrics/counts.h"
#include "../../core/vendor/xxh64.h"
#include "php_mcpatterns.h"
#include "process.h"
#include "shared_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#ifndef PHP_WIN32
#include <sys/mman.h>
#endif

#define KIB 1024
#define MIB (1024 * KIB)

/* The room of the file's head, or of nothing. A page of all systems that this is for, so that parts begin on one. */
#define HEAD_SIZE (4 * KIB)

#define METRICS_SIZE (1 * MIB)
#define METRICS_SHARE 4
#define METRICS_LEAST (256 * KIB)

#define BELLS_SHARE 256
#define BELLS_LEAST HEAD_SIZE
#define BELLS_MOST (64 * KIB)

/* Longer words are cut. */
#define TROUBLE_MAX 512

#define DISCOVERIES_SIZE (260 * KIB)
#define DISCOVERIES_LEAST (1 * MIB)

typedef struct extent {
	size_t start;
	size_t size;
} extent;

static struct {
	char *memory; /* NULL: there is none */
	size_t size;
	extent parts[MCP_SHARED_PARTS];
	char *path;                /* NULL: without a file; malloc'ed */
	char trouble[TROUBLE_MAX]; /* "": it is as it was wanted */
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
	size_t metrics = metrics_size(bytes);
	size_t bells = bells_size(bytes);
	size_t discoveries = bytes >= DISCOVERIES_LEAST ? DISCOVERIES_SIZE : 0;
	size_t holders = bells;
	size_t before = HEAD_SIZE + metrics + bells + discoveries + holders;
	shared.parts[MCP_SHARED_METRICS] = (extent){HEAD_SIZE, metrics};
	shared.parts[MCP_SHARED_BELLS] = (extent){HEAD_SIZE + metrics, bells};
	shared.parts[MCP_SHARED_DISCOVERIES] = (extent){HEAD_SIZE + metrics + bells, discoveries};
	shared.parts[MCP_SHARED_HOLDERS] = (extent){before - holders, holders};
	shared.parts[MCP_SHARED_NEAR] = (extent){before, bytes - before};
}

/* Hashes anything that another build, or another boot, could see otherwise: times in a file are by a clock that begins anew
 * with each boot. No user chooses any of it: there is nothing to make a collision of. */
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

#if defined(PHP_WIN32) || !defined(MAP_ANONYMOUS)

static char *map_anonymous(size_t bytes) {
	(void)bytes;
	return NULL;
}

static void unmap(char *memory, size_t bytes) {
	(void)memory;
	(void)bytes;
}

#else

static char *map_anonymous(size_t bytes) {
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED) {
		snprintf(shared.trouble, sizeof(shared.trouble), "%zu bytes are not to be had: %s", bytes,
			strerror(errno));
		zend_error(E_CORE_WARNING, "mcpatterns.shared_memory: %s", shared.trouble);
		return NULL;
	}
	return memory;
}

static void unmap(char *memory, size_t bytes) {
	munmap(memory, bytes);
}

#endif

static char *map_file(const char *path, const mcp_shared_access *access, size_t bytes) {
	const char *why = NULL;
	char *memory = php_mcp_shared_file_map(path, access, bytes, layout(), &why);
	if (memory == NULL) {
		snprintf(shared.trouble, sizeof(shared.trouble), "\"%s\" cannot be used (%s)", path, why);
		zend_error(E_CORE_WARNING,
			"mcpatterns.shared_memory_path: %s."
			" Memory without a file is used instead, which no other master or script shares.",
			shared.trouble);
		return NULL;
	}
	shared.path = pestrdup(path, true);
	return memory;
}

/* Makes it. `bytes`: 0 is none. `path`: "" is memory without a file, and needs no `access`. */
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
	if (shared.memory != NULL) {
		unmap(shared.memory, shared.size);
	}
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
