/* Asks for a computed value's own tags. Their numbers are as of this moment, but for those that the election has found:
 * these are of before the computation. */
/* SPDX-License-Identifier: MIT */
#include "remember_tags.h"

#include "../object/cache_tag_list.h"
#include "../object/cache_tag_numbers.h"

/* Said in full: after the response the function that is running is not remember(). */
#define TAGS_CALLABLE "McPatterns\\Cache::remember(): Argument #14 ($tags) "

static bool is_tag(const zval *name) {
	return Z_TYPE_P(name) == IS_STRING && Z_STRLEN_P(name) > 0 &&
		Z_STRLEN_P(name) <= MCP_WIRE_KEY_MAX && Z_STRVAL_P(name)[0] != '\0';
}

/* Adds what was returned to the names of the object's own. */
static bool add_all(zend_array *names, zend_array *returned) {
	zval *name;
	ZEND_HASH_FOREACH_VAL(returned, name) {
		ZVAL_DEREF(name);
		if (!is_tag(name)) {
			zend_value_error(TAGS_CALLABLE
				"must return strings of 1 to %d bytes that do not begin with a zero byte",
				MCP_WIRE_KEY_MAX);
			return false;
		}
		zend_hash_add(names, Z_STR_P(name), &EG(uninitialized_zval));
	}
	ZEND_HASH_FOREACH_END();
	if (zend_hash_num_elements(names) > MCP_TAG_NAMES_MAX) {
		zend_value_error(TAGS_CALLABLE
			"must return no more than %d tags, those of the object included",
			MCP_TAG_NAMES_MAX);
	}
	return EG(exception) == NULL;
}

static bool ask(mcp_remembering *remembering, zval *computed, zend_array *names) {
	zval returned;
	if (!php_mcp_user_call_run(&remembering->tags_of, computed, &returned)) {
		return false;
	}
	bool is_right = false;
	if (Z_TYPE(returned) == IS_ARRAY) {
		is_right = add_all(names, Z_ARRVAL(returned));
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

static mcp_status capture_all(mcp_remembering *remembering, const zend_array *names) {
	const mcp_cache_object *object = remembering->object;
	mcp_cache_tags *tags = php_mcp_tag_list_of_names(object->pool, object->tags, names);
	mcp_status status = tags->count > 0 ? capture(remembering, tags) : MCP_OK;
	efree(tags);
	return status;
}

mcp_status php_mcp_remember_tags_ask(mcp_remembering *remembering, zval *computed) {
	if (php_mcp_user_call_is_none(&remembering->tags_of) || !remembering->has_claim) {
		return MCP_OK;
	}
	const mcp_cache_object *object = remembering->object;
	zend_array *names =
		object->tag_names != NULL ? zend_array_dup(object->tag_names) : zend_new_array(0);
	mcp_status status =
		ask(remembering, computed, names) ? capture_all(remembering, names) : MCP_REFUSED;
	zend_array_release(names);
	return status;
}
