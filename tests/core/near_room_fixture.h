/* The fixture of the tests of the host's memory of items: memory of several processes, and items to keep there. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_TESTS_NEAR_ROOM_FIXTURE_H
#define MCP_TESTS_NEAR_ROOM_FIXTURE_H

#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../src/core/near/shm_cache.h"
#include "../../src/core/vendor/xxh64.h"

#define SIZE (4u << 20)
#define NAMESPACE 4026531836u

static inline bool is_alive(uint32_t pid) {
	return kill((pid_t)pid, 0) == 0 || errno != ESRCH;
}

static inline void *map(size_t size) {
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(memory != MAP_FAILED);
	return memory;
}

typedef struct fixture {
	void *memory;
	mcp_shm_cache room;
	mcp_near_writer writer;
	char *copy;
} fixture;

static inline mcp_near_writer this_writer(void) {
	return (mcp_near_writer){(uint32_t)getpid(), NAMESPACE, is_alive};
}

static inline fixture begin(size_t size) {
	fixture made = {.memory = map(size), .writer = this_writer()};
	assert_true(mcp_shm_cache_open(&made.room, made.memory, size));
	made.copy = malloc(MCP_NEAR_ITEM_MAX);
	assert_non_null(made.copy);
	return made;
}

static inline void end(fixture *made, size_t size) {
	free(made->copy);
	munmap(made->memory, size);
}

static inline mcp_near_item item_of(const char *key, const char *value) {
	return (mcp_near_item){
		.key = mcp_bytes_text(key),
		.hash = XXH64(key, strlen(key), 0),
		.whose = 1,
		.whose_else = 2,
		.asked_ms = 1000,
		.until_ms = UINT64_MAX,
		.snapshot = {3, 4},
		.facts = {6, 7, 8, 9, 10},
		.flags = 5,
		.value = mcp_bytes_text(value),
	};
}

/* Reads in two parts, as a header and what follows it. */
static inline bool read_item(const mcp_shm_cache *room, mcp_near_item *item, char *copy) {
	mcp_near_place place;
	if (!mcp_shm_cache_find(room, item, &place)) {
		return false;
	}
	size_t length = item->value.length;
	size_t first = length < 48 ? length : 48;
	item->value.data = copy;
	return mcp_near_place_copy(&place, 0, first, copy) &&
		mcp_near_place_copy(&place, first, length - first, copy + first);
}

static inline bool finds(const fixture *made, mcp_near_item wanted, const char *value) {
	wanted.value = mcp_bytes_none();
	return read_item(&made->room, &wanted, made->copy) &&
		mcp_bytes_equal(wanted.value, mcp_bytes_text(value));
}

#endif
