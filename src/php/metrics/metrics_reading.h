/* The metrics' numbers as McPatterns\Metrics::read() and strip() answer them. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_METRICS_READING_H
#define MCP_PHP_METRICS_READING_H

#include "../../core/metrics/metrics.h"

#include "php.h"

/* A name in these memories, or what stands in the place of one that is not known. */
typedef struct mcp_shown_name {
	size_t length;
	char bytes[MCP_METRICS_NAME_MAX];
} mcp_shown_name;

#define MCP_METRICS_OTHER "other"

/* Of a group, server or lock; `is_last`: the one for the rest. */
void php_mcp_metrics_show_name(const mcp_metrics_name *name, bool is_last, mcp_shown_name *shown);
/* Whether any of these words is more than 0. */
bool php_mcp_metrics_has_counted(const mcp_metrics_word *words, size_t count);
uint64_t php_mcp_metrics_computations(const mcp_metrics_group *group);

/* What is counted of a group, or of all of them. */
void php_mcp_metrics_add_group_counts(zval *array, const uint64_t counts[MCP_GROUP_COUNTS],
	uint64_t computations);

/* The bounds of a histogram in seconds. */
double php_mcp_metrics_compute_bound(size_t place);
double php_mcp_metrics_round_trip_bound(size_t place);

/* NULL: nothing is counted. */
void php_mcp_metrics_reading_fill(zval *reading, mcp_metrics *metrics);
/* `group` NULL: all. `last`: at most MCP_STRIP_EVENTS. */
void php_mcp_metrics_reading_strip(zval *list, const mcp_metrics *metrics, const zend_string *group,
	size_t last);

#endif
