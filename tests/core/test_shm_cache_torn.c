/* Lets threads and processes write to the host's memory of items and read it at full speed, while they are killed and
 * stopped at random: nothing torn is ever read. */
/* SPDX-License-Identifier: MIT */
#include "near_room_fixture.h"

#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>

#define KEYS 64
#define VALUE_MAX 3000

/* Makes all of a value follow from its key and its first number, so that a torn one shows. */
static size_t make_value(uint64_t *value, int key, uint64_t seed) {
	size_t words = 1 + seed % (VALUE_MAX / 8);
	for (size_t i = 0; i < words; i++) {
		value[i] = seed * 0x9E3779B97F4A7C15u + i * 0xC2B2AE3D27D4EB4Fu + (uint64_t)key;
	}
	value[0] = seed;
	return words * 8;
}

static bool is_whole(mcp_bytes found, int key) {
	uint64_t expected[VALUE_MAX / 8 + 1];
	uint64_t seed;
	if (found.length < 8) {
		return false;
	}
	memcpy(&seed, found.data, 8);
	size_t length = make_value(expected, key, seed);
	return length == found.length && memcmp(expected, found.data, length) == 0;
}

static mcp_near_item numbered(char *name, int key) {
	sprintf(name, "key number %d", key);
	return item_of(name, "");
}

typedef struct tally {
	mcp_atomic_u64 reads;
	mcp_atomic_u64 found;
	mcp_atomic_u64 wrong;
	mcp_atomic_u64 wanted;
} tally;

typedef struct worker {
	const mcp_shm_cache *room;
	tally *shared;
	uint64_t random;
} worker;

static uint64_t next(worker *self) {
	self->random ^= self->random << 13;
	self->random ^= self->random >> 7;
	self->random ^= self->random << 17;
	return self->random;
}

static void *hammer(void *context) {
	worker *self = context;
	mcp_near_writer writer = this_writer();
	char *copy = malloc(MCP_NEAR_ITEM_MAX);
	uint64_t value[VALUE_MAX / 8 + 1];
	char name[32];
	while (atomic_load(&self->shared->reads) < self->shared->wanted) {
		for (int i = 0; i < 100; i++) {
			uint64_t drawn = next(self);
			int key = (int)(drawn % KEYS);
			mcp_near_item item = numbered(name, key);
			if (drawn >> 60 < 3) {
				item.value = mcp_bytes_of((char *)value, make_value(value, key, drawn >> 8));
				mcp_shm_cache_keep(self->room, &item, &writer);
			} else if (read_item(self->room, &item, copy)) {
				atomic_fetch_add(&self->shared->found, 1);
				atomic_fetch_add(&self->shared->wrong, !is_whole(item.value, key));
			}
		}
		atomic_fetch_add(&self->shared->reads, 81);
	}
	free(copy);
	return NULL;
}

static pid_t start(const mcp_shm_cache *room, tally *shared, uint64_t seed) {
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		worker self = {room, shared, seed * 2 + 1};
		hammer(&self);
		_exit(0);
	}
	return child;
}

/* Returns MCP_NEAR_READS: so many. */
static uint64_t wanted_reads(void) {
	const char *soak = getenv("MCP_NEAR_READS");
	return soak != NULL ? strtoull(soak, NULL, 10) : 150000;
}

/* P4. */
TEST(killed_writers_leave_nothing_torn) {
	bool is_soak = getenv("MCP_NEAR_READS") != NULL;
	fixture made = begin(128 << 10);
	tally *shared = map(sizeof(*shared));
	shared->wanted = wanted_reads();
	enum { PROCESSES = 4 };
	pid_t children[PROCESSES];
	uint64_t seed = 1;
	for (int i = 0; i < PROCESSES; i++) {
		children[i] = start(&made.room, shared, seed++);
	}
	int killed = 0;
	while (atomic_load(&shared->reads) < shared->wanted) {
		usleep(500 + seed * 997 % 3000);
		int victim = (int)(seed % PROCESSES);
		kill(children[victim], SIGKILL);
		waitpid(children[victim], NULL, 0);
		children[victim] = start(&made.room, shared, seed++);
		killed++;
	}
	for (int i = 0; i < PROCESSES; i++) {
		waitpid(children[i], NULL, 0);
	}
	if (is_soak) {
		printf("%llu reads, %llu found, %llu wrong, %d killed\n", (unsigned long long)shared->reads,
			(unsigned long long)shared->found, (unsigned long long)shared->wrong, killed);
	}
	assert_int_equal(0, shared->wrong);
	assert_true(shared->found > shared->wanted / 100);
	assert_true(killed > 2);
	munmap(shared, sizeof(*shared));
	end(&made, 128 << 10);
}

/* Stopped at any moment, for longer than it takes to write every slot many times, and then going on: one of them may have
 * been in the middle of a writing. */
TEST(writers_that_were_stopped_tear_nothing) {
	fixture made = begin(128 << 10);
	tally *shared = map(sizeof(*shared));
	shared->wanted = wanted_reads() / 4;
	enum { PROCESSES = 3 };
	pid_t children[PROCESSES];
	uint64_t seed = 1;
	for (int i = 0; i < PROCESSES; i++) {
		children[i] = start(&made.room, shared, seed++);
	}
	for (int stopped = 0; atomic_load(&shared->reads) < shared->wanted; stopped++) {
		pid_t victim = children[stopped % PROCESSES];
		uint64_t then = atomic_load(&shared->reads) + 4000;
		kill(victim, SIGSTOP);
		while (atomic_load(&shared->reads) < then && atomic_load(&shared->reads) < shared->wanted) {
			usleep(100);
		}
		kill(victim, SIGCONT);
	}
	for (int i = 0; i < PROCESSES; i++) {
		waitpid(children[i], NULL, 0);
	}
	assert_int_equal(0, shared->wrong);
	assert_true(shared->found > shared->wanted / 100);
	munmap(shared, sizeof(*shared));
	end(&made, 128 << 10);
}

TEST(threads_write_beside_each_other) {
	fixture made = begin(128 << 10);
	tally shared = {.wanted = 60000};
	pthread_t threads[3];
	worker workers[3];
	for (int i = 0; i < 3; i++) {
		workers[i] = (worker){&made.room, &shared, (uint64_t)i * 2 + 3};
		assert_int_equal(0, pthread_create(&threads[i], NULL, hammer, &workers[i]));
	}
	for (int i = 0; i < 3; i++) {
		pthread_join(threads[i], NULL);
	}
	assert_int_equal(0, shared.wrong);
	assert_true(shared.found > shared.wanted / 100);
	end(&made, 128 << 10);
}
