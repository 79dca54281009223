/* The work of getMultiple, prefetch, setMultiple, deleteMultiple and expireMultiple, and the reads of
 * rememberMany. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_MANY_CACHE_MANY_H
#define MCP_PHP_CACHE_MANY_CACHE_MANY_H

#include "../object/cache_object.h"
#include "php.h"

/* The keys, each once, and their results. The keys are in the caller's order, except that keys found in the near
 * cache come last. */
typedef struct mcp_cache_many {
	mcp_cache_object *object;
	mcp_cache cache;
	size_t count;
	/* batch.count is the number of keys that are requested from memcached; its arrays are for all keys */
	mcp_cache_batch batch;
	zend_string **names;
	mcp_key *keys;
	char *buffer;               /* for the next key; close together, keys touch fewer pages */
	zend_string **copies;       /* serialized payloads, copied from the store's buffer, or NULL */
	char *memory;               /* memory of all arrays */
	struct mcp_many_near *near; /* see cache_many.c; NULL: no near cache */
} mcp_cache_many;

/* Fills in all fields except object and cache, which the caller has set. `names`: elements of a hash table, with at
 * least `count` names, which must not be 0. The strings must live until php_mcp_cache_many_end. */
void php_mcp_cache_many_begin(mcp_cache_many *many, const Bucket *names, size_t count);

/* Copies every payload, also of stale values. Call it before any user code. */
void php_mcp_cache_many_copy_payloads(mcp_cache_many *many);

/* Records the tag versions of the reads, for later stores of this process. Do not use views of the entries
 * afterwards. */
void php_mcp_cache_many_note_reads(mcp_cache_many *many);

/* True with an exception if the server of a key sends no CAS values, so that no caller can be elected. */
bool php_mcp_cache_many_complain(const mcp_cache_many *many);

/* --- methods: each takes any iterable, and throws an Error if the object was never constructed --- */

/* Makes *result, with a value or the fallback (NULL: null) for each key. Elects like get(). Stops at an exception. */
void php_mcp_cache_many_get(zend_object *std, zval *keys, zval *fallback, zval *result);

/* Reads the fresh values into the object cache, for the rest of the request. Elects no caller, and counts nothing. */
void php_mcp_cache_many_prefetch(zend_object *std, zval *keys);

/* Encodes all values, and then stores each value that can be stored (C18). False if a value was not stored, or with
 * an exception. */
bool php_mcp_cache_many_set(zend_object *std, zval *given, mcp_cache_lifetime_arguments arguments);

/* Deletes or expires each key. False if a key might still exist, if a key was not expired, or with an exception. */
bool php_mcp_cache_many_change(zend_object *std, zval *keys, bool expires);

/* Collects the keys and values of an iterable. */

/* The next two functions iterate to the end, which runs user code, before the first request is sent. False with an
 * exception of the iterator, or with an exception about the first parameter for an invalid key. The caller always
 * destroys the table. */

/* Fills *names with each name once, in the given order. The value of each element is null. */
bool php_mcp_cache_many_collect_names(HashTable *names, zval *keys);

/* Fills *values with name => value, without references. The last value of a name counts. */
bool php_mcp_cache_many_collect_values(HashTable *values, zval *given);

/* Reads of many keys with a near cache. */

/* Finds and counts near values. The other keys remain to be requested. Call it after php_mcp_cache_many_begin, for an
 * object with an object cache. `remember`: for the random early refresh; NULL: none. */
void php_mcp_cache_many_near_find(mcp_cache_many *many, const mcp_remember *remember);

/* Takes the i-th value, like a read of one key. Runs user code. False for a miss, for an unreadable value, which is
 * counted, or with an exception. */
bool php_mcp_cache_many_take(mcp_cache_many *many, size_t i, zval *value);
void php_mcp_cache_many_end(mcp_cache_many *many);

/* Keeps the values of the replies in the near cache. Call it before any user code. */
void php_mcp_cache_many_near_keep(mcp_cache_many *many);

#endif
