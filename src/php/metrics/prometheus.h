/* The metrics in Prometheus's text exposition format. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_PROMETHEUS_H
#define MCP_PHP_PROMETHEUS_H

#include "../../core/metrics/metrics.h"

#include "php.h"

/* Writes the page; `metrics` NULL: nothing is counted. The caller releases it. */
zend_string *php_mcp_prometheus_write(const mcp_metrics *metrics);

#endif
