/* Takes any bytes for the metrics' memory, as another process may have left them: whatever stands there, every reader
 * keeps within its bounds, and every writer goes on. */
/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include <string.h>

#include "../../src/core/metrics/metrics.h"
#define NOW_MS 1763688000250ull

/* Half a megabyte, not to be mapped and given back for each input. */
static _Alignas(64) mcp_metrics memory;

/* Fills with the input over and over, or else nearly all of it would be zeroes: what is filled is doubled, as a short
 * input would take as many copies as it takes bytes. */
static void fill(mcp_metrics *metrics, const uint8_t *data, size_t size) {
	uint8_t *to = (uint8_t *)metrics;
	size_t done = size < sizeof(*metrics) ? size : sizeof(*metrics);
	memcpy(to, data, done);
	while (done < sizeof(*metrics)) {
		size_t left = sizeof(*metrics) - done;
		size_t more = left < done ? left : done;
		memcpy(to + done, to, more);
		done += more;
	}
}

static void read_names(const mcp_metrics *metrics) {
	char name[MCP_METRICS_NAME_MAX];
	size_t length;
	for (size_t i = 0; i < MCP_METRICS_GROUPS; i++) {
		if (mcp_metrics_read_name(&metrics->groups[i].name, name, &length)) {
			require(length <= sizeof(name));
		}
	}
	for (size_t i = 0; i < MCP_METRICS_LOCKS; i++) {
		if (mcp_metrics_read_name(&metrics->locks[i].name, name, &length)) {
			require(length <= sizeof(name));
		}
	}
	for (size_t i = 0; i < MCP_METRICS_SESSIONS; i++) {
		if (mcp_metrics_read_name(&metrics->sessions[i].name, name, &length)) {
			require(length <= sizeof(name));
		}
	}
}

static void read_trace(const mcp_metrics *metrics) {
	static mcp_trace_event events[MCP_TRACE_EVENTS];
	size_t count = mcp_trace_read(&metrics->trace, MCP_TRACE_ALL_GROUPS, events, MCP_TRACE_EVENTS);
	require(count <= MCP_TRACE_EVENTS);
	for (size_t i = 0; i < count; i++) {
		require(events[i].key_length <= MCP_TRACE_KEY_MAX);
	}
}

static void read_rebuilds(const mcp_metrics *metrics) {
	static mcp_rebuild rebuilds[MCP_REBUILDS_SCRATCH];
	size_t count = mcp_rebuilds_read(&metrics->rebuilds, NOW_MS, rebuilds);
	require(count <= MCP_REBUILDS_SHOWN);
	for (size_t i = 0; i < count; i++) {
		require(rebuilds[i].key_length <= MCP_REBUILDS_KEY_MAX);
		require(i == 0 || rebuilds[i].spent_ms <= rebuilds[i - 1].spent_ms);
	}
}

/* Writes all parts, and requires that the event noted now is the newest one, whatever was there. */
static void write_all(mcp_metrics *metrics, mcp_bytes key) {
	mcp_trace_event event;
	mcp_metrics_group *group = mcp_metrics_find_group(metrics, key);
	require(group >= metrics->groups && group < metrics->groups + MCP_METRICS_GROUPS);
	mcp_metrics_count_computation(group, key.length);
	mcp_metrics_time_answer(mcp_metrics_find_server(metrics, key), key.length);
	mcp_metrics_add(&mcp_metrics_find_lock(metrics, key)->counts[MCP_COUNT_LOSSES], 1);
	mcp_metrics_add(&mcp_metrics_find_session(metrics, key)->counts[MCP_COUNT_SESSION_FAILURES], 1);
	mcp_rebuilds_add(&metrics->rebuilds, NOW_MS, 1, key, 1000);
	mcp_metrics_enter(metrics, 4711);
	mcp_trace_clear(&metrics->trace);
	mcp_trace_append(&metrics->trace, mcp_trace_with_letter(mcp_trace_who(2, 1), 'H'), NOW_MS, key);
	require(mcp_trace_read(&metrics->trace, MCP_TRACE_ALL_GROUPS, &event, 1) == 1);
	require(event.letter == 'H' && event.pid == 2 && event.at_ms == NOW_MS);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	if (size == 0) {
		return 0;
	}
	mcp_metrics *metrics = &memory;
	fill(metrics, data, size);
	read_names(metrics);
	read_trace(metrics);
	read_rebuilds(metrics);
	write_all(metrics, mcp_bytes_of((const char *)data, size));
	mcp_metrics_reset(metrics, NOW_MS);
	read_trace(metrics);
	read_rebuilds(metrics);
	return 0;
}
