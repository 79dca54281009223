/* The object behind McPatterns\Cache: what it was made with, and what a call on one of its keys wants. It
 * knows nothing of claims and values. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_OBJECT_CACHE_OBJECT_H
#define MCP_PHP_CACHE_OBJECT_CACHE_OBJECT_H

#include "../../../patterns/cache/cache.h"
#include "../../../patterns/cache/entry/cache_tags.h"
#include "../../../patterns/copies/copies.h"
#include "../../objects/object.h"
#include "../../pool/pool.h"
#include "php.h"

/* Once more, for what includes PHP only now. */
#undef near

/* Options that a Cache is made with. Most of them a call can choose otherwise. */
typedef struct mcp_cache_options {
	uint64_t ttl_ms;
	bool has_grace; /* otherwise as long as the TTL */
	uint64_t grace_ms;
	uint64_t lease_ms, wait_ms, holdoff_ms; /* of 32 bits */
	bool serve_stale;
	bool stale_on_error;
	bool reads_foreign;
	double early;
	double jitter;
	bool is_clearable;
	zend_long copies; /* of each key */
	uint64_t near_ms; /* how old what is answered near may be; 0: nothing is */
	bool is_guarded;
} mcp_cache_options;

/* An early refresh with a larger beta would nearly always come. */
#define MCP_CACHE_EARLY_MAX 1000.0

typedef struct mcp_cache_object {
	mcp_pool *pool;     /* a reference; NULL until constructed */
	zend_string *scope; /* a reference: the Cache's own prefix */
	mcp_cache_options options;
	mcp_cache_statistics *statistics; /* its own, or those of the cache that it is a view of */
	const mcp_meter *meter;           /* its own, or none: NULL */
	mcp_cache_tags *tags; /* made by cache_tag_list.h: what all of its values have; NULL: nothing */
	mcp_cache_statistics own_statistics;
	mcp_meter own_meter;
	/* Where the Audit of its values is, or NULL: its own, or that of the cache that it is a view of. */
	struct mcp_audit **audit;
	struct mcp_audit *own_audit; /* borrowed: it leaves when it ends */
	zend_array *tag_names;       /* of a view, as keys; a reference; else NULL */
	struct mcp_cache_object *of; /* of a view: a reference, to no view; else NULL */
	mcp_copies *copies;          /* owned; NULL: it keeps one of each key */
	uint64_t copies_since;       /* the pool's changes when what they have found was found */
	mcp_cache context;     /* of its calls, but for the store, which may be another each time */
	mcp_key_parts parts;   /* of its keys, without a name: views into the pool and the scope */
	struct mcp_memo *memo; /* owned; NULL: nothing of it is near */
	bool notes_looks;      /* has tags or is guarded: what its looks find is kept */
	zend_object std;
} mcp_cache_object;

/* One call on one key: everything the pattern wants, on the stack of the method. After user code it
 * must be renewed. */
typedef struct mcp_cache_call {
	mcp_cache_object *object;
	mcp_cache cache;
	mcp_key_buffer buffer;
	mcp_key key;
} mcp_cache_call;

extern zend_class_entry *php_mcp_cache_class_entry;

/* Registers at start-up how objects of this class are made and freed. */
void php_mcp_cache_object_register(zend_class_entry *type);

static inline mcp_cache_object *php_mcp_cache_object_from(zend_object *std) {
	return (mcp_cache_object *)((char *)std - offsetof(mcp_cache_object, std));
}

/* Does what the constructor does. An exception if an argument is wrong, and then it stays unconstructed. */
void php_mcp_cache_object_construct(zend_execute_data *execute_data);

/* Makes a view of this cache, or of the one that this is a view of, whose values have the tags of these names, the keys of a
 * table that begins with the object's own. Takes over `names`. The caller owns the reference. */
zend_object *php_mcp_cache_object_create_view(mcp_cache_object *object, zend_array *names);

/* Makes copies that the caller owns. */
mcp_copies *php_mcp_cache_object_make_copies(unsigned count);

/* Makes a Cache with every default, as `new Cache($pool)` does. The caller owns the reference. */
zend_object *php_mcp_cache_object_create(mcp_pool *pool);

