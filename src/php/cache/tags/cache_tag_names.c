/* Reads tags: any strings, but none that is empty, longer than a key, or begins as the namespaces' own tags do. */
/* SPDX-License-Identifier: MIT */
#include "cache_tag_names.h"

#include "../../../core/key/key_tag.h"
#include "../../objects/strict_argument.h"

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
		zend_argument_value_error(arg_num, "must not be a tag that begins with a zero byte");
		return false;
	}
	return true;
}

static uint64_t fingerprint_of(const mcp_pool *pool, const zend_string *name) {
	mcp_bytes bytes = mcp_bytes_of(ZSTR_VAL(name), ZSTR_LEN(name));
	return mcp_key_tag_fingerprint(php_mcp_pool_prefix(pool), bytes);
}

static void add(const mcp_pool *pool, const zend_string *name, mcp_cache_tags *tags) {
	mcp_cache_tags_add(tags, fingerprint_of(pool, name));
}

static bool is_named(zend_array *names, const zend_string *name) {
	zval *other;
	ZEND_HASH_FOREACH_VAL(names, other) {
		if (zend_string_equals(Z_STR_P(other), (zend_string *)name)) {
			return true;
		}
	}
	ZEND_HASH_FOREACH_END();
	return false;
}

static bool parse_one(const mcp_pool *pool, zval *argument, uint32_t arg_num, zend_array *names,
	mcp_cache_tags *tags) {
	zend_string *name;
	if (!php_mcp_strict_argument_read_text_of_many(arg_num, argument, &name) ||
		!judge(name, arg_num)) {
		return false;
	}
	if (is_named(names, name)) {
		return true;
	}
	if (zend_hash_num_elements(names) == MCP_TAG_NAMES_MAX) {
		zend_argument_value_error(arg_num, "must not be one of more than %d tags",
			MCP_TAG_NAMES_MAX);
		return false;
	}
	zval kept;
	ZVAL_STR_COPY(&kept, name);
	zend_hash_next_index_insert(names, &kept);
	add(pool, name, tags);
	return true;
}

bool php_mcp_cache_tag_names_parse(const mcp_pool *pool, zval *arguments, uint32_t count,
	zend_array *names, mcp_cache_tags *tags) {
	for (uint32_t i = 0; i < count; i++) {
		if (!parse_one(pool, &arguments[i], i + 1, names, tags)) {
			return false;
		}
	}
	return true;
}

/* Says whether it fits, or is among them already: one that is named twice counts once, as for a view. */
static bool has_room(const mcp_pool *pool, const zend_string *name, const mcp_cache_tags *tags) {
	uint64_t fingerprint = fingerprint_of(pool, name);
	for (unsigned i = 0; i < tags->count; i++) {
		if (tags->fingerprints[i] == fingerprint) {
			return true;
		}
	}
	return tags->count < MCP_TAG_NAMES_MAX;
}

static bool parse_list(const mcp_pool *pool, zend_array *names, mcp_cache_tags *tags) {
	zval *name;
	ZEND_HASH_FOREACH_VAL(names, name) {
		ZVAL_DEREF(name);
		if (Z_TYPE_P(name) != IS_STRING) {
			zend_argument_type_error(1, "must be a string or an array of strings, %s in it",
				zend_zval_type_name(name));
			return false;
		}
		if (!judge(Z_STR_P(name), 1)) {
			return false;
		}
		if (!has_room(pool, Z_STR_P(name), tags)) {
			zend_argument_value_error(1, "must have 1 to %d tags", MCP_TAG_NAMES_MAX);
			return false;
		}
		add(pool, Z_STR_P(name), tags);
	}
	ZEND_HASH_FOREACH_END();
	if (tags->count == 0) {
		zend_argument_value_error(1, "must have 1 to %d tags", MCP_TAG_NAMES_MAX);
	}
	return tags->count > 0;
}

bool php_mcp_cache_tag_names_parse_first(const mcp_pool *pool, zend_string *name, zend_array *names,
	mcp_cache_tags *tags) {
	if (names != NULL) {
		return parse_list(pool, names, tags);
	}
	if (!judge(name, 1)) {
		return false;
	}
	add(pool, name, tags);
	return true;
}
