/* The objects of McPatterns\Cache: creation, constructor, views, context of a call, statistics, tags and
 * lifetimes. */
/* SPDX-License-Identifier: MIT */
#include "cache_object.h"

#include "../../../core/envelope/signature.h"
#include "../../../core/vendor/xxh64.h"
#include "../../../patterns/cache/entry/cache_meter.h"
#include "../../engine/computing.h"
#include "../../host/environment.h"
#include "../../host/process.h"
#include "../../metrics/meters.h"
#include "../../objects/object.h"
#include "../../objects/options.h"
#include "../../pool/class_pool.h"
#include "../../pooled/pooled_object.h"
#include "cache_memo.h"
#include "php_mcpatterns.h"

#include "ext/spl/spl_exceptions.h"
#include "zend_exceptions.h"

#define NEAR_MIN_S 0.001
#define NEAR_MAX_S 60.0

#define PLACE(field) offsetof(mcp_cache_options, field)
/* In the order of var_dump(). Rows of numbers and durations must also be in the order of the arguments. */
/* clang-format off */
static const mcp_option rows[] = {
	{"ttl", 3, MCP_OPTION_DURATION, MCP_DURATION_TTL, false, PLACE(ttl_ms), 0, 3600, 0, 0},
	{"grace", 4, MCP_OPTION_DURATION, MCP_DURATION_GRACE, true, PLACE(grace_ms), PLACE(has_grace), 0, 0, 0},
	{"lease", 5, MCP_OPTION_DURATION, MCP_DURATION_POSITIVE, false, PLACE(lease_ms), 0, 10, 0, 0},
	{"wait", 6, MCP_OPTION_DURATION, MCP_DURATION_SHORT, true, PLACE(wait_ms), 0, 2.5, 0, 0},
	{"stale", 7, MCP_OPTION_FLAG, 0, false, PLACE(serve_stale), 0, true, 0, 0},
	{"staleOnError", 8, MCP_OPTION_FLAG, 0, false, PLACE(stale_on_error), 0, false, 0, 0},
	{"early", 9, MCP_OPTION_NUMBER, 0, true, PLACE(early), 0, 0, 0, MCP_CACHE_EARLY_MAX},
	{"jitter", 10, MCP_OPTION_NUMBER, 0, true, PLACE(jitter), 0, 0, 0, 1},
	{"clearable", 13, MCP_OPTION_FLAG, 0, false, PLACE(is_clearable), 0, false, 0, 0},
	{"copies", 11, MCP_OPTION_COUNT, 0, false, PLACE(copies), 0, 1, 1, MCP_COPIES_MAX},
	{"near", 12, MCP_OPTION_MS, 0, false, PLACE(near_ms), 0, 0, 0, 0},
	{"foreign", 14, MCP_OPTION_FLAG, 0, false, PLACE(reads_foreign), 0, false, 0, 0},
	{"guarded", 15, MCP_OPTION_FLAG, 0, false, PLACE(is_guarded), 0, false, 0, 0},
	{"holdoff", 16, MCP_OPTION_DURATION, MCP_DURATION_POSITIVE, false, PLACE(holdoff_ms), 0, 10, 0, 0},
};
/* clang-format on */
#define ROWS (sizeof(rows) / sizeof(rows[0]))

static mcp_cache_options defaults;

zend_class_entry *php_mcp_cache_class_entry;

static zend_object_handlers handlers;

static zend_object *create(zend_class_entry *type) {
	return php_mcp_object_create(type, &handlers);
}

static void free_object(zend_object *std) {
	mcp_cache_object *object = php_mcp_cache_object_from(std);
	if (object->pool != NULL) {
		if (object->tags != NULL) {
			efree(object->tags);
			object->tags = NULL;
		}
		if (object->of != NULL) {
			zend_array_release(object->tag_names);
			OBJ_RELEASE(&object->of->std);
			object->of = NULL;
		}
		zend_string_release(object->scope);
		php_mcp_pool_let_go(object->pool);
		object->pool = NULL;
		if (object->copies != NULL) {
			mcp_copies_free(object->copies);
		}
		if (object->memo != NULL) {
			php_mcp_cache_memo_free(object->memo);
			object->memo = NULL;
		}
	}
	zend_object_std_dtor(std);
}