/* NULL with an Error if the object was never constructed. */
static inline mcp_cache_object *php_mcp_cache_object_get(zend_object *std) {
	mcp_cache_object *object = php_mcp_cache_object_from(std);
	return php_mcp_object_require_constructed(std, object->pool) ? object : NULL;
}

/* Returns that of an argument. NULL with an Error. */
mcp_cache_object *php_mcp_cache_object_take(zend_object *std);

/* Throws the ValueError. */
void php_mcp_cache_object_refuse_empty(void);
/* Returns it for a call on a key; NULL with a ValueError about the first parameter if its name is empty. */
static inline mcp_cache_object *php_mcp_cache_object_get_for(zend_object *std,
	const zend_string *name) {
	mcp_cache_object *object = php_mcp_cache_object_get(std);
	if (EXPECTED(object != NULL) && UNEXPECTED(ZSTR_LEN(name) == 0)) {
		php_mcp_cache_object_refuse_empty();
		return NULL;
	}
	return object;
}

/* Returns the grace of a value with this TTL: the object's own, or as long as the TTL; without end if that has
 * none. */
static inline uint64_t php_mcp_cache_object_grace_ms(const mcp_cache_object *object,
	uint64_t ttl_ms) {
	uint64_t as_ttl_ms = ttl_ms == 0 ? MCP_GRACE_FOREVER : ttl_ms;
	return object->options.has_grace ? object->options.grace_ms : as_ttl_ms;
}

/* Makes the pattern's context without a key, for calls on many. */
mcp_cache php_mcp_cache_object_context(mcp_cache_object *object);

/* Makes what all keys of this scope of this pool have: a name is missing. */
mcp_key_parts php_mcp_cache_object_parts(const mcp_pool *pool, const zend_string *scope);
/* Makes the key that `name` is in this scope of this pool. */
mcp_key php_mcp_cache_object_key(const mcp_pool *pool, const zend_string *scope,
	const zend_string *name, mcp_key_buffer *buffer);

/* Renews it for an object and a name that have passed the checks of php_mcp_cache_object_get_for. */
void php_mcp_cache_object_renew(mcp_cache_call *call, mcp_cache_object *object, zend_string *name);
/* Names the call's key; with the next, which prepares its cache for what asks a server, it renews in two steps. */
static zend_always_inline void php_mcp_cache_object_name(mcp_cache_call *call,
	mcp_cache_object *object, zend_string *name) {
	call->object = object;
	mcp_key_parts parts = object->parts;
	parts.name = mcp_bytes_of(ZSTR_VAL(name), ZSTR_LEN(name));
	call->key = mcp_key_make(&call->buffer, &parts);
}
void php_mcp_cache_object_prepare(mcp_cache_call *call);

/* Counts for the object and its group. */
static inline void php_mcp_cache_object_tally(const mcp_cache_object *object,
	mcp_count_of_cache which, uint64_t by) {
	mcp_meter_tally(object->meter, object->statistics, which, by);
}

/* Counts that results were computed, in so much time, to be stored. */
void php_mcp_cache_object_count_computation(const mcp_cache_object *object, uint32_t compute_ms);
/* Counts that it was for this key, or that so much of it was. */
void php_mcp_cache_object_count_rebuild(const mcp_cache_object *object, const zend_string *name,
	uint32_t compute_ms);
/* Notes in the trace what is no read and no write of this key. */
void php_mcp_cache_object_note(const mcp_cache_object *object, mcp_trace_code letter,
	const zend_string *name);
/* Counts a result that is no longer wanted. */
void php_mcp_cache_object_count_refused(const mcp_cache_object *object, const zend_string *name);
/* Counts a value that was computed while no server is there to keep it: the next caller computes, too. */
void php_mcp_cache_object_count_uncached(const mcp_cache_object *object, const zend_string *name);

/* Raises what counts the largest there was. */
static inline void php_mcp_cache_object_raise(const mcp_cache_object *object,
	mcp_count_of_cache which, uint64_t to) {
	mcp_meter_raise(object->meter, object->statistics, which, to);
}

/* Returns the cache that it is a view of, or itself. */
static inline mcp_cache_object *php_mcp_cache_object_base(mcp_cache_object *object) {
	return object->of != NULL ? object->of : object;
}

/* Reports the statistics as Cache::stats() does. */
void php_mcp_cache_object_report(const mcp_cache_object *object, zval *report);

