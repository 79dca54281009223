/* Holds the host's memory of items to what it promises: what is found is what was kept, whole, under its own key
 * and owner, whatever else writes to the memory and however it dies. */
/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../src/core/near_room.h"
#include "../../src/core/vendor/xxh64.h"

#define SIZE (4u << 20)

static bool is_alive(uint32_t pid) {
	return kill((pid_t)pid, 0) == 0 || errno != ESRCH;
}

static bool is_dead(uint32_t pid) {
	(void)pid;
	return false;
}

static void *map(size_t size) {
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(memory != MAP_FAILED);
	return memory;
}

typedef struct fixture {
	void *memory;
	mcp_near_room room;
	mcp_near_writer writer;
	char *copy;
} fixture;

static fixture begin(size_t size) {
	fixture made = {.memory = map(size), .writer = {(uint32_t)getpid(), is_alive}};
	assert_true(mcp_near_room_open(&made.room, made.memory, size));
	made.copy = malloc(MCP_NEAR_SLOT_MAX);
	assert_non_null(made.copy);
	return made;
}

static void end(fixture *made, size_t size) {
	free(made->copy);
	munmap(made->memory, size);
}

static mcp_near_item item_of(const char *key, const char *value) {
	return (mcp_near_item){
		.key = mcp_bytes_of(key, strlen(key)),
		.hash = XXH64(key, strlen(key), 0),
		.whose = 1,
		.whose_else = 2,
		.asked_ms = 1000,
		.note = {3, 4},
		.flags = 5,
		.value = mcp_bytes_of(value, strlen(value)),
	};
}

static bool finds(const fixture *made, mcp_near_item wanted, const char *value) {
	wanted.value = mcp_bytes_none();
	return mcp_near_room_find(&made->room, &wanted, made->copy) &&
		mcp_bytes_equal(wanted.value, mcp_bytes_of(value, strlen(value)));
}

static void what_is_kept_is_found(void **state) {
	(void)state;
	fixture made = begin(SIZE);
	mcp_near_item item = item_of("key", "value");
	assert_false(finds(&made, item, "value"));
	assert_true(mcp_near_room_keep(&made.room, &item, &made.writer));
	mcp_near_item found = item_of("key", "");
	found.asked_ms = found.flags = 0;
	found.note = (mcp_change_note){0, 0};
	assert_true(mcp_near_room_find(&made.room, &found, made.copy));
	assert_memory_equal("value", found.value.data, 5);
	assert_int_equal(1000, found.asked_ms);
	assert_int_equal(3, found.note.of_key);
	assert_int_equal(4, found.note.of_all);
	assert_int_equal(5, found.flags);
	item.value = mcp_bytes_of("longer than it was before", 25);
	assert_true(mcp_near_room_keep(&made.room, &item, &made.writer));
	assert_true(finds(&made, item, "longer than it was before"));
	end(&made, SIZE);
}

static void another_key_or_owner_finds_nothing(void **state) {
	(void)state;
	fixture made = begin(SIZE);
	mcp_near_item item = item_of("key", "value");
	assert_true(mcp_near_room_keep(&made.room, &item, &made.writer));
	mcp_near_item other = item;
	other.whose = 7;
	assert_false(finds(&made, other, "value"));
	other = item;
	other.whose_else = 7;
	assert_false(finds(&made, other, "value"));
	other = item; /* two keys of one hash */
	other.key = mcp_bytes_of("kez", 3);
	assert_false(finds(&made, other, "value"));
	other.key = mcp_bytes_of("ke", 2);
	assert_false(finds(&made, other, "value"));
	end(&made, SIZE);
}

/* Fewer than a bucket has words share a hash's lower bits without pushing each other out. */
static void several_of_one_bucket_are_kept_and_the_oldest_goes(void **state) {
	(void)state;
	fixture made = begin(SIZE);
	char key[2] = "a";
	for (int i = 0; i < 9; i++) {
		mcp_near_item item = item_of(key, key);
		item.hash = (uint64_t)(i + 1) << 40;
		item.asked_ms = 1000 + (uint64_t)(i == 3 ? 0 : i + 1);
		assert_true(mcp_near_room_keep(&made.room, &item, &made.writer));
		key[0]++;
	}
	key[0] = 'a';
	for (int i = 0; i < 9; i++) {
		mcp_near_item item = item_of(key, key);
		item.hash = (uint64_t)(i + 1) << 40;
		assert_int_equal(i != 3, finds(&made, item, key));
		key[0]++;
	}
	end(&made, SIZE);
}

