/* Names find their records, however many there are, and whoever was killed while it made one; times find their places
 * in histograms; the strip and the sketch show what was noted, and nothing that was noted in part. */
/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>
#include <pthread.h>

#include "../../src/core/meter.h"

#define NOW_MS 1763688000250ull

static int make(void **state) {
	*state = calloc(1, sizeof(mcp_metrics));
	return *state == NULL;
}

static int unmake(void **state) {
	free(*state);
	return 0;
}

static mcp_bytes text(const char *string) {
	return mcp_bytes_of(string, strlen(string));
}

static void a_name_finds_its_record_again(void **state) {
	mcp_metrics *metrics = *state;
	char name[MCP_METRICS_NAME_MAX];
	size_t length;
	mcp_metrics_group *page = mcp_metrics_find_group(metrics, text("page:"));
	mcp_metrics_group *empty = mcp_metrics_find_group(metrics, text(""));
	assert_ptr_equal(page, mcp_metrics_find_group(metrics, text("page:")));
	assert_ptr_equal(empty, mcp_metrics_find_group(metrics, text("")));
	assert_ptr_not_equal(page, empty);
	assert_true(mcp_metrics_read_name(&page->name, name, &length));
	assert_int_equal(5, length);
	assert_memory_equal("page:", name, 5);
	assert_true(mcp_metrics_read_name(&empty->name, name, &length));
	assert_int_equal(0, length);
}

static void names_beyond_the_last_place_share_one(void **state) {
	mcp_metrics *metrics = *state;
	mcp_metrics_group *rest = &metrics->groups[MCP_METRICS_GROUPS - 1];
	for (int i = 0; i < 200; i++) {
		char name[16];
		snprintf(name, sizeof(name), "%d:", i);
		mcp_metrics_group *group = mcp_metrics_find_group(metrics, text(name));
		assert_int_equal(i >= MCP_METRICS_GROUPS - 1, group == rest);
		mcp_metrics_add(&group->counts[MCP_COUNT_HITS], 1);
	}
	assert_int_equal(200 - (MCP_METRICS_GROUPS - 1),
		mcp_metrics_get(&rest->counts[MCP_COUNT_HITS]));
	assert_int_equal(0, mcp_metrics_get(&rest->name.id));
}

static void long_names_are_cut_and_stay_different(void **state) {
	mcp_metrics *metrics = *state;
	char long_one[300], other[300], name[MCP_METRICS_NAME_MAX];
	size_t length;
	memset(long_one, 'a', sizeof(long_one));
	memset(other, 'a', sizeof(other));
	other[299] = 'b';
	mcp_metrics_lock *one = mcp_metrics_find_lock(metrics, mcp_bytes_of(long_one, 300));
	mcp_metrics_lock *two = mcp_metrics_find_lock(metrics, mcp_bytes_of(other, 300));
	assert_ptr_not_equal(one, two);
	assert_true(mcp_metrics_read_name(&one->name, name, &length));
	assert_int_equal(MCP_METRICS_NAME_MAX, length);
	assert_int_equal('~', name[MCP_METRICS_NAME_MAX - 17]);
}

/* The maker was killed after each word that it wrote. */
static void a_half_made_name_is_completed_by_the_next(void **state) {
	mcp_metrics *metrics = *state;
	const char *whole = "a name of more than two words";
	mcp_metrics_server *server = mcp_metrics_find_server(metrics, text(whole));
	mcp_metrics_name made = server->name;
	const size_t words = sizeof(made) / sizeof(mcp_metrics_word);
	for (size_t written = 1; written < words; written++) {
		char name[MCP_METRICS_NAME_MAX];
		size_t length;
		memset(&server->name, 0, sizeof(server->name));
		memcpy(&server->name, &made, sizeof(mcp_metrics_word));
		/* The check is the second word, and written last. */
		memcpy((char *)&server->name + 16, (char *)&made + 16, (written - 1) * 8);
		assert_false(mcp_metrics_read_name(&server->name, name, &length));
		assert_ptr_equal(server, mcp_metrics_find_server(metrics, text(whole)));
		assert_true(mcp_metrics_read_name(&server->name, name, &length));
		assert_memory_equal(whole, name, strlen(whole));
	}
}

