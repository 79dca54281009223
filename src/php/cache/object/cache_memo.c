/* The object cache: keeps values without copying them, because PHP copies a string or an array before a change. */
/* SPDX-License-Identifier: MIT */
#include "cache_memo.h"

#include "../../host/environment.h"
#include "../../host/shared_memory.h"
#include "../../value/value.h"
#include "php_mcpatterns.h"

#define DEPTH_MAX 32
/* Approximate overhead of a value, its name and an array element, in bytes. */
#define OVERHEAD 32

_Static_assert(MCP_MEMO_INDEX == 1 << MCP_MEMO_INDEX_BITS, "all of the index is used");
_Static_assert(MCP_MEMO_NOTICED == 1 << MCP_MEMO_NOTICED_BITS, "so are all of these bits");

/* The table of an object cache without values. */
static const mcp_memo_table nothing;

mcp_memo *php_mcp_cache_memo_create(uint32_t age_max_ms, bool is_for_prefetch) {
	mcp_memo *memo = ecalloc(1, sizeof(*memo));
	memo->table = (mcp_memo_table *)&nothing;
	memo->is_for_prefetch = is_for_prefetch;
	memo->next = MCP_REQUEST(memos);
	if (memo->next != NULL) {
		memo->next->previous = memo;
	}
	MCP_REQUEST(memos) = memo;
	memo->host.environment = php_mcp_environment_get();
	memo->host.changes = php_mcp_shared_memory_changes();
	memo->host.writer = php_mcp_shared_memory_near_writer;
	memo->host.age_max_ms = age_max_ms;
	return memo;
}

static zend_always_inline void release_tags(mcp_memo_value *kept) {
	if (UNEXPECTED(kept->of.tags != NULL)) {
		zend_string_release(kept->of.tags);
		kept->of.tags = NULL;
	}
}

static void drop_all(mcp_memo *memo) {
	if (memo->count == 0) {
		return;
	}
	mcp_memo_value *kept = memo->table->values;
	for (const mcp_memo_value *end = kept + memo->count; kept < end; kept++) {
		zend_string_release(kept->name);
		zval_ptr_dtor_nogc(&kept->value);
		release_tags(kept);
	}
	efree(memo->table);
	memo->table = (mcp_memo_table *)&nothing;
	memo->count = 0;
	memo->bytes = 0;
}

static void release_ahead(zval *element) {
	mcp_memo_value *kept = Z_PTR_P(element);
	zval_ptr_dtor_nogc(&kept->value);
	release_tags(kept);
	efree(kept);
}

static void drop_ahead(mcp_memo *memo) {
	if (memo->ahead != NULL) {
		zend_array_destroy(memo->ahead);
		memo->ahead = NULL;
		memo->ahead_bytes = 0;
	}
}

void php_mcp_cache_memo_free(mcp_memo *memo) {
	if (memo->next != NULL) {
		memo->next->previous = memo->previous;
	}
	if (memo->previous != NULL) {
		memo->previous->next = memo->next;
	} else {
		MCP_REQUEST(memos) = memo->next;
	}
	drop_all(memo);
	drop_ahead(memo);
	efree(memo);
}

/* Adds the value's size to *bytes. False if the value must not be kept: an object can change, and through a
 * reference, a caller could change the kept value. */
