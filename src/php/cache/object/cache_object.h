/* The object behind McPatterns\Cache: its options, and the context of a call on one key. It does not depend on claims
 * and values. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_OBJECT_CACHE_OBJECT_H
#define MCP_PHP_CACHE_OBJECT_CACHE_OBJECT_H

#include "../../../patterns/cache/cache.h"
#include "../../../patterns/cache/entry/cache_tags.h"
#include "../../../patterns/copies/copies.h"
#include "../../objects/object.h"
#include "../../pool/pool.h"
#include "php.h"

/* Undefine it again, because PHP's headers above define `near` on Windows. */
#undef near

/* Options of a Cache. A call can override most of them. */
typedef struct mcp_cache_options {
	uint64_t ttl_ms;
	bool has_grace; /* false: the grace equals the TTL */
	uint64_t grace_ms;
	uint64_t lease_ms, wait_ms, holdoff_ms; /* each fits 32 bits */
	bool serve_stale;
	bool stale_on_error;
	bool reads_foreign;
	double early;
	double jitter;
	bool is_clearable;
	zend_long copies; /* number of copies of each key */
	uint64_t near_ms; /* maximum age of near values; 0: disabled */
	bool is_guarded;
} mcp_cache_options;

/* With a larger $early, nearly every read would refresh. */
#define MCP_CACHE_EARLY_MAX 1000.0

typedef struct mcp_cache_object {
	mcp_pool *pool;     /* a reference; NULL until constructed */
	zend_string *scope; /* the Cache's prefix: a reference */
	mcp_cache_options options;
	mcp_cache_statistics *statistics; /* statistics of the object, or of the view's base */
	const mcp_meter *meter;           /* meter of the object, or NULL */
	mcp_cache_tags *tags;             /* tags of all values of this object; NULL: none */
	mcp_cache_statistics own_statistics;
	mcp_meter own_meter;
	/* Points to own_audit, of this object or of the view's base. *audit is NULL if there is no Audit. */
	struct mcp_audit **audit;
	struct mcp_audit *own_audit; /* borrowed: the Audit removes itself when it ends */
	zend_array *tag_names;       /* tags of a view, as keys: a reference; otherwise NULL */
	struct mcp_cache_object *of; /* base of a view: a reference; otherwise NULL */
	mcp_copies *copies;          /* owned; NULL: 1 copy */
	uint64_t copies_since;       /* the pool's change counter when the copies were last checked */
	mcp_cache context;           /* context of a call, without the store, which can change */
	/* parts of a key without the name: views into the pool and the scope */
	mcp_key_parts parts;
	struct mcp_memo *memo; /* owned; NULL: no near cache and no prefetch */
	bool records_reads;    /* reads are recorded, because the object has tags or is guarded */
	zend_object std;
} mcp_cache_object;

/* A call on one key, on the stack of the method. Renew it after user code. */
typedef struct mcp_cache_call {
	mcp_cache_object *object;
	mcp_cache cache;
	mcp_key_buffer buffer;
	mcp_key key;
} mcp_cache_call;

/* Implements set, add or replace. */
typedef mcp_status (*mcp_cache_writer)(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_value *value);

extern zend_class_entry *php_mcp_cache_class_entry;

/* Registers the object handlers at startup. */
void php_mcp_cache_object_register(zend_class_entry *type);

static inline mcp_cache_object *php_mcp_cache_object_from(zend_object *std) {
	return (mcp_cache_object *)((char *)std - offsetof(mcp_cache_object, std));
}

/* Implements the constructor. With an invalid argument, it throws, and the object remains unconstructed. */
void php_mcp_cache_object_construct(zend_execute_data *execute_data);

/* Creates a view whose values have these tags. Its base is the object, or the base of the object. The keys of `names`
 * are the tags, and begin with the object's own tags. Takes over `names`. The caller owns the result. */
zend_object *php_mcp_cache_object_create_view(mcp_cache_object *object, zend_array *names);

/* The caller owns the result. */
mcp_copies *php_mcp_cache_object_make_copies(unsigned count);

/* Creates a Cache with all defaults, like `new Cache($pool)`. The caller owns the result. */
zend_object *php_mcp_cache_object_create(mcp_pool *pool);

/* Returns the object. NULL with an Error if it was never constructed. */
static inline mcp_cache_object *php_mcp_cache_object_get(zend_object *std) {
	mcp_cache_object *object = php_mcp_cache_object_from(std);
	return php_mcp_object_require_constructed(std, object->pool) ? object : NULL;
}

