/* Makes views, and tells every server what is invalid from now on. */
/* SPDX-License-Identifier: MIT */
#include "cache_tagging.h"

#include "../../host/near.h"
#include "cache_tag_names.h"

#include "ext/spl/spl_exceptions.h"
#include "Zend/zend_exceptions.h"

bool php_mcp_cache_tagging_view(mcp_cache_object *object, zval *arguments, uint32_t count,
	zval *view) {
	mcp_cache_tags tags = {.count = 0};
	if (object->tags != NULL) {
		tags = *object->tags;
	}
	zend_array *names =
		object->tag_names != NULL ? zend_array_dup(object->tag_names) : zend_new_array(count);
	if (!php_mcp_cache_tag_names_parse(object->pool, arguments, count, names, &tags)) {
		zend_array_release(names);
		return false;
	}
	ZVAL_OBJ(view, php_mcp_cache_object_create_view(object, &tags, names));
	return true;
}

/* Raises them after each server's answer has; a server that is away was not even asked (P2). */
static void raise_changes(const mcp_cache_tags *tags) {
	for (unsigned i = 0; i < tags->count; i++) {
		mcp_changes_raise(php_mcp_near_changes(), tags->fingerprints[i]);
	}
}

bool php_mcp_cache_tagging_invalidate(mcp_cache_object *object, const mcp_cache_tags *tags,
	bool is_strict) {
	mcp_cache cache = php_mcp_cache_object_context(object);
	mcp_status status =
		mcp_cache_invalidate(&cache, php_mcp_pool_prefix(object->pool), tags, is_strict);
	raise_changes(tags);
	return status == MCP_OK;
}

bool php_mcp_cache_tagging_clear(mcp_cache_object *object, bool is_strict) {
	if (!object->options.is_clearable) {
		zend_throw_exception(spl_ce_LogicException,
			"This Cache cannot be cleared: make it with clearable: true", 0);
		return false;
	}
	mcp_cache_tags tags = {.count = 0};
	mcp_cache_tags_add(&tags, php_mcp_cache_object_namespace(object));
	return php_mcp_cache_tagging_invalidate(object, &tags, is_strict);
}
