/* Asks all servers first, one after the other, each for no longer than its timeouts, and judges then. */
/* SPDX-License-Identifier: MIT */
#include "diagnosis.h"

#include "../../host/shared_memory.h"
#include "../../host/system_time.h"
#include "../../host/user.h"
#include "../discovery/discovery_report.h"
#include "findings.h"
#include "host_judging.h"
#include "php_mcpatterns.h"
#include "pool_judging.h"
#include "server_judging.h"

#define NS_PER_S_DOUBLE 1e9

static void ask_servers(mcp_server_facts *facts, const mcp_diagnosed *pool) {
	mcp_server_asking asking = {
		.most_ms = (uint64_t)pool->connect_timeout_ms + pool->timeout_ms,
		.asks_meta = pool->is_direct,
	};
	for (size_t i = 0; i < pool->count; i++) {
		const mcp_diagnosed_server *of = &pool->servers[i];
		php_mcp_server_facts_ask(&facts[i], of->store, of->server, &asking);
	}
}

static void look_at_servers(zval *findings, zval *servers, const mcp_diagnosed *pool) {
	mcp_server_facts *facts = safe_emalloc(pool->count, sizeof(*facts), 0);
	mcp_server_terms terms = {
		.answer_limit = (uint64_t)MCP_G(answer_limit),
		.timeout_ms = pool->timeout_ms,
		.has_sessions = php_mcp_host_judging_has_sessions(),
		.is_direct = pool->is_direct,
	};
	ask_servers(facts, pool);
	for (size_t i = 0; i < pool->count; i++) {
		php_mcp_server_judging_look(findings, &facts[i], &terms);
		php_mcp_server_facts_add(servers, &facts[i]);
	}
	php_mcp_server_judging_compare(findings, facts, pool->count);
	efree(facts);
}

static void add_host(zval *report, const mcp_diagnosed *pool) {
	zval host;
	array_init(&host);
	add_assoc_string(&host, "php", PHP_VERSION);
	add_assoc_string(&host, "mcpatterns", PHP_MCPATTERNS_VERSION);
	add_assoc_double(&host, "time", (double)php_mcp_system_wall_ns() / NS_PER_S_DOUBLE);
	add_assoc_long(&host, "user", (zend_long)php_mcp_user_ask().id);
	add_assoc_str(&host, "shared_memory", php_mcp_shared_memory_describe());
	if (pool != NULL) {
		add_assoc_string(&host, "transport", pool->is_direct ? "direct" : "libmemcached");
		add_assoc_string(&host, "serializer", pool->serializer);
		add_assoc_string(&host, "compression", pool->compression);
	}
	add_assoc_zval(report, "host", &host);
}

void php_mcp_diagnosis_make(zval *report, const mcp_diagnosed *pool, const char *mistake) {
	zval findings, servers;
	array_init(report);
	array_init(&findings);
	array_init(&servers);
	if (pool != NULL) {
		look_at_servers(&findings, &servers, pool);
		php_mcp_pool_judging_look(&findings, pool);
	} else {
		php_mcp_findings_add(&findings, MCP_FINDING_SETTINGS, "php.ini", "%s", mistake);
	}
	php_mcp_host_judging_look(&findings);
	add_assoc_zval(report, "findings", &findings);
	add_assoc_zval(report, "servers", &servers);
	if (pool != NULL && pool->discovery != NULL) {
		php_mcp_discovery_report_add(report, pool->discovery);
	}
	add_host(report, pool);
}