static bool measure(const zval *value, int depth, size_t *bytes) {
	*bytes += OVERHEAD;
	if (Z_TYPE_P(value) < IS_STRING) { /* null, bool, int or float */
		return true;
	}
	if (Z_TYPE_P(value) == IS_STRING) {
		*bytes += Z_STRLEN_P(value);
		return *bytes <= MCP_MEMO_VALUE_BYTES_MAX;
	}
	if (Z_TYPE_P(value) != IS_ARRAY || depth >= DEPTH_MAX) {
		return false;
	}
	zend_string *key;
	zval *element;
	ZEND_HASH_FOREACH_STR_KEY_VAL(Z_ARRVAL_P(value), key, element) {
		*bytes += key != NULL ? ZSTR_LEN(key) : 0;
		if (*bytes > MCP_MEMO_VALUE_BYTES_MAX || !measure(element, depth + 1, bytes)) {
			return false;
		}
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

void php_mcp_cache_memo_drop(mcp_memo *memo, mcp_memo_value *kept) {
	if (UNEXPECTED(kept->is_ahead)) {
		memo->ahead_bytes -= kept->bytes;
		zend_hash_del(memo->ahead, kept->name);
		return;
	}
	memo->bytes -= kept->bytes;
	kept->bytes = 0;
	zval_ptr_dtor_nogc(&kept->value);
	ZVAL_UNDEF(&kept->value);
	release_tags(kept);
}

void php_mcp_cache_memo_empty_all(void) {
	for (mcp_memo *memo = MCP_REQUEST(memos); memo != NULL; memo = memo->next) {
		drop_all(memo);
		drop_ahead(memo);
	}
}

/* Returns an empty place for the name. If the cache is full, all its values are dropped. */
static zend_always_inline mcp_memo_value *take_place(mcp_memo *memo, zend_string *name) {
	uint16_t *place = php_mcp_cache_memo_place(memo, name);
	if (*place != 0) {
		mcp_memo_value *kept = &memo->table->values[*place - 1];
		php_mcp_cache_memo_drop(memo, kept);
		return kept;
	}
	if (UNEXPECTED(memo->count == MCP_MEMO_VALUES_MAX)) {
		drop_all(memo);
	}
	if (UNEXPECTED(memo->count == 0)) {
		memo->table = safe_emalloc(MCP_MEMO_VALUES_MAX, sizeof(mcp_memo_value), sizeof(nothing));
		memset(memo->table->index, 0, sizeof(memo->table->index));
		place = php_mcp_cache_memo_place(memo, name);
	}
	mcp_memo_value *kept = &memo->table->values[memo->count++];
	*place = (uint16_t)memo->count;
	kept->name = zend_string_copy(name);
	kept->bytes = 0;
	kept->of.tags = NULL;
	kept->is_ahead = kept->is_encoded = false;
	ZVAL_UNDEF(&kept->value);
	return kept;
}

static zend_always_inline bool may_be_kept(const zval *value, size_t *bytes) {
	if (EXPECTED(Z_TYPE_P(value) == IS_STRING)) {
		*bytes += OVERHEAD + Z_STRLEN_P(value);
		return *bytes <= MCP_MEMO_VALUE_BYTES_MAX;
	}
	return measure(value, 0, bytes);
}

/* Drops the served value and the prefetched value of the name. */
static zend_never_inline void forget(mcp_memo *memo, zend_string *name) {
	mcp_memo_value *kept;
	while ((kept = php_mcp_cache_memo_find(memo, name)) != NULL) {
		php_mcp_cache_memo_drop(memo, kept);
	}
}

static size_t bytes_beside(const zend_string *name, const mcp_memo_origin *origin) {
	return sizeof(mcp_memo_value) + ZSTR_LEN(name) +
		(origin->tags != NULL ? ZSTR_LEN(origin->tags) : 0);
}

void php_mcp_cache_memo_keep(mcp_memo *memo, zend_string *name, zval *value,
	const mcp_memo_origin *origin) {
	size_t bytes = bytes_beside(name, origin);
	if (UNEXPECTED(memo->is_for_prefetch)) {
		return;
	}
	if (UNEXPECTED(!may_be_kept(value, &bytes))) {
		forget(memo, name);
		return;
	}
	if (UNEXPECTED(memo->bytes + bytes > MCP_MEMO_BYTES_MAX)) {
		drop_all(memo);
	}
	mcp_memo_value *kept = take_place(memo, name);
	ZVAL_COPY(&kept->value, value);
	kept->bytes = bytes;
	kept->of = *origin;
	if (origin->tags != NULL) {
		zend_string_addref(origin->tags);
	}
	memo->bytes += bytes;
}

void php_mcp_cache_memo_keep_ahead(mcp_memo *memo, zend_string *name, mcp_bytes payload,
	uint32_t flags, const mcp_memo_origin *origin) {
	if (memo->ahead == NULL) {
		memo->ahead = zend_new_array(8);
		memo->ahead->pDestructor = release_ahead;
	}
	forget(memo, name);
	size_t bytes = bytes_beside(name, origin) + OVERHEAD + payload.length;
	if (zend_hash_num_elements(memo->ahead) >= MCP_MEMO_AHEAD_MAX ||
		bytes > MCP_MEMO_AHEAD_BYTES_MAX - memo->ahead_bytes) {
		return;
	}
	mcp_memo_value *kept = emalloc(sizeof(*kept));
	*kept = (mcp_memo_value){
		.name = name,
		.bytes = bytes,
		.of = *origin,
		.is_ahead = true,
		.is_encoded = (flags & MCP_VALUE_MASK) != MCP_VALUE_STRING,
		.flags = flags,
	};
	php_mcp_value_copy(&kept->value, payload);
	if (origin->tags != NULL) {
		zend_string_addref(origin->tags);
	}
	zend_hash_add_new_ptr(memo->ahead, name, kept);
	memo->ahead_bytes += bytes;
}

void php_mcp_cache_memo_conclude(mcp_memo *memo, zend_string *name, const zend_string *payload,
	zval *value) {
	mcp_memo_value *kept = memo->ahead != NULL ? zend_hash_find_ptr(memo->ahead, name) : NULL;
	size_t bytes = 0;
	if (kept == NULL || !kept->is_encoded || Z_STR(kept->value) != payload) {
		return;
	}
	if (value == NULL) {
		php_mcp_cache_memo_drop(memo, kept);
		return;
	}
	if (!may_be_kept(value, &bytes)) {
		return;
	}
	/* A decoded value is larger than its payload, especially if the payload is compressed. */
	bytes += kept->bytes - ZSTR_LEN(payload);
	if (memo->ahead_bytes - kept->bytes + bytes > MCP_MEMO_AHEAD_BYTES_MAX) {
		return;
	}
	memo->ahead_bytes += bytes - kept->bytes;
	kept->bytes = bytes;
	zval_ptr_dtor_nogc(&kept->value);
	ZVAL_COPY(&kept->value, value);
	kept->is_encoded = false;
}

void php_mcp_cache_memo_drop_old(mcp_memo *memo, uint64_t now_ms) {
	mcp_memo_value *kept;
	if (memo->ahead == NULL) {
		return;
	}
	ZEND_HASH_FOREACH_PTR(memo->ahead, kept) {
		if (now_ms - kept->of.near_read.asked_ms >= memo->host.age_max_ms) {
			php_mcp_cache_memo_drop(memo, kept);
		}
	}
	ZEND_HASH_FOREACH_END();
}
