/* McPatterns\Metrics: what this host's processes have counted. The numbers become arrays in metrics_reading.c, and text
 * in prometheus.c. */
/* SPDX-License-Identifier: MIT */
#include "../objects/classes.h"
#include "../host/environment.h"
#include "history_reading.h"
#include "legend.h"
#include "meters.h"
#include "metrics_reading.h"
#include "prometheus.h"

#include "class_metrics_arginfo.h"

#define DEFAULT_LAST 200

ZEND_METHOD(McPatterns_Metrics, __construct) {
	ZEND_PARSE_PARAMETERS_NONE();
}

ZEND_METHOD(McPatterns_Metrics, read) {
	ZEND_PARSE_PARAMETERS_NONE();
	php_mcp_metrics_reading_fill(return_value, php_mcp_meters_metrics());
}

ZEND_METHOD(McPatterns_Metrics, history) {
	ZEND_PARSE_PARAMETERS_NONE();
	php_mcp_history_reading_fill(return_value, php_mcp_meters_metrics());
}

ZEND_METHOD(McPatterns_Metrics, prometheus) {
	ZEND_PARSE_PARAMETERS_NONE();
	RETURN_STR(php_mcp_prometheus_write(php_mcp_meters_metrics()));
}

ZEND_METHOD(McPatterns_Metrics, legend) {
	ZEND_PARSE_PARAMETERS_NONE();
	php_mcp_legend_fill(return_value);
}

ZEND_METHOD(McPatterns_Metrics, strip) {
	zend_string *group = NULL;
	zend_long last = DEFAULT_LAST;

	ZEND_PARSE_PARAMETERS_START(0, 2)
		Z_PARAM_OPTIONAL
		Z_PARAM_STR_OR_NULL(group)
		Z_PARAM_LONG(last)
	ZEND_PARSE_PARAMETERS_END();

	if (last < 1 || last > MCP_STRIP_EVENTS) {
		zend_argument_value_error(2, "must be between 1 and %d", MCP_STRIP_EVENTS);
		RETURN_THROWS();
	}
	php_mcp_metrics_reading_strip(return_value, php_mcp_meters_metrics(), group, (size_t)last);
}

ZEND_METHOD(McPatterns_Metrics, reset) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_metrics *metrics = php_mcp_meters_metrics();
	if (metrics != NULL) {
		mcp_metrics_reset(metrics, mcp_wall_ms(php_mcp_environment_get()));
	}
}

void php_mcp_class_metrics_register(void) {
	register_class_McPatterns_Metrics();
}
