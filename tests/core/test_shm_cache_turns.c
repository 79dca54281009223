/* Holds the host's memory of items to which of them goes when another is given, and what is not kept at all. */
/* SPDX-License-Identifier: MIT */
#include "near_room_fixture.h"

#include <stdio.h>

static mcp_near_item numbered(uint32_t number, char *key) {
	snprintf(key, 16, "%u", number);
	return item_of(key, "value");
}

/* Keeps what is known to be asked for by others, too. */
static void keep_numbers(const fixture *made, uint32_t from, uint32_t to) {
	char key[16];
	for (uint32_t i = from; i < to; i++) {
		mcp_near_item item = numbered(i, key);
		item.is_wanted = true;
		assert_true(mcp_shm_cache_keep(&made->room, &item, &made->writer));
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
	return finds(made, numbered(number, key), "value");
}

/* P8.2: fills a class, and finds every other item of it: so many more drive out all the others, and those that were found when the
 * hand has come by once more, unless they have been found again. */
static void what_was_found_is_spared_once(void **state) {
	(void)state;
	fixture made = begin(SIZE);
	uint32_t count = made.room.classes[0].count / 2 * 2;
	made.room.classes[0].count = count;
	keep_numbers(&made, 0, count);
	for (uint32_t i = 0; i < count; i += 2) {
		assert_true(finds_number(&made, i));
	}
	keep_numbers(&made, count, count + count / 2);
	for (uint32_t i = 1; i < count; i += 2) {
		assert_false(finds_number(&made, i));
	}
	assert_true(finds_number(&made, 0));
	keep_numbers(&made, 2 * count, 3 * count - 1);
	assert_true(finds_number(&made, 0));
	for (uint32_t i = 2; i < count; i += 2) {
		assert_false(finds_number(&made, i));
	}
	end(&made, SIZE);
}

/* P8.2: keeps where all was found: what one keeping costs is bounded. */
static void one_goes_where_all_were_found(void **state) {
	(void)state;
	fixture made = begin(SIZE);
	uint32_t count = made.room.classes[0].count;
	keep_numbers(&made, 0, count);
	for (uint32_t i = 0; i < count; i++) {
		assert_true(finds_number(&made, i));
	}
	keep_numbers(&made, count, count + 1);
	assert_true(finds_number(&made, count));
	uint32_t left = 0;
	for (uint32_t i = 0; i < count; i++) {
		left += finds_number(&made, i);
	}
	assert_int_equal(count - 1, left);
	end(&made, SIZE);
}

static uint32_t count_found(const fixture *made, uint32_t from, uint32_t to) {
	uint32_t found = 0;
	for (uint32_t i = from; i < to; i++) {
		found += finds_number(made, i);
	}
	return found;
}

/* Makes a room of 16 slots of the smallest size, all of them taken by what was given once. */
enum { FEW = 16 };
static fixture begin_full(uint64_t until_ms) {
	fixture made = begin(SIZE);
	made.room.classes[0].count = FEW;
	for (uint32_t i = 0; i < FEW; i++) {
		assert_true(give(&made, i, until_ms));
	}
	return made;
}

/* P8.3 */
static void what_is_given_once_takes_no_place_of_what_was_found(void **state) {
	(void)state;
	fixture made = begin_full(UINT64_MAX);
	for (uint32_t i = 0; i < FEW; i += 2) {
		assert_true(finds_number(&made, i));
	}
	for (uint32_t i = 0; i < 100; i++) {
		assert_true(give(&made, 1000 + i, UINT64_MAX)); /* in the place of what nobody has found */
	}
	assert_int_equal(FEW / 2, count_found(&made, 0, FEW));
	assert_int_equal(FEW / 2, count_found(&made, 1000, 1100));
	for (uint32_t i = 0; i < 100; i++) {
		assert_false(give(&made, 2000 + i, UINT64_MAX));
	}
	assert_int_equal(FEW / 2, count_found(&made, 0, FEW));
	assert_int_equal(FEW / 2, count_found(&made, 1000, 1100));
	end(&made, SIZE);
}

/* P8.3 */
static void what_is_given_twice_or_wanted_is_kept(void **state) {
	(void)state;
	fixture made = begin_full(UINT64_MAX);
	assert_int_equal(FEW, count_found(&made, 0, FEW));
	assert_false(give(&made, 1000, UINT64_MAX));
	assert_false(finds_number(&made, 1000));
	assert_true(give(&made, 1000, UINT64_MAX));
	assert_true(finds_number(&made, 1000));
	assert_int_equal(FEW - 1, count_found(&made, 0, FEW));
	keep_numbers(&made, 1001, 1002);
	assert_true(finds_number(&made, 1001));
	end(&made, SIZE);
}

/* Given twice, it stays where what is given once comes after it. */
static void what_was_given_twice_is_dear(void **state) {
	(void)state;
	fixture made = begin_full(UINT64_MAX);
	for (uint32_t i = 0; i < FEW; i++) {
		assert_true(give(&made, i, UINT64_MAX));
	}
	assert_false(give(&made, 1000, UINT64_MAX));
	assert_int_equal(FEW, count_found(&made, 0, FEW));
	end(&made, SIZE);
}

static void what_counts_no_longer_is_dear_to_nobody(void **state) {
	(void)state;
	fixture made = begin_full(1001);
	assert_int_equal(FEW, count_found(&made, 0, FEW));
	assert_false(give(&made, 1000, UINT64_MAX)); /* a millisecond before their end */
	char key[16];
	mcp_near_item item = numbered(1001, key);
	item.asked_ms = 1001;
	assert_true(mcp_shm_cache_keep(&made.room, &item, &made.writer));
	assert_int_equal(FEW - 1, count_found(&made, 0, FEW));
	assert_true(finds_number(&made, 1001));
	item = numbered(1002, key);
	item.asked_ms = 1001;
	item.is_wanted = true;
	assert_true(mcp_shm_cache_keep(&made.room, &item, &made.writer));
	assert_int_equal(FEW - 2, count_found(&made, 0, FEW));
	assert_true(finds_number(&made, 1001));
	assert_true(finds_number(&made, 1002));
	end(&made, SIZE);
}

/* Goes out, and comes back: another has its slot meanwhile, which its word still says. */
static void what_comes_back_drives_nobody_out_of_its_old_slot(void **state) {
	(void)state;
	fixture made = begin(SIZE);
	made.room.classes[0].count = 2;
	keep_numbers(&made, 1, 4); /* the third one in the place of the first */
	assert_true(finds_number(&made, 3));
	keep_numbers(&made, 1, 2);
	assert_true(finds_number(&made, 1));
	assert_false(finds_number(&made, 2));
	assert_true(finds_number(&made, 3));
	end(&made, SIZE);
}

/* Nine hashes with the same lower bits: the ninth one goes without a word where all others were found. */
static void a_word_is_not_taken_from_what_was_found(void **state) {
	(void)state;
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
	assert_false(mcp_shm_cache_keep(&made.room, &items[8], &made.writer));
	key[0] = 'a';
	for (int i = 0; i < 8; i++, key[0]++) {
		items[i].key = mcp_bytes_of(key, 1);
		assert_true(finds(&made, items[i], "value"));
	}
	assert_true(mcp_shm_cache_keep(&made.room, &items[8], &made.writer));
	assert_true(finds(&made, items[8], "value"));
	end(&made, SIZE);
}

/* Remembers ten times as much as there is room for, or so: a hash is noted in one of many sets. */
static void what_was_given_is_remembered_for_a_while(void **state) {
	(void)state;
	fixture made = begin(SIZE);
	const mcp_asked *asked = &made.room.asked;
	uint64_t first = XXH64("first", 5, 0);
	assert_false(mcp_asked_note(asked, first));
	assert_true(mcp_asked_note(asked, first));
	uint64_t slots = 0;
	for (unsigned i = 0; i < made.room.class_count; i++) {
		slots += made.room.classes[i].count;
	}
	for (uint64_t i = 0; i < 4 * slots; i++) {
		assert_false(mcp_asked_note(asked, XXH64(&i, sizeof(i), 0)));
	}
	assert_true(mcp_asked_note(asked, first));
	for (uint64_t i = 4 * slots; i < 40 * slots; i++) {
		assert_false(mcp_asked_note(asked, XXH64(&i, sizeof(i), 0)));
	}
	assert_false(mcp_asked_note(asked, first));
	end(&made, SIZE);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_found_is_spared_once),
		cmocka_unit_test(one_goes_where_all_were_found),
		cmocka_unit_test(what_is_given_once_takes_no_place_of_what_was_found),
		cmocka_unit_test(what_is_given_twice_or_wanted_is_kept),
		cmocka_unit_test(what_was_given_twice_is_dear),
		cmocka_unit_test(what_counts_no_longer_is_dear_to_nobody),
		cmocka_unit_test(what_comes_back_drives_nobody_out_of_its_old_slot),
		cmocka_unit_test(a_word_is_not_taken_from_what_was_found),
		cmocka_unit_test(what_was_given_is_remembered_for_a_while),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