static void a_time_is_counted_at_the_first_bound_that_it_does_not_exceed(void **state) {
	(void)state;
	for (size_t place = 0; place < MCP_COMPUTE_TIMES - 1; place++) {
		uint64_t bound = mcp_histogram_bound(place, 0);
		assert_int_equal(place, mcp_histogram_place(bound, 0, MCP_COMPUTE_TIMES));
		assert_int_equal(place + 1, mcp_histogram_place(bound + 1, 0, MCP_COMPUTE_TIMES));
	}
	assert_int_equal(0, mcp_histogram_place(0, 0, MCP_COMPUTE_TIMES));
	assert_int_equal(MCP_COMPUTE_TIMES - 1, mcp_histogram_place(UINT64_MAX, 0, MCP_COMPUTE_TIMES));
	assert_int_equal(0, mcp_histogram_place(16384, MCP_ROUND_TRIPS_FIRST, MCP_ROUND_TRIPS));
	assert_int_equal(1, mcp_histogram_place(16385, MCP_ROUND_TRIPS_FIRST, MCP_ROUND_TRIPS));
}

static void reset_forgets_numbers_and_keeps_names(void **state) {
	mcp_metrics *metrics = *state;
	mcp_metrics_group *group = mcp_metrics_find_group(metrics, text("page:"));
	mcp_metrics_server *server = mcp_metrics_find_server(metrics, text("10.0.0.1:11211"));
	mcp_rebuild *rebuilds = calloc(MCP_REBUILDS_SCRATCH, sizeof(*rebuilds));
	mcp_strip_event event;
	mcp_metrics_begin(metrics, NOW_MS);
	mcp_metrics_begin(metrics, NOW_MS + 1);
	assert_int_equal(NOW_MS, mcp_metrics_get(&metrics->since_ms));
	mcp_metrics_count_computation(group, 12);
	mcp_metrics_time_answer(server, 12345);
	mcp_metrics_add(&mcp_metrics_find_lock(metrics, text("l"))->counts[MCP_COUNT_LOSSES], 1);
	mcp_strip_note(&metrics->strip, 'H', mcp_strip_who(1, 0), NOW_MS, text("k"));
	mcp_rebuilds_add(&metrics->rebuilds, NOW_MS, 0, text("k"), 5);
	assert_int_equal(1, mcp_strip_read(&metrics->strip, MCP_STRIP_ALL_GROUPS, &event, 1));
	mcp_metrics_reset(metrics, NOW_MS + 5);
	assert_int_equal(NOW_MS + 5, mcp_metrics_get(&metrics->since_ms));
	assert_int_equal(0, mcp_metrics_get(&group->counts[MCP_COUNT_COMPUTE_MS]));
	assert_int_equal(0, mcp_metrics_get(&server->timed_ns));
	assert_int_equal(0, mcp_strip_read(&metrics->strip, MCP_STRIP_ALL_GROUPS, &event, 1));
	assert_int_equal(0, mcp_rebuilds_read(&metrics->rebuilds, NOW_MS, rebuilds));
	assert_ptr_equal(group, mcp_metrics_find_group(metrics, text("page:")));
	/* And what comes after it counts from nothing. */
	mcp_rebuilds_add(&metrics->rebuilds, NOW_MS, 0, text("k"), 7);
	assert_int_equal(1, mcp_rebuilds_read(&metrics->rebuilds, NOW_MS, rebuilds));
	assert_int_equal(7, rebuilds[0].spent_ms);
	assert_int_equal(1, rebuilds[0].count);
	free(rebuilds);
}

static void each_process_enters_once(void **state) {
	mcp_metrics *metrics = *state;
	for (uint32_t pid = 1; pid <= MCP_METRICS_PROCESSES; pid++) {
		assert_true(mcp_metrics_enter(metrics, pid));
		assert_true(mcp_metrics_enter(metrics, 1));
	}
	assert_false(mcp_metrics_enter(metrics, MCP_METRICS_PROCESSES + 1));
}

/* --- the strip --- */

