/* Decides which failures a default covers, by the same table that selects ServerException. */
/* SPDX-License-Identifier: MIT */
#include "when_down.h"

#include "../../core/metrics/metrics.h"
#include "../host/environment.h"
#include "../objects/failure.h"
#include "../pool/pool_listener.h"

static void show(zval *info, const mcp_when_down *when_down, zval *answer) {
	if (!when_down->is_given) {
		ZVAL_NULL(answer);
	}
	add_assoc_zval(info, "whenDown", answer);
}

void php_mcp_when_down_show(zval *info, const mcp_when_down *when_down) {
	zval answer;
	ZVAL_LONG(&answer, when_down->answer);
	show(info, when_down, &answer);
}

void php_mcp_when_down_show_bool(zval *info, const mcp_when_down *when_down) {
	zval answer;
	ZVAL_BOOL(&answer, when_down->answer);
	show(info, when_down, &answer);
}

/* Address of the failed server if known, which may be another one than the key's; else the key's server. */
static const char *address_of(mcp_pool *pool, mcp_status status, const mcp_key *key) {
	mcp_store *store = php_mcp_pool_store(pool);
	mcp_store *failed = mcp_status_is_failure(status) ? mcp_store_failed(store) : NULL;
	return (failed != NULL ? failed : mcp_store_owner(store, key))->address;
}

static void count(const char *address) {
	mcp_metrics *metrics = php_mcp_environment_get()->metrics;
	if (metrics != NULL) {
		mcp_bytes name = mcp_bytes_of(address, strlen(address));
		mcp_metrics_add(&mcp_metrics_find_server(metrics, name)->counts[MCP_COUNT_WHEN_DOWN], 1);
	}
}

bool php_mcp_when_down_steps_in(const mcp_when_down *when_down, mcp_status status, mcp_pool *pool,
	const mcp_key *key, zend_string *name) {
	if (!when_down->is_given || !php_mcp_failure_is_of_server(status)) {
		return false;
	}
	const char *address = address_of(pool, status, key);
	count(address);
	mcp_error_event trouble = {.kind = MCP_ERROR_KIND_WHEN_DOWN, .address = address, .name = name};
	php_mcp_pool_listener_report(pool, &trouble);
	return true;
}