static void add_tags(zval *info, const mcp_cache_object *object) {
	if (object->tag_names == NULL) {
		return;
	}
	zval names;
	zend_string *name;
	array_init(&names);
	ZEND_HASH_FOREACH_STR_KEY(object->tag_names, name) {
		add_next_index_str(&names, zend_string_copy(name));
	}
	ZEND_HASH_FOREACH_END();
	add_assoc_zval(info, "tags", &names);
}

static HashTable *get_debug_info(zend_object *std, int *is_temporary) {
	mcp_cache_object *object = php_mcp_cache_object_from(std);
	zval info;
	ZVAL_ARR(&info, php_mcp_pooled_object_begin_debug_info(object->pool, is_temporary));
	if (object->pool != NULL) {
		add_assoc_str(&info, "prefix", zend_string_copy(object->scope));
		add_tags(&info, object);
		php_mcp_options_show(Z_ARRVAL(info), &object->options, rows, ROWS);
		zval statistics;
		php_mcp_cache_object_report(object, &statistics);
		add_assoc_zval(&info, "stats", &statistics);
	}
	return Z_ARRVAL(info);
}

/* Also report a view's cache, because the view can hold the last reference to it. */
static HashTable *get_gc(zend_object *std, zval **table, int *count) {
	mcp_cache_object *object = php_mcp_cache_object_from(std);
	zval of;
	ZVAL_UNDEF(&of);
	if (object->of != NULL) {
		ZVAL_OBJ(&of, &object->of->std);
	}
	return php_mcp_pooled_object_show_held(object->pool, &of, table, count);
}

void php_mcp_cache_object_register(zend_class_entry *type) {
	php_mcp_cache_class_entry = type;
	type->create_object = create;
	php_mcp_object_handlers_init(&handlers, offsetof(mcp_cache_object, std), free_object);
	handlers.get_gc = get_gc;
	handlers.get_debug_info = get_debug_info;
	php_mcp_options_fill(&defaults, rows, ROWS);
}

mcp_copies *php_mcp_cache_object_make_copies(unsigned count) {
	mcp_copies *copies = mcp_copies_create(count);
	if (copies == NULL) {
		zend_error_noreturn(E_ERROR, "Out of memory");
	}
	return copies;
}

/* --- tags: each name is hashed once, and a view reuses the hashes of its base --- */

/* Returns the signing key with this index. NULL if values are not signed. */
static const mcp_signing_key *key_at(const mcp_pool *pool, unsigned turn) {
	const mcp_signing_keys *keys = php_mcp_pool_format(pool)->signing_keys;
	return keys != NULL ? &keys->keys[turn] : NULL;
}

/* Allocate the list and both arrays in one piece. */
static mcp_cache_tags *make_tags(const mcp_pool *pool, unsigned count, bool has_namespace,
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
		.guesses = &MCP_G(guesses),
	};
	return tags;
}

/* Makes a list with only the namespace tag. */
static mcp_cache_tags *make_namespace_tag(const mcp_pool *pool, const zend_string *scope) {
	uint64_t *fingerprints;
	mcp_cache_tags *tags = make_tags(pool, 1, true, &fingerprints);
	for (unsigned turn = 0; turn < tags->key_count; turn++) {
		fingerprints[turn] = mcp_signature_name(key_at(pool, turn), MCP_NAMED_NAMESPACE,
			php_mcp_pool_prefix(pool), php_mcp_bytes_of(scope));
	}
	return tags;
}

/* --- creation --- */

/* Call this last, when all other fields are final. */
static void set_context(mcp_cache_object *object) {
	const mcp_cache_options *options = &object->options;
	object->parts = php_mcp_cache_object_parts(object->pool, object->scope);
	object->records_reads = object->tags != NULL || options->is_guarded;
	object->context = (mcp_cache){
		.environment = php_mcp_environment_get(),
		.statistics = object->statistics,
		.meter = object->meter,
		.lease_ms = options->lease_ms,
		.signing_keys = php_mcp_pool_format(object->pool)->signing_keys,
		.lease_is_fitted = true,
		.is_strict = !options->serve_stale,
		.is_guarded = options->is_guarded,
		.tags = object->tags,
		.reads_foreign = options->reads_foreign,
		.foreign_grace_ms = php_mcp_cache_object_grace_ms(object, options->ttl_ms),
	};
}