static void the_strip_shows_the_last_events_in_their_order(void **state) {
	mcp_metrics *metrics = *state;
	mcp_strip *strip = &metrics->strip;
	mcp_strip_event *events = calloc(MCP_STRIP_EVENTS, sizeof(*events));
	for (uint32_t i = 0; i < 3 * MCP_STRIP_EVENTS + 7; i++) {
		char key[16];
		snprintf(key, sizeof(key), "key %" PRIu32, i);
		mcp_strip_note(strip, 'A' + (char)(i % 26), mcp_strip_who(i, i % 2), NOW_MS + i, text(key));
	}
	const uint32_t first = 2 * MCP_STRIP_EVENTS + 7;
	assert_int_equal(MCP_STRIP_EVENTS,
		mcp_strip_read(strip, MCP_STRIP_ALL_GROUPS, events, MCP_STRIP_EVENTS));
	for (uint32_t i = 0; i < MCP_STRIP_EVENTS; i++) {
		char key[16];
		snprintf(key, sizeof(key), "key %" PRIu32, first + i);
		assert_int_equal(first + i, events[i].pid);
		assert_int_equal(NOW_MS + first + i, events[i].at_ms);
		assert_int_equal('A' + (char)((first + i) % 26), events[i].letter);
		assert_int_equal(strlen(key), events[i].key_length);
		assert_memory_equal(key, events[i].key, strlen(key));
	}
	assert_int_equal(3, mcp_strip_read(strip, 1, events, 3));
	for (int i = 0; i < 3; i++) {
		assert_int_equal(1, events[i].group);
	}
	assert_int_equal(first + MCP_STRIP_EVENTS - 2, events[2].pid);
	free(events);
}

static void a_key_of_any_length_comes_back_up_to_its_room(void **state) {
	mcp_metrics *metrics = *state;
	char key[MCP_STRIP_KEY_MAX + 20];
	for (size_t i = 0; i < sizeof(key); i++) {
		key[i] = (char)(200 + i);
	}
	for (size_t length = 0; length <= sizeof(key); length++) {
		/* Nothing beyond it is read: a sanitizer would see it. */
		char *exact = malloc(length > 0 ? length : 1);
		memcpy(exact, key, length);
		mcp_strip_note(&metrics->strip, 'H', mcp_strip_who(1, 0), NOW_MS,
			mcp_bytes_of(exact, length));
		free(exact);
		mcp_strip_event event;
		size_t shown = length < MCP_STRIP_KEY_MAX ? length : MCP_STRIP_KEY_MAX;
		assert_int_equal(1, mcp_strip_read(&metrics->strip, MCP_STRIP_ALL_GROUPS, &event, 1));
		assert_int_equal(shown, event.key_length);
		assert_memory_equal(key, event.key, shown);
	}
}

/* Its writer was killed between any two words, over an event of the lap before. */
static void an_event_written_in_part_is_not_shown(void **state) {
	mcp_metrics *metrics = *state;
	mcp_strip *strip = &metrics->strip;
	mcp_strip_event event;
	mcp_strip_slot before, after;
	mcp_strip_note(strip, 'H', mcp_strip_who(11, 1), NOW_MS,
		text("the key of one that was before"));
	before = strip->slots[0];
	strip->head = MCP_STRIP_EVENTS;
	mcp_strip_note(strip, 'M', mcp_strip_who(22, 2), NOW_MS + 9,
		text("another one, with more of letters"));
	after = strip->slots[0];
	const size_t words = sizeof(after) / sizeof(mcp_metrics_word);
	for (unsigned mixture = 0; mixture < 1u << words; mixture++) {
		const mcp_metrics_word *one = (const mcp_metrics_word *)&before;
		const mcp_metrics_word *other = (const mcp_metrics_word *)&after;
		mcp_metrics_word *slot = (mcp_metrics_word *)&strip->slots[0];
		for (size_t i = 0; i < words; i++) {
			slot[i] = mixture >> i & 1 ? other[i] : one[i];
		}
		bool is_whole = memcmp(slot, other, sizeof(after)) == 0;
		assert_int_equal(is_whole, mcp_strip_read(strip, MCP_STRIP_ALL_GROUPS, &event, 1) == 1);
	}
}

/* Its writer has only its number yet, and in its place is what was written some laps before. */
static void an_event_of_the_lap_before_is_not_shown_for_a_new_one(void **state) {
	mcp_metrics *metrics = *state;
	mcp_strip *strip = &metrics->strip;
	mcp_strip_event event;
	for (unsigned letter = 0; letter < 256; letter++) {
		strip->head = letter * MCP_STRIP_EVENTS;
		mcp_strip_note(strip, (char)letter, mcp_strip_who(1, 2), NOW_MS, text("k"));
		assert_int_equal(1, mcp_strip_read(strip, MCP_STRIP_ALL_GROUPS, &event, 1));
		for (uint64_t later = 1; later <= 256; later++) {
			strip->head = (letter + later) * MCP_STRIP_EVENTS + 1;
			assert_int_equal(0, mcp_strip_read(strip, MCP_STRIP_ALL_GROUPS, &event, 1));
		}
	}
}

#define WRITERS 4
#define EVENTS_EACH 200000

