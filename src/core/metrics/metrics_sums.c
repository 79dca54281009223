/* Adds up, and sees by a server's count of calls whether it is in use: no call pays for that. */
/* SPDX-License-Identifier: MIT */
#include "metrics_sums.h"

static void add(const mcp_metrics *metrics, const mcp_counted *counted, uint64_t *sums) {
	for (size_t i = 0; i < counted->records; i++) {
		const mcp_metrics_word *words = mcp_counted_words(counted, metrics, i);
		for (size_t which = 0; which < counted->counts->length; which++) {
			sums[which] += mcp_metrics_get(&words[which]);
		}
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