static void items_of_every_size_come_back_or_are_refused(void **state) {
	(void)state;
	fixture made = begin(SIZE);
	char *value = malloc(MCP_NEAR_SLOT_MAX + 1);
	for (size_t length = 0; length <= MCP_NEAR_SLOT_MAX; length += length < 2100 ? 1 : 977) {
		memset(value, 'a' + (int)(length % 26), length);
		mcp_near_item item = item_of("a key of some length", "");
		item.value = mcp_bytes_of(value, length);
		bool is_kept = mcp_near_room_keep(&made.room, &item, &made.writer);
		assert_int_equal(is_kept, length + 72 + 24 <= MCP_NEAR_SLOT_MAX);
		if (is_kept) {
			assert_true(mcp_near_room_find(&made.room, &item, made.copy));
			assert_int_equal(length, item.value.length);
			assert_memory_equal(value, item.value.data, length);
		}
	}
	free(value);
	end(&made, SIZE);
}

static void every_size_of_memory_is_divided_within_it(void **state) {
	(void)state;
	for (size_t size = 0; size < 300000; size += size < 9000 ? 64 : 4096 - 64) {
		char *memory = aligned_alloc(64, size > 0 ? size : 64);
		memset(memory, 0, size);
		fixture made = {.memory = memory,
			.writer = {1, is_dead},
			.copy = malloc(MCP_NEAR_SLOT_MAX)};
		if (mcp_near_room_open(&made.room, memory, size)) {
			char key[16];
			for (int i = 0; i < 200; i++) {
				snprintf(key, sizeof(key), "key%d", i);
				mcp_near_item item = item_of(key, key);
				assert_true(mcp_near_room_keep(&made.room, &item, &made.writer));
				assert_true(finds(&made, item, key));
			}
		} else {
			assert_true(size < 16384);
		}
		free(made.copy);
		free(memory);
	}
}

/* One that died in the middle of writing: its slot is taken over, and one that is only slow keeps it. */
static void a_slot_is_taken_over_from_the_dead_alone(void **state) {
	(void)state;
	fixture made = begin(SIZE);
	mcp_near_item item = item_of("key", "value");
	assert_true(mcp_near_room_keep(&made.room, &item, &made.writer));
	const mcp_near_class *class = &made.room.classes[0];
	_Atomic uint64_t *slot = (void *)class->slots;
	*slot |= 77; /* process 77 is writing */
	assert_false(finds(&made, item, "value"));
	made.writer.is_alive = is_alive;
	mcp_near_writer believing = {5, is_dead};
	for (uint32_t i = 0; i < class->count; i++) {
		assert_true(mcp_near_room_keep(&made.room, &item, &believing));
	}
	assert_int_equal(0, (uint32_t)*slot);
	assert_true(finds(&made, item, "value"));
	/* All slots of the class under living hands: nothing is kept, and nothing waits. */
	for (uint32_t i = 0; i < class->count; i++) {
		_Atomic uint64_t *one = (void *)(class->slots + (size_t)i * class->size);
		*one |= (uint32_t)getpid();
	}
	assert_false(mcp_near_room_keep(&made.room, &item, &made.writer));
	end(&made, SIZE);
}

static void a_changed_bit_is_found_out(void **state) {
	(void)state;
	fixture made = begin(SIZE);
	mcp_near_item item = item_of("key", "a value of a few bytes");
	assert_true(mcp_near_room_keep(&made.room, &item, &made.writer));
	char *slot = made.room.classes[0].slots;
	for (size_t bit = 64; bit < (72 + 3) * 8; bit++) {
		bool is_unused = bit >= 68 * 8 && bit < 72 * 8;
		slot[bit / 8] ^= (char)(1 << bit % 8);
		assert_int_equal(is_unused, finds(&made, item, "a value of a few bytes"));
		slot[bit / 8] ^= (char)(1 << bit % 8);
	}
	for (size_t bit = 80 * 8; bit < (80 + 22) * 8; bit++) {
		slot[bit / 8] ^= (char)(1 << bit % 8);
		assert_false(finds(&made, item, "a value of a few bytes"));
		slot[bit / 8] ^= (char)(1 << bit % 8);
	}
	assert_true(finds(&made, item, "a value of a few bytes"));
	end(&made, SIZE);
}