/* What an event of this number says in all its words. */
static void note_numbered(mcp_strip *strip, uint32_t number) {
	char key[MCP_STRIP_KEY_MAX];
	memset(key, (char)('a' + number % 23), sizeof(key));
	mcp_strip_note(strip, (char)('a' + number % 23), mcp_strip_who(number, (uint8_t)(number % 200)),
		number, mcp_bytes_of(key, number % (MCP_STRIP_KEY_MAX + 1)));
}

static void *write_many(void *strip) {
	for (uint32_t i = 0; i < EVENTS_EACH; i++) {
		note_numbered(strip, i);
	}
	return NULL;
}

static void require_whole(const mcp_strip_event *event) {
	uint32_t number = event->pid;
	assert_int_equal(number, event->at_ms);
	assert_int_equal('a' + number % 23, event->letter);
	assert_int_equal(number % 200, event->group);
	assert_int_equal(number % (MCP_STRIP_KEY_MAX + 1), event->key_length);
	for (size_t i = 0; i < event->key_length; i++) {
		assert_int_equal('a' + number % 23, event->key[i]);
	}
}

static void no_reader_sees_a_torn_event_while_others_write(void **state) {
	mcp_metrics *metrics = *state;
	mcp_strip *strip = &metrics->strip;
	mcp_strip_event *events = calloc(MCP_STRIP_EVENTS, sizeof(*events));
	pthread_t writers[WRITERS];
	for (int i = 0; i < WRITERS; i++) {
		assert_int_equal(0, pthread_create(&writers[i], NULL, write_many, strip));
	}
	/* Where they are done before this thread has its first turn, what they left is read. */
	size_t seen = 0;
	bool is_over;
	do {
		is_over = mcp_metrics_get(&strip->head) >= (uint64_t)WRITERS * EVENTS_EACH;
		size_t count = mcp_strip_read(strip, MCP_STRIP_ALL_GROUPS, events, MCP_STRIP_EVENTS);
		for (size_t i = 0; i < count; i++) {
			require_whole(&events[i]);
		}
		seen += count;
	} while (!is_over);
	for (int i = 0; i < WRITERS; i++) {
		pthread_join(writers[i], NULL);
	}
	assert_true(seen > 0);
	assert_int_equal((uint64_t)WRITERS * EVENTS_EACH, mcp_metrics_get(&strip->head));
	free(events);
}

/* --- the dearest keys --- */

static mcp_rebuild scratch[MCP_REBUILDS_SCRATCH];

static void the_dearest_keys_of_a_minute_come_first(void **state) {
	mcp_metrics *metrics = *state;
	mcp_rebuilds *rebuilds = &metrics->rebuilds;
	for (uint64_t second = 0; second < 60; second++) {
		mcp_rebuilds_add(rebuilds, NOW_MS + second * 1000, 3, text("often"), 10);
		mcp_rebuilds_add(rebuilds, NOW_MS + second * 1000, 4, text("often"), 1);
	}
	mcp_rebuilds_add(rebuilds, NOW_MS + 30000, 3, text("dear"), 900);
	size_t count = mcp_rebuilds_read(rebuilds, NOW_MS + 54000, scratch);
	assert_int_equal(3, count);
	assert_memory_equal("dear", scratch[0].key, 4);
	assert_int_equal(900, scratch[0].spent_ms);
	assert_int_equal(1, scratch[0].count);
	assert_memory_equal("often", scratch[1].key, 5);
	assert_int_equal(3, scratch[1].group);
	assert_int_equal(550, scratch[1].spent_ms);
	assert_int_equal(55, scratch[1].count);
	assert_int_equal(4, scratch[2].group);
}

static void what_is_older_than_a_minute_is_gone(void **state) {
	mcp_metrics *metrics = *state;
	mcp_rebuilds *rebuilds = &metrics->rebuilds;
	mcp_rebuilds_add(rebuilds, NOW_MS, 0, text("k"), 5);
	assert_int_equal(1, mcp_rebuilds_read(rebuilds, NOW_MS + 50000, scratch));
	assert_int_equal(0, mcp_rebuilds_read(rebuilds, NOW_MS + 60000, scratch));
	assert_int_equal(0, mcp_rebuilds_read(rebuilds, NOW_MS - 60000, scratch));
	assert_int_equal(0, mcp_rebuilds_read(rebuilds, 0, scratch));
	/* Its place is taken by another key of a later slice, and nothing of it is left there. */
	uint64_t round_ms = (uint64_t)MCP_REBUILDS_SLICES_KEPT * MCP_REBUILDS_SLICE_MS;
	mcp_rebuilds_add(rebuilds, NOW_MS + round_ms, 0, text("k"), 2);
	assert_int_equal(1, mcp_rebuilds_read(rebuilds, NOW_MS + round_ms, scratch));
	assert_int_equal(2, scratch[0].spent_ms);
	assert_int_equal(1, scratch[0].count);
}

