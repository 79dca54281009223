/* Keeps lines of statistics in a buffer, each as 2 lengths, the name and the value. */
/* SPDX-License-Identifier: MIT */
#include "stat_lines.h"

#include "../../core/bytes.h"

#define MICROSECONDS 1000000
/* Maximum start time of a server, because a lock's token is the start plus a CAS value, as a signed integer. */
#define STARTED_MAX_S (INT64_MAX / 2 / MICROSECONDS)

typedef struct lengths {
	size_t name, value;
} lengths;

typedef struct search {
	mcp_bytes name;
	uint64_t number;
	bool is_found;
} search;

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

static void compare(void *context, mcp_bytes name, mcp_bytes value) {
	search *wanted = context;
	if (mcp_bytes_equal(name, wanted->name)) {
		wanted->is_found = mcp_decimal_parse_u64(value, &wanted->number);
	}
}

bool mcp_stat_lines_number(const mcp_buffer *lines, const char *name, uint64_t *number) {
	search wanted = {.name = mcp_bytes_text(name)};
	mcp_stat_lines_visit(lines, compare, &wanted);
	*number = wanted.number;
	return wanted.is_found;
}

/* False for a proxy that reports its own start, which is unrelated to the CAS values. mcrouter reports no memory limit;
 * memcached's own proxy reports its proxied requests. */
static bool has_items(const mcp_buffer *lines) {
	uint64_t number;
	return mcp_stat_lines_number(lines, "limit_maxbytes", &number) &&
		!mcp_stat_lines_number(lines, "proxy_conn_requests", &number);
}

bool mcp_stat_lines_started_us(const mcp_buffer *lines, uint64_t *started_us) {
	uint64_t time_s, uptime_s;
	if (!has_items(lines) || !mcp_stat_lines_number(lines, "time", &time_s) ||
		!mcp_stat_lines_number(lines, "uptime", &uptime_s) || uptime_s > time_s ||
		time_s - uptime_s > STARTED_MAX_S) {
		return false;
	}
	*started_us = (time_s - uptime_s) * MICROSECONDS;
	return true;
}
