/* Hashes each tag name once: a view reuses the hashes of its base. */
/* SPDX-License-Identifier: MIT */
#include "cache_tag_list.h"

#include "../../../core/envelope/signature.h"

static mcp_bytes bytes_of(const zend_string *name) {
	return mcp_bytes_of(ZSTR_VAL(name), ZSTR_LEN(name));
}

/* Returns the signing key of this turn. NULL if values are not signed. */
static const mcp_signing_key *key_at(const mcp_pool *pool, unsigned turn) {
	const mcp_signing_keys *keys = php_mcp_pool_format(pool)->signing_keys;
	return keys != NULL ? &keys->keys[turn] : NULL;
}

/* Allocate the list and both arrays in one piece. */
static mcp_cache_tags *make(const mcp_pool *pool, unsigned count, bool has_namespace,
	uint64_t **fingerprints) {
	const mcp_signing_keys *keys = php_mcp_pool_format(pool)->signing_keys;
	unsigned key_count = keys != NULL ? (unsigned)keys->count : 1;
	mcp_cache_tags *tags = safe_emalloc(count, (key_count + 1) * sizeof(uint64_t), sizeof(*tags));
	*fingerprints = (uint64_t *)(tags + 1);
	*tags = (mcp_cache_tags){
		.count = count,
		.key_count = key_count,
		.has_namespace = has_namespace,
		.fingerprints = *fingerprints,
		.numbers = *fingerprints + (size_t)count * key_count,
	};
	return tags;
}

mcp_cache_tags *php_mcp_tag_list_of_namespace(const mcp_pool *pool, const zend_string *scope) {
	uint64_t *fingerprints;
	mcp_cache_tags *tags = make(pool, 1, true, &fingerprints);
	for (unsigned turn = 0; turn < tags->key_count; turn++) {
		fingerprints[turn] = mcp_signature_name(key_at(pool, turn), MCP_NAMED_NAMESPACE,
			php_mcp_pool_prefix(pool), bytes_of(scope));
	}
	return tags;
}

/* Compute the fingerprints of the tags after the known ones with one key. */
static void name_rest(const mcp_pool *pool, const mcp_signing_key *key, const zend_array *names,
	unsigned known, uint64_t *fingerprints) {
	unsigned at = 0;
	zend_string *name;
	ZEND_HASH_FOREACH_STR_KEY((zend_array *)names, name) {
		if (at++ >= known) {
			*fingerprints++ =
				mcp_signature_name(key, MCP_NAMED_TAG, php_mcp_pool_prefix(pool), bytes_of(name));
		}
	}
	ZEND_HASH_FOREACH_END();
}

mcp_cache_tags *php_mcp_tag_list_of_names(const mcp_pool *pool, const mcp_cache_tags *base,
	const zend_array *names) {
	bool has_namespace = base != NULL && base->has_namespace;
	unsigned known = base != NULL ? base->count : 0, first = has_namespace ? 1 : 0;
	uint64_t *fingerprints;
	mcp_cache_tags *tags =
		make(pool, first + zend_hash_num_elements(names), has_namespace, &fingerprints);
	for (unsigned turn = 0; turn < tags->key_count; turn++) {
		uint64_t *named = fingerprints + (size_t)turn * tags->count;
		if (known > 0) {
			memcpy(named, base->fingerprints + (size_t)turn * known, known * sizeof(*named));
		}
		name_rest(pool, key_at(pool, turn), names, known - first, named + known);
	}
	return tags;
}
