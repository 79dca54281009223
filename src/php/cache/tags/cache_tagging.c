/* Tells every server what is invalid from now on. */
/* SPDX-License-Identifier: MIT */
#include "cache_tagging.h"

#include "../../host/near.h"
#include "../claims/cache_claims.h"
#include "../object/cache_tag_list.h"
#include "tag_snapshots.h"

#include "ext/spl/spl_exceptions.h"
#include "Zend/zend_exceptions.h"

/* Raises them after each server's answer has; a server that is away was not even asked (P2). */
static void raise_changes(const mcp_cache_tags *tags) {
	for (size_t i = 0; i < mcp_cache_tags_names(tags); i++) {
		mcp_changes_raise(php_mcp_near_changes(), tags->fingerprints[i]);
	}
}

/* Has this Fiber's looks at keys with this tag, and its claims there by get and lookup, count no more as of before its own
 * invalidation of the tag on this server. Of a rebuild it says nothing (T8). */
static void hear(const mcp_store *server, mcp_tag left) {
	mcp_tag_left of_server = {php_mcp_cache_emptied_server(server->address), left};
	php_mcp_tag_snapshots_follow(&of_server);
	php_mcp_cache_claims_follow(&of_server);
}

/* Says whether every server has been told. */
static bool invalidate(mcp_cache_object *object, const mcp_cache_tags *tags, bool is_strict) {
	mcp_cache cache = php_mcp_cache_object_context(object);
	mcp_status status =
		mcp_cache_invalidate(&cache, php_mcp_pool_prefix(object->pool), tags, is_strict, hear);
	raise_changes(tags);
	return status == MCP_OK;
}

bool php_mcp_cache_tagging_invalidate(mcp_cache_object *object, const zend_array *names,
	bool is_strict) {
	mcp_cache_tags *tags = php_mcp_tag_list_of_names(object->pool, NULL, names);
	bool is_told = invalidate(object, tags, is_strict);
	efree(tags);
	return is_told;
}

bool php_mcp_cache_tagging_clear(mcp_cache_object *object, bool is_strict) {
	if (!object->options.is_clearable) {
		zend_throw_exception(spl_ce_LogicException,
			"This Cache cannot be cleared: make it with clearable: true", 0);
		return false;
	}
	return invalidate(object, php_mcp_cache_object_base(object)->tags, is_strict);
}
