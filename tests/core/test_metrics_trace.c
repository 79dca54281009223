/* The trace shows what was noted in its order, keys of any length, and nothing that was noted in part. */
/* SPDX-License-Identifier: MIT */
#include "metrics_fixture.h"

#include <pthread.h>

TEST_WITH(the_trace_shows_the_last_events_in_their_order, make, unmake) {
	mcp_metrics *metrics = *state;
	mcp_trace *trace = &metrics->trace;
	mcp_trace_event *events = calloc(MCP_TRACE_EVENTS, sizeof(*events));
	for (uint32_t i = 0; i < 3 * MCP_TRACE_EVENTS + 7; i++) {
		char key[16];
		snprintf(key, sizeof(key), "key %" PRIu32, i);
		mcp_trace_append(trace,
			mcp_trace_with_letter(mcp_trace_who(i, i % 2), 'A' + (char)(i % 26)), NOW_MS + i,
			mcp_bytes_text(key));
	}
	const uint32_t first = 2 * MCP_TRACE_EVENTS + 7;
	assert_int_equal(MCP_TRACE_EVENTS,
		mcp_trace_read(trace, MCP_TRACE_ALL_GROUPS, events, MCP_TRACE_EVENTS));
	for (uint32_t i = 0; i < MCP_TRACE_EVENTS; i++) {
		char key[16];
		snprintf(key, sizeof(key), "key %" PRIu32, first + i);
		assert_int_equal(first + i, events[i].pid);
		assert_int_equal(NOW_MS + first + i, events[i].at_ms);
		assert_int_equal('A' + (char)((first + i) % 26), events[i].letter);
		assert_int_equal(strlen(key), events[i].key_length);
		assert_memory_equal(key, events[i].key, strlen(key));
	}
	assert_int_equal(3, mcp_trace_read(trace, 1, events, 3));
	for (int i = 0; i < 3; i++) {
		assert_int_equal(1, events[i].group);
	}
	assert_int_equal(first + MCP_TRACE_EVENTS - 2, events[2].pid);
	free(events);
}

TEST_WITH(a_key_of_any_length_comes_back_up_to_its_room, make, unmake) {
	mcp_metrics *metrics = *state;
	char key[MCP_TRACE_KEY_MAX + 20];
	for (size_t i = 0; i < sizeof(key); i++) {
		key[i] = (char)(200 + i);
	}
	for (size_t length = 0; length <= sizeof(key); length++) {
		/* Nothing beyond it is read: a sanitizer would see it. */
		char *exact = malloc(length > 0 ? length : 1);
		memcpy(exact, key, length);
		mcp_trace_append(&metrics->trace, mcp_trace_with_letter(mcp_trace_who(1, 0), 'H'), NOW_MS,
			mcp_bytes_of(exact, length));
		free(exact);
		mcp_trace_event event;
		size_t shown = length < MCP_TRACE_KEY_MAX ? length : MCP_TRACE_KEY_MAX;
		assert_int_equal(1, mcp_trace_read(&metrics->trace, MCP_TRACE_ALL_GROUPS, &event, 1));
		assert_int_equal(shown, event.key_length);
		assert_memory_equal(key, event.key, shown);
	}
}

/* Its writer was killed between any two words, over an event of the lap before. */
TEST_WITH(an_event_written_in_part_is_not_shown, make, unmake) {
	mcp_metrics *metrics = *state;
	mcp_trace *trace = &metrics->trace;
	mcp_trace_event event;
	mcp_trace_slot before, after;
	mcp_trace_append(trace, mcp_trace_with_letter(mcp_trace_who(11, 1), 'H'), NOW_MS,
		mcp_bytes_text("the key of one that was before"));
	before = trace->slots[0];
	trace->head = MCP_TRACE_EVENTS;
	mcp_trace_append(trace, mcp_trace_with_letter(mcp_trace_who(22, 2), 'M'), NOW_MS + 9,
		mcp_bytes_text("another one, with more of letters"));
	after = trace->slots[0];
	const size_t words = sizeof(after) / sizeof(mcp_metrics_word);
	for (unsigned mixture = 0; mixture < 1u << words; mixture++) {
		const mcp_metrics_word *one = (const mcp_metrics_word *)&before;
		const mcp_metrics_word *other = (const mcp_metrics_word *)&after;
		mcp_metrics_word *slot = (mcp_metrics_word *)&trace->slots[0];
		for (size_t i = 0; i < words; i++) {
			slot[i] = mixture >> i & 1 ? other[i] : one[i];
		}
		bool is_whole = memcmp((const void *)slot, (const void *)other, sizeof(after)) == 0;
		assert_int_equal(is_whole, mcp_trace_read(trace, MCP_TRACE_ALL_GROUPS, &event, 1) == 1);
	}
}

