/* Has eight threads use at once what all threads of a process share, without PHP: the host's memory and the machine's list of
 * groups. Built with ThreadSanitizer, whose report ends it. The last line is "N passed, N failed, N skipped". */
/* SPDX-License-Identifier: MIT */
#include "src/core/metrics/metrics.h"
#include "src/core/near/shm_cache.h"
#include "src/core/waking/wakeups.h"
#include "src/php/host/shared_access.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#define THREADS 8
#define TURNS 5000
#define GROUP_TURNS 100
#define KEYS 20
#define VALUE_MAX 2000
#define ROOM_SIZE (4 << 20)
#define BELLS_SIZE (1 << 16)

static mcp_shm_cache room;
static mcp_metrics *metrics;
static mcp_wakeups bells;
static atomic_int failures;

static void expect(bool is_true, const char *what) {
	if (!is_true && atomic_fetch_add(&failures, 1) == 0) {
		printf("FAILED: %s\n", what);
	}
}

static bool lives(uint32_t pid) {
	(void)pid;
	return true;
}

/* Writes a value that says by its length which bytes it is of. */
static mcp_bytes make_value(unsigned length, char *value) {
	memset(value, 'a' + (int)(length % 26), length);
	return mcp_bytes_of(value, length);
}

static void look_near(mcp_near_item *item) {
	char found[VALUE_MAX], wanted[VALUE_MAX];
	mcp_near_place place;
	if (mcp_shm_cache_find(&room, item, &place) &&
		mcp_near_place_copy(&place, 0, item->value.length, found)) {
		mcp_bytes value = make_value((unsigned)item->value.length, wanted);
		expect(memcmp(found, value.data, value.length) == 0, "a near value is whole");
	}
}

static void use_near(mcp_bytes key, uint64_t hash, unsigned *seed) {
	static const mcp_near_writer writer = {1234, 77, lives};
	char value[VALUE_MAX];
	mcp_near_item item =
		{.key = key, .hash = hash, .whose = 1, .asked_ms = 1, .until_ms = 100, .is_wanted = true};
	if (rand_r(seed) % 3 > 0) {
		look_near(&item);
		return;
	}
	mcp_changes_raise(&room.changes, hash);
	item.value = make_value((unsigned)rand_r(seed) % VALUE_MAX, value);
	mcp_shm_cache_keep(&room, &item, &writer);
}

static void use_metrics(mcp_bytes key) {
	char name[MCP_METRICS_NAME_MAX];
	size_t length;
	mcp_metrics_group *group = mcp_metrics_find_group(metrics, key);
	mcp_metrics_add(&group->counts[MCP_COUNT_HITS], 1);
	mcp_trace_append(&metrics->trace, 1, 2, key);
	mcp_rebuilds_add(&metrics->rebuilds, 1000, 1, key, 3);
	mcp_metrics_read_name(&group->name, name, &length);
}

static void use_bell(uint64_t hash) {
	mcp_wakeup *bell = mcp_wakeups_find(&bells, hash).bell;
	mcp_bell_stamp(bell, 1000);
	mcp_bell_sequence(bell);
	expect(mcp_bell_is_awaited(mcp_bell_stamped_until(bell), 1000), "a bell is awaited");
	mcp_bell_raise(bell);
}

/* Asks for two groups in turn, as an answer that all share would be the other one's. */
static void ask_for_groups(void) {
	for (int i = 0; i < GROUP_TURNS; i++) {
		mcp_shared_access access;
		bool is_read = php_mcp_shared_access_read(i % 2 == 0 ? "root" : "daemon", "", &access);
		expect(is_read && access.group == (i % 2 == 0 ? 0u : 1u), "a group is the one asked for");
	}
}

static void *run(void *argument) {
	unsigned seed = (unsigned)(uintptr_t)argument;
	for (int i = 0; i < TURNS; i++) {
		char text[16];
		unsigned number = (unsigned)rand_r(&seed) % KEYS;
		uint64_t hash = (number + 1) * 0x9E3779B97F4A7C15u;
		mcp_bytes key = mcp_bytes_of(text, (size_t)snprintf(text, sizeof(text), "key %u", number));
		use_near(key, hash, &seed);
		use_metrics(key);
		use_bell(hash);
	}
	ask_for_groups();
	return NULL;
}

static void *map(size_t size) {
	return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

static uint64_t count_hits(void) {
	uint64_t hits = 0;
	for (size_t i = 0; i < MCP_METRICS_GROUPS; i++) {
		hits += mcp_metrics_get(&metrics->groups[i].counts[MCP_COUNT_HITS]);
	}
	return hits;
}

int main(void) {
	pthread_t threads[THREADS];
	metrics = map(sizeof(*metrics));
	expect(mcp_shm_cache_open(&room, map(ROOM_SIZE), ROOM_SIZE), "there is a room");
	expect(mcp_wakeups_open(&bells, map(BELLS_SIZE), BELLS_SIZE), "there are bells");
	for (uintptr_t i = 0; i < THREADS; i++) {
		pthread_create(&threads[i], NULL, run, (void *)(i + 1));
	}
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
	}
	expect(count_hits() == THREADS * TURNS, "all hits are counted");
	puts(failures == 0 ? "1 passed, 0 failed, 0 skipped" : "0 passed, 1 failed, 0 skipped");
	return failures > 0;
}