/* Sets the fields that a cache and a view have in common. */
static void fill(mcp_cache_object *object, mcp_pool *pool, zend_string *scope,
	const mcp_cache_options *options) {
	object->options = *options;
	object->scope = zend_string_copy(scope);
	object->pool = php_mcp_pool_add_reference(pool);
	object->memo = options->near_ms > 0 ? php_mcp_cache_memo_create(options->near_ms, false) : NULL;
	object->meter = php_mcp_meters_make(&object->own_meter, scope);
}

static zend_always_inline void construct(mcp_cache_object *object, mcp_pool *pool,
	zend_string *scope, const mcp_cache_options *options) {
	fill(object, pool, scope, options);
	object->copies =
		options->copies > 1 ? php_mcp_cache_object_make_copies((unsigned)options->copies) : NULL;
	object->statistics = &object->own_statistics;
	object->audit = &object->own_audit;
	if (options->is_clearable) {
		object->tags = make_namespace_tag(pool, scope);
	}
	set_context(object);
}

/* --- constructor --- */

static bool judge_near(const zval *near, uint64_t *near_ms) {
	double seconds = Z_TYPE_P(near) == IS_LONG ? (double)Z_LVAL_P(near) : Z_DVAL_P(near);
	if (seconds != 0 && !(seconds >= NEAR_MIN_S && seconds <= NEAR_MAX_S)) {
		zend_argument_value_error(12, "must be 0 or between 0.001 and 60 seconds");
		return false;
	}
	*near_ms = (uint64_t)(seconds * 1000);
	return true;
}

/* Reject more copies than servers, because several copies on one server would be lost together. With discovery, do
 * not reject them: the number of servers can change, and limits the copies at each call. Reject $foreign with several
 * copies, because other clients write only one copy, without an order. Reject $foreign with $clearable, because a
 * clearable cache treats a value without its prefix tag as a miss. */
static bool judge_combination(mcp_pool *pool, const mcp_cache_options *options) {
	bool has_copies = options->copies != 1;
	if (has_copies && options->is_clearable) {
		zend_argument_value_error(13, "must be false for a Cache with several copies");
		return false;
	}
	size_t servers = has_copies ? mcp_store_member_count(php_mcp_pool_store(pool)) : 1;
	if (has_copies && php_mcp_pool_discovery_of(pool) == NULL &&
		(zend_ulong)options->copies > servers) {
		zend_argument_value_error(11,
			"must be at most the number of different servers in the Pool, %zu", servers);
		return false;
	}
	if (has_copies && options->reads_foreign) {
		zend_argument_value_error(14, "must be false for a Cache with several copies");
		return false;
	}
	if (options->is_clearable && options->reads_foreign) {
		zend_argument_value_error(14,
			"must be false with $clearable: clear() cannot delete values from other clients");
		return false;
	}
	return true;
}

/* Reject copies and failover, because a copy, or a server that was unreachable, can have a value that a guarded cache
 * has already rejected. */
static bool judge_guarded(const mcp_pool *pool, const mcp_cache_options *options) {
	if (!options->is_guarded || (options->copies == 1 && !php_mcp_pool_fails_over(pool))) {
		return true;
	}
	zend_throw_exception(spl_ce_LogicException,
		options->copies > 1
			? "a guarded Cache has a single copy of each key: $copies must be 1"
			: "a guarded Cache uses only each key's own server: the Pool must not fail over",
		0);
	return false;
}

