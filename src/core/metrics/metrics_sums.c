/* Adds up, and sees by a server's count of calls whether it is in use: no call pays for that. */
/* SPDX-License-Identifier: MIT */
#include "metrics_sums.h"

_Static_assert(MCP_SUMS <= MCP_HISTORY_SUMS, "a sample has room for all sums");

static void add_words(uint64_t *sums, const mcp_metrics_word *words, size_t count) {
	for (size_t i = 0; i < count; i++) {
		sums[i] += mcp_metrics_get(&words[i]);
	}
}

static void add_groups(const mcp_metrics *metrics, uint64_t *sums) {
	for (size_t i = 0; i < MCP_METRICS_GROUPS; i++) {
		const mcp_metrics_group *group = &metrics->groups[i];
		add_words(&sums[MCP_SUM_OF_GROUPS], group->counts, MCP_GROUP_COUNTS);
		for (size_t place = 0; place < MCP_COMPUTE_TIMES; place++) {
			sums[MCP_SUM_COMPUTATIONS] += mcp_metrics_get(&group->compute_times[place]);
		}
	}
}

static void add_servers(const mcp_metrics *metrics, uint64_t *sums) {
	for (size_t i = 0; i < MCP_METRICS_SERVERS; i++) {
		const mcp_metrics_server *server = &metrics->servers[i];
		sums[MCP_SUM_CALLS] += mcp_metrics_get(&server->calls);
		sums[MCP_SUM_TIMEOUTS] += mcp_metrics_get(&server->timeouts);
		sums[MCP_SUM_FAILURES] += mcp_metrics_get(&server->failures);
		sums[MCP_SUM_OPENINGS] += mcp_metrics_get(&server->openings);
		sums[MCP_SUM_WHEN_DOWN] += mcp_metrics_get(&server->when_down);
	}
}

static void note_uses(mcp_metrics *metrics, uint64_t now_ms) {
	for (size_t i = 0; i < MCP_METRICS_SERVERS; i++) {
		mcp_metrics_server *server = &metrics->servers[i];
		mcp_metrics_state_see(&server->state, mcp_metrics_get(&server->calls), now_ms);
	}
}

void mcp_metrics_sample(mcp_metrics *metrics, uint64_t now_ms) {
	if (!mcp_history_is_due(&metrics->history, now_ms)) {
		return;
	}
	uint64_t sums[MCP_HISTORY_SUMS] = {0};
	add_groups(metrics, sums);
	for (size_t i = 0; i < MCP_METRICS_LOCKS; i++) {
		add_words(&sums[MCP_SUM_OF_LOCKS], metrics->locks[i].counts, MCP_LOCK_COUNTS);
	}
	add_servers(metrics, sums);
	note_uses(metrics, now_ms);
	mcp_history_add(&metrics->history, now_ms, sums);
}
