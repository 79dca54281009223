/* The work of getMultiple, prefetch, setMultiple, deleteMultiple and expireMultiple, and of reads of many keys in
 * rememberMany. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_MANY_CACHE_MANY_H
#define MCP_PHP_CACHE_MANY_CACHE_MANY_H

#include "../object/cache_object.h"
#include "php.h"

/* The requested keys, each once, and the results. In the caller's order, or with the keys found in the near cache
 * last. */
typedef struct mcp_cache_many {
	mcp_cache_object *object;
	mcp_cache cache;
	size_t count;
	/* batch whose count is that of the keys requested from memcached. Its arrays are for all keys */
	mcp_cache_batch batch;
	zend_string **names;
	mcp_key *keys;
	char *buffer;               /* for the next key; close together, keys touch fewer pages */
	zend_string **copies;       /* serialized payloads, copied from the store's buffer, or NULL */
	char *memory;               /* memory of all these arrays */
	struct mcp_many_near *near; /* see cache_many.c; NULL: no near cache */
} mcp_cache_many;

/* Fills in all fields except object and cache, which the caller has set. `names` must not be empty, and the names
 * must live until the end, in this table or elsewhere. */
void php_mcp_cache_many_begin(mcp_cache_many *many, HashTable *names);

/* Copies every value, including stale values. Call it before any user code. */
void php_mcp_cache_many_copy_payloads(mcp_cache_many *many);

/* Records reads through a view for later stores of this process. Views of the entries are not used afterwards. */
void php_mcp_cache_many_note_reads(mcp_cache_many *many);

/* True with an exception if the server of a key gives no CAS values, so that no caller can be elected. */
bool php_mcp_cache_many_complain(const mcp_cache_many *many);

/* --- methods: take any iterable; an Error if the object was never constructed --- */

/* Makes *result with a value or the fallback (NULL: null) for each key. Elects like get(). Stops at an exception.
 * Defined in cache_many.c. */
void php_mcp_cache_many_get(zend_object *std, zval *keys, zval *fallback, zval *result);

/* Reads the fresh values into the object cache, for the rest of the request. Does not elect or count. */
void php_mcp_cache_many_prefetch(zend_object *std, zval *keys);

/* Encodes all values, then stores each value that can be stored (C18). False if a value was not stored, or with an
 * exception. */
bool php_mcp_cache_many_set(zend_object *std, zval *given, mcp_cache_lifetime_arguments arguments);

/* Deletes or expires each key. False if a key may still exist, if one did not expire, or with an exception. */
bool php_mcp_cache_many_change(zend_object *std, zval *keys, bool expires);

/* Collects the keys and values of an iterable. */

/* Both iterate to the end, which runs user code, before the first request is sent. False with an exception of
 * the iterator, or about the first parameter for an invalid key. The caller destroys the table in both cases. */

/* Fills *names with each name once, in the given order, with null as the value. */
bool php_mcp_cache_many_collect_names(HashTable *names, zval *keys);

/* Fills *values with name => value, without references. The last value of a name counts. */
bool php_mcp_cache_many_collect_values(HashTable *values, zval *given);

/* Reads of many keys with a near cache. The near keys come after the keys that are requested from memcached. */

/* Finds and counts near values after php_mcp_cache_many_begin, and leaves the other keys to be requested. The
 * object must have an object cache. `remember`: for the random early refresh, or NULL. */
void php_mcp_cache_many_near_find(mcp_cache_many *many, const mcp_remember *remember);

/* Takes the i-th value: strings directly, others decoded from their copy. False for a miss, for an unreadable value
 * (counted), or with an exception. */
bool php_mcp_cache_many_take(mcp_cache_many *many, size_t i, zval *value);
void php_mcp_cache_many_end(mcp_cache_many *many);

/* Keeps values in the near cache after the request. Call it before any user code. */
void php_mcp_cache_many_near_keep(mcp_cache_many *many);

#endif
