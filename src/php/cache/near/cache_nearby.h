/* Reads of a Cache that has values near: its memo first, then the host's memory, then memcached. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_NEARBY_H
#define MCP_PHP_CACHE_NEARBY_H

#include "../object/cache_memo.h"
#include "../object/cache_object.h"
#include "../value/cache_value.h"

/* Begins what a call's reads take to be answered near; lives on the stack of the call. Its cache answers so
 * when it has it. */
void php_mcp_cache_nearby_begin(mcp_near *near, const mcp_cache_object *object);

/* Makes an entry that tells what a near value is. */
mcp_cache_entry php_mcp_cache_nearby_entry(const mcp_near_facts *facts);

/* Returns the origin, after a read by `near`, and before a decoding, which ends the entry's views. To be ended. */
mcp_memo_origin php_mcp_cache_nearby_origin(const mcp_near_look *look,
	const mcp_cache_entry *entry);
static inline void php_mcp_cache_nearby_end(mcp_memo_origin *origin) {
	if (origin->tags != NULL) {
		zend_string_release(origin->tags);
		origin->tags = NULL;
	}
}

/* Notes after the decoding: values that may be answered again go into the memo. */
void php_mcp_cache_nearby_note(const mcp_cache_object *object, zend_string *name, zval *value,
	const mcp_memo_origin *origin);
/* Notes what the host's memory had: a string, which is copied again as soon as it is looked up in the memo, goes
 * there when it is found for the second time. */
void php_mcp_cache_nearby_note_found(const mcp_cache_object *object, zend_string *name, zval *value,
	const mcp_memo_origin *origin);

/* Answers out of the memo, and counts it. */
bool php_mcp_cache_nearby_take(mcp_cache_object *object, zend_string *name, zval *value);
/* Answers so, at one reading of the clocks, in the places of a table what its names ask for, and plain strings out of the
 * host's memory, too. Returns a table of the names that are not there, to be released; NULL: all are. */
zend_array *php_mcp_cache_nearby_take_many(mcp_cache_object *object, HashTable *places);
/* Answers so with the entry that tells what the value is, unless this caller is drawn to rebuild it early; `draw` NULL: it
 * never is. */
bool php_mcp_cache_nearby_take_with(mcp_cache_object *object, zend_string *name,
	const mcp_near_draw *draw, mcp_cache_entry *entry, zval *value);

/* Answers a plain string out of the host's memory: copied once, into what is answered, then counted and noted. The
 * call needs no more than its object and key. False if the memory has none, which *near remembers; or it is to be
 * looked at as all else is. */
bool php_mcp_cache_nearby_take_string(mcp_cache_call *call, mcp_near *near, zend_string *name,
	mcp_near_facts *facts, zval *value);

/* Reads by way of the host's memory, and decodes into *value. False for a miss, a value that this caller was elected to
 * rebuild, one that does not decode, or with an exception. `entry` NULL: the story is not asked for. Runs user code. */
bool php_mcp_cache_nearby_ask(mcp_cache_object *object, zend_string *name, mcp_cache_reader read,
	mcp_cache_entry *entry, zval *value);

/* Says whether peek finds a value so that can be decoded. */
bool php_mcp_cache_nearby_has(mcp_cache_object *object, zend_string *name);

/* Makes the Entry of what is read so. False with an exception. */
bool php_mcp_cache_nearby_tell(mcp_cache_object *object, zend_string *name, zval *story);

#endif
