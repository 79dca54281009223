/* Goes by what the pattern tells of each call: nothing is asked for a count. */
/* SPDX-License-Identifier: MIT */
#include "session_counting.h"

#include "../host/environment.h"

mcp_metrics_session *php_mcp_session_counting_find(const mcp_pool *pool) {
	mcp_metrics *metrics = php_mcp_environment_get()->metrics;
	return metrics != NULL ? mcp_metrics_find_session(metrics, php_mcp_pool_prefix(pool)) : NULL;
}

/* Adds nothing where it is 0, as in most calls: no other process's cache line is taken. */
static void add(mcp_metrics_session *counted, mcp_count_of_session which, uint64_t by) {
	if (by > 0) {
		mcp_metrics_add(&counted->counts[which], by);
	}
}

void php_mcp_session_counting_start(mcp_metrics_session *counted, const mcp_session_known *known,
	mcp_status status, uint64_t waited_ms) {
	if (counted == NULL) {
		return;
	}
	add(counted, MCP_COUNT_SESSION_STARTS, 1);
	add(counted, MCP_COUNT_SESSION_WAITS, waited_ms > 0);
	add(counted, MCP_COUNT_SESSION_WAIT_MS, waited_ms);
	add(counted, MCP_COUNT_SESSION_TAKEOVERS, known->is_held && known->was_taken_over);
	add(counted, MCP_COUNT_SESSION_REFUSED, status == MCP_FOREIGN);
	add(counted, MCP_COUNT_SESSION_FAILURES, status != MCP_OK && status != MCP_FOREIGN);
}

static mcp_count_of_session count_of(mcp_session_outcome outcome) {
	switch (outcome) {
		case MCP_SESSION_DROPPED:
			return MCP_COUNT_SESSION_DROPPED;
		case MCP_SESSION_UNMERGEABLE:
		case MCP_SESSION_TOO_LARGE:
			return MCP_COUNT_SESSION_REFUSED;
		default:
			return MCP_COUNT_SESSION_FAILURES;
	}
}

void php_mcp_session_counting_report(mcp_metrics_session *counted,
	const mcp_session_report *report) {
	if (counted == NULL) {
		return;
	}
	add(counted, MCP_COUNT_SESSION_LATE, report->was_late);
	if (report->outcome == MCP_SESSION_STORED) {
		add(counted, MCP_COUNT_SESSION_MERGES, report->was_merged);
		add(counted, MCP_COUNT_SESSION_CONFLICTS, report->conflicts);
		add(counted, MCP_COUNT_SESSION_STORED_AGAIN, report->was_stored_again);
	} else {
		add(counted, count_of(report->outcome), 1);
	}
}

void php_mcp_session_counting_refusal(mcp_metrics_session *counted) {
	if (counted != NULL) {
		add(counted, MCP_COUNT_SESSION_REFUSED, 1);
	}
}
