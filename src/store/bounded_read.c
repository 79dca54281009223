/* A wire that bounds each wait and not the call could be held for ever by a server that drips. Between two
 * parts its next wait is shortened to what is left; within one part it cannot be. */
/* SPDX-License-Identifier: MIT */
#include "bounded_read.h"

#include "stat_lines.h"

/* memcached's statistics are two thousand bytes. */
#define STATISTICS_MAX ((size_t)256 * 1024)

typedef struct hearing {
	const mcp_bounded_read *reading;
	uint64_t began_ms;
	mcp_buffer *lines;
} hearing;

static uint64_t now_ms(const mcp_bounded_read *reading) {
	return mcp_monotonic_ms(reading->environment);
}

static void wait_normally(const mcp_bounded_read *reading) {
	mcp_wire_wait_at_most(reading->wire, reading->timeout_ms);
}

/* Shortens the next wait to what is left of the time that `received` bytes may take. */
static void hurry(const mcp_bounded_read *reading, uint64_t began_ms, size_t received) {
	if (mcp_wire_bounds_answers(reading->wire)) {
		return;
	}
	uint64_t allowed_ms = mcp_deadline_allowed_ms(reading->timeout_ms, received);
	uint64_t passed_ms = now_ms(reading) - began_ms;
	uint64_t left_ms = passed_ms < allowed_ms ? allowed_ms - passed_ms : 0;
	uint64_t wait_ms = left_ms < reading->timeout_ms ? left_ms : reading->timeout_ms;
	mcp_wire_wait_at_most(reading->wire, wait_ms);
}

static const char *items_of(const mcp_wire *wire) {
	return mcp_wire_keeps_items(wire) ? mcp_wire_items(wire) : NULL;
}

/* What has arrived in the order in which it was asked for, as nearly always all of it. */
static void take_expected(mcp_wire *wire, mcp_multi_get *many) {
	const char *items = items_of(wire);
	const mcp_key *key;
	while ((key = mcp_multi_get_expected(many)) != NULL &&
		mcp_wire_take(wire, key->wire, mcp_multi_get_place(many))) {
		mcp_multi_get_took(many, items);
	}
}

static mcp_status receive(const mcp_bounded_read *reading, mcp_multi_get *many) {
	bool takes = mcp_wire_takes(reading->wire);
	for (;;) {
		if (takes) {
			take_expected(reading->wire, many);
		}
		mcp_bytes key;
		mcp_item item;
		mcp_status status = mcp_wire_next(reading->wire, &key, &item);
		if (status != MCP_OK) {
			return status == MCP_NOT_FOUND ? MCP_OK : status;
		}
		status = mcp_multi_get_take(many, key, &item, items_of(reading->wire));
		if (status != MCP_OK) {
			mcp_wire_break_off(reading->wire);
			return status;
		}
		hurry(reading, reading->asked_ms, many->values->length - many->kept_bytes);
	}
}

mcp_status mcp_bounded_read_ask(mcp_bounded_read *reading, const mcp_multi_get *many) {
	reading->asked_ms = mcp_wire_bounds_answers(reading->wire) ? 0 : now_ms(reading);
	return mcp_wire_ask(reading->wire, many->names, many->lengths, many->asked,
		mcp_multi_get_is_further(many));
}

mcp_status mcp_bounded_read_hear(mcp_bounded_read *reading, mcp_multi_get *many) {
	mcp_status status = receive(reading, many);
	wait_normally(reading);
	return status;
}

/* A line that finds no memory is lost: statistics are not worth more. */
static bool hear(void *context, mcp_bytes name, mcp_bytes value) {
	hearing *to = context;
	mcp_stat_lines_add(to->lines, name, value);
	hurry(to->reading, to->began_ms, to->lines->length);
	return to->lines->length <= STATISTICS_MAX;
}

mcp_status mcp_bounded_read_stats(const mcp_bounded_read *reading, const char *kind,
	mcp_buffer *lines) {
	hearing to = {reading, now_ms(reading), lines};
	mcp_buffer_clear(lines);
	mcp_status status = mcp_wire_stats(reading->wire, kind, hear, &to);
	wait_normally(reading);
	return status;
}
