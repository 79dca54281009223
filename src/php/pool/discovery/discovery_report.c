/* Which process of the host asked last is not known: of questions, those of this process are shown. */
/* SPDX-License-Identifier: MIT */
#include "discovery_report.h"

#define MS_PER_S 1000.0

/* Adds a number that no endpoint has, but one may tell, as a string where PHP has no such int. */
static void add_version(zval *report, uint64_t version) {
	if (version <= (uint64_t)ZEND_LONG_MAX) {
		add_assoc_long(report, "version", (zend_long)version);
	} else {
		add_assoc_str(report, "version", zend_strpprintf(0, "%" PRIu64, version));
	}
}

void php_mcp_discovery_report_add(zval *report, const mcp_discovery *discovery) {
	zval row;
	array_init(&row);
	add_assoc_string(&row, "endpoint", discovery->endpoint.address);
	add_assoc_bool(&row, "tls", discovery->endpoint.is_tls);
	if (discovery->list != NULL) {
		add_version(&row, discovery->version);
	} else {
		add_assoc_null(&row, "version");
	}
	add_assoc_long(&row, "servers", (zend_long)discovery->servers);
	if (discovery->asked_ms > 0) {
		add_assoc_double(&row, "asked", (double)discovery->asked_ms / MS_PER_S);
	} else {
		add_assoc_null(&row, "asked");
	}
	if (discovery->has_failed) {
		add_assoc_str(&row, "error", zend_strpprintf(0, "the server %s", discovery->reason.text));
	} else {
		add_assoc_null(&row, "error");
	}
	add_assoc_bool(&row, "shared", discovery->own == NULL);
	add_assoc_zval(report, "discovery", &row);
}
