/* The object behind McPatterns\Cache, and what its method files share. Methods stand in class_cache.c and
 * cache_<group>.c by what they do. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_OBJECT_H
#define MCP_PHP_CACHE_OBJECT_H

#include "../../patterns/cache.h"
#include "../pool/pool.h"
#include "cache_claims.h"

#include "php.h"

struct mcp_cache_object {
	mcp_pool *pool;     /* a reference; NULL until constructed */
	zend_string *scope; /* a reference: the Cache's own prefix */
	uint64_t ttl_ms;
	bool has_grace; /* otherwise as long as the TTL */
	uint64_t grace_ms;
	uint32_t lease_ms;
	uint32_t wait_ms;
	bool serve_stale;
	bool stale_on_error;
	double early;
	double jitter;
	mcp_cache_statistics statistics;
	zend_object std;
};

extern zend_class_entry *mcp_cache_class_entry;

static inline mcp_cache_object *mcp_cache_object_from(zend_object *object) {
	return (mcp_cache_object *)((char *)object - XtOffsetOf(mcp_cache_object, std));
}

/* One call on one key: everything the pattern wants, on the stack of the method. After user code it
 * must be begun again. */
typedef struct mcp_cache_call {
	mcp_cache_object *object;
	mcp_cache cache;
	mcp_key_buffer buffer;
	mcp_key key;
} mcp_cache_call;

/* NULL with an Error when the object was never constructed. */
mcp_cache_object *mcp_cache_object_get(zend_object *object);

/* A Cache with every default, as `new Cache($pool)` makes. The caller owns the reference. */
zend_object *mcp_cache_object_create(mcp_pool *pool);

/* The pattern's context without a key, for calls on many. */
mcp_cache mcp_cache_object_context(mcp_cache_object *object);

/* The key that `name` is in this scope of this pool. */
mcp_key mcp_cache_key(mcp_pool *pool, zend_string *scope, zend_string *name,
	mcp_key_buffer *buffer);

/* The key that `name` is for this cache. */
mcp_key mcp_cache_object_key(const mcp_cache_object *object, zend_string *name,
	mcp_key_buffer *buffer);

/* False with a ValueError about parameter arg_num when the name is empty, or with an Error when the
 * object was never constructed. */
bool mcp_cache_object_begin(mcp_cache_call *call, zend_object *object, zend_string *name,
	uint32_t arg_num);

/* The same without its checks, after user code, for an object and a name that have passed them. */
void mcp_cache_object_renew(mcp_cache_call *call, mcp_cache_object *object, zend_string *name);

/* Decodes what the entry serves into *value. False for a miss: nothing there, unreadable (counted),
 * or an exception that the value's own code threw. Runs user code: the entry's views are dead after. */
bool mcp_cache_value_decode(mcp_cache_call *call, const mcp_cache_entry *entry, zval *value);

/* --- lifetimes --- */

#define MCP_CACHE_EARLY_RULE "must be between 0 and 1000"
#define MCP_CACHE_JITTER_RULE "must be between 0 and 1"
bool mcp_cache_early_is_valid(double early);
bool mcp_cache_jitter_is_valid(double jitter);

/* The lifetime for a call's $ttl and $grace (NULL: the object's), jitter applied. */
typedef struct mcp_duration_argument {
	zval *value;      /* NULL or null: not given */
	uint32_t arg_num; /* for the ValueError */
} mcp_duration_argument;
bool mcp_cache_lifetime_parse(const mcp_cache_object *object, mcp_duration_argument ttl,
	mcp_duration_argument grace, mcp_lifetime *lifetime);
/* The same with another jitter than the object's. */
bool mcp_cache_lifetime_parse_spread(const mcp_cache_object *object, mcp_duration_argument ttl,
	mcp_duration_argument grace, double jitter, mcp_lifetime *lifetime);

/* --- values --- */

/* Encodes and hands to `write` (set, add, replace ...). Answers what a method returns: true when
 * stored; false when not; an exception when the value cannot be (its type, its size). */
typedef mcp_status (*mcp_cache_writer)(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_value *value);
bool mcp_cache_value_store(zend_object *object, zend_string *name, zval *value,
	mcp_lifetime lifetime, mcp_cache_writer write);

/* Throws for what a caller must hear of, whatever the method answers otherwise: the StoredValueException
 * for MCP_TOO_LARGE, the ServerException for MCP_NO_CAS; nothing for other statuses. */
void mcp_cache_value_complain(const mcp_cache_call *call, mcp_status status, zend_string *name);

#endif
