/* Makes arrays of the samples. */
/* SPDX-License-Identifier: MIT */
#include "history_reading.h"

#include "../host/environment.h"
#include "metrics_reading.h"

typedef struct shown_sum {
	const char *name;
	mcp_sum which;
} shown_sum;

/* What follows the groups' counts, by its names in Metrics::read(). */
static const shown_sum shown_sums[] = {
	{"acquisitions", MCP_SUM_OF_LOCKS + MCP_COUNT_ACQUISITIONS},
	{"contention", MCP_SUM_OF_LOCKS + MCP_COUNT_CONTENTION},
	{"losses", MCP_SUM_OF_LOCKS + MCP_COUNT_LOSSES},
	{"calls", MCP_SUM_CALLS},
	{"timeouts", MCP_SUM_TIMEOUTS},
	{"failures", MCP_SUM_FAILURES},
	{"breaker_openings", MCP_SUM_OPENINGS},
	{"when_down", MCP_SUM_WHEN_DOWN},
};

static void add_sample(zval *list, const mcp_history_shown *sample) {
	zval array;
	array_init(&array);
	add_assoc_double(&array, "at", (double)sample->at_ms / 1e3);
	php_mcp_metrics_add_group_counts(&array, &sample->sums[MCP_SUM_OF_GROUPS],
		sample->sums[MCP_SUM_COMPUTATIONS]);
	for (size_t i = 0; i < sizeof(shown_sums) / sizeof(shown_sums[0]); i++) {
		uint64_t sum = sample->sums[shown_sums[i].which];
		add_assoc_long_ex(&array, shown_sums[i].name, strlen(shown_sums[i].name),
			sum > ZEND_LONG_MAX ? ZEND_LONG_MAX : (zend_long)sum);
	}
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
