/* The metrics in Prometheus's text exposition format. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_METRICS_CLASS_METRICS_H
#define MCP_PHP_METRICS_CLASS_METRICS_H

#include "../../core/metrics/metrics.h"
#include "php.h"

/* Add a number to an array in its display unit. */
void php_mcp_metrics_add_count(zval *array, const char *name, const mcp_count *count,
	uint64_t number);

#endif
