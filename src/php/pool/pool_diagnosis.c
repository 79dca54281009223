/* Shows what a Pool was made of, and its servers' stores. */
/* SPDX-License-Identifier: MIT */
#include "pool_diagnosis.h"

#include "../engine/exception_property.h"
#include "diagnosis/diagnosis.h"
#include "zend_exceptions.h"

/* Fills the servers in, which the caller frees. */
static mcp_diagnosed_server *show_servers(mcp_pool *pool, size_t count) {
	mcp_diagnosed_server *servers = safe_emalloc(count, sizeof(*servers), 0);
	for (size_t i = 0; i < count; i++) {
		servers[i].server = php_mcp_pool_server(pool, i);
		servers[i].store = php_mcp_pool_server_store(pool, i);
	}
	return servers;
}

static void diagnose(zval *report, mcp_pool *pool) {
	const mcp_pool_traits *traits = php_mcp_pool_traits_of(pool);
	const mcp_format *format = php_mcp_pool_format(pool);
	size_t count = php_mcp_pool_server_count(pool);
	mcp_diagnosed_server *servers = show_servers(pool, count);
	mcp_diagnosed diagnosed = {
		.servers = servers,
		.count = count,
		.discovery = php_mcp_pool_discovery_of(pool),
		.access = traits->access,
		.serializer = format->serializer->name,
		.compression = format->compressor != NULL ? format->compressor->name : "none",
		.connect_timeout_ms = traits->connect_timeout_ms,
		.timeout_ms = traits->timeout_ms,
		.retry_after_ms = traits->retry_after_ms,
		.is_direct = traits->transport == MCP_TRANSPORT_DIRECT,
		.is_persistent = traits->is_persistent,
		.fails_over = traits->fails_over,
		.is_signed = format->signing_keys != NULL,
		.limits_classes = format->allowed_classes != NULL,
	};
	php_mcp_diagnosis_make(report, &diagnosed, NULL);
	efree(servers);
}

/* Takes the exception away, and returns its message. */
static zend_string *take_mistake(void) {
	zval room;
	const zval *message = php_mcp_exception_property_read(EG(exception), ZEND_STR_MESSAGE, &room);
	zend_string *mistake =
		Z_TYPE_P(message) == IS_STRING ? zend_string_copy(Z_STR_P(message)) : ZSTR_EMPTY_ALLOC();
	zend_clear_exception();
	return mistake;
}

void php_mcp_pool_diagnosis_make(zval *report, mcp_pool *pool) {
	if (pool != NULL) {
		diagnose(report, pool);
		return;
	}
	zend_string *mistake = take_mistake();
	php_mcp_diagnosis_make(report, NULL, ZSTR_VAL(mistake));
	zend_string_release(mistake);
}
