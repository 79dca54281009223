/* The objects of McPatterns\Cache: creation, constructor, views, context of a call, statistics, and the table of kept
 * keys. */
/* SPDX-License-Identifier: MIT */
#include "cache_object.h"

#include "../../../core/vendor/xxh64.h"
#include "../../../patterns/cache/entry/cache_meter.h"
#include "../../engine/computing.h"
#include "../../host/environment.h"
#include "../../host/process.h"
#include "../../metrics/meters.h"
#include "../../metrics/class_metrics.h"
#include "../../objects/options.h"
#include "../../pool/class_pool.h"
#include "../../pooled/pooled_object.h"
#include "cache_memo.h"
#include "cache_tag_list.h"

#include "ext/spl/spl_exceptions.h"
#include "zend_exceptions.h"

#define NEAR_MIN_S 0.001
#define NEAR_MAX_S 60.0

#define PLACE(field) offsetof(mcp_cache_options, field)
/* In the order of var_dump(). */
/* clang-format off */
static const mcp_option rows[] = {
	{"ttl", 3, MCP_OPTION_DURATION, MCP_DURATION_TTL, false, PLACE(ttl_ms), 0, 3600, 0, 0},
	{"grace", 4, MCP_OPTION_DURATION, MCP_DURATION_GRACE, true, PLACE(grace_ms), PLACE(has_grace), 0, 0, 0},
	{"lease", 5, MCP_OPTION_DURATION, MCP_DURATION_POSITIVE, false, PLACE(lease_ms), 0, 10, 0, 0},
	{"wait", 6, MCP_OPTION_DURATION, MCP_DURATION_SHORT, true, PLACE(wait_ms), 0, 2.5, 0, 0},
	{"stale", 7, MCP_OPTION_FLAG, 0, false, PLACE(serve_stale), 0, true, 0, 0},
	{"staleOnError", 8, MCP_OPTION_FLAG, 0, false, PLACE(stale_on_error), 0, false, 0, 0},
	{"early", 9, MCP_OPTION_NUMBER, 0, false, PLACE(early), 0, 0, 0, MCP_CACHE_EARLY_MAX},
	{"jitter", 10, MCP_OPTION_NUMBER, 0, false, PLACE(jitter), 0, 0, 0, 1},
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

/* Only views and caches with tags have more to free. */
static void free_view(mcp_cache_object *object) {
	if (object->tags == NULL) {
		return;
	}
	efree(object->tags);
	object->tags = NULL;
	if (object->of != NULL) {
		zend_array_release(object->tag_names);
		OBJ_RELEASE(&object->of->std);
		object->of = NULL;
	}
}

static void free_object(zend_object *std) {
	mcp_cache_object *object = php_mcp_cache_object_from(std);
	if (object->pool != NULL) {
		free_view(object);
		zend_string_release(object->scope);
		php_mcp_pool_let_go(object->pool);
		object->pool = NULL;
		if (object->copies != NULL) {
			mcp_copies_free(object->copies);
		}
		if (object->memo != NULL) {
			php_mcp_memo_free(object->memo);
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

/* A view can hold the last reference to its cache, so report this, too. */
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

/* Set the context last, after all other fields are final. */
static void set_context(mcp_cache_object *object) {
	const mcp_cache_options *options = &object->options;
	object->parts = php_mcp_cache_object_parts(object->pool, object->scope);
	object->notes_looks = object->tags != NULL || options->is_guarded;
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

static void construct(mcp_cache_object *object, mcp_pool *pool, zend_string *scope,
	const mcp_cache_options *options) {
	object->options = *options;
	object->scope = zend_string_copy(scope);
	object->pool = php_mcp_pool_hold(pool);
	object->copies =
		options->copies > 1 ? php_mcp_cache_object_make_copies((unsigned)options->copies) : NULL;
	object->memo = options->near_ms > 0 ? php_mcp_memo_create(options->near_ms) : NULL;
	object->statistics = &object->own_statistics;
	object->audit = &object->own_audit;
	object->meter = php_mcp_meters_make(&object->own_meter, scope);
	if (options->is_clearable) {
		object->tags = php_mcp_tag_list_of_namespace(pool, scope);
	}
	set_context(object);
}

/* --- constructor --- */

static bool judge_near(zval *near, uint64_t *near_ms) {
	double seconds = near != NULL ? zval_get_double(near) : 0;
	if (seconds != 0 && !(seconds >= NEAR_MIN_S && seconds <= NEAR_MAX_S)) {
		zend_argument_value_error(12, "must be 0 or between 0.001 and 60 seconds");
		return false;
	}
	*near_ms = (uint64_t)(seconds * 1000);
	return true;
}

/* Several copies on one server would be lost together. With discovery, the number of servers can change at any time.
 * Then the number of servers limits the copies. */
static bool judge_copies(mcp_pool *pool, const mcp_cache_options *options) {
	if (options->copies == 1) {
		return true;
	}
	if (options->is_clearable) {
		zend_argument_value_error(13, "must be false for a Cache with several copies");
		return false;
	}
	size_t servers = mcp_store_member_count(php_mcp_pool_store(pool));
	bool are_written = php_mcp_pool_discovery_of(pool) == NULL;
	if (are_written && (zend_ulong)options->copies > servers) {
		zend_argument_value_error(11,
			"must be at most the number of different servers in the Pool, %zu", servers);
		return false;
	}
	return true;
}

/* Reject $foreign with several copies: other clients write only one copy, unordered. A clearable cache treats a value
 * without its prefix tag as a miss. */
static bool judge_foreign(const mcp_cache_options *options) {
	if (options->reads_foreign && options->copies > 1) {
		zend_argument_value_error(14, "must be false for a Cache with several copies");
		return false;
	}
	if (!options->is_clearable || !options->reads_foreign) {
		return true;
	}
	zend_argument_value_error(14,
		"must be false with $clearable: clear() cannot delete values from other clients");
	return false;
}

/* Reject 2 sources of values that a guarded cache has already rejected: a copy, and a server that was unreachable. */
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
	zval *duration; /* taken from its place in the call */
	bool is_null;   /* then it is 0 */
	if (!php_mcp_strict_argument_judge_text(execute_data, 2, "pass a TTL as ttl:")) {
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
	/* Check last whether the object is new: judging can run the handler of a deprecation. */
	if (pool != NULL && php_mcp_options_judge(execute_data, &options, rows, ROWS) &&
		judge_copies(pool, &options) && judge_foreign(&options) &&
		judge_near(near, &options.near_ms) && judge_guarded(pool, &options) &&
		php_mcp_object_require_new(&object->std, object->pool)) {
		construct(object, pool, prefix, &options);
	}
}

zend_object *php_mcp_cache_object_create_view(mcp_cache_object *object, zend_array *names) {
	zend_object *std = create(php_mcp_cache_class_entry);
	mcp_cache_object *view = php_mcp_cache_object_from(std);
	mcp_cache_object *of = php_mcp_cache_object_base(object);
	view->options = object->options;
	view->memo = view->options.near_ms > 0 ? php_mcp_memo_create(view->options.near_ms) : NULL;
	view->scope = zend_string_copy(object->scope);
	view->pool = php_mcp_pool_hold(object->pool);
	view->tags = php_mcp_tag_list_of_names(object->pool, object->tags, names);
	view->tag_names = names;
	GC_ADDREF(&of->std);
	view->of = of;
	view->statistics = of->statistics;
	view->audit = of->audit;
	view->meter = php_mcp_meters_make(&view->own_meter, view->scope);
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

/* No server replaces another one's copy, but a copy whose server was down is compared with the others (D4). The
 * store can be a different one since the last call. */
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

/* Runs once per call, hits included: keep it cheap. */
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
		.scope = mcp_bytes_of(ZSTR_VAL(scope), ZSTR_LEN(scope)),
	};
}

mcp_key php_mcp_cache_object_key(const mcp_pool *pool, const zend_string *scope,
	const zend_string *name, mcp_key_buffer *buffer) {
	mcp_key_parts parts = php_mcp_cache_object_parts(pool, scope);
	parts.name = mcp_bytes_of(ZSTR_VAL(name), ZSTR_LEN(name));
	return mcp_key_make(buffer, &parts);
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
			(uint8_t)meter->index, mcp_bytes_of(ZSTR_VAL(name), ZSTR_LEN(name)), compute_ms);
	}
}

void php_mcp_cache_object_note(const mcp_cache_object *object, mcp_trace_code letter,
	const zend_string *name) {
	if (object->meter != NULL) {
		mcp_meter_note(object->meter, (char)letter, mcp_wall_ms(php_mcp_environment_get()),
			mcp_bytes_of(ZSTR_VAL(name), ZSTR_LEN(name)));
	}
}

void php_mcp_cache_object_count_refused(const mcp_cache_object *object, const zend_string *name) {
	php_mcp_cache_object_tally(object, MCP_COUNT_DISCARDED, 1);
	php_mcp_cache_object_note(object, MCP_TRACE_DISCARDED, name);
}

void php_mcp_cache_object_count_uncached(const mcp_cache_object *object, const zend_string *name) {
	php_mcp_cache_object_tally(object, MCP_COUNT_UNCACHED, 1);
	php_mcp_cache_object_note(object, MCP_TRACE_UNCACHED, name);
}

/* Callers of the object see near hits as hits. */
static uint64_t number_of(const mcp_cache_statistics *statistics, const mcp_count *count) {
	uint64_t near_hits =
		count->which == MCP_COUNT_HITS ? statistics->counts[MCP_COUNT_NEAR_HITS] : 0;
	return statistics->counts[count->which] + near_hits;
}

void php_mcp_cache_object_report(const mcp_cache_object *object, zval *report) {
	array_init(report);
	for (size_t i = 0; i < mcp_counts_of_objects.length; i++) {
		const mcp_count *count = &mcp_counts_of_objects.rows[i];
		if (count->own != NULL) {
			php_mcp_metrics_add_count(report, count->own, count,
				number_of(object->statistics, count));
		}
	}
}

/* Hashes suffice: a key with the hash of an emptied key also counts as emptied. The application chooses addresses and
 * prefixes, and only one process compares them, so a forged collision gains nothing. */

uint64_t php_mcp_cache_emptied_server(const char *address) {
	return XXH64(address, strlen(address), 0);
}

uint64_t php_mcp_cache_emptied_namespace(const mcp_cache_object *object) {
	mcp_bytes prefix = php_mcp_pool_prefix(object->pool);
	uint64_t hash = XXH64(prefix.data, prefix.length, prefix.length);
	return XXH64(ZSTR_VAL(object->scope), ZSTR_LEN(object->scope), hash);
}

mcp_kept_place php_mcp_cache_emptied_place(const mcp_cache_object *object, const mcp_key *key) {
	mcp_store *store = php_mcp_pool_store(object->pool);
	return (mcp_kept_place){
		.servers = php_mcp_pool_servers_hash(object->pool),
		.server = php_mcp_cache_emptied_server(mcp_store_owner(store, key)->address),
		.key_namespace = php_mcp_cache_emptied_namespace(object),
		.fiber = php_mcp_fiber_now(),
	};
}

static bool has_server(const mcp_pool *pool, uint64_t hash) {
	for (size_t i = 0; i < php_mcp_pool_server_count(pool); i++) {
		if (php_mcp_cache_emptied_server(php_mcp_pool_server(pool, i)->address) == hash) {
			return true;
		}
	}
	return false;
}

bool php_mcp_cache_emptied_has(const mcp_emptied *emptied, const mcp_kept_place *place) {
	if (place->fiber != php_mcp_fiber_now()) {
		return false;
	}
	if (emptied->is_everything) {
		return has_server(emptied->pool, place->server);
	}
	return place->servers == php_mcp_pool_servers_hash(emptied->pool) &&
		place->key_namespace == emptied->key_namespace;
}

/* Indexed by a hash of servers, prefix and key, oldest first. Keys with the same hash share an entry. A forged
 * collision only lets a store of one key end the reads of the other, as naming MCP_KEPT_MAX keys does. */

struct mcp_kept_table {
	HashTable by_key; /* hash => an mcp_kept; the internal pointer is at the oldest */
	pid_t pid;
	bool has_forgotten;
};

/* Forget the parent's entries in a forked child. */
static mcp_kept_table *of_this_process(mcp_kept_table **table) {
	if (*table != NULL && (*table)->pid != php_mcp_process_id()) {
		zend_hash_clean(&(*table)->by_key);
		(*table)->pid = php_mcp_process_id();
		(*table)->has_forgotten = true;
	}
	return *table;
}

static void release(zval *kept) {
	efree(Z_PTR_P(kept));
}

static void prepare_table(mcp_kept_table **table) {
	if (EXPECTED(of_this_process(table) != NULL)) {
		return;
	}
	mcp_kept_table *made = emalloc(sizeof(*made));
	made->pid = php_mcp_process_id();
	made->has_forgotten = false;
	zend_hash_init(&made->by_key, 8, NULL, release, false);
	zend_hash_real_init_mixed(&made->by_key);
	*table = made;
}

void php_mcp_key_table_reset(mcp_kept_table **table) {
	if (*table != NULL) {
		zend_hash_destroy(&(*table)->by_key);
		efree(*table);
		*table = NULL;
	}
}

static zend_ulong hash_of(const mcp_cache_object *object, const mcp_key *key) {
	return (zend_ulong)(key->fingerprint ^ php_mcp_pool_servers_hash(object->pool));
}

void *php_mcp_key_table_find(mcp_kept_table **table, const mcp_cache_object *object,
	const mcp_key *key) {
	mcp_kept_table *found = of_this_process(table);
	return found != NULL ? zend_hash_index_find_ptr(&found->by_key, hash_of(object, key)) : NULL;
}

void *php_mcp_key_table_add(mcp_kept_table **table, const mcp_cache_object *object,
	const mcp_key *key, size_t size) {
	prepare_table(table);
	if (zend_hash_num_elements(&(*table)->by_key) == MCP_KEPT_MAX) {
		php_mcp_key_table_forget_oldest(table);
	}
	mcp_kept *kept = emalloc(size);
	*kept = (mcp_kept){.place = php_mcp_cache_emptied_place(object, key)};
	zend_hash_index_add_new_ptr(&(*table)->by_key, hash_of(object, key), kept);
	return kept;
}

void *php_mcp_key_table_resize(mcp_kept_table **table, const mcp_cache_object *object,
	const mcp_key *key, size_t size) {
	zval *found = zend_hash_index_find(&(*table)->by_key, hash_of(object, key));
	Z_PTR_P(found) = erealloc(Z_PTR_P(found), size);
	return Z_PTR_P(found);
}

void php_mcp_key_table_remove(mcp_kept_table **table, const mcp_cache_object *object,
	const mcp_key *key) {
	if (of_this_process(table) != NULL) {
		zend_hash_index_del(&(*table)->by_key, hash_of(object, key));
	}
}

static bool is_of_this_fiber(const mcp_kept *kept) {
	return kept->place.fiber == php_mcp_fiber_now();
}

void php_mcp_key_table_note_fiber(mcp_kept *kept) {
	kept->is_of_several |= !is_of_this_fiber(kept);
}

bool php_mcp_key_table_knows_fiber(const mcp_kept *kept) {
	return kept->is_of_several || is_of_this_fiber(kept);
}

size_t php_mcp_key_table_count(mcp_kept_table **table) {
	const mcp_kept_table *counted = of_this_process(table);
	return counted != NULL ? zend_hash_num_elements(&counted->by_key) : 0;
}

void php_mcp_key_table_forget_oldest(mcp_kept_table **table) {
	zend_string *name;
	zend_ulong hash;
	if (zend_hash_get_current_key(&(*table)->by_key, &name, &hash) == HASH_KEY_IS_LONG) {
		zend_hash_index_del(&(*table)->by_key, hash);
		(*table)->has_forgotten = true;
	}
}

bool php_mcp_key_table_has_forgotten(mcp_kept_table **table) {
	const mcp_kept_table *asked = of_this_process(table);
	return asked != NULL && asked->has_forgotten;
}

void php_mcp_key_table_doubt(mcp_kept_table **table) {
	if (of_this_process(table) != NULL) {
		(*table)->has_forgotten = true;
	}
}

void php_mcp_key_table_visit(mcp_kept_table **table, void (*visit)(void *kept, const void *context),
	const void *context) {
	mcp_kept *kept;
	if (of_this_process(table) == NULL) {
		return;
	}
	ZEND_HASH_FOREACH_PTR(&(*table)->by_key, kept) {
		if (!kept->is_of_several && is_of_this_fiber(kept)) {
			visit(kept, context);
		}
	}
	ZEND_HASH_FOREACH_END();
}

static int is_emptied(zval *value, void *emptied) {
	const mcp_kept *kept = Z_PTR_P(value);
	bool is_over = !kept->is_of_several && php_mcp_cache_emptied_has(emptied, &kept->place);
	return is_over ? ZEND_HASH_APPLY_REMOVE : ZEND_HASH_APPLY_KEEP;
}

void php_mcp_key_table_end_emptied(mcp_kept_table **table, const mcp_emptied *emptied) {
	if (of_this_process(table) != NULL) {
		zend_hash_apply_with_argument(&(*table)->by_key, is_emptied, (void *)emptied);
	}
}
