/* Hashes each name once: what a view is made from has hashed its own. */
/* SPDX-License-Identifier: MIT */
#include "cache_tag_list.h"

#include "../../../core/key/key_tag.h"

static mcp_bytes bytes_of(const zend_string *name) {
	return mcp_bytes_of(ZSTR_VAL(name), ZSTR_LEN(name));
}

/* Makes it with room for both of its arrays behind it. */
static mcp_cache_tags *make(unsigned count, bool has_namespace, uint64_t **fingerprints) {
	mcp_cache_tags *tags = safe_emalloc(count, 2 * sizeof(uint64_t), sizeof(*tags));
	*fingerprints = (uint64_t *)(tags + 1);
	*tags = (mcp_cache_tags){count, has_namespace, *fingerprints, *fingerprints + count};
	return tags;
}

mcp_cache_tags *php_mcp_tag_list_of_namespace(const mcp_pool *pool, const zend_string *scope) {
	uint64_t *fingerprints;
	mcp_cache_tags *tags = make(1, true, &fingerprints);
	fingerprints[0] = mcp_key_namespace_fingerprint(php_mcp_pool_prefix(pool), bytes_of(scope));
	return tags;
}

mcp_cache_tags *php_mcp_tag_list_of_names(const mcp_pool *pool, const mcp_cache_tags *base,
	const zend_array *names) {
	bool has_namespace = base != NULL && base->has_namespace;
	unsigned known = base != NULL ? base->count : 0, at = has_namespace ? 1 : 0;
	uint64_t *fingerprints;
	mcp_cache_tags *tags = make(at + zend_hash_num_elements(names), has_namespace, &fingerprints);
	if (known > 0) {
		memcpy(fingerprints, base->fingerprints, known * sizeof(*fingerprints));
	}
	zend_string *name;
	ZEND_HASH_FOREACH_STR_KEY((zend_array *)names, name) {
		if (at >= known) {
			fingerprints[at] = mcp_key_tag_fingerprint(php_mcp_pool_prefix(pool), bytes_of(name));
		}
		at++;
	}
	ZEND_HASH_FOREACH_END();
	return tags;
}
