/* Adds up, and sees by a server's count of calls whether it is in use: no call pays for that. */
/* SPDX-License-Identifier: MIT */
#include "metrics_sums.h"

static void add_record(const mcp_counts *counts, const mcp_metrics_word *words, uint64_t *sums) {
	for (size_t i = 0; i < counts->length; i++) {
		const mcp_count *count = &counts->rows[i];
		uint64_t number = mcp_metrics_get(&words[count->which]);
		uint64_t *sum = &sums[count->which];
		if (count->kind != MCP_COUNT_IS_PEAK) {
			*sum += number;
		} else if (*sum < number) {
			*sum = number;
		}
	}
}

static void add(const mcp_metrics *metrics, const mcp_counted *counted, uint64_t *sums) {
	for (size_t i = 0; i < counted->records; i++) {
		add_record(counted->counts, mcp_counted_words(counted, metrics, i), sums);
	}
}

static void note_uses(mcp_metrics *metrics, uint64_t now_ms) {
	for (size_t i = 0; i < MCP_METRICS_SERVERS; i++) {
		mcp_metrics_server *server = &metrics->servers[i];
		mcp_metrics_state_see(&server->state, mcp_metrics_get(&server->counts[MCP_COUNT_CALLS]),
			now_ms);
	}
}

void mcp_metrics_sample(mcp_metrics *metrics, uint64_t now_ms) {
	if (!mcp_history_is_due(&metrics->history, now_ms)) {
		return;
	}
	uint64_t sums[MCP_HISTORY_SUMS] = {0};
	add(metrics, &mcp_counted_caches, &sums[MCP_SUM_OF_CACHES]);
	add(metrics, &mcp_counted_locks, &sums[MCP_SUM_OF_LOCKS]);
	add(metrics, &mcp_counted_servers, &sums[MCP_SUM_OF_SERVERS]);
	add(metrics, &mcp_counted_sessions, &sums[MCP_SUM_OF_SESSIONS]);
	note_uses(metrics, now_ms);
	mcp_history_add(&metrics->history, now_ms, sums);
}
