/* Reads many keys of a Cache. All reads and elections of a slice come before its first decoding, because a decoding can
 * run user code, which invalidates the views of the other keys. */
/* SPDX-License-Identifier: MIT */
#include "cache_many.h"

#include "../../host/environment.h"
#include "../../objects/failure.h"
#include "../../value/value.h"
#include "../claims/cache_claims.h"
#include "../reads/kept_reads.h"
#include "../near/cache_nearby.h"
#include "../object/cache_object.h"
#include "../value/cache_value.h"
#include "php_mcpatterns.h"
#include "ext/spl/spl_iterators.h"

/* Maximum size of the process's buffer, which does not count toward memory_limit. A larger buffer belongs to the
 * request, and counts. */
#define SCRATCH_MAX ((size_t)20 * 1024 * 1024)

/* Maximum number of keys that getMultiple reads at a time. Above, new pages of memory and misses of the processor's
 * cache cost more than a round trip. */
#define SLICE ((size_t)4096)

/* Lend the process's buffer to one call at a time, because new pages of memory cost more than the replies. A nested
 * call during user code gets separate memory, which ends the request if it exceeds memory_limit. */
static void *allocate_scratch(size_t count, size_t size) {
	mcp_buffer *scratch = &MCP_G(many_scratch);
	bool is_kept = !MCP_REQUEST(many_scratch_is_taken) && count <= SCRATCH_MAX / size;
	if (UNEXPECTED(!is_kept || !mcp_buffer_use(scratch, count * size))) {
		return safe_emalloc(count, size, 0);
	}
	MCP_REQUEST(many_scratch_is_taken) = true;
	return scratch->data;
}

static void free_scratch(void *memory) {
	if (EXPECTED(memory == MCP_G(many_scratch).data)) {
		MCP_REQUEST(many_scratch_is_taken) = false;
	} else {
		efree(memory);
	}
}

static void *cut(char **memory, size_t count, size_t size) {
	void *array = *memory;
	*memory += count * size;
	return array;
}

/* Allocate all arrays in one piece. The arrays that need no alignment come last. */
static void allocate_many(mcp_cache_many *many, size_t count) {
	size_t numbers = many->cache.tags != NULL ? many->cache.tags->count : 0;
	mcp_cache_batch *batch = &many->batch;
	size_t per_key = numbers * sizeof(*batch->tag_numbers) + sizeof(*many->names) +
		sizeof(*many->copies) + sizeof(*batch->entries) + sizeof(*many->keys) +
		2 * sizeof(*batch->replies) + 2 * sizeof(*batch->scratch_keys) + sizeof(mcp_key_buffer) +
		sizeof(*batch->side_buffers);
	many->count = count;
	many->near = NULL;
	many->memory = allocate_scratch(count, per_key);
	char *rest = many->memory;
	many->names = cut(&rest, count, sizeof(*many->names));
	many->copies = cut(&rest, count, sizeof(*many->copies));
	batch->entries = cut(&rest, count, sizeof(*batch->entries));
	many->keys = cut(&rest, count, sizeof(*many->keys));
	batch->replies = cut(&rest, count, 2 * sizeof(*batch->replies));
	batch->scratch_keys = cut(&rest, count, 2 * sizeof(*batch->scratch_keys));
	batch->tag_numbers = cut(&rest, count, numbers * sizeof(*batch->tag_numbers));
	many->buffer = cut(&rest, count, sizeof(mcp_key_buffer));
	batch->side_buffers = cut(&rest, count, sizeof(*batch->side_buffers));
	batch->keys = many->keys;
	batch->count = count;
	batch->drawn = NULL;
}

void php_mcp_cache_many_begin(mcp_cache_many *many, const Bucket *names, size_t count) {
	allocate_many(many, count);
	mcp_key_parts parts = many->object->parts;
	for (size_t i = 0; i < count; names++) {
		if (EXPECTED(!Z_ISUNDEF(names->val))) {
			parts.name = php_mcp_bytes_of(names->key);
			mcp_key_make_at(&many->keys[i], (mcp_key_buffer *)many->buffer, &parts);
			many->buffer += many->keys[i].wire.length + 1;
			many->names[i++] = names->key;
		}
	}
	memset(many->copies, 0, many->count * sizeof(*many->copies));
}

