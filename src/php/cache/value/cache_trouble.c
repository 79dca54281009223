/* Says of which kind it is. */
/* SPDX-License-Identifier: MIT */
#include "cache_trouble.h"

#include "../../engine/user_call.h"
#include "../../objects/exceptions.h"
#include "../../objects/failure.h"
#include "../../pool/pool_listener.h"
#include "../tags/tag_snapshots.h"
#include "php_mcpatterns.h"

#include "Zend/zend_exceptions.h"

void php_mcp_cache_trouble_unstorable(const mcp_cache_object *object, const mcp_key *key,
	zend_string *name) {
	zend_object *thrown = EG(exception);
	if (thrown != NULL && instanceof_function(thrown->ce, php_mcp_unstorable_interface)) {
		mcp_error_event trouble = {
			.kind = MCP_ERROR_KIND_UNSTORABLE,
			.key = key,
			.name = name,
			.exception = thrown,
		};
		php_mcp_pool_listener_report(object->pool, &trouble);
	}
}

void php_mcp_cache_trouble_unreadable(const mcp_cache_object *object, const mcp_key *key) {
	mcp_error_event trouble = {
		.kind = MCP_ERROR_KIND_UNREADABLE,
		.key = key,
		.exception = EG(exception),
	};
	php_mcp_pool_listener_report(object->pool, &trouble);
}

bool php_mcp_cache_trouble_undecoded(mcp_cache_object *object, const mcp_key *key) {
	php_mcp_cache_object_tally(object, MCP_COUNT_UNREADABLE, 1);
	php_mcp_tag_snapshots_stand(object, key);
	if (EG(exception) == NULL || !php_mcp_user_call_is_exiting()) {
		php_mcp_cache_trouble_unreadable(object, key);
	}
	return false;
}

bool php_mcp_cache_trouble_contain(void) {
	if (!php_mcp_user_call_is_exiting()) {
		zend_clear_exception();
	}
	return false;
}

void php_mcp_cache_trouble_throw_too_large(const mcp_cache_call *call, zend_string *name) {
	size_t limit = mcp_store_item_max(call->cache.store, &call->key, 0);
	bool is_ours = limit == (size_t)MCP_G(answer_limit);
	if (!is_ours) {
		limit += MCP_STORE_ITEM_OVERHEAD;
	}
	bool is_even = limit % 1048576 == 0;
	char reason[80];
	snprintf(reason, sizeof(reason), "it is larger than %s of %zu %s",
		is_ours ? "mcpatterns.answer_limit" : "memcached's limit",
		is_even ? limit / 1048576 : limit, is_even ? "MiB" : "bytes");
	php_mcp_failure_throw_because(MCP_TOO_LARGE, "store the value of",
		mcp_bytes_of(ZSTR_VAL(name), ZSTR_LEN(name)), reason);
	php_mcp_cache_trouble_unstorable(call->object, &call->key, name);
}
