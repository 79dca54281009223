/* Holds the host's memory of items to which of them goes when another is given, and what is not kept at all. */
/* SPDX-License-Identifier: MIT */
#include "near_room_fixture.h"

#include <stdio.h>

/* So that the hand comes by soon. */
#define SMALL (256u << 10)
/* What remains for the near cache of the default, 16 MiB. */
#define DEFAULT ((16u << 20) - (1u << 20) - (260u << 10) - 2 * (64u << 10) - 4096)
/* Bytes of an item of numbered(). */
#define ITEM (104u + 8 + 256)

static const char value[] = "value.0.value.1.value.2.value.3.value.4.value.5.value.6.value.7."
							"value.0.value.1.value.2.value.3.value.4.value.5.value.6.value.7."
							"value.0.value.1.value.2.value.3.value.4.value.5.value.6.value.7."
							"value.0.value.1.value.2.value.3.value.4.value.5.value.6.value.7.";

static mcp_near_item numbered(uint32_t number, char *key) {
	snprintf(key, 16, "%u", number);
	return item_of(key, value);
}

/* Keeps what is known to be asked for by others, too. */
static void keep_numbers(const fixture *made, uint32_t from, uint32_t to) {
	char key[16];
	for (uint32_t i = from; i < to; i++) {
		mcp_near_item item = numbered(i, key);
		item.is_wanted = true;
		mcp_shm_cache_keep(&made->room, &item, &made->writer);
	}
}

/* Gives one that is good until then. */
static bool give(const fixture *made, uint32_t number, uint64_t until_ms) {
	char key[16];
	mcp_near_item item = numbered(number, key);
	item.until_ms = until_ms;
	return mcp_shm_cache_keep(&made->room, &item, &made->writer);
}

static bool finds_number(const fixture *made, uint32_t number) {
	char key[16];
	return finds(made, numbered(number, key), value);
}

static uint32_t count_found(const fixture *made, uint32_t from, uint32_t to) {
	uint32_t found = 0;
	for (uint32_t i = from; i < to; i++) {
		found += finds_number(made, i);
	}
	return found;
}

/* The numbers that have space beside each other. */
static uint32_t capacity(const fixture *made) {
	return (uint32_t)(made->room.data_size / ITEM);
}

/* Makes a memory whose items were all found; those that an open segment has not been closed for are left out. */
static fixture begin_found(uint32_t *count) {
	fixture made = begin(SMALL);
	*count = capacity(&made) * 3 / 4;
	keep_numbers(&made, 0, *count);
	assert_int_equal(*count, count_found(&made, 0, *count));
	return made;
}

/* P8.1: of one size as of several. */
TEST(values_of_one_size_have_all_of_the_memory) {
	static const uint32_t walks[][2] = {{5000, 1000}, {20000, 100}, {1000, 5000}, {120, 60000}};
	static char any[60000];
	for (size_t walk = 0; walk < 4; walk++) {
		fixture made = begin(DEFAULT);
		char key[16];
		uint32_t found = 0;
		for (uint32_t i = 0; i < 2 * walks[walk][0]; i++) {
			mcp_near_item item = numbered(i % walks[walk][0], key);
			if (i >= walks[walk][0]) {
				found += read_item(&made.room, &item, made.copy);
				continue;
			}
			item.value = mcp_bytes_of(any, walks[walk][1]);
			assert_true(mcp_shm_cache_keep(&made.room, &item, &made.writer));
		}
		assert_in_range(found, walks[walk][0] * 99 / 100, walks[walk][0]);
		end(&made, DEFAULT);
	}
}

/* P8.2: every other one of the first is found. They are there when the hand has come by once, and gone when it came by
 * twice, unless they are found again. */
TEST(what_was_found_is_spared_once) {
	fixture made = begin(SMALL);
	uint32_t count = capacity(&made);
	keep_numbers(&made, 0, count / 2);
	for (uint32_t i = 0; i < 200; i += 2) {
		assert_true(finds_number(&made, i));
	}
	keep_numbers(&made, count, 2 * count);
	uint32_t found = 0;
	for (uint32_t i = 0; i < 200; i++) {
		found += finds_number(&made, i);
		assert_true(i % 2 == 0 || !finds_number(&made, i));
	}
	assert_in_range(found, 90, 100);
	for (uint32_t turn = 2; turn < 5; turn++) {
		keep_numbers(&made, turn * count, (turn + 1) * count);
		for (uint32_t i = 0; i < 20; i++) {
			finds_number(&made, i); /* again, each time */
		}
	}
	assert_in_range(count_found(&made, 0, 20), 8, 10);
	assert_int_equal(0, count_found(&made, 20, 200));
	end(&made, SMALL);
}

