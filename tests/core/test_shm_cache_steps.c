/* Holds the log of the near cache to P9 and P10 at every step. The source is compiled with a hook before each access to the
 * memory. Writers run once, and leave a picture of the memory before each step that changes something. Readers then run
 * with every change from one picture to a later one, between any two of their own steps. They write nothing but the bit
 * "found", so a picture is what they would have met. Writers are also killed at each step, and others go on.
 * Steps are in one order for all: fences and orders of memory are not judged here. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/core/atomics.h"
#include "../../src/core/bytes.h"
#include "../../src/core/waking/wakeups.h"
#include "../../src/core/vendor/xxh64.h"

static void step(void);

#define CHUNK 32

/* For addresses that fall, where ranges overlap. */
static inline void *copy_by_steps(void *to, const void *from, size_t length) {
	for (size_t i = 0; i < length; i += CHUNK) {
		step();
		memmove((char *)to + i, (const char *)from + i, length - i < CHUNK ? length - i : CHUNK);
	}
	return to;
}

static inline bool exchange(mcp_atomic_u64 *at, uint64_t *expected, uint64_t value) {
	step();
	uint64_t before = *at;
	bool is_equal = before == *expected;
	*at = is_equal ? value : before;
	*expected = before;
	return is_equal;
}

#undef atomic_load_explicit
#undef atomic_store_explicit
#undef atomic_fetch_add_explicit
#undef atomic_compare_exchange_strong
#undef atomic_compare_exchange_strong_explicit
#define atomic_load_explicit(at, order) (step(), *(at))
#define atomic_store_explicit(at, value, order) (step(), (void)(*(at) = (value)))
#define atomic_fetch_add_explicit(at, by, order) (step(), (void)(*(at) += (by)))
#define atomic_compare_exchange_strong(at, expected, value) exchange(at, expected, value)
#define atomic_compare_exchange_strong_explicit(at, expected, value, order, otherwise) \
	exchange(at, expected, value)
#define memcpy copy_by_steps
#define memmove copy_by_steps
#include "../../src/core/near/shm_cache.c"
#undef memcpy
#undef memmove

/* --- the memory, and pictures of it --- */

enum { SIZE = 12288, PICTURES_MAX = 500 };

static _Alignas(64) char memory[SIZE];
/* Of all to the end of the first segment: only that one is written. */
static char pictures[PICTURES_MAX][SIZE];
static size_t pictured;
static unsigned picture_count;
static mcp_shm_cache room;

typedef enum running { ALONE, WRITING, READING } running;

static struct {
	running mode;
	unsigned steps;
	unsigned killed_at;  /* step of a writer; 0: never */
	unsigned visited_at; /* step of a writer, before which all is read; 0: never */
	jmp_buf end;
	struct {
		unsigned step, picture;
	} plan[3]; /* of a reader: from this step on, the memory is as in this picture */
	unsigned planned;
} now;

static void take_picture(void) {
	if (picture_count == 0 || memcmp(pictures[picture_count - 1], memory, pictured) != 0) {
		assert_true(picture_count < PICTURES_MAX);
		memcpy(pictures[picture_count++], memory, pictured);
	}
}

static void show_picture(unsigned number) {
	memcpy(memory, pictures[number], pictured);
}

static void read_all(void);

static void step(void) {
	now.steps++;
	if (now.mode == WRITING) {
		take_picture();
		if (now.steps == now.killed_at) {
			longjmp(now.end, 1);
		}
		if (now.steps == now.visited_at) {
			now.mode = ALONE;
			read_all();
			take_picture();
			now.mode = WRITING;
		}
	} else if (now.mode == READING && now.steps == now.plan[now.planned].step) {
		show_picture(now.plan[now.planned++].picture);
	}
}

/* --- items: what was kept shows in all that is read of it --- */

enum { TARGET, FIRST, THIRD, LAST, LARGE, KEYS };
enum { SMALL_VALUE = 100, LARGE_VALUE = 400, VERSIONS = 8, FORGED = 99 };
enum { SMALL_ITEM = 104 + 8 + 104 };

static const char *const names[KEYS] = {"target", "first", "third", "last", "large"};

static size_t length_of(unsigned key, unsigned version) {
	return key == LARGE ? LARGE_VALUE : SMALL_VALUE - version;
}

static mcp_near_item item_of(unsigned key, unsigned version) {
	return (mcp_near_item){
		.key = mcp_bytes_of(names[key], strlen(names[key])),
		.hash = XXH64(names[key], strlen(names[key]), 0),
		.whose = 1,
		.whose_else = 2,
		.asked_ms = 1000 + version,
		.until_ms = UINT64_MAX,
		.is_wanted = true,
		.snapshot = {version, version},
		.facts = {version, version, version, version, version},
		.flags = version,
		.payload_at = version % 8,
	};
}

