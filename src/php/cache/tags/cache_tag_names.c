/* Checks tag names: not empty, not longer than a key, no prefix of the namespace tags. */
/* SPDX-License-Identifier: MIT */
#include "cache_tag_names.h"

#include "../../host/shared_memory.h"
#include "../claims/cache_claims.h"
#include "../object/cache_tag_list.h"
#include "Zend/zend_exceptions.h"
#include "tag_snapshots.h"
#include "ext/spl/spl_exceptions.h"

static bool judge(const zend_string *name, uint32_t arg_num) {
	if (ZSTR_LEN(name) == 0) {
		zend_argument_value_error(arg_num, "must not be an empty tag");
		return false;
	}
	if (ZSTR_LEN(name) > MCP_WIRE_KEY_MAX) {
		zend_argument_value_error(arg_num, "must not be a tag of more than %d bytes",
			MCP_WIRE_KEY_MAX);
		return false;
	}
	if (ZSTR_VAL(name)[0] == '\0') {
		zend_argument_value_error(arg_num, "must not be a tag that begins with a null byte");
		return false;
	}
	return true;
}

static bool add(zend_array *names, zend_string *name, uint32_t arg_num) {
	if (!judge(name, arg_num)) {
		return false;
	}
	zend_hash_add(names, name, &EG(uninitialized_zval));
	if (zend_hash_num_elements(names) > MCP_TAG_NAMES_MAX) {
		zend_argument_value_error(arg_num, "must not exceed the limit of %d tags",
			MCP_TAG_NAMES_MAX);
		return false;
	}
	return true;
}

static bool add_list(zend_array *names, zend_array *given, uint32_t arg_num) {
	zval *name;
	ZEND_HASH_FOREACH_VAL(given, name) {
		ZVAL_DEREF(name);
		if (Z_TYPE_P(name) != IS_STRING) {
			zend_argument_type_error(arg_num, "must be an array of strings, %s found",
				zend_zval_type_name(name));
			return false;
		}
		if (!add(names, Z_STR_P(name), arg_num)) {
			return false;
		}
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

/* Reject other types in every mode: the `true` of a forgotten parameter must not become the tag "1". */
static bool add_argument(zend_array *names, zval *argument, uint32_t arg_num) {
	ZVAL_DEREF(argument);
	if (Z_TYPE_P(argument) == IS_STRING) {
		return add(names, Z_STR_P(argument), arg_num);
	}
	if (Z_TYPE_P(argument) == IS_ARRAY) {
		return add_list(names, Z_ARRVAL_P(argument), arg_num);
	}
	zend_argument_type_error(arg_num, "must be of type array|string, %s given",
		zend_zval_type_name(argument));
	return false;
}

bool php_mcp_cache_tag_names_parse(zval *arguments, uint32_t count, zend_array *names) {
	bool is_any = false;
	for (uint32_t i = 0; i < count; i++) {
		if (!add_argument(names, &arguments[i], i + 1)) {
			return false;
		}
		is_any |=
			Z_TYPE(arguments[i]) != IS_ARRAY || zend_hash_num_elements(Z_ARRVAL(arguments[i])) > 0;
	}
	if (!is_any) {
		zend_argument_value_error(1, "must contain between 1 and %d tags", MCP_TAG_NAMES_MAX);
	}
	return is_any;
}

/* Invalidates the tags on every server. */

/* Raise the counters after each server's reply has done so: no request was sent to a server that is down (P2). */
static void raise_changes(const mcp_cache_tags *tags) {
	for (size_t i = 0; i < mcp_cache_tags_names(tags); i++) {
		mcp_changes_raise(php_mcp_near_changes(), tags->fingerprints[i]);
	}
}

/* Updates this Fiber's reads of keys with this tag, and its claims by get and lookup, on this server: they no longer
 * precede its own invalidation. Rebuilds are not affected (T8). */
static void hear(const mcp_store *server, mcp_tag left) {
	mcp_tag_left of_server = {php_mcp_cache_emptied_server(server->address), left};
	php_mcp_tag_snapshots_follow(&of_server);
	php_mcp_cache_claims_follow(&of_server);
}

/* Returns true if all servers have replied. */
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
			"This Cache cannot be cleared: create it with clearable: true", 0);
		return false;
	}
	return invalidate(object, php_mcp_cache_object_base(object)->tags, is_strict);
}