static void dear_keys_survive_a_flood_of_cheap_ones(void **state) {
	mcp_metrics *metrics = *state;
	mcp_rebuilds *rebuilds = &metrics->rebuilds;
	for (uint32_t i = 0; i < 20000; i++) {
		char key[16];
		snprintf(key, sizeof(key), "cheap %" PRIu32, i);
		mcp_rebuilds_add(rebuilds, NOW_MS, 0, text(key), 1);
		if (i % 20 == 0) {
			mcp_rebuilds_add(rebuilds, NOW_MS, 0, text("dear"), 500);
		}
	}
	size_t count = mcp_rebuilds_read(rebuilds, NOW_MS, scratch);
	assert_int_equal(MCP_REBUILDS_SHOWN, count);
	assert_memory_equal("dear", scratch[0].key, 4);
	/* Never more than it has cost: what others left in its place is taken off. */
	assert_in_range(scratch[0].spent_ms, 990 * 500, 1000 * 500);
}

static void *add_many(void *rebuilds) {
	for (uint32_t i = 0; i < 50000; i++) {
		char key[16];
		snprintf(key, sizeof(key), "key %" PRIu32, i % MCP_REBUILDS_PLACES);
		mcp_rebuilds_add(rebuilds, NOW_MS, 0, text(key), 3);
	}
	return NULL;
}

static void nothing_is_lost_while_there_are_places(void **state) {
	mcp_metrics *metrics = *state;
	pthread_t writers[WRITERS];
	for (int i = 0; i < WRITERS; i++) {
		assert_int_equal(0, pthread_create(&writers[i], NULL, add_many, &metrics->rebuilds));
	}
	for (int i = 0; i < WRITERS; i++) {
		pthread_join(writers[i], NULL);
	}
	size_t shown = mcp_rebuilds_read(&metrics->rebuilds, NOW_MS, scratch);
	assert_int_equal(MCP_REBUILDS_SHOWN, shown);
	for (size_t i = 0; i < shown; i++) {
		assert_int_equal(3 * scratch[i].count, scratch[i].spent_ms);
		assert_in_range(scratch[i].count, WRITERS * 50000 / MCP_REBUILDS_PLACES - WRITERS,
			WRITERS * 50000 / MCP_REBUILDS_PLACES + WRITERS);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_name_finds_its_record_again, make, unmake),
		cmocka_unit_test_setup_teardown(names_beyond_the_last_place_share_one, make, unmake),
		cmocka_unit_test_setup_teardown(long_names_are_cut_and_stay_different, make, unmake),
		cmocka_unit_test_setup_teardown(a_half_made_name_is_completed_by_the_next, make, unmake),
		cmocka_unit_test(a_time_is_counted_at_the_first_bound_that_it_does_not_exceed),
		cmocka_unit_test_setup_teardown(reset_forgets_numbers_and_keeps_names, make, unmake),
		cmocka_unit_test_setup_teardown(each_process_enters_once, make, unmake),
		cmocka_unit_test_setup_teardown(the_strip_shows_the_last_events_in_their_order, make,
			unmake),
		cmocka_unit_test_setup_teardown(a_key_of_any_length_comes_back_up_to_its_room, make,
			unmake),
		cmocka_unit_test_setup_teardown(an_event_written_in_part_is_not_shown, make, unmake),
		cmocka_unit_test_setup_teardown(an_event_of_the_lap_before_is_not_shown_for_a_new_one, make,
			unmake),
		cmocka_unit_test_setup_teardown(no_reader_sees_a_torn_event_while_others_write, make,
			unmake),
		cmocka_unit_test_setup_teardown(the_dearest_keys_of_a_minute_come_first, make, unmake),
		cmocka_unit_test_setup_teardown(what_is_older_than_a_minute_is_gone, make, unmake),
		cmocka_unit_test_setup_teardown(dear_keys_survive_a_flood_of_cheap_ones, make, unmake),
		cmocka_unit_test_setup_teardown(nothing_is_lost_while_there_are_places, make, unmake),
	};
	return cmocka_run_group_tests_name("metrics", tests, NULL, NULL);
}