/* Its writer has only its number yet, and in its place is what was written some laps before. */
TEST_WITH(an_event_of_the_lap_before_is_not_shown_for_a_new_one, make, unmake) {
	mcp_metrics *metrics = *state;
	mcp_trace *trace = &metrics->trace;
	mcp_trace_event event;
	for (unsigned letter = 0; letter < 256; letter++) {
		trace->head = letter * MCP_TRACE_EVENTS;
		mcp_trace_append(trace, mcp_trace_with_letter(mcp_trace_who(1, 2), (char)letter), NOW_MS,
			mcp_bytes_text("k"));
		assert_int_equal(1, mcp_trace_read(trace, MCP_TRACE_ALL_GROUPS, &event, 1));
		for (uint64_t later = 1; later <= 256; later++) {
			trace->head = (letter + later) * MCP_TRACE_EVENTS + 1;
			assert_int_equal(0, mcp_trace_read(trace, MCP_TRACE_ALL_GROUPS, &event, 1));
		}
	}
}

#define WRITERS 4
#define EVENTS_EACH 200000

/* Notes an event all words of which say its number. */
static void note_numbered(mcp_trace *trace, uint32_t number) {
	char key[MCP_TRACE_KEY_MAX];
	memset(key, (char)('a' + number % 23), sizeof(key));
	mcp_trace_append(trace,
		mcp_trace_with_letter(mcp_trace_who(number, (uint8_t)(number % 200)),
			(char)('a' + number % 23)),
		number, mcp_bytes_of(key, number % (MCP_TRACE_KEY_MAX + 1)));
}

static void *write_many(void *trace) {
	for (uint32_t i = 0; i < EVENTS_EACH; i++) {
		note_numbered(trace, i);
	}
	return NULL;
}

static void require_whole(const mcp_trace_event *event) {
	uint32_t number = event->pid;
	assert_int_equal(number, event->at_ms);
	assert_int_equal('a' + number % 23, event->letter);
	assert_int_equal(number % 200, event->group);
	assert_int_equal(number % (MCP_TRACE_KEY_MAX + 1), event->key_length);
	for (size_t i = 0; i < event->key_length; i++) {
		assert_int_equal('a' + number % 23, event->key[i]);
	}
}

TEST_WITH(no_reader_sees_a_torn_event_while_others_write, make, unmake) {
	mcp_metrics *metrics = *state;
	mcp_trace *trace = &metrics->trace;
	mcp_trace_event *events = calloc(MCP_TRACE_EVENTS, sizeof(*events));
	pthread_t writers[WRITERS];
	for (int i = 0; i < WRITERS; i++) {
		assert_int_equal(0, pthread_create(&writers[i], NULL, write_many, trace));
	}
	/* Where they are done before this thread has its first turn, what they left is read. */
	size_t seen = 0;
	bool is_over;
	do {
		is_over = mcp_metrics_get(&trace->head) >= (uint64_t)WRITERS * EVENTS_EACH;
		size_t count = mcp_trace_read(trace, MCP_TRACE_ALL_GROUPS, events, MCP_TRACE_EVENTS);
		for (size_t i = 0; i < count; i++) {
			require_whole(&events[i]);
		}
		seen += count;
	} while (!is_over);
	for (int i = 0; i < WRITERS; i++) {
		pthread_join(writers[i], NULL);
	}
	assert_true(seen > 0);
	assert_int_equal((uint64_t)WRITERS * EVENTS_EACH, mcp_metrics_get(&trace->head));
	free(events);
}
