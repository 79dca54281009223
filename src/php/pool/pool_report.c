/* Asks a pool's servers one by one and puts their answers into arrays keyed by address. No array is
 * touched while a server's answer is being read: it might run out of memory in the middle of it. */
/* SPDX-License-Identifier: MIT */
#include "pool_report.h"

#include "../../core/decimal.h"
#include "../../store/server/stat_lines.h"
#include "../engine/compat.h"
#include "../host/environment.h"
#include "../objects/failure.h"
#include "discovery/discovery_report.h"
#include "servers/server_rings.h"

#define NS_PER_S 1e9
#define MS_PER_S 1000.0

static void add_server(zval *report, const mcp_server *server) {
	bool is_tcp = server->kind == MCP_SERVER_TCP;
	zval row;
	array_init_size(&row, 3);
	add_assoc_string(&row, "host", is_tcp ? server->host : server->address);
	add_assoc_long(&row, "port", server->port);
	add_assoc_long(&row, "weight", server->weight);
	add_next_index_zval(report, &row);
}

void php_mcp_pool_report_servers(zval *report, const mcp_pool *pool) {
	array_init(report);
	for (size_t i = 0; i < php_mcp_pool_server_count(pool); i++) {
		add_server(report, php_mcp_pool_server(pool, i));
	}
}

void php_mcp_pool_report_ping(zval *report, mcp_pool *pool) {
	array_init(report);
	for (size_t i = 0; i < php_mcp_pool_server_count(pool); i++) {
		mcp_store *store = php_mcp_pool_server_store(pool, i);
		uint64_t begin_ns = php_mcp_environment_measure_ns();
		bool is_up = mcp_store_ping(store) == MCP_OK;
		uint64_t taken_ns = php_mcp_environment_measure_ns() - begin_ns;
		if (is_up) {
			add_assoc_double(report, store->address, (double)taken_ns / NS_PER_S);
		} else {
			add_assoc_null(report, store->address);
		}
	}
}

static void add_failure(zval *report, const char *address, const mcp_store_failure *failure) {
	zend_string *message = php_mcp_failure_describe_server(failure);
	zval row;
	array_init_size(&row, 2);
	add_assoc_str(&row, "message", message);
	add_assoc_double(&row, "at", (double)failure->at_ms / MS_PER_S);
	add_assoc_zval(report, address, &row);
}

void php_mcp_pool_report_failures(zval *report, mcp_pool *pool) {
	array_init(report);
	for (size_t i = 0; i < php_mcp_pool_server_count(pool); i++) {
		mcp_store *store = php_mcp_pool_server_store(pool, i);
		const mcp_store_failure *failure = mcp_store_last_failure(store);
		if (failure != NULL) {
			add_failure(report, store->address, failure);
		} else {
			add_assoc_null(report, store->address);
		}
	}
}

/* Collects a line; one that finds no memory is lost. */
static void collect(void *context, mcp_bytes name, mcp_bytes value) {
	mcp_stat_lines_add(context, name, value);
}

/* Adds a name and a value, neither of which a closing zero ends. */
static void add_statistic(void *context, mcp_bytes name, mcp_bytes value) {
	zval *row = context;
	int64_t number;
	if (mcp_decimal_parse_i64(value, &number) && number >= ZEND_LONG_MIN &&
		number <= ZEND_LONG_MAX) {
		add_assoc_long_ex(row, name.data, name.length, (zend_long)number);
	} else {
		add_assoc_stringl_ex(row, name.data, name.length, value.data, value.length);
	}
}

static void add_statistics(zval *report, const char *address, const mcp_buffer *lines) {
	zval row;
	array_init(&row);
	mcp_stat_lines_visit(lines, add_statistic, &row);
	add_assoc_zval(report, address, &row);
}

void php_mcp_pool_report_stats(zval *report, mcp_pool *pool) {
	array_init(report);
	for (size_t i = 0; i < php_mcp_pool_server_count(pool); i++) {
		mcp_store *store = php_mcp_pool_server_store(pool, i);
		mcp_buffer lines = {0};
		if (mcp_store_stats(store, collect, &lines) == MCP_OK) {
			add_statistics(report, store->address, &lines);
		} else {
			add_assoc_null(report, store->address);
		}
		mcp_buffer_free(&lines);
	}
}

static void add_servers(zval *report, const mcp_pool *pool) {
	zval servers;
	array_init(&servers);
	for (size_t i = 0; i < php_mcp_pool_server_count(pool); i++) {
		const mcp_server *server = php_mcp_pool_server(pool, i);
		add_assoc_long(&servers, server->address, server->weight);
	}
	add_assoc_zval(report, "servers", &servers);
}

static void add_format(zval *report, const mcp_format *format) {
	add_assoc_string(report, "serializer", format->serializer->name);
	add_assoc_string(report, "compression",
		format->compressor != NULL ? format->compressor->name : "none");
	add_assoc_long(report, "compressAbove", (zend_long)format->compress_above);
}

/* Adds that there is a password, and never which. */
static void add_access(zval *report, const mcp_server_access *access) {
	if (php_mcp_tls_options_are_given(&access->tls)) {
		zval options;
		array_init(&options);
		php_mcp_tls_options_show(&options, &access->tls);
		add_assoc_zval(report, "tls", &options);
	}
	if (php_mcp_server_secret_is_given(&access->secret)) {
		add_assoc_stringl(report, "user", access->secret.text, access->secret.user_length);
		add_assoc_bool(report, "password", true);
	}
}

void php_mcp_pool_report_settings(zval *report, mcp_pool *pool) {
	const mcp_pool_traits *traits = php_mcp_pool_traits_of(pool);
	mcp_bytes prefix = php_mcp_pool_prefix(pool);
	add_servers(report, pool);
	if (php_mcp_pool_discovery_of(pool) != NULL) {
		php_mcp_discovery_report_add(report, php_mcp_pool_discovery_of(pool));
	}
	add_assoc_stringl(report, "prefix", prefix.data, prefix.length);
	add_assoc_string(report, "distribution", php_mcp_server_rings_name(traits->distribution));
	add_assoc_string(report, "transport",
		traits->transport == MCP_TRANSPORT_DIRECT ? "direct" : "libmemcached");
	add_format(report, php_mcp_pool_format(pool));
	add_assoc_double(report, "connectTimeout", traits->connect_timeout_ms / MS_PER_S);
	add_assoc_double(report, "timeout", traits->timeout_ms / MS_PER_S);
	add_assoc_double(report, "retryAfter", traits->retry_after_ms / MS_PER_S);
	if (traits->access != NULL) {
		add_access(report, traits->access);
	}
	add_assoc_bool(report, "failover", traits->fails_over);
	add_assoc_bool(report, "persistent", traits->is_persistent);
	zval failures;
	php_mcp_pool_report_failures(&failures, pool);
	add_assoc_zval(report, "lastErrors", &failures);
}