/* --- many at once --- */

#define KEYS 64
#define VALUE_MAX 3000

/* All of a value follows from its key and its first number, so that a torn one shows. */
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
	_Atomic uint64_t reads;
	_Atomic uint64_t found;
	_Atomic uint64_t wrong;
	_Atomic uint64_t wanted;
} tally;

typedef struct worker {
	const mcp_near_room *room;
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
	mcp_near_writer writer = {(uint32_t)getpid(), is_alive};
	char *copy = malloc(MCP_NEAR_SLOT_MAX);
	uint64_t value[VALUE_MAX / 8 + 1];
	char name[32];
	while (atomic_load(&self->shared->reads) < self->shared->wanted) {
		for (int i = 0; i < 100; i++) {
			uint64_t drawn = next(self);
			int key = (int)(drawn % KEYS);
			mcp_near_item item = numbered(name, key);
			if (drawn >> 60 < 3) {
				item.value = mcp_bytes_of((char *)value, make_value(value, key, drawn >> 8));
				mcp_near_room_keep(self->room, &item, &writer);
			} else if (mcp_near_room_find(self->room, &item, copy)) {
				atomic_fetch_add(&self->shared->found, 1);
				atomic_fetch_add(&self->shared->wrong, !is_whole(item.value, key));
			}
		}
		atomic_fetch_add(&self->shared->reads, 81);
	}
	free(copy);
	return NULL;
}

static pid_t start(const mcp_near_room *room, tally *shared, uint64_t seed) {
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		worker self = {room, shared, seed * 2 + 1};
		hammer(&self);
		_exit(0);
	}
	return child;
}

/* P4. MCP_NEAR_READS: so many reads. */
static void killed_writers_leave_nothing_torn(void **state) {
	(void)state;
	const char *soak = getenv("MCP_NEAR_READS");
	fixture made = begin(128 << 10);
	tally *shared = map(sizeof(*shared));
	shared->wanted = soak != NULL ? strtoull(soak, NULL, 10) : 150000;
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
	if (soak != NULL) {
		printf("%llu reads, %llu found, %llu wrong, %d killed\n", (unsigned long long)shared->reads,
			(unsigned long long)shared->found, (unsigned long long)shared->wrong, killed);
	}
	assert_int_equal(0, shared->wrong);
	assert_true(shared->found > shared->wanted / 100);
	assert_true(killed > 2);
	munmap(shared, sizeof(*shared));
	end(&made, 128 << 10);
}

static void threads_write_beside_each_other(void **state) {
	(void)state;
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

static void a_change_is_seen_by_its_key_and_by_all(void **state) {
	(void)state;
	fixture made = begin(SIZE);
	const mcp_changes *changes = &made.room.changes;
	mcp_change_note before = mcp_changes_look(changes, 5);
	assert_true(mcp_change_notes_equal(before, mcp_changes_look(changes, 5)));
	mcp_changes_raise(changes, 6);
	assert_true(mcp_change_notes_equal(before, mcp_changes_look(changes, 5)));
	mcp_changes_raise(changes, 5);
	assert_false(mcp_change_notes_equal(before, mcp_changes_look(changes, 5)));
	before = mcp_changes_look(changes, 5);
	mcp_changes_raise_all(changes);
	assert_false(mcp_change_notes_equal(before, mcp_changes_look(changes, 5)));
	end(&made, SIZE);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_kept_is_found),
		cmocka_unit_test(another_key_or_owner_finds_nothing),
		cmocka_unit_test(several_of_one_bucket_are_kept_and_the_oldest_goes),
		cmocka_unit_test(items_of_every_size_come_back_or_are_refused),
		cmocka_unit_test(every_size_of_memory_is_divided_within_it),
		cmocka_unit_test(a_slot_is_taken_over_from_the_dead_alone),
		cmocka_unit_test(a_changed_bit_is_found_out),
		cmocka_unit_test(killed_writers_leave_nothing_torn),
		cmocka_unit_test(threads_write_beside_each_other),
		cmocka_unit_test(a_change_is_seen_by_its_key_and_by_all),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