static void make_plain(char *value, unsigned key, unsigned version) {
	memset(value, (char)(key * 16 + version), length_of(key, version));
}

/* The large value has bytes of an item that nobody has kept, where others begin before the segment is emptied. */
static mcp_bytes make_value(char *value, unsigned key, unsigned version) {
	make_plain(value, key, version);
	for (size_t at = SMALL_ITEM; key == LARGE && at + SMALL_ITEM <= 112 + LARGE_VALUE;
		 at += SMALL_ITEM) {
		mcp_near_item item = item_of(TARGET, FORGED);
		char forged[LARGE_VALUE] = "";
		item.value = mcp_bytes_of(forged, 90);
		write(&item, value + at - 112);
	}
	return mcp_bytes_of(value, length_of(key, version));
}

static bool is_alive(uint32_t pid) {
	return pid != 1; /* the one that is killed */
}

static bool keep(unsigned key, unsigned version, uint32_t pid) {
	_Alignas(8) char value[LARGE_VALUE];
	running mode = now.mode;
	now.mode = ALONE;
	mcp_near_item item = item_of(key, version);
	item.value = make_value(value, key, version);
	now.mode = mode;
	mcp_near_writer writer = {pid, 1, is_alive};
	return mcp_shm_cache_keep(&room, &item, &writer);
}

static bool read_item(unsigned key) {
	char found[MCP_NEAR_ITEM_MAX], expected[LARGE_VALUE];
	mcp_near_item item = item_of(key, 0);
	mcp_near_place place;
	if (!mcp_shm_cache_find(&room, &item, &place) ||
		!mcp_near_place_copy(&place, 0, item.value.length, found)) {
		return false;
	}
	now.mode = ALONE;
	unsigned version = item.flags;
	mcp_near_item kept = item_of(key, version);
	assert_true(version < VERSIONS);
	assert_int_equal(kept.asked_ms, item.asked_ms);
	assert_int_equal(kept.payload_at, item.payload_at);
	assert_memory_equal(&kept.snapshot, &item.snapshot, sizeof(item.snapshot));
	assert_memory_equal(&kept.facts, &item.facts, sizeof(item.facts));
	assert_int_equal(length_of(key, version), item.value.length);
	make_value(expected, key, version);
	assert_memory_equal(expected, found, item.value.length);
	return true;
}

static void read_all(void) {
	for (unsigned key = 0; key < KEYS; key++) {
		read_item(key);
	}
}

/* --- writers --- */

/* The next keeping empties the first segment: the hand has come around, and a full segment is open. */
static void turn_to_first(void) {
	*room.hand = room.segment_count - 1;
	*room.open = room.segment_count - 1;
}

/* Fills all segments; the first one with what is read. `found`: bits of the keys that are found there. */
static void prepare(unsigned found) {
	static const unsigned order[] = {FIRST, TARGET, THIRD, LAST};
	now.mode = ALONE;
	memset(memory, 0, sizeof(memory));
	assert_true(mcp_shm_cache_open(&room, memory, SIZE));
	pictured = (size_t)(room.data - memory) + segment_size(&room);
	assert_int_equal(512, room.item_max);
	assert_int_equal(1, room.open_count);
	for (unsigned i = 0; i < 4; i++) {
		assert_true(keep(order[i], 0, 2));
	}
	assert_int_equal(4 * SMALL_ITEM, room.segments[0].used);
	for (uint32_t i = 1; i < room.segment_count; i++) {
		room.segments[i].used = 1024;
	}
	for (unsigned key = 0; key < KEYS; key++) {
		assert_true((found >> key & 1) == 0 || read_item(key));
	}
	picture_count = 0;
}

/* Empties the first segment twice, and appends to it. */
static void write_all(unsigned version, uint32_t pid) {
	turn_to_first();
	keep(LARGE, version, pid);
	keep(TARGET, version, pid);
	keep(THIRD, version, pid);
	turn_to_first();
	keep(TARGET, version + 1, pid);
	keep(FIRST, version + 1, pid);
}

/* Has them write from the first step on, until the end or their death. */
static void run(unsigned version, uint32_t pid, unsigned killed_at, unsigned visited_at) {
	now.mode = WRITING;
	now.steps = 0;
	now.killed_at = killed_at;
	now.visited_at = visited_at;
	if (setjmp(now.end) == 0) {
		write_all(version, pid);
	}
	take_picture();
	now.mode = ALONE;
}

/* --- readers --- */

