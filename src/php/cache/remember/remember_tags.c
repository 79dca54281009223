/* Asks for a computed value's own tags. Their numbers are as of this moment, but for those that the election has found:
 * these are of before the computation. */
/* SPDX-License-Identifier: MIT */
#include "remember_tags.h"

#include "../../../core/key/key_tag.h"
#include "../tags/cache_tag_names.h"
#include "../object/cache_tag_numbers.h"

/* Said in full: after the response the function that is running is not remember(). */
#define TAGS_CALLABLE "McPatterns\\Cache::remember(): Argument #14 ($tags) "

static bool is_tag(const zval *name) {
	return Z_TYPE_P(name) == IS_STRING && Z_STRLEN_P(name) > 0 &&
		Z_STRLEN_P(name) <= MCP_WIRE_KEY_MAX && Z_STRVAL_P(name)[0] != '\0';
}

static bool add_all(const mcp_cache_object *object, zend_array *names, mcp_cache_tags *tags) {
	unsigned own = tags->count - (tags->has_namespace ? 1 : 0);
	if (own + zend_hash_num_elements(names) > MCP_TAG_NAMES_MAX) {
		zend_value_error(TAGS_CALLABLE
			"must return no more than %d tags, those of the object included",
			MCP_TAG_NAMES_MAX);
		return false;
	}
	zval *name;
	ZEND_HASH_FOREACH_VAL(names, name) {
		ZVAL_DEREF(name);
		if (!is_tag(name)) {
			zend_value_error(TAGS_CALLABLE
				"must return strings of 1 to %d bytes that do not begin with a zero byte",
				MCP_WIRE_KEY_MAX);
			return false;
		}
		mcp_bytes bytes = mcp_bytes_of(Z_STRVAL_P(name), Z_STRLEN_P(name));
		mcp_cache_tags_add(tags, mcp_key_tag_fingerprint(php_mcp_pool_prefix(object->pool), bytes));
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

static bool ask(mcp_remembering *remembering, zval *computed, mcp_cache_tags *tags) {
	zval returned;
	if (!php_mcp_user_call_run(&remembering->tags_of, computed, &returned)) {
		return false;
	}
	bool is_right = false;
	if (Z_TYPE(returned) == IS_ARRAY) {
		is_right = add_all(remembering->object, Z_ARRVAL(returned), tags);
	} else {
		zend_type_error(TAGS_CALLABLE "must return an array of strings, %s returned",
			zend_zval_type_name(&returned));
	}
	zval_ptr_dtor(&returned);
	return is_right && EG(exception) == NULL; /* of its destructors, too */
}

static mcp_status capture(mcp_remembering *remembering, const mcp_cache_tags *tags) {
	mcp_cache_call call;
	mcp_captured_tags captured;
	php_mcp_remembering_renew(remembering, &call);
	call.cache.tags = tags;
	mcp_status status = mcp_cache_capture_of(&call.cache, &call.key,
		php_mcp_cache_tag_numbers_view(remembering->tags), &captured);
	if (status != MCP_OK) {
		return MCP_NOT_STORED;
	}
	if (remembering->tags != NULL) {
		zend_string_release(remembering->tags);
	}
	remembering->tags = php_mcp_cache_tag_numbers_copy(mcp_captured_tags_view(&captured));
	return MCP_OK;
}

mcp_status php_mcp_remember_tags_ask(mcp_remembering *remembering, zval *computed) {
	if (php_mcp_user_call_is_none(&remembering->tags_of) || !remembering->has_claim) {
		return MCP_OK;
	}
	mcp_cache_tags tags = {.count = 0};
	if (remembering->object->tags != NULL) {
		tags = *remembering->object->tags;
	}
	if (!ask(remembering, computed, &tags)) {
		return MCP_REFUSED;
	}
	return tags.count > 0 ? capture(remembering, &tags) : MCP_OK;
}