void php_mcp_cache_object_construct(zend_execute_data *execute_data) {
	mcp_cache_object *object = php_mcp_cache_object_from(Z_OBJ_P(ZEND_THIS));
	mcp_cache_options options = defaults;
	zend_object *pool_object;
	zend_string *prefix = ZSTR_EMPTY_ALLOC();
	zval *near = NULL;
	zval *duration; /* borrowed from the arguments */
	bool is_null;   /* the argument is null, and the result is 0 */
	if (!php_mcp_options_judge_strict(execute_data, 2, MAY_BE_LONG | MAY_BE_DOUBLE, "string",
			"pass a TTL as ttl:")) {
		return;
	}
	ZEND_PARSE_PARAMETERS_START(1, 16)
		Z_PARAM_OBJ_OF_CLASS(pool_object, php_mcp_pool_class_entry)
		Z_PARAM_OPTIONAL
		Z_PARAM_STR(prefix)
		Z_PARAM_ZVAL(duration)
		Z_PARAM_ZVAL(duration)
		Z_PARAM_NUMBER(duration)
		Z_PARAM_NUMBER_OR_NULL(duration)
		Z_PARAM_BOOL(options.serve_stale)
		Z_PARAM_BOOL(options.stale_on_error)
		Z_PARAM_DOUBLE_OR_NULL(options.early, is_null)
		Z_PARAM_DOUBLE_OR_NULL(options.jitter, is_null)
		Z_PARAM_LONG(options.copies)
		Z_PARAM_NUMBER(near)
		Z_PARAM_BOOL(options.is_clearable)
		Z_PARAM_BOOL(options.reads_foreign)
		Z_PARAM_BOOL(options.is_guarded)
		Z_PARAM_NUMBER(duration)
	ZEND_PARSE_PARAMETERS_END();

	mcp_pool *pool = php_mcp_class_pool_get(pool_object);
	/* Check last whether the object is new, because the check of an argument can run a handler for deprecations. */
	if (pool != NULL && php_mcp_options_judge(execute_data, &options, rows, ROWS) &&
		judge_combination(pool, &options) && (near == NULL || judge_near(near, &options.near_ms)) &&
		judge_guarded(pool, &options) && php_mcp_object_require_new(&object->std, object->pool)) {
		construct(object, pool, prefix, &options);
	}
}

zend_object *php_mcp_cache_object_create_view(mcp_cache_object *object, zend_array *names) {
	zend_object *std = create(php_mcp_cache_class_entry);
	mcp_cache_object *view = php_mcp_cache_object_from(std);
	mcp_cache_object *of = php_mcp_cache_object_base(object);
	fill(view, object->pool, object->scope, &object->options);
	view->tags = php_mcp_cache_object_make_tags(object->pool, object->tags, names);
	view->tag_names = names;
	GC_ADDREF(&of->std);
	view->of = of;
	view->statistics = of->statistics;
	view->audit = of->audit;
	set_context(view);
	return std;
}

zend_object *php_mcp_cache_object_create(mcp_pool *pool) {
	zend_object *std = create(php_mcp_cache_class_entry);
	construct(php_mcp_cache_object_from(std), pool, ZSTR_EMPTY_ALLOC(), &defaults);
	return std;
}

mcp_cache_object *php_mcp_cache_object_take(zend_object *std) {
	if (php_mcp_object_has(std, &handlers)) {
		return php_mcp_cache_object_get(std);
	}
	php_mcp_object_throw_unconstructed(std);
	return NULL;
}

zend_never_inline ZEND_COLD void php_mcp_cache_object_refuse_empty(void) {
	zend_argument_value_error(1, "must not be empty");
}

/* Copies are read without failover to other servers, and a copy whose server was down is compared with the other
 * copies (D4). The Pool might have a new store since the last call. */
static zend_never_inline void keep_copies(mcp_cache_object *object, mcp_cache *cache) {
	uint64_t changes = php_mcp_pool_changes(object->pool);
	if (UNEXPECTED(object->copies_since != changes)) {
		mcp_copies_forget(object->copies);
		object->copies_since = changes;
	}
	mcp_copies_prepare(object->copies, php_mcp_pool_marked_store(object->pool), cache->environment,
		cache->lease_ms);
	cache->store = mcp_copies_store(object->copies);
	cache->environment = mcp_copies_environment(object->copies);
}

/* Runs once per call, also for a hit, so keep it cheap. */
static zend_always_inline void prepare(mcp_cache_object *object, mcp_cache *cache) {
	*cache = object->context;
	cache->store = php_mcp_pool_cache_store(object->pool);
	if (UNEXPECTED(object->copies != NULL)) {
		keep_copies(object, cache);
	}
}

mcp_cache php_mcp_cache_object_context(mcp_cache_object *object) {
	mcp_cache cache;
	prepare(object, &cache);
	return cache;
}

