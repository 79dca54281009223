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

/* Shows the name of a record, or what stands in its place. */
void php_mcp_metrics_show_name(const mcp_counted *counted, const mcp_metrics *metrics, size_t index,
	mcp_shown_name *shown);
/* Adds a number to an array, in the unit that it is shown in. */
void php_mcp_metrics_add_count(zval *array, const char *name, const mcp_count *count,
	uint64_t number);
/* Adds all numbers of a table that read() has, each from its count's place. */
void php_mcp_metrics_add_counts(zval *array, const mcp_counts *counts, const uint64_t *numbers);

/* Returns a bound of the histogram of compute times in seconds; the next, of round trips. */
double php_mcp_metrics_compute_bound(size_t place);
double php_mcp_metrics_round_trip_bound(size_t place);

/* Fills the reading in; `metrics` NULL: nothing is counted. */
void php_mcp_metrics_reading_fill(zval *reading, mcp_metrics *metrics);
/* Lists the events; `group` NULL: all. `last`: at most MCP_STRIP_EVENTS. */
void php_mcp_metrics_reading_strip(zval *list, const mcp_metrics *metrics, const zend_string *group,
	size_t last);

#endif
