/* Holds the event log to J1 to J6: events in their order, readers who come back, slots that are lost or damaged, and
 * what had no answer. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "../../src/patterns/event_log/event_log.h"
#include "world.h"

enum { SLOTS = 3, SLOT_S = 60, SCRATCH = SLOTS + 1, FIRST_SLOT = WORLD_START_MS / 1000 / SLOT_S };

typedef struct log_world {
	test_world world;
	mcp_key_buffer buffer;
	mcp_key key;
	mcp_event_log log;
	mcp_key keys[SCRATCH];
	mcp_key_buffer buffers[SCRATCH];
	mcp_op replies[SCRATCH];
	mcp_event_log_scratch scratch;
	mcp_log_cursor cursor; /* of the one reader */
	bool has_cursor;
	uint64_t lost;
	const char *other; /* for hooks */
} log_world;

static log_world opened;

static int open_log_world(void **state) {
	log_world *w = &opened;
	memset(w, 0, sizeof(*w));
	world_open(&w->world);
	w->world.actor = w;
	w->key = world_key(&w->buffer, MCP_SPACE_LOG, "site");
	w->log = (mcp_event_log){
		.store = w->world.store,
		.environment = &w->world.environment,
		.key = &w->key,
		.window = {SLOTS * SLOT_S, SLOTS},
	};
	w->scratch = (mcp_event_log_scratch){w->keys, w->buffers, w->replies};
	*state = w;
	return 0;
}

static int close_log_world(void **state) {
	world_close(&((log_world *)*state)->world);
	return 0;
}

static mcp_status append(log_world *w, const char *payload) {
	const mcp_event event = {.flags = 1, .payload = mcp_bytes_text(payload)};
	char *record = malloc(mcp_event_log_record_length(&w->log, strlen(payload)));
	mcp_status status = mcp_event_log_append(&w->log, &event, record);
	free(record);
	return status;
}

static void add_to(char *text, size_t size, const mcp_event *event) {
	size_t length = strlen(text);
	snprintf(text + length, size - length, "%.*s ", (int)event->payload.length,
		event->payload.data);
}

/* Reads the last `wanted` of each slot, the newest slot's first. */
static const char *last(log_world *w, size_t wanted) {
	static char text[4096];
	mcp_event_log_reading reading;
	mcp_event event;
	text[0] = 0;
	mcp_event_log_last_begin(&reading, &w->log, &w->scratch);
	mcp_status status;
	while ((status = mcp_event_log_last_read(&reading)) == MCP_OK) {
		while (mcp_event_log_last_take(&reading, wanted, &event)) {
			add_to(text, sizeof(text), &event);
		}
	}
	return status == MCP_NOT_FOUND ? text : "failed";
}

/* Reads what came since the reader was here last. */
static const char *since(log_world *w) {
	static char text[512];
	mcp_event_log_reading reading;
	mcp_event event;
	text[0] = 0;
	mcp_event_log_since_begin(&reading, &w->log, &w->scratch, w->has_cursor ? &w->cursor : NULL);
	mcp_status status;
	while ((status = mcp_event_log_since_read(&reading)) == MCP_OK) {
		while (mcp_event_log_since_take(&reading, &event)) {
			add_to(text, sizeof(text), &event);
		}
	}
	if (status != MCP_NOT_FOUND) {
		return "failed";
	}
	w->cursor = reading.cursor;
	w->has_cursor = true;
	w->lost += reading.lost;
	return text;
}

static void remove_slot(log_world *w, unsigned slot) {
	char wire[64];
	snprintf(wire, sizeof(wire), "log:site:%u", FIRST_SLOT + slot);
	assert_non_null(world_peek(&w->world, wire));
	world_remove(&w->world, wire);
}

#define LOG_TEST(name, w) TEST_OF(log_world, name, w, open_log_world, close_log_world)

LOG_TEST(events_stand_in_their_order, w) {
	assert_string_equal("", last(w, 10));
	assert_int_equal(MCP_OK, append(w, "a"));
	assert_int_equal(MCP_OK, append(w, "b"));
	world_pass(&w->world, SLOT_S * 1000);
	assert_int_equal(MCP_OK, append(w, "c"));
	assert_string_equal("c a b ", last(w, 10));
	assert_string_equal("c b ", last(w, 1));
	assert_string_equal("a b c ", since(w));
}

LOG_TEST(an_event_is_one_round_trip_and_two_for_the_first, w) {
	world_watch(&w->world, 0, WORLD_SOUND);
	append(w, "a");
	assert_int_equal(2, w->world.calls);
	append(w, "b");
	assert_int_equal(3, w->world.calls);
}