static void copy_payload(mcp_cache_many *many, size_t i) {
	const mcp_cache_entry *entry = &many->batch.entries[i];
	if (entry->has_value) {
		many->copies[i] = zend_string_init(entry->payload.data, entry->payload.length, false);
	}
}

void php_mcp_cache_many_copy_payloads(mcp_cache_many *many) {
	for (size_t i = 0; i < many->batch.count; i++) {
		copy_payload(many, i);
	}
}

void php_mcp_cache_many_note_reads(mcp_cache_many *many) {
	if (EXPECTED(many->cache.tags == NULL)) {
		return;
	}
	for (size_t i = 0; i < many->batch.count; i++) {
		php_mcp_kept_reads_note_tags_among(many->object, &many->cache, &many->batch, i,
			many->names[i]);
	}
}

bool php_mcp_cache_many_complain(const mcp_cache_many *many) {
	for (size_t i = 0; i < many->count; i++) {
		if (many->batch.entries[i].trouble == MCP_NO_CAS) {
			const zend_string *name = many->names[i];
			php_mcp_failure_throw_for_key(MCP_NO_CAS, "change", php_mcp_bytes_of(name),
				many->cache.store, &many->keys[i]);
			return true;
		}
	}
	return false;
}

/* Takes the i-th value. A string is taken directly, and any other value is decoded from its copy. False for a miss,
 * for an unreadable value, which is counted, or with an exception. */
static bool take_asked(mcp_cache_many *many, size_t i, zval *value) {
	zend_string *copy = many->copies[i];
	const mcp_cache_entry *entry = &many->batch.entries[i];
	if (copy == NULL) {
		if (entry->is_unreadable) {
			php_mcp_cache_value_report_failure(many->object, MCP_ERROR_KIND_UNREADABLE,
				&many->keys[i], NULL);
		}
		return false;
	}
	if (entry->flags == MCP_VALUE_STRING) {
		ZVAL_STR(value, copy);
		many->copies[i] = NULL;
		return true;
	}
	mcp_bytes payload = php_mcp_bytes_of(copy);
	return php_mcp_cache_value_decode_payload(many->object, &many->keys[i], payload, entry->flags,
		value);
}

/* Arrays and Traversables are copied into a table of the call, because the code of a value that is being serialized
 * can change the original array or iterator. */

/* Returns a new reference. NULL with an exception for an invalid name. `message`: message of the TypeError. */
static zend_string *name_of_key(zval *key, const char *message) {
	if (Z_TYPE_P(key) != IS_STRING && Z_TYPE_P(key) != IS_LONG) {
		zend_argument_type_error(1, message, zend_zval_type_name(key));
		return NULL;
	}
	zend_string *name = zval_get_string(key);
	if (ZSTR_LEN(name) > 0) {
		return name;
	}
	zend_string_release(name);
	zend_argument_value_error(1, "must not contain an empty key");
	return NULL;
}

/* Creates the table. Returns the given array, or NULL for a Traversable. */
static HashTable *begin_table(HashTable *table, zval *given) {
	HashTable *array = Z_TYPE_P(given) == IS_ARRAY ? Z_ARRVAL_P(given) : NULL;
	zend_hash_init(table, array != NULL ? zend_hash_num_elements(array) : 8, NULL, ZVAL_PTR_DTOR,
		false);
	return array;
}

/* --- names --- */

static bool add_name(HashTable *names, zval *element) {
	ZVAL_DEREF(element);
	zend_string *name = name_of_key(element, "must be a list of strings, %s found");
	if (name == NULL) {
		return false;
	}
	zend_hash_add(names, name, &EG(uninitialized_zval));
	zend_string_release(name);
	return true;
}

static int collect_name(zend_object_iterator *iterator, void *names) {
	zval *element = iterator->funcs->get_current_data(iterator);
	bool is_added = element != NULL && EG(exception) == NULL && add_name(names, element);
	return is_added ? ZEND_HASH_APPLY_KEEP : ZEND_HASH_APPLY_STOP;
}