/* P8.2: keeps where all was found: half of a segment is spared at most. */
TEST(some_go_where_all_were_found) {
	uint32_t count;
	fixture made = begin_found(&count);
	keep_numbers(&made, count, count + count / 2);
	assert_in_range(count_found(&made, count, count + count / 2), count * 9 / 20, count / 2);
	assert_in_range(count_found(&made, 0, count), count / 2, count - 1);
	end(&made, SMALL);
}

/* P8.3 */
TEST(what_is_given_once_takes_no_place_of_what_was_found) {
	uint32_t count;
	fixture made = begin_found(&count);
	for (uint32_t i = 0; i < 20 * count; i++) {
		give(&made, 2 * count + i, UINT64_MAX);
	}
	assert_int_equal(count, count_found(&made, 0, count));
	end(&made, SMALL);
}

/* P8.3: one in eight of what is given once, where others that nobody has found would go. */
TEST(what_is_given_once_drives_few_out) {
	fixture made = begin(SMALL);
	uint32_t count = capacity(&made);
	keep_numbers(&made, 0, 2 * count);
	uint32_t kept = 0;
	for (uint32_t i = 0; i < 2000; i++) {
		kept += give(&made, 10 * count + i, UINT64_MAX);
	}
	assert_in_range(kept, 200, 300);
	kept = 0;
	for (uint32_t i = 2000; i < 2400; i++) {
		give(&made, 10 * count + i, UINT64_MAX);
		kept += give(&made, 10 * count + i, UINT64_MAX);
	}
	assert_int_equal(400, kept);
	end(&made, SMALL);
}

/* P8.3 */
TEST(what_is_given_twice_or_wanted_is_kept) {
	uint32_t count;
	fixture made = begin_found(&count);
	keep_numbers(&made, count,
		2 * count); /* so that the open segment is full of what is not found */
	uint32_t other = 10 * count;
	while (other < 11 * count && give(&made, other, UINT64_MAX)) {
		other++;
	}
	assert_false(finds_number(&made, other));
	assert_true(give(&made, other, UINT64_MAX));
	assert_true(finds_number(&made, other));
	keep_numbers(&made, 20 * count, 20 * count + 1);
	assert_true(finds_number(&made, 20 * count));
	end(&made, SMALL);
}

/* P8.2, P8.3: what is given again stays found, and has one word of the index. */
TEST(what_is_given_again_stays_found) {
	fixture made = begin(SMALL);
	uint32_t count = capacity(&made);
	keep_numbers(&made, 0, 1);
	assert_true(finds_number(&made, 0));
	keep_numbers(&made, 0, 1);
	keep_numbers(&made, 1, count * 5 / 4);
	assert_true(finds_number(&made, 0));
	end(&made, SMALL);
}

/* P8.2, P8.3: at the end of the time of those that are there, and not a millisecond before. */
TEST(what_counts_no_longer_is_in_nobodys_way) {
	for (uint64_t now = 1000; now <= 1001; now++) {
		fixture made = begin(SMALL);
		uint32_t count = capacity(&made), kept = 0;
		char key[16];
		keep_numbers(&made, 5 * count, 6 * count);
		for (uint32_t i = 0; i < 2 * count; i++) {
			mcp_near_item item = numbered(i, key);
			item.is_wanted = true;
			item.until_ms = 1001;
			mcp_shm_cache_keep(&made.room, &item, &made.writer);
		}
		count_found(&made, 0, 2 * count);
		for (uint32_t i = 0; i < count / 2; i++) {
			mcp_near_item item = numbered(10 * count + i, key);
			item.asked_ms = now;
			kept += mcp_shm_cache_keep(&made.room, &item, &made.writer);
		}
		assert_true(now < 1001 ? kept < count / 16 : kept > count * 9 / 20);
		end(&made, SMALL);
	}
}

static uint64_t state_of(uint32_t pid) {
	return 1u << 22 | pid;
}

static bool is_living(uint32_t pid) {
	return true;
}

