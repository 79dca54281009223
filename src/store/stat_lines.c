/* Each line is two lengths, the name and the value, one behind the other in a buffer.
 * Nothing in here knows where the lines came from. */
/* SPDX-License-Identifier: MIT */
#include "stat_lines.h"

#include "../core/decimal.h"

#define MICROSECONDS 1000000

typedef struct lengths {
	size_t name, value;
} lengths;

typedef struct start {
	uint64_t time_s, uptime_s;
	bool has_time, has_uptime;
} start;

bool mcp_stat_lines_add(mcp_buffer *lines, mcp_bytes name, mcp_bytes value) {
	lengths both = {name.length, value.length};
	if (!mcp_buffer_reserve(lines, sizeof(both) + both.name + both.value)) {
		return false;
	}
	return mcp_buffer_append(lines, mcp_bytes_of((const char *)&both, sizeof(both))) &&
		mcp_buffer_append(lines, name) && mcp_buffer_append(lines, value);
}

void mcp_stat_lines_visit(const mcp_buffer *lines, mcp_stat_visitor visit, void *context) {
	size_t at = 0;
	while (at < lines->length) {
		lengths both;
		memcpy(&both, lines->data + at, sizeof(both));
		const char *name = lines->data + at + sizeof(both);
		visit(context, mcp_bytes_of(name, both.name), mcp_bytes_of(name + both.name, both.value));
		at += sizeof(both) + both.name + both.value;
	}
}

static void take_start(void *context, mcp_bytes name, mcp_bytes value) {
	start *found = context;
	if (mcp_bytes_equal(name, mcp_bytes_of("time", 4))) {
		found->has_time = mcp_decimal_parse_u64(value, &found->time_s);
	}
	if (mcp_bytes_equal(name, mcp_bytes_of("uptime", 6))) {
		found->has_uptime = mcp_decimal_parse_u64(value, &found->uptime_s);
	}
}

bool mcp_stat_lines_started_us(const mcp_buffer *lines, uint64_t *started_us) {
	start found = {0};
	mcp_stat_lines_visit(lines, take_start, &found);
	if (!found.has_time || !found.has_uptime || found.uptime_s > found.time_s) {
		return false;
	}
	*started_us = (found.time_s - found.uptime_s) * MICROSECONDS;
	return true;
}