static bool has_at_most_found(unsigned number) {
	const char *picture = pictures[number];
	if (memcmp(memory, picture, pictured) == 0) {
		return true;
	}
	size_t begin = (size_t)((char *)room.buckets - memory), end = begin + room.bucket_count * LINE;
	bool is_same = memcmp(memory, picture, begin) == 0 &&
		memcmp(memory + end, picture + end, pictured - end) == 0;
	for (size_t at = begin; at < end; at += 8) {
		uint64_t before, after;
		memcpy(&before, picture + at, 8);
		memcpy(&after, memory + at, 8);
		is_same = is_same && (before == after || (before != 0 && (before | FOUND) == after));
	}
	return is_same;
}

/* Reads from one picture on, and goes on to others at these steps. Returns the number of steps. */
static unsigned read_across(unsigned key, unsigned first, unsigned step1, unsigned second,
	unsigned step2, unsigned third) {
	show_picture(first);
	now.plan[0].step = step1;
	now.plan[0].picture = second;
	now.plan[1].step = step2;
	now.plan[1].picture = third;
	now.plan[2].step = 0;
	now.planned = now.steps = 0;
	now.mode = READING;
	read_item(key);
	now.mode = ALONE;
	unsigned last = now.planned == 0 ? first : now.planned == 1 ? second : third;
	assert_true(has_at_most_found(last));
	return now.steps;
}

/* At each picture; and with each change to a later one at each of its steps, from the pictures before `before` to each
 * `stride`th of those from `from` on. */
static void read_each(unsigned before, unsigned from, unsigned stride) {
	for (unsigned first = 0; first < picture_count; first++) {
		for (unsigned key = 0; key < KEYS; key++) {
			unsigned steps = read_across(key, first, 0, 0, 0, 0);
			for (unsigned second = first < from ? from : first + 1;
				 first < before && key == TARGET && second < picture_count; second += stride) {
				for (unsigned at = 2; at <= steps; at++) {
					read_across(key, first, at, second, 0, 0);
				}
			}
		}
	}
}

/* The keys that are found before: none, one of each place, several, and all. */
static const unsigned kinds[] = {0, 1 << FIRST, 1 << TARGET, 1 << LAST, 1 << TARGET | 1 << LAST,
	1 << FIRST | 1 << THIRD, 15};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* P9.2, P9.3, P10.1, P10.3, P10.4 */
TEST(a_reader_that_is_overtaken_once_finds_what_was_kept) {
	for (size_t kind = 0; kind < KINDS; kind++) {
		prepare(kinds[kind]);
		run(1, 2, 0, 0);
		assert_true(picture_count > 60);
		read_each(picture_count, 0, 1);
	}
}

/* P10.1, P10.3: within a time in which the segment is emptied and written once. */
TEST(a_reader_that_is_overtaken_twice_finds_what_was_kept) {
	prepare(1 << FIRST);
	run(1, 2, 0, 0);
	unsigned count = picture_count < 60 ? picture_count : 60;
	for (unsigned first = 0; first < count; first++) {
		unsigned steps = read_across(TARGET, first, 0, 0, 0, 0);
		for (unsigned at = 2; at < steps; at++) {
			for (unsigned second = first + 1; second < count; second += 2) {
				for (unsigned then = at + 1; then <= steps; then++) {
					for (unsigned third = second + 1; third < count; third += 3) {
						read_across(TARGET, first, at, second, then, third);
					}
				}
			}
		}
	}
}

/* P9.2, P9.3, P9.4: killed at each step that changed something; another goes on, and both are read across. */
TEST(a_killed_writer_leaves_nothing_that_is_believed) {
	for (size_t kind = 0; kind < KINDS; kind += 2) {
		unsigned seen = 0;
		for (unsigned killed_at = 1;; killed_at++) {
			prepare(kinds[kind]);
			run(1, 1, killed_at, 0);
			unsigned count = picture_count;
			bool is_ended = now.steps < killed_at;
			if (count == seen && !is_ended) {
				continue;
			}
			seen = count;
			run(3, 2, 0, 0);
			assert_true(picture_count > count);
			read_each(count, count, 7);
			if (is_ended) {
				break;
			}
		}
	}
}

/* P9.3, P10.4: all is read before each step, so that the writer meets bits that have changed since it looked. */
TEST(a_writer_that_is_visited_leaves_nothing_that_is_not_its_own) {
	for (size_t kind = 0; kind < KINDS; kind++) {
		unsigned steps = 0;
		for (unsigned visited_at = 1; visited_at == 1 || visited_at <= steps; visited_at++) {
			prepare(kinds[kind]);
			run(1, 2, 0, visited_at);
			steps = now.steps;
			read_each(0, 0, 1);
		}
	}
}
