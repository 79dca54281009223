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

/* Reports an accepted lower version to every process that has it, as long as it holds. */
bool php_mcp_discovery_report_trouble(const mcp_discovery *discovery, mcp_reason *words) {
	const mcp_discovered *known = &discovery->known;
	if (known->has_failed) {
		*words = known->reason;
		return true;
	}
	uint64_t version = known->list.cluster.version;
	snprintf(words->text, sizeof(words->text),
		"repeated version %" PRIu64 " of its list %d times in a row: version %" PRIu64
		" replaces version %" PRIu64,
		version, MCP_DISCOVERED_REPEATS, version, known->list.after);
	return known->list.after != 0;
}

void php_mcp_discovery_report_add(zval *report, const mcp_discovery *discovery) {
	const mcp_discovered *known = &discovery->known;
	zval row;
	array_init(&row);
	add_assoc_string(&row, "endpoint", discovery->endpoint.address);
	add_assoc_bool(&row, "tls", discovery->endpoint.is_tls);
	if (discovery->list != NULL) {
		add_version(&row, known->list.cluster.version);
	} else {
		add_assoc_null(&row, "version");
	}
	add_assoc_long(&row, "servers", (zend_long)known->list.cluster.servers);
	if (known->asked_ms > 0) {
		add_assoc_double(&row, "asked", (double)known->asked_ms / MS_PER_S);
	} else {
		add_assoc_null(&row, "asked");
	}
	mcp_reason words;
	if (php_mcp_discovery_report_trouble(discovery, &words)) {
		add_assoc_str(&row, "error", zend_strpprintf(0, "the server %s", words.text));
	} else {
		add_assoc_null(&row, "error");
	}
	add_assoc_bool(&row, "shared", discovery->own == NULL);
	add_assoc_zval(report, "discovery", &row);
}