/* Returns the object of an argument. NULL with an Error if it was never constructed. */
mcp_cache_object *php_mcp_cache_object_take(zend_object *std);

/* Throws the ValueError about an empty name. */
void php_mcp_cache_object_refuse_empty(void);
/* Like php_mcp_cache_object_get, for a call on a key. NULL with a ValueError about the first parameter if the name is
 * empty. */
static inline mcp_cache_object *php_mcp_cache_object_get_for(zend_object *std,
	const zend_string *name) {
	mcp_cache_object *object = php_mcp_cache_object_get(std);
	if (EXPECTED(object != NULL) && UNEXPECTED(ZSTR_LEN(name) == 0)) {
		php_mcp_cache_object_refuse_empty();
		return NULL;
	}
	return object;
}

/* Returns the grace of a value with this TTL: the object's grace if it has one, otherwise the TTL. The grace of a
 * value that never expires is then unlimited. */
static inline uint64_t php_mcp_cache_object_grace_ms(const mcp_cache_object *object,
	uint64_t ttl_ms) {
	uint64_t as_ttl_ms = ttl_ms == 0 ? MCP_GRACE_FOREVER : ttl_ms;
	return object->options.has_grace ? object->options.grace_ms : as_ttl_ms;
}

/* Makes the context of a call on many keys. */
mcp_cache php_mcp_cache_object_context(mcp_cache_object *object);

/* Makes the parts that all keys of this scope and pool have in common, which are all parts except the name. */
mcp_key_parts php_mcp_cache_object_parts(const mcp_pool *pool, const zend_string *scope);

/* Makes the key of `name`. */
static zend_always_inline mcp_key php_mcp_cache_object_key(const mcp_cache_object *object,
	const zend_string *name, mcp_key_buffer *buffer) {
	mcp_key_parts parts = object->parts;
	parts.name = php_mcp_bytes_of(name);
	return mcp_key_make(buffer, &parts);
}

/* Renews the call. php_mcp_cache_object_get_for must have accepted the object and the name. */
void php_mcp_cache_object_renew(mcp_cache_call *call, mcp_cache_object *object, zend_string *name);
/* One half of a renewal: makes the key. The other half, the next function, prepares the cache for requests. */
static zend_always_inline void php_mcp_cache_object_name(mcp_cache_call *call,
	mcp_cache_object *object, zend_string *name) {
	call->object = object;
	call->key = php_mcp_cache_object_key(object, name, &call->buffer);
}
void php_mcp_cache_object_prepare(mcp_cache_call *call);

/* Adds `by` to a count of the object and its group. */
static inline void php_mcp_cache_object_tally(const mcp_cache_object *object,
	mcp_count_of_cache which, uint64_t by) {
	mcp_meter_tally(object->meter, object->statistics, which, by);
}

/* Counts the computation of a result that will be stored, and its time. */
void php_mcp_cache_object_count_computation(const mcp_cache_object *object, uint32_t compute_ms);
/* Counts the rebuild of this key, and its share of the compute time. */
void php_mcp_cache_object_count_rebuild(const mcp_cache_object *object, const zend_string *name,
	uint32_t compute_ms);
/* Adds an event other than a read or a write of this key to the trace. */
void php_mcp_cache_object_trace(const mcp_cache_object *object, mcp_trace_code letter,
	const zend_string *name);
/* Counts a result that was discarded. */
void php_mcp_cache_object_count_refused(const mcp_cache_object *object, const zend_string *name);

/* Returns the view's base, or the object itself. */
static inline mcp_cache_object *php_mcp_cache_object_base(mcp_cache_object *object) {
	return object->of != NULL ? object->of : object;
}

/* Makes the array that Cache::stats() returns. */
void php_mcp_cache_object_report(const mcp_cache_object *object, zval *report);

/* Finds out whether a kept read or a claim is for a key that the same Fiber has emptied in bulk. clear() empties a
 * namespace, and flush() empties all servers. */

/* The location of a key with kept data, and the Fiber that owns the data. */
typedef struct mcp_kept_place {
	uint64_t servers;       /* hash of all servers of the Pool */
	uint64_t server;        /* hash of the key's server address */
	uint64_t key_namespace; /* hash of the Pool's and the Cache's prefixes */
	const void *fiber;      /* see php_mcp_fiber_now */
} mcp_kept_place;