/* Which of the keys that this process keeps something of, a look or a claim, its own Fiber has emptied with many others:
 * by clear() all of a namespace, by flush() all that is on the servers. */

/* Where a key is that something is kept of, and the Fiber that it is kept for. */
typedef struct mcp_kept_place {
	uint64_t servers;       /* hash of all of its Pool's */
	uint64_t server;        /* its own one, by the next function */
	uint64_t key_namespace; /* by the one after */
	const void *fiber;      /* by php_mcp_fiber_now */
} mcp_kept_place;

uint64_t php_mcp_cache_emptied_server(const char *address);
/* Hashes the Pool's and the Cache's prefix. */
uint64_t php_mcp_cache_emptied_namespace(const mcp_cache_object *object);
/* Makes it for a key of this object, which this Fiber looked at or was elected for. */
mcp_kept_place php_mcp_cache_emptied_place(const mcp_cache_object *object, const mcp_key *key);

/* What this Fiber has left of a tag that it has invalidated on a server. */
typedef struct mcp_tag_left {
	uint64_t server; /* as of a place */
	mcp_tag tag;     /* with the number that is there now; 0: it is not there */
} mcp_tag_left;

/* The keys that this Fiber has emptied. */
typedef struct mcp_emptied {
	mcp_pool *pool;
	uint64_t key_namespace;
	bool is_everything; /* on the Pool's servers; otherwise its own namespace's keys there */
} mcp_emptied;

/* Says whether it has emptied the key there, and the place is its own. */
bool php_mcp_cache_emptied_has(const mcp_emptied *emptied, const mcp_kept_place *place);

/* A table of what this process keeps of keys until its request ends: looks at tags, and notes of guarded Caches. It is the
 * process's, not an object's: whatever Cache of the same servers and prefix asks finds the same. */

/* At most so many keys; where one more has no room, the oldest is forgotten. */
#define MCP_KEPT_MAX 16384

/* The head of what is kept of one key; emalloc'ed, with the rest behind it. */
typedef struct mcp_kept {
	mcp_kept_place place;
	bool is_of_several; /* Fibers, of which the place has the first */
} mcp_kept;

/* Begins as NULL, and is NULL again after a reset. In a forked child what its parent has kept counts as forgotten: it may be
 * what the child stores. */
typedef struct mcp_kept_table mcp_kept_table;

/* Forgets all. */
void php_mcp_key_table_reset(mcp_kept_table **table);

/* Finds what is kept of a key of this object. NULL if nothing is. */
void *php_mcp_key_table_find(mcp_kept_table **table, const mcp_cache_object *object,
	const mcp_key *key);
/* Keeps something of a key that nothing is kept of: `size` bytes, head included, of which only the head is filled in. May
 * forget the oldest, never this one. */
void *php_mcp_key_table_add(mcp_kept_table **table, const mcp_cache_object *object,
	const mcp_key *key, size_t size);
/* Gives what is kept of the key another size; where it stood before is freed. */
void *php_mcp_key_table_resize(mcp_kept_table **table, const mcp_cache_object *object,
	const mcp_key *key, size_t size);
void php_mcp_key_table_remove(mcp_kept_table **table, const mcp_cache_object *object,
	const mcp_key *key);

/* Notes that this Fiber has it, too. */
void php_mcp_key_table_note_fiber(mcp_kept *kept);
/* Says whether it is known that this Fiber has it. */
bool php_mcp_key_table_knows_fiber(const mcp_kept *kept);

/* Returns how many keys something is kept of. */
size_t php_mcp_key_table_count(mcp_kept_table **table);
/* Forgets the oldest, of a table that has some. */
void php_mcp_key_table_forget_oldest(mcp_kept_table **table);
/* Says whether something was forgotten, for want of room or by a fork. */
bool php_mcp_key_table_has_forgotten(mcp_kept_table **table);
/* Takes it from now on as if something had been forgotten. */
void php_mcp_key_table_doubt(mcp_kept_table **table);

/* Visits what this Fiber alone has; each begins with a mcp_kept. */
void php_mcp_key_table_visit(mcp_kept_table **table, void (*visit)(void *kept, const void *context),
	const void *context);
/* Ends what this Fiber alone has of keys that it has emptied. */
void php_mcp_key_table_end_emptied(mcp_kept_table **table, const mcp_emptied *emptied);

#endif