bool php_mcp_cache_many_collect_names(HashTable *names, zval *keys) {
	HashTable *array = begin_table(names, keys);
	if (array == NULL) {
		return spl_iterator_apply(keys, collect_name, names) == SUCCESS;
	}
	zval *element;
	ZEND_HASH_FOREACH_VAL(array, element) {
		if (EXPECTED(Z_TYPE_P(element) == IS_STRING && Z_STRLEN_P(element) > 0)) {
			zend_hash_add(names, Z_STR_P(element), &EG(uninitialized_zval));
		} else if (!add_name(names, element)) {
			return false;
		}
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

/* --- values --- */

static bool add_value(HashTable *values, zval *key, zval *given) {
	zend_string *name = name_of_key(key, "must have only string keys, %s found");
	if (name == NULL) {
		return false;
	}
	zval value;
	ZVAL_COPY_DEREF(&value, given);
	zend_hash_update(values, name, &value);
	zend_string_release(name);
	return EG(exception) == NULL; /* the destructor of a previous value can throw */
}

/* Copy the value first, because a read of the key can run user code that drops the value. */
static int collect_value(zend_object_iterator *iterator, void *values) {
	zval *current = iterator->funcs->get_current_data(iterator);
	if (current == NULL || EG(exception) != NULL) {
		return ZEND_HASH_APPLY_STOP;
	}
	zval value;
	zval key;
	ZVAL_COPY_DEREF(&value, current);
	ZVAL_NULL(&key);
	if (iterator->funcs->get_current_key != NULL) {
		iterator->funcs->get_current_key(iterator, &key);
	} else {
		ZVAL_LONG(&key, (zend_long)iterator->index);
	}
	bool is_added = EG(exception) == NULL && add_value(values, &key, &value);
	zval_ptr_dtor(&key);
	zval_ptr_dtor(&value);
	return is_added ? ZEND_HASH_APPLY_KEEP : ZEND_HASH_APPLY_STOP;
}

bool php_mcp_cache_many_collect_values(HashTable *values, zval *given) {
	HashTable *array = begin_table(values, given);
	if (array == NULL) {
		return spl_iterator_apply(given, collect_value, values) == SUCCESS;
	}
	zend_ulong index;
	zend_string *name;
	zval *value;
	ZEND_HASH_FOREACH_KEY_VAL(array, index, name, value) {
		zval key;
		if (name != NULL) {
			ZVAL_STR(&key, name);
		} else {
			ZVAL_LONG(&key, (zend_long)index);
		}
		if (!add_value(values, &key, value)) {
			return false;
		}
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

/* --- near reads of many keys --- */

/* The buffer for near values holds one value at a time, so each value is copied when it is found. */

/* Allocated for one call, in the memory of the request. */
struct mcp_many_near {
	mcp_near near;
	mcp_value_id *drawn; /* one for each key, like the next arrays */
	struct near_key {
		mcp_near_read near_read;
		zval value;        /* value of the object cache, or UNDEF */
		zend_string *tags; /* for the object cache; NULL: none */
	} keys[];
};

static void begin_near(mcp_cache_many *many) {
	struct mcp_many_near *made =
		ecalloc(1, zend_safe_address_guarded(many->count, sizeof(made->keys[0]), sizeof(*made)));
	many->batch.drawn = made->drawn = ecalloc(many->count, sizeof(*made->drawn));
	php_mcp_cache_nearby_begin(&made->near, many->object);
	many->cache.near = &made->near;
	many->near = made;
}

/* Searches the object cache, then the near cache. Returns true with the entry, and with either the value of the
 * object cache or a copy of the payload in the near cache. False also if this caller is sampled for an early
 * refresh. */
static bool find_near(mcp_cache_many *many, size_t i, const mcp_remember *remember,
	mcp_cache_entry *entry, zval *value, zend_string **payload) {
	mcp_near_draw own = {remember, &many->near->drawn[i]};
	const mcp_near_draw *draw = remember != NULL ? &own : NULL;
	mcp_near_read *near_read = &many->near->keys[i].near_read;
	if (php_mcp_cache_nearby_take_with(many->object, many->names[i], draw, entry, value)) {
		return true;
	}
	if (own.drawn->is_set) {
		mcp_cache_near_begin(many->near->near.host, &many->keys[i], near_read);
		return false;
	}
	if (!mcp_cache_near_take(&many->cache, &many->keys[i], draw, near_read, entry)) {
		return false;
	}
	*payload = zend_string_init(entry->payload.data, entry->payload.length, false);
	return true;
}

static void swap_keys(mcp_cache_many *many, size_t i, size_t j) {
	zend_string *name = many->names[i];
	many->names[i] = many->names[j];
	many->names[j] = name;
	mcp_key key = many->keys[i];
	many->keys[i] = many->keys[j];
	many->keys[j] = key;
	mcp_near_read near_read = many->near->keys[i].near_read;
	many->near->keys[i].near_read = many->near->keys[j].near_read;
	many->near->keys[j].near_read = near_read;
}

/* Copy the tags, because the next read overwrites their buffer. */
static void copy_tags(mcp_cache_many *many, size_t i) {
	if (many->near->keys[i].near_read.may_be_kept) {
		many->near->keys[i].tags =
			php_mcp_cache_object_copy_tag_versions(many->batch.entries[i].envelope.tags);
	}
}

/* Record a read from the near cache. Reads from the object cache have already been recorded. */
static void note_look(mcp_cache_many *many, size_t i) {
	if (many->cache.tags != NULL) {
		mcp_captured_tags captured;
		mcp_cache_capture(&many->cache, &many->batch.entries[i], &captured);
		php_mcp_kept_reads_keep_tags(many->object, &many->keys[i], many->names[i],
			mcp_captured_tags_view(&captured), MCP_READ_GAVE_A_VALUE);
	}
}

/* Move a found key behind the keys that are requested from memcached. */
static void put_last(mcp_cache_many *many, size_t i, const mcp_cache_entry *entry,
	const zval *value, zend_string *payload) {
	size_t last = --many->batch.count;
	swap_keys(many, i, last);
	many->batch.entries[last] = *entry;
	many->copies[last] = payload;
	if (payload != NULL) {
		copy_tags(many, last);
		note_look(many, last);
	}
	ZVAL_COPY_VALUE(&many->near->keys[last].value, value);
}

void php_mcp_cache_many_near_find(mcp_cache_many *many, const mcp_remember *remember) {
	bool may_run_code = many->object->memo->ahead != NULL;
	begin_near(many);
	for (size_t i = 0; i < many->batch.count;) {
		mcp_cache_entry entry;
		zval value;
		zend_string *payload = NULL;
		ZVAL_UNDEF(&value);
		if (find_near(many, i, remember, &entry, &value, &payload)) {
			put_last(many, i, &entry, &value, payload);
		} else {
			i++;
		}
	}
	if (UNEXPECTED(may_run_code)) {
		/* The code of a prefetched value might have forked, or changed the list of servers. */
		mcp_near *near = many->cache.near;
		many->cache = php_mcp_cache_object_context(many->object);
		many->cache.near = near;
	}
}

void php_mcp_cache_many_near_keep(mcp_cache_many *many) {
	if (many->near == NULL) {
		return;
	}
	for (size_t i = 0; i < many->batch.count; i++) {
		mcp_cache_near_keep(&many->cache, &many->keys[i], &many->near->keys[i].near_read,
			&many->batch.entries[i]);
		copy_tags(many, i);
	}
}

bool php_mcp_cache_many_take(mcp_cache_many *many, size_t i, zval *value) {
	if (many->near == NULL) {
		return take_asked(many, i, value);
	}
	struct near_key *near = &many->near->keys[i];
	if (!Z_ISUNDEF(near->value)) {
		ZVAL_COPY_VALUE(value, &near->value);
		ZVAL_UNDEF(&near->value);
		return true;
	}
	if (!take_asked(many, i, value)) {
		return false;
	}
	bool is_found = i >= many->batch.count;
	mcp_memo_origin origin = {
		.near_read = near->near_read,
		.facts = mcp_near_facts_of(&many->batch.entries[i].envelope),
		.tags = near->tags,
	};
	/* The object cache keeps a string only when the near cache serves it a second time, because it copies the string
	 * again. */
	if (!is_found || Z_TYPE_P(value) != IS_STRING ||
		php_mcp_cache_memo_notice(many->object->memo, many->names[i])) {
		php_mcp_cache_nearby_note(many->object, many->names[i], value, &origin);
	}
	return true;
}

static void end_near(mcp_cache_many *many) {
	for (size_t i = 0; i < many->count; i++) {
		zval_ptr_dtor(&many->near->keys[i].value);
		if (many->near->keys[i].tags != NULL) {
			zend_string_release(many->near->keys[i].tags);
		}
	}
	efree(many->near->drawn);
	efree(many->near);
}

void php_mcp_cache_many_end(mcp_cache_many *many) {
	if (many->near != NULL) {
		end_near(many);
	}
	for (size_t i = 0; i < many->count; i++) {
		if (many->copies[i] != NULL) {
			zend_string_release(many->copies[i]);
		}
	}
	free_scratch(many->memory);
}

/* getMultiple: the table of names becomes the result. A string is copied from the store's buffer directly to its
 * place in this table. */

/* Elects for a stale key without a claim, in one round trip. Keeps the claim of an elected key. */
static void elect(mcp_cache_many *many, size_t i) {
	const mcp_cache_entry *entry = &many->batch.entries[i];
	if (entry->verdict == MCP_VERDICT_STALE && mcp_opening_is_open(entry->opening)) {
		mcp_cache_elect_among(&many->cache, &many->batch, i);
	}
	if (entry->verdict == MCP_VERDICT_ELECTED) {
		php_mcp_cache_claims_add(many->object, many->names[i], entry, false);
	}
}

static bool is_plain_string(const mcp_cache_entry *entry) {
	return entry->has_value && entry->flags == MCP_VALUE_STRING &&
		entry->verdict != MCP_VERDICT_ELECTED;
}

/* Elect for all keys, and copy every payload while the views are valid. Elections do not invalidate views. True if
 * all values were strings, and no work is left. */
static bool take_views(mcp_cache_many *many, Bucket *places) {
	bool is_all = true;
	for (size_t i = 0; i < many->count; i++) {
		const mcp_cache_entry *entry = &many->batch.entries[i];
		if (UNEXPECTED(entry->verdict != MCP_VERDICT_FRESH)) {
			elect(many, i);
		}
		is_all &= entry->trouble == MCP_OK;
		if (EXPECTED(is_plain_string(entry))) {
			php_mcp_value_copy(&places[i].val, entry->payload);
		} else {
			copy_payload(many, i);
			is_all = false;
		}
	}
	mcp_cache_count_many(&many->cache, &many->batch);
	return is_all;
}

/* Takes the value, or the fallback. Runs user code. */
static void take_or(mcp_cache_many *many, size_t i, zval *fallback, zval *place) {
	bool is_elected = many->batch.entries[i].verdict == MCP_VERDICT_ELECTED;
	zval value;
	if (!is_elected &&
		(php_mcp_cache_many_take(many, i, &value) || php_mcp_cache_value_contain_exception())) {
		ZVAL_COPY_VALUE(place, &value);
	} else if (fallback != NULL) {
		ZVAL_COPY(place, fallback);
	}
}

/* Decode the values that are not plain strings. */
static void decode_rest(mcp_cache_many *many, zval *fallback, Bucket *places) {
	for (size_t i = 0; i < many->count && EG(exception) == NULL; i++) {
		if (!is_plain_string(&many->batch.entries[i])) {
			take_or(many, i, fallback, &places[i].val);
		}
	}
}

/* Release the claims taken since the call began, because the caller gets an exception, and does not know that it was
 * elected. */
static void take_back(mcp_cache_object *object, HashTable *names, uint64_t began_ns) {
	zend_string *name;
	ZEND_HASH_FOREACH_STR_KEY(names, name) {
		const mcp_held_claim *held = php_mcp_cache_claims_find(object, name);
		if (held != NULL && held->taken_ns >= began_ns) {
			php_mcp_cache_value_take_back_claim(object, name, &held->claim);
		}
	}
	ZEND_HASH_FOREACH_END();
}

/* Find each place by name, because the order differs from the caller's: near values come after the requested
 * values. */
static void fill(mcp_cache_many *many, zval *fallback, zend_array *result) {
	for (size_t i = 0; i < many->count && EG(exception) == NULL; i++) {
		zval value;
		ZVAL_NULL(&value);
		take_or(many, i, fallback, &value);
		zend_symtable_update(result, many->names[i], &value);
	}
}

/* Record the reads, including reads from the near cache. Views are not used afterwards. */
static void note_looks(mcp_cache_many *many) {
	php_mcp_cache_many_note_reads(many);
	if (UNEXPECTED(php_mcp_kept_reads_need_stamps(many->object))) {
		mcp_cache_batch batch = many->batch;
		batch.count = many->count;
		php_mcp_kept_reads_note_stamps(many->object, &many->cache, &batch);
	}
}

static void get_nearby(mcp_cache_many *many, zval *fallback, zend_array *result) {
	php_mcp_cache_many_near_find(many, NULL);
	if (many->batch.count > 0) {
		mcp_cache_peek_many(&many->cache, &many->batch);
	}
	php_mcp_cache_many_near_keep(many);
	for (size_t i = 0; i < many->batch.count; i++) {
		elect(many, i);
	}
	mcp_cache_count_many(&many->cache, &many->batch);
	php_mcp_cache_many_copy_payloads(many);
	note_looks(many);
	if (!php_mcp_cache_many_complain(many)) {
		fill(many, fallback, result);
	}
	php_mcp_cache_many_end(many);
}

static void get_places(mcp_cache_many *many, zval *fallback, Bucket *places) {
	mcp_cache_peek_many(&many->cache, &many->batch);
	bool is_all = take_views(many, places);
	note_looks(many);
	if (EXPECTED(is_all)) {
		free_scratch(many->memory);
		return;
	}
	if (!php_mcp_cache_many_complain(many)) {
		decode_rest(many, fallback, places);
	}
	php_mcp_cache_many_end(many);
}

/* Reads at most SLICE keys at a time. Both tables are in the same order, without deleted elements. */
static void get(mcp_cache_object *object, HashTable *names, zval *fallback, zend_array *result) {
	size_t count = zend_hash_num_elements(names);
	uint64_t began_ns = php_mcp_cache_claims_are_held() ? php_mcp_environment_measure_ns() : 0;
	for (size_t first = 0; first < count && EG(exception) == NULL; first += SLICE) {
		mcp_cache_many many = {.object = object, .cache = php_mcp_cache_object_context(object)};
		php_mcp_cache_many_begin(&many, names->arData + first, MIN(SLICE, count - first));
		if (object->memo != NULL) {
			get_nearby(&many, fallback, result);
		} else {
			get_places(&many, fallback, result->arData + first);
		}
	}
	if (UNEXPECTED(EG(exception) != NULL)) {
		take_back(object, names, began_ns);
	}
}

/* Search the object cache, and the near cache for strings, before a request is prepared, because this usually finds
 * all values. */
static zend_never_inline void get_memo_first(mcp_cache_object *object, HashTable *names,
	zval *fallback, zend_array *result) {
	if (names != result) {
		get(object, names, fallback, result);
		return;
	}
	zend_array *missing = php_mcp_cache_nearby_take_many(object, names);
	if (missing != NULL) {
		get(object, missing, fallback, result);
		zend_array_release(missing);
	}
}

/* Returns true if a name is a numeric string, which a PHP array turns into an integer key. */
static bool has_numbers(HashTable *names) {
	zend_string *name;
	zend_ulong number;
	ZEND_HASH_MAP_FOREACH_STR_KEY(names, name) {
		if (_zend_handle_numeric_str(ZSTR_VAL(name), ZSTR_LEN(name), &number)) {
			return true;
		}
	}
	ZEND_HASH_FOREACH_END();
	return false;
}

static zend_array *with_numbers(HashTable *names) {
	zend_array *result = zend_new_array(zend_hash_num_elements(names));
	zend_hash_real_init_mixed(result);
	zend_string *name;
	ZEND_HASH_FOREACH_STR_KEY(names, name) {
		zend_symtable_update(result, name, &EG(uninitialized_zval));
	}
	ZEND_HASH_FOREACH_END();
	return result;
}

void php_mcp_cache_many_get(zend_object *std, zval *keys, zval *fallback, zval *result) {
	mcp_cache_object *object = php_mcp_cache_object_get(std);
	if (object == NULL) {
		return;
	}
	HashTable *names = emalloc(sizeof(*names));
	bool are_collected = php_mcp_cache_many_collect_names(names, keys);
	zend_array *places = !are_collected || !has_numbers(names) ? names : with_numbers(names);
	ZVAL_ARR(result, places);
	if (are_collected && zend_hash_num_elements(names) > 0) {
		(object->memo == NULL ? get : get_memo_first)(object, names, fallback, places);
	}
	if (places != names) {
		zend_array_release(names);
	}
}

/* --- prefetch: the values remain encoded until they are needed --- */

/* Remove the keys whose values are already kept, and the keys for whose values there is no space. */
static void leave_missing(mcp_cache_object *object, HashTable *names) {
	php_mcp_cache_memo_drop_old(object->memo, mcp_monotonic_ms(object->context.environment));
	const HashTable *ahead = object->memo->ahead;
	size_t left = MCP_MEMO_AHEAD_MAX - (ahead != NULL ? zend_hash_num_elements(ahead) : 0);
	zend_string *name;
	ZEND_HASH_FOREACH_STR_KEY(names, name) {
		if (left == 0 || php_mcp_cache_nearby_is_kept(object, name)) {
			zend_hash_del(names, name);
		} else {
			left--;
		}
	}
	ZEND_HASH_FOREACH_END();
}

/* Do not request the keys from memcached that the near cache has. Counts nothing. */
static void leave_near(mcp_cache_many *many) {
	begin_near(many);
	for (size_t i = 0; i < many->batch.count;) {
		mcp_cache_entry entry;
		if (mcp_cache_near_find(&many->cache, &many->keys[i], &many->near->keys[i].near_read,
				&entry)) {
			swap_keys(many, i, --many->batch.count);
		} else {
			i++;
		}
	}
}

static void keep_ahead(mcp_cache_many *many, size_t i) {
	const struct near_key *near = &many->near->keys[i];
	const mcp_cache_entry *entry = &many->batch.entries[i];
	if (near->near_read.may_be_kept) {
		mcp_memo_origin origin = {near->near_read, mcp_near_facts_of(&entry->envelope), near->tags};
		php_mcp_cache_memo_keep_ahead(many->object->memo, many->names[i], entry->payload,
			entry->flags, &origin);
	}
}

static void fetch(mcp_cache_object *object, HashTable *names) {
	mcp_cache_many many = {.object = object, .cache = php_mcp_cache_object_context(object)};
	php_mcp_cache_many_begin(&many, names->arData, zend_hash_num_elements(names));
	leave_near(&many);
	if (many.batch.count > 0) {
		mcp_cache_peek_many(&many.cache, &many.batch);
	}
	php_mcp_cache_many_near_keep(&many);
	for (size_t i = 0; i < many.batch.count; i++) {
		keep_ahead(&many, i);
	}
	php_mcp_cache_many_end(&many);
}

void php_mcp_cache_many_prefetch(zend_object *std, zval *keys) {
	mcp_cache_object *object = php_mcp_cache_object_get(std);
	HashTable names;
	if (object == NULL) {
		return;
	}
	if (php_mcp_cache_many_collect_names(&names, keys)) {
		if (object->memo == NULL) {
			object->memo = php_mcp_cache_memo_create(MCP_MEMO_AHEAD_MS, true);
		}
		leave_missing(object, &names);
		if (zend_hash_num_elements(&names) > 0) {
			fetch(object, &names);
		}
	}
	zend_hash_destroy(&names);
}