mcp_key_parts php_mcp_cache_object_parts(const mcp_pool *pool, const zend_string *scope) {
	return (mcp_key_parts){
		.space = MCP_SPACE_CACHE,
		.prefix = php_mcp_pool_prefix(pool),
		.scope = php_mcp_bytes_of(scope),
	};
}

void php_mcp_cache_object_renew(mcp_cache_call *call, mcp_cache_object *object, zend_string *name) {
	prepare(object, &call->cache);
	php_mcp_cache_object_name(call, object, name);
}

void php_mcp_cache_object_prepare(mcp_cache_call *call) {
	prepare(call->object, &call->cache);
}

void php_mcp_cache_object_count_computation(const mcp_cache_object *object, uint32_t compute_ms) {
	object->statistics->counts[MCP_COUNT_COMPUTE_MS] += compute_ms;
	if (object->meter != NULL) {
		mcp_metrics_count_computation(object->meter->group, compute_ms);
	}
}

void php_mcp_cache_object_count_rebuild(const mcp_cache_object *object, const zend_string *name,
	uint32_t compute_ms) {
	const mcp_meter *meter = object->meter;
	if (meter != NULL) {
		mcp_rebuilds_add(&meter->meters->metrics->rebuilds, mcp_wall_ms(php_mcp_environment_get()),
			(uint8_t)meter->index, php_mcp_bytes_of(name), compute_ms);
	}
}

void php_mcp_cache_object_trace(const mcp_cache_object *object, mcp_trace_code letter,
	const zend_string *name) {
	if (object->meter != NULL) {
		mcp_meter_append_event(object->meter, (char)letter, mcp_wall_ms(php_mcp_environment_get()),
			php_mcp_bytes_of(name));
	}
}

void php_mcp_cache_object_count_refused(const mcp_cache_object *object, const zend_string *name) {
	php_mcp_cache_object_tally(object, MCP_COUNT_DISCARDED, 1);
	php_mcp_cache_object_trace(object, MCP_TRACE_DISCARDED, name);
}

void php_mcp_cache_object_report(const mcp_cache_object *object, zval *report) {
	const uint64_t *counts = object->statistics->counts;
	array_init(report);
	for (size_t i = 0; i < mcp_counts_of_objects.length; i++) {
		const mcp_count *count = &mcp_counts_of_objects.rows[i];
		if (count->own != NULL) {
			uint64_t number = counts[count->which];
			if (count->which == MCP_COUNT_HITS) { /* near hits are hits of the object */
				number += counts[MCP_COUNT_NEAR_HITS];
			}
			php_mcp_meters_add_count(report, count->own, count, number);
		}
	}
}

/* Hashes are sufficient. At worst, a key also counts as emptied because its hash equals that of an emptied key. The
 * application chooses addresses and prefixes, and only one process compares the hashes, so a forged collision gains
 * nothing. */

uint64_t php_mcp_cache_object_server_hash(const char *address) {
	return XXH64(address, strlen(address), 0);
}

uint64_t php_mcp_cache_object_namespace_hash(const mcp_cache_object *object) {
	mcp_bytes prefix = php_mcp_pool_prefix(object->pool);
	uint64_t hash = XXH64(prefix.data, prefix.length, prefix.length);
	return XXH64(ZSTR_VAL(object->scope), ZSTR_LEN(object->scope), hash);
}

mcp_kept_place php_mcp_cache_object_place(const mcp_cache_object *object, const mcp_key *key) {
	mcp_store *store = php_mcp_pool_store(object->pool);
	return (mcp_kept_place){
		.servers = php_mcp_pool_servers_hash(object->pool),
		.server = php_mcp_cache_object_server_hash(mcp_store_owner(store, key)->address),
		.key_namespace = php_mcp_cache_object_namespace_hash(object),
		.fiber = php_mcp_fiber_now(),
	};
}

static bool has_server(const mcp_pool *pool, uint64_t hash) {
	for (size_t i = 0; i < php_mcp_pool_server_count(pool); i++) {
		if (php_mcp_cache_object_server_hash(php_mcp_pool_server(pool, i)->address) == hash) {
			return true;
		}
	}
	return false;
}

