/* Makes arrays of the samples. */
/* SPDX-License-Identifier: MIT */
#include "history_reading.h"

#include "../host/environment.h"
#include "metrics_reading.h"

/* Adds them in an array of their own, as some of their names are a cache's, too. */
static void add_sessions(zval *sample, const uint64_t *sums) {
	zval sessions;
	array_init(&sessions);
	php_mcp_metrics_add_counts(&sessions, &mcp_counts_of_sessions, sums);
	add_assoc_zval(sample, "sessions", &sessions);
}

static void add_sample(zval *list, const mcp_history_shown *sample) {
	zval array;
	array_init(&array);
	add_assoc_double(&array, "at", (double)sample->at_ms / 1e3);
	const uint64_t *sums = sample->sums;
	php_mcp_metrics_add_counts(&array, &mcp_counts_of_caches, &sums[MCP_SUM_OF_CACHES]);
	php_mcp_metrics_add_counts(&array, &mcp_counts_of_locks, &sums[MCP_SUM_OF_LOCKS]);
	php_mcp_metrics_add_counts(&array, &mcp_counts_of_servers, &sums[MCP_SUM_OF_SERVERS]);
	add_sessions(&array, &sums[MCP_SUM_OF_SESSIONS]);
	add_next_index_zval(list, &array);
}

void php_mcp_history_reading_fill(zval *list, mcp_metrics *metrics) {
	array_init(list);
	if (metrics == NULL) {
		return;
	}
	uint64_t now_ms = mcp_wall_ms(php_mcp_environment_get());
	mcp_metrics_sample(metrics, now_ms);
	mcp_history_shown *samples = safe_emalloc(MCP_HISTORY_SHOWN, sizeof(*samples), 0);
	size_t count =
		mcp_history_read(&metrics->history, now_ms, mcp_metrics_get(&metrics->since_ms), samples);
	for (size_t i = 0; i < count; i++) {
		add_sample(list, &samples[i]);
	}
	efree(samples);
}
