/* The samples of what was counted, as McPatterns\Metrics::history() answers them. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_HISTORY_READING_H
#define MCP_PHP_HISTORY_READING_H

#include "../../core/metrics/metrics_sums.h"

#include "php.h"

/* Fills the list in; `metrics` NULL: nothing is counted. */
void php_mcp_history_reading_fill(zval *list, mcp_metrics *metrics);

#endif