bool php_mcp_cache_object_has_emptied(const mcp_emptied *emptied, const mcp_kept_place *place) {
	if (place->fiber != php_mcp_fiber_now()) {
		return false;
	}
	if (emptied->is_everything) {
		return has_server(emptied->pool, place->server);
	}
	return place->servers == php_mcp_pool_servers_hash(emptied->pool) &&
		place->key_namespace == emptied->key_namespace;
}

/* --- tags of views and of arguments --- */

/* Compute the fingerprints of the tags after the first `known` tags, with one signing key. */
static void name_rest(const mcp_pool *pool, const mcp_signing_key *key, const zend_array *names,
	unsigned known, uint64_t *fingerprints) {
	unsigned at = 0;
	zend_string *name;
	ZEND_HASH_FOREACH_STR_KEY((zend_array *)names, name) {
		if (at++ >= known) {
			*fingerprints++ = mcp_signature_name(key, MCP_NAMED_TAG, php_mcp_pool_prefix(pool),
				php_mcp_bytes_of(name));
		}
	}
	ZEND_HASH_FOREACH_END();
}

mcp_cache_tags *php_mcp_cache_object_make_tags(const mcp_pool *pool, const mcp_cache_tags *base,
	const zend_array *names) {
	bool has_namespace = base != NULL && base->has_namespace;
	unsigned known = base != NULL ? base->count : 0, first = has_namespace ? 1 : 0;
	uint64_t *fingerprints;
	mcp_cache_tags *tags =
		make_tags(pool, first + zend_hash_num_elements(names), has_namespace, &fingerprints);
	for (unsigned turn = 0; turn < tags->key_count; turn++) {
		uint64_t *named = fingerprints + (size_t)turn * tags->count;
		if (known > 0) {
			memcpy(named, base->fingerprints + (size_t)turn * known, known * sizeof(*named));
		}
		name_rest(pool, key_at(pool, turn), names, known - first, named + known);
	}
	return tags;
}

zend_string *php_mcp_cache_object_tag_versions_of(const mcp_cache_object *object,
	const mcp_cache_entry *entry) {
	mcp_captured_tags captured;
	mcp_cache_capture(&object->context, entry, &captured);
	return php_mcp_cache_object_copy_tag_versions(mcp_captured_tags_view(&captured));
}

static bool add_tag(zend_array *names, zend_string *name, uint32_t arg_num) {
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
	zend_hash_add(names, name, &EG(uninitialized_zval));
	if (zend_hash_num_elements(names) > MCP_TAG_NAMES_MAX) {
		zend_argument_value_error(arg_num, "must not exceed the limit of %d tags",
			MCP_TAG_NAMES_MAX);
		return false;
	}
	return true;
}

