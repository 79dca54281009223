/* The strip shows what was noted in its order, keys of any length, and nothing that was noted in part. */
/* SPDX-License-Identifier: MIT */
#include "metrics_fixture.h"

#include <pthread.h>

static void the_strip_shows_the_last_events_in_their_order(void **state) {
	mcp_metrics *metrics = *state;
	mcp_strip *strip = &metrics->strip;
	mcp_strip_event *events = calloc(MCP_STRIP_EVENTS, sizeof(*events));
	for (uint32_t i = 0; i < 3 * MCP_STRIP_EVENTS + 7; i++) {
		char key[16];
		snprintf(key, sizeof(key), "key %" PRIu32, i);
		mcp_strip_note(strip, mcp_strip_with_letter(mcp_strip_who(i, i % 2), 'A' + (char)(i % 26)),
			NOW_MS + i, text(key));
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
		mcp_strip_note(&metrics->strip, mcp_strip_with_letter(mcp_strip_who(1, 0), 'H'), NOW_MS,
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
	mcp_strip_note(strip, mcp_strip_with_letter(mcp_strip_who(11, 1), 'H'), NOW_MS,
		text("the key of one that was before"));
	before = strip->slots[0];
	strip->head = MCP_STRIP_EVENTS;
	mcp_strip_note(strip, mcp_strip_with_letter(mcp_strip_who(22, 2), 'M'), NOW_MS + 9,
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
		bool is_whole = memcmp((const void *)slot, (const void *)other, sizeof(after)) == 0;
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
		mcp_strip_note(strip, mcp_strip_with_letter(mcp_strip_who(1, 2), (char)letter), NOW_MS,
			text("k"));
		assert_int_equal(1, mcp_strip_read(strip, MCP_STRIP_ALL_GROUPS, &event, 1));
		for (uint64_t later = 1; later <= 256; later++) {
			strip->head = (letter + later) * MCP_STRIP_EVENTS + 1;
			assert_int_equal(0, mcp_strip_read(strip, MCP_STRIP_ALL_GROUPS, &event, 1));
		}
	}
}

#define WRITERS 4
#define EVENTS_EACH 200000

/* Notes an event all words of which say its number. */
static void note_numbered(mcp_strip *strip, uint32_t number) {
	char key[MCP_STRIP_KEY_MAX];
	memset(key, (char)('a' + number % 23), sizeof(key));
	mcp_strip_note(strip,
		mcp_strip_with_letter(mcp_strip_who(number, (uint8_t)(number % 200)),
			(char)('a' + number % 23)),
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

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_strip_shows_the_last_events_in_their_order, make,
			unmake),
		cmocka_unit_test_setup_teardown(a_key_of_any_length_comes_back_up_to_its_room, make,
			unmake),
		cmocka_unit_test_setup_teardown(an_event_written_in_part_is_not_shown, make, unmake),
		cmocka_unit_test_setup_teardown(an_event_of_the_lap_before_is_not_shown_for_a_new_one, make,
			unmake),
		cmocka_unit_test_setup_teardown(no_reader_sees_a_torn_event_while_others_write, make,
			unmake),
	};
	return cmocka_run_group_tests_name("metrics_strip", tests, NULL, NULL);
}