/* P8.5: what was written to a second open segment, while the first one was busy, stays when the hand has gone around. */
TEST(the_hand_passes_by_open_segments) {
	fixture made = begin(SIZE);
	assert_true(made.room.open_count > 1);
	made.writer = (mcp_near_writer){5, NAMESPACE, is_living};
	mcp_atomic_u64 *first = &made.room.segments[0].state;
	keep_numbers(&made, 0, 1); /* makes the namespace known */
	uint64_t at_rest = *first;
	*first |= state_of(77);
	keep_numbers(&made, 1, 5);
	*first = at_rest;
	assert_int_equal(4, made.room.segments[1].used / ITEM);
	keep_numbers(&made, 5, 3 * capacity(&made));
	assert_int_equal(4, made.room.segments[1].used / ITEM);
	assert_int_equal(4, count_found(&made, 1, 5));
	assert_int_equal(0, count_found(&made, 5, 100));
	end(&made, SIZE);
}

/* P9.3: after many turns, each word of the index leads to an item of its hash. */
TEST(every_word_leads_to_its_item) {
	fixture made = begin(SMALL);
	uint32_t count = capacity(&made);
	for (uint32_t i = 0; i < 8 * count; i++) {
		keep_numbers(&made, i % (3 * count), i % (3 * count) + 1);
		finds_number(&made, i / 2 % (3 * count));
	}
	uint32_t words = 0;
	for (size_t i = 0; i < made.room.bucket_count * 8ul; i++) {
		uint64_t word = made.room.buckets[i], hash;
		size_t offset = ((size_t)((uint32_t)word >> 1) - 1) * 8;
		if (word == 0) {
			continue;
		}
		mcp_near_segment *segment = &made.room.segments[offset >> made.room.segment_bits];
		assert_true((offset & (2 * made.room.item_max - 1)) < segment->used);
		memcpy(&hash, made.room.data + offset, sizeof(hash));
		assert_int_equal(hash >> 32, word >> 32);
		words++;
	}
	assert_in_range(words, count * 3 / 4, count);
	end(&made, SMALL);
}

/* Nine hashes with the same lower bits: the ninth one goes without a word where all others were found. */
TEST(a_word_is_not_taken_from_what_was_found) {
	fixture made = begin(SIZE);
	char key[2] = "a";
	mcp_near_item items[9];
	for (int i = 0; i < 8; i++, key[0]++) {
		items[i] = item_of(key, "value");
		items[i].hash = (uint64_t)(i + 1) << 40;
		assert_true(mcp_shm_cache_keep(&made.room, &items[i], &made.writer));
		assert_true(finds(&made, items[i], "value"));
	}
	items[8] = item_of("i", "value");
	items[8].hash = (uint64_t)9 << 40;
	uint32_t used = made.room.segments[0].used;
	assert_false(mcp_shm_cache_keep(&made.room, &items[8], &made.writer));
	assert_int_equal(used, made.room.segments[0].used);
	key[0] = 'a';
	for (int i = 0; i < 8; i++, key[0]++) {
		items[i].key = mcp_bytes_of(key, 1);
		assert_true(finds(&made, items[i], "value"));
	}
	assert_true(mcp_shm_cache_keep(&made.room, &items[8], &made.writer));
	assert_true(finds(&made, items[8], "value"));
	end(&made, SIZE);
}

/* P8.3: a hash is noted in one of many sets, and forgotten when as many others as there are marks were noted a few times. */
TEST(what_was_given_is_remembered_for_a_while) {
	fixture made = begin(SIZE);
	const mcp_asked *asked = &made.room.asked;
	uint64_t first = XXH64("first", 5, 0);
	assert_false(mcp_asked_add(asked, first));
	assert_true(mcp_asked_add(asked, first));
	uint64_t marks = (uint64_t)asked->set_count * MCP_ASKED_WAYS;
	for (uint64_t i = 0; i < marks / 2; i++) {
		assert_false(mcp_asked_add(asked, XXH64(&i, sizeof(i), 0)));
	}
	assert_true(mcp_asked_add(asked, first));
	for (uint64_t i = marks / 2; i < 4 * marks; i++) {
		assert_false(mcp_asked_add(asked, XXH64(&i, sizeof(i), 0)));
	}
	assert_false(mcp_asked_add(asked, first));
	end(&made, SIZE);
}