static bool add_tag_list(zend_array *names, zend_array *given, uint32_t arg_num) {
	zval *name;
	ZEND_HASH_FOREACH_VAL(given, name) {
		ZVAL_DEREF(name);
		if (Z_TYPE_P(name) != IS_STRING) {
			zend_argument_type_error(arg_num, "must be an array of strings, %s found",
				zend_zval_type_name(name));
			return false;
		}
		if (!add_tag(names, Z_STR_P(name), arg_num)) {
			return false;
		}
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

bool php_mcp_cache_object_parse_tag_names(zval *arguments, uint32_t count, zend_array *names) {
	bool is_any = false;
	for (uint32_t i = 0; i < count; i++) {
		zval *argument = &arguments[i];
		ZVAL_DEREF(argument);
		bool is_right = false;
		if (Z_TYPE_P(argument) == IS_STRING) {
			is_right = add_tag(names, Z_STR_P(argument), i + 1);
		} else if (Z_TYPE_P(argument) == IS_ARRAY) {
			is_right = add_tag_list(names, Z_ARRVAL_P(argument), i + 1);
		} else {
			/* Even without strict_types, the `true` of a forgotten parameter must not become the tag "1". */
			zend_argument_type_error(i + 1, "must be of type array|string, %s given",
				zend_zval_type_name(argument));
		}
		if (!is_right) {
			return false;
		}
		is_any |=
			Z_TYPE_P(argument) != IS_ARRAY || zend_hash_num_elements(Z_ARRVAL_P(argument)) > 0;
	}
	if (!is_any) {
		zend_argument_value_error(1, "must contain between 1 and %d tags", MCP_TAG_NAMES_MAX);
	}
	return is_any;
}

/* --- lifetimes: the meaning of 0, null and INF for a TTL and a grace, and jitter --- */

/* Spread TTLs at random (C10), so that values that are stored together do not expire together. */
mcp_lifetime php_mcp_cache_object_spread_lifetime(mcp_lifetime lifetime, double jitter) {
	if (jitter > 0 && lifetime.ttl_ms > 0) {
		uint64_t random = mcp_random_u64(php_mcp_environment_get());
		double share = 2.0 * ((double)(random >> 11) / 9007199254740992.0) - 1.0; /* 2^53 */
		double spread_ms = (double)lifetime.ttl_ms * (1.0 + jitter * share);
		lifetime.ttl_ms = spread_ms < 1 ? 1 : (uint64_t)spread_ms;
	}
	return lifetime;
}

static inline void set_lifetime(mcp_lifetime *lifetime, uint64_t ttl_ms, uint64_t grace_ms,
	bool grace_is_given) {
	lifetime->ttl_ms = ttl_ms;
	lifetime->grace_ms = MIN(grace_ms, MCP_GRACE_FOREVER);
	lifetime->keeps_grace = !grace_is_given;
}

bool php_mcp_cache_object_judge_lifetime(const mcp_cache_object *object,
	mcp_cache_lifetime_arguments arguments, mcp_lifetime *lifetime) {
	uint64_t ttl_ms = object->options.ttl_ms;
	if (!php_mcp_duration_judge(arguments.ttl, arguments.ttl_arg_num, MCP_DURATION_TTL, &ttl_ms)) {
		return false;
	}
	uint64_t grace_ms = php_mcp_cache_object_grace_ms(object, ttl_ms);
	if (!php_mcp_duration_judge(arguments.grace, arguments.grace_arg_num, MCP_DURATION_GRACE,
			&grace_ms)) {
		return false;
	}
	set_lifetime(lifetime, ttl_ms, grace_ms, php_mcp_duration_is_given(arguments.grace));
	return true;
}

/* The function's name is written in full, because after the response, the running function is not remember(). */
#define TTL_CALLABLE "McPatterns\\Cache::remember(): Argument #2 ($ttl) "

/* Reads the value that the callable has returned, and releases it. */
static bool read_returned(zval *ttl, double *seconds) {
	bool is_duration = php_mcp_duration_is_one(ttl);
	if (!is_duration) {
		zend_type_error(TTL_CALLABLE
			"must return a DateInterval, a Time\\Duration, an int, a float or null, %s returned",
			zend_zval_type_name(ttl));
	}
	bool is_read = is_duration && php_mcp_duration_read(ttl, seconds);
	bool is_none = is_read && php_mcp_duration_is_none(ttl, *seconds);
	bool is_date = is_read && php_mcp_duration_is_date(ttl, *seconds);
	zval_ptr_dtor(ttl);
	if (!is_read || EG(exception) != NULL) { /* the value's destructor can throw */
		return false;
	}
	if (is_none) {
		zend_value_error(TTL_CALLABLE
			"must not return a DateInterval or Time\\Duration of 0 seconds");
	} else if (is_date) {
		zend_value_error(TTL_CALLABLE "must return " MCP_DURATION_DATE ", %.0f returned", *seconds);
	} else if (!(*seconds >= 0 && (*seconds <= MCP_DURATION_MAX_S || zend_isinf(*seconds)))) {
		zend_value_error(TTL_CALLABLE "must return between 0 and 10000000000 seconds, %g returned",
			*seconds);
	}
	return EG(exception) == NULL;
}

bool php_mcp_cache_object_parse_returned_lifetime(const mcp_cache_object *object, zval *ttl,
	const mcp_lifetime *asked, mcp_lifetime *lifetime) {
	double seconds;
	if (!read_returned(ttl, &seconds)) {
		return false;
	}
	uint64_t ttl_ms = zend_isinf(seconds) ? 0 : php_mcp_duration_ms(seconds);
	bool grace_is_given = !asked->keeps_grace;
	set_lifetime(lifetime, ttl_ms,
		grace_is_given ? asked->grace_ms : php_mcp_cache_object_grace_ms(object, ttl_ms),
		grace_is_given);
	return true;
}