uint64_t php_mcp_cache_object_server_hash(const char *address);
/* Hashes the prefixes of the Pool and the Cache. */
uint64_t php_mcp_cache_object_namespace_hash(const mcp_cache_object *object);
/* Makes the location of a key that this Fiber has read or was elected for. */
mcp_kept_place php_mcp_cache_object_place(const mcp_cache_object *object, const mcp_key *key);

/* A tag that this Fiber has invalidated on a server, and its new state there. */
typedef struct mcp_invalidated_tag {
	uint64_t server; /* see mcp_kept_place */
	mcp_tag tag;     /* tag with its current version; 0: the tag has no version */
} mcp_invalidated_tag;

/* Identifies the keys that this Fiber has emptied. */
typedef struct mcp_emptied {
	mcp_pool *pool;
	uint64_t key_namespace;
	bool is_everything; /* all keys on the Pool's servers; false: only the namespace */
} mcp_emptied;

/* Returns true if `emptied` includes this place, and the running Fiber owns the place's data. */
bool php_mcp_cache_object_has_emptied(const mcp_emptied *emptied, const mcp_kept_place *place);

/* --- tags --- */

/* Maximum number of tags of a value, without the namespace tag. */
#define MCP_TAG_NAMES_MAX (MCP_ENVELOPE_TAGS_MAX - 1)

/* Makes the list of these tags. The keys of `names` are at most MCP_TAG_NAMES_MAX tags, and begin with the tags of
 * `base`, whose fingerprints are copied. `base` NULL: none. The caller must efree() the list. */
mcp_cache_tags *php_mcp_cache_object_make_tags(const mcp_pool *pool, const mcp_cache_tags *base,
	const zend_array *names);

/* Copies the object's own tag names. The caller owns the table. */
static inline zend_array *php_mcp_cache_object_copy_tag_names(const mcp_cache_object *object) {
	return object->tag_names != NULL ? zend_array_dup(object->tag_names) : zend_new_array(0);
}
/* Adds the arguments, which are strings or arrays of strings, to `names` as keys. `names` must then have 1 to
 * MCP_TAG_NAMES_MAX keys. False with an exception about the invalid argument. */
bool php_mcp_cache_object_parse_tag_names(zval *arguments, uint32_t count, zend_array *names);

/* Copies captured tag versions into a string that can outlive objects and calls. NULL if there are no versions. */
static inline zend_string *php_mcp_cache_object_copy_tag_versions(mcp_bytes numbers) {
	return numbers.length > 0 ? zend_string_init(numbers.data, numbers.length, false) : NULL;
}

/* Copies the tag versions that a read has found. */
zend_string *php_mcp_cache_object_tag_versions_of(const mcp_cache_object *object,
	const mcp_cache_entry *entry);
static inline mcp_bytes php_mcp_cache_object_view_tag_versions(const zend_string *copy) {
	return copy != NULL ? php_mcp_bytes_of(copy) : mcp_bytes_none();
}

/* --- lifetimes --- */

/* The lifetime arguments of a call, for php_mcp_duration_parse(). NULL, or a zval that is null: not given. */
typedef struct mcp_cache_lifetime_arguments {
	zval *ttl, *grace;
	uint32_t ttl_arg_num, grace_arg_num; /* for the ValueError */
} mcp_cache_lifetime_arguments;

/* Checks and parses the arguments, and applies no jitter. False with an exception. */
bool php_mcp_cache_object_judge_lifetime(const mcp_cache_object *object,
	mcp_cache_lifetime_arguments arguments, mcp_lifetime *lifetime);
/* Applies random jitter. */
mcp_lifetime php_mcp_cache_object_spread_lifetime(mcp_lifetime lifetime, double jitter);

/* Calls both functions, with the object's jitter. */
static zend_always_inline bool php_mcp_cache_object_parse_lifetime(const mcp_cache_object *object,
	mcp_cache_lifetime_arguments arguments, mcp_lifetime *lifetime) {
	bool is_right = php_mcp_cache_object_judge_lifetime(object, arguments, lifetime);
	if (is_right && object->options.jitter > 0) {
		*lifetime = php_mcp_cache_object_spread_lifetime(*lifetime, object->options.jitter);
	}
	return is_right;
}

/* Parses the return value of remember()'s callable $ttl, and combines it with the requested grace. Applies no jitter.
 * Takes over `ttl`. False with a TypeError or ValueError that names the callable. */
bool php_mcp_cache_object_parse_returned_lifetime(const mcp_cache_object *object, zval *ttl,
	const mcp_lifetime *asked, mcp_lifetime *lifetime);

#endif