/* J2: as long as the window has its slot. */
LOG_TEST(events_leave_with_their_slot, w) {
	append(w, "a");
	world_pass(&w->world, SLOTS * SLOT_S * 1000);
	append(w, "b");
	assert_string_equal("b a ", last(w, 10));
	world_pass(&w->world, SLOT_S * 1000);
	assert_string_equal("b ", last(w, 10));
}

/* J5 */
LOG_TEST(a_reader_is_given_each_event_once, w) {
	append(w, "a");
	assert_string_equal("a ", since(w));
	assert_string_equal("", since(w));
	append(w, "b");
	world_pass(&w->world, SLOT_S * 1000);
	append(w, "c");
	assert_string_equal("b c ", since(w));
	assert_string_equal("", since(w));
	assert_int_equal(0, w->lost);
}

LOG_TEST(a_reader_is_told_of_what_was_lost, w) {
	append(w, "a");
	assert_string_equal("a ", since(w));
	append(w, "b");
	remove_slot(w, 0);
	append(w, "c");
	assert_string_equal("c ", since(w));
	assert_int_equal(1, w->lost);
	assert_string_equal("", since(w));
	assert_int_equal(1, w->lost);
}

LOG_TEST(a_reader_who_was_away_too_long_is_told, w) {
	append(w, "a");
	assert_string_equal("a ", since(w));
	append(w, "b");
	world_pass(&w->world, (SLOTS + 2) * SLOT_S * 1000);
	append(w, "c");
	assert_string_equal("c ", since(w));
	assert_true(w->lost > 0);
}

/* J6: what had no answer may be there, and is not sent again. */
LOG_TEST(an_unknown_event_is_told_and_not_repeated, w) {
	append(w, "a");
	world_watch(&w->world, 1, WORLD_REPLY_LOST);
	assert_int_equal(MCP_UNKNOWN, append(w, "b"));
	assert_int_equal(1, w->world.calls);
	world_watch(&w->world, 1, WORLD_REQUEST_LOST);
	assert_int_equal(MCP_UNKNOWN, append(w, "c"));
	assert_string_equal("a b ", last(w, 10));
	world_watch(&w->world, 1, WORLD_DOWN);
	assert_int_equal(MCP_UNREACHABLE, append(w, "d"));
	assert_string_equal("failed", last(w, 10));
}

static void another_appends(test_world *world, unsigned call) {
	log_world *w = world->actor;
	if (call == 2) {
		assert_int_equal(MCP_OK, append(w, w->other));
	}
}

/* J1: two that make the slot at once. */
LOG_TEST(the_first_of_two_does_not_replace_the_other, w) {
	w->other = "first";
	world_watch(&w->world, 0, WORLD_SOUND);
	w->world.before_call = another_appends;
	assert_int_equal(MCP_OK, append(w, "second"));
	w->world.before_call = NULL;
	assert_string_equal("first second ", last(w, 10));
}

LOG_TEST(what_is_damaged_is_left_out_and_told, w) {
	append(w, "a");
	assert_string_equal("a ", since(w));
	char wire[64];
	snprintf(wire, sizeof(wire), "log:site:%u", FIRST_SLOT);
	world_put(&w->world, wire, "no log at all", 0);
	assert_string_equal("", last(w, 10));
	assert_string_equal("", since(w));
	assert_int_equal(1, w->lost);
	world_pass(&w->world, SLOT_S * 1000);
	append(w, "b");
	assert_string_equal("b ", since(w));
}

/* The last of many in one slot, however many are found in one pass. */
LOG_TEST(the_last_of_many_are_the_last, w) {
	static const size_t wanted[] = {1, 100, 127, 128, 129, 299, 300, 301};
	char name[16];
	for (int i = 0; i < 300; i++) {
		snprintf(name, sizeof(name), "%d", i);
		assert_int_equal(MCP_OK, append(w, name));
	}
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		snprintf(name, sizeof(name), "%zu ", wanted[i] < 300 ? 300 - wanted[i] : 0);
		assert_memory_equal(name, last(w, wanted[i]), strlen(name));
	}
}

/* J4 */
LOG_TEST(a_full_slot_is_told_after_three_commands, w) {
	static char large[300001];
	memset(large, 'x', sizeof(large) - 1);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(MCP_OK, append(w, large));
	}
	world_watch(&w->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_NOT_STORED, append(w, large));
	assert_int_equal(3, w->world.calls);
	assert_int_equal(MCP_OK, append(w, "small"));
}

LOG_TEST(clear_forgets_and_is_told, w) {
	append(w, "a");
	assert_string_equal("a ", since(w));
	append(w, "b");
	assert_int_equal(MCP_OK, mcp_event_log_clear(&w->log));
	assert_string_equal("", last(w, 10));
	append(w, "c");
	assert_string_equal("c ", since(w));
	assert_int_equal(1, w->lost);
}
