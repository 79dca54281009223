/* A wire that bounds each wait and not the call could be held for ever by a server that drips. Between two
 * parts its next wait is shortened to what is left; within one part it cannot be. */
/* SPDX-License-Identifier: MIT */
#include "bounded_read.h"

#include "stat_lines.h"

/* memcached's statistics are two thousand bytes. */
#define STATISTICS_MAX ((size_t)256 * 1024)

typedef struct hearing {
	mcp_bounded_read *reading;
	mcp_buffer *lines;
} hearing;

static uint64_t now_ms(const mcp_bounded_read *reading) {
	return mcp_monotonic_ms(reading->environment);
}

/* Begins; a wire that bounds its answers needs no clock but its own. */
static void begin(mcp_bounded_read *reading) {
	reading->asked_ms = mcp_wire_bounds_answers(reading->wire) ? 0 : now_ms(reading);
	reading->left_ms = reading->timeout_ms;
	reading->received = 0;
}

static void wait_normally(const mcp_bounded_read *reading) {
	mcp_wire_wait_at_most(reading->wire, reading->timeout_ms);
}

/* Shortens the next wait to what is left of the time that so many bytes may take; mostly that is what it was. */
static inline void hurry(mcp_bounded_read *reading, size_t received) {
	if (mcp_wire_bounds_answers(reading->wire)) {
		return;
	}
	reading->received += received;
	uint64_t allowed_ms = mcp_deadline_allowed_ms(reading->timeout_ms, reading->received);
	int64_t left_ms = (int64_t)(reading->asked_ms + allowed_ms - now_ms(reading));
	if (left_ms == reading->left_ms) {
		return;
	}
	reading->left_ms = left_ms;
	int64_t wait_ms = left_ms < reading->timeout_ms ? left_ms : reading->timeout_ms;
	mcp_wire_wait_at_most(reading->wire, wait_ms > 0 ? (uint64_t)wait_ms : 0);
}

/* Takes answers that come in the order in which they were asked for, as nearly always all do. */
static void take_expected(mcp_bounded_read *reading, mcp_multi_get *many) {
	mcp_wire *wire = reading->wire;
	const char *items = mcp_wire_items(wire);
	const mcp_key *key;
	while ((key = mcp_multi_get_expected(many)) != NULL &&
		mcp_wire_take(wire, key->wire, mcp_multi_get_place(many))) {
		hurry(reading, mcp_multi_get_place(many)->value.length);
		mcp_multi_get_took(many, items);
	}
}

static mcp_status receive(mcp_bounded_read *reading, mcp_multi_get *many) {
	mcp_status awaited = mcp_wire_await(reading->wire);
	if (awaited != MCP_OK) {
		return awaited;
	}
	for (;;) {
		take_expected(reading, many);
		mcp_bytes key;
		mcp_item item;
		mcp_status status = mcp_wire_next(reading->wire, &key, &item);
		if (status != MCP_OK) {
			return status == MCP_NOT_FOUND ? MCP_OK : status;
		}
		status = mcp_multi_get_take(many, key, &item, mcp_wire_items(reading->wire));
		if (status != MCP_OK) {
			mcp_wire_break_off(reading->wire);
			return status;
		}
		hurry(reading, item.value.length);
	}
}

mcp_status mcp_bounded_read_ask(mcp_bounded_read *reading, const mcp_multi_get *many) {
	begin(reading);
	return mcp_wire_ask(reading->wire, many->names, many->lengths, many->asked,
		mcp_multi_get_is_further(many));
}

mcp_status mcp_bounded_read_hear(mcp_bounded_read *reading, mcp_multi_get *many) {
	mcp_status status = receive(reading, many);
	wait_normally(reading);
	return status;
}

/* Hears a line; one that finds no memory is lost: statistics are not worth more. */
static bool hear(void *context, mcp_bytes name, mcp_bytes value) {
	hearing *to = context;
	size_t length_before = to->lines->length;
	mcp_stat_lines_add(to->lines, name, value);
	hurry(to->reading, to->lines->length - length_before);
	return to->lines->length <= STATISTICS_MAX;
}

mcp_status mcp_bounded_read_stats(mcp_bounded_read *reading, const char *kind, mcp_buffer *lines) {
	hearing to = {reading, lines};
	mcp_buffer_clear(lines);
	begin(reading);
	mcp_status status = mcp_wire_stats(reading->wire, kind, hear, &to);
	wait_normally(reading);
	return status;
}
