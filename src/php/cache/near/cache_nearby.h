/* Reads of a Cache with $near or after prefetch(): from the object cache first, then the near cache, then
 * memcached. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_NEARBY_H
#define MCP_PHP_CACHE_NEARBY_H

#include "../object/cache_memo.h"
#include "../object/cache_object.h"
#include "../value/cache_value.h"

/* Prepares *near, on the caller's stack, for the near reads of a call. They are made if the call's cache points to
 * *near. */
void php_mcp_cache_nearby_begin(mcp_near *near, const mcp_cache_object *object);

/* Makes the call read from the near cache first, if the object has one. */
static inline void php_mcp_cache_nearby_join(mcp_near *near, mcp_cache_call *call) {
	if (call->object->memo != NULL) {
		php_mcp_cache_nearby_begin(near, call->object);
		call->cache.near = near;
	}
}

/* Makes an entry for a near value. */
mcp_cache_entry php_mcp_cache_nearby_entry(const mcp_near_facts *facts);

/* Puts a decoded value into the object cache, if it can be served again. */
void php_mcp_cache_nearby_note(const mcp_cache_object *object, zend_string *name, zval *value,
	const mcp_memo_origin *origin);
/* Decodes the entry like php_mcp_cache_value_decode_or_throw(), and puts the value into the object cache.
 * `near_read`: from the read of the entry. */
bool php_mcp_cache_nearby_decode(mcp_cache_call *call, zend_string *name,
	const mcp_near_read *near_read, const mcp_cache_entry *entry, zval *value);

/* Takes a value from the object cache, and counts the hit. Decodes a prefetched value, which runs user code. True if
 * the script exits. */
bool php_mcp_cache_nearby_take(mcp_cache_object *object, zend_string *name, zval *value);
/* Fills the places of a table with values from the object cache and plain strings from the near cache. Reads the
 * clocks once. Returns a table of the missing names, which the caller owns. NULL: no name is missing. */
zend_array *php_mcp_cache_nearby_take_many(mcp_cache_object *object, HashTable *places);
/* Like php_mcp_cache_nearby_take, but also makes the entry. False if this caller is sampled for an early refresh.
 * `draw` NULL: no sampling. */
bool php_mcp_cache_nearby_take_with(mcp_cache_object *object, zend_string *name,
	const mcp_near_draw *draw, mcp_cache_entry *entry, zval *value);

/* Returns true if the object cache has the value, and it has no tags. Counts nothing. */
bool php_mcp_cache_nearby_is_kept(mcp_cache_object *object, zend_string *name);

/* Takes a plain string from the near cache with one copy, and counts and records the read. `call` needs only its
 * object and key. False if a full read is necessary, or if the near cache has no value, which is noted in *near. */
bool php_mcp_cache_nearby_take_string(mcp_cache_call *call, mcp_near *near, zend_string *name,
	mcp_near_facts *facts, zval *value);

/* Reads through the near cache, and decodes into *value. Runs user code. False for a miss, for an elected caller, for
 * a value that cannot be decoded, or with an exception. `entry` NULL: no entry details are needed. */
bool php_mcp_cache_nearby_ask(mcp_cache_object *object, zend_string *name, mcp_cache_reader read,
	mcp_cache_entry *entry, zval *value);

/* Returns true if peek() finds a value that can be decoded. Also for an object without `near`. */
bool php_mcp_cache_nearby_has(mcp_cache_object *object, zend_string *name);

/* Makes the Entry of a read through the near cache in *story. False with an exception. */
bool php_mcp_cache_nearby_tell(mcp_cache_object *object, zend_string *name, zval *story);

#endif
