/* Many keys of one Cache at once: the work of getMultiple, setMultiple, deleteMultiple and expireMultiple, and
 * what reading many takes, for rememberMany too. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_MANY_CACHE_MANY_H
#define MCP_PHP_CACHE_MANY_CACHE_MANY_H

#include "../object/cache_lifetime.h"
#include "../object/cache_object.h"
#include "php.h"

/* The keys asked for, each once, in the caller's order or with the near ones last, and what is known of them. */
typedef struct mcp_cache_many {
	mcp_cache_object *object;
	mcp_cache cache;
	size_t count;
	size_t
		asked; /* of these memcached is asked for the first so many; the others were found near */
	zend_string **names; /* borrowed */
	mcp_key *keys;
	mcp_key_buffer *buffers;
	mcp_cache_entry *entries;
	zend_string **copies; /* serialized payloads, out of the store's buffer; NULL where none */
	mcp_reply *replies;   /* scratch, see mcp_cache_batch */
	mcp_key *scratch_keys;
	mcp_key_buffer *side_buffers;
	uint64_t *tag_numbers;
	char *memory;               /* of all these arrays */
	struct mcp_many_near *near; /* see cache_many.h; NULL: nothing is near */
} mcp_cache_many;

/* Fills everything but object and cache, which the caller has set. There must be names, and they must live until
 * the end, in this table or elsewhere. */
void php_mcp_cache_many_begin(mcp_cache_many *many, HashTable *names);

/* Copies, before any user code, every value that is there, old ones included. */
void php_mcp_cache_many_copy_payloads(mcp_cache_many *many);

/* Notes a look through a view, when no entry's view is needed any more, for what this process stores next. */
void php_mcp_cache_many_note_looks(mcp_cache_many *many);

/* True with an exception if there is a key that no caller can be elected for: its server gives no cas ids. */
bool php_mcp_cache_many_complain(const mcp_cache_many *many);

/* --- the methods: of any iterable; an Error when the object was never constructed --- */

/* Fills *result, which is made here, with a value or the fallback (NULL: null) for each key; elects as get
 * does. Stops at an exception; this one is in cache_many.c. */
void php_mcp_cache_many_get(zend_object *std, zval *keys, zval *fallback, zval *result);

/* Encodes all, then stores each that can be (C18). False if one was not stored, or with an exception. */
bool php_mcp_cache_many_set(zend_object *std, zval *given, mcp_cache_lifetime_arguments arguments);

/* Deletes each. False if one may not be gone, or with an exception. */
bool php_mcp_cache_many_delete(zend_object *std, zval *keys);

/* Expires each. False if it was not done for one, or with an exception. */
bool php_mcp_cache_many_expire(zend_object *std, zval *keys);

/* The keys and values that a call on many is given, whatever iterable they come in. */

/* Both run user code to the end of the iterable, so that nothing is asked of a server before it has ended. False
 * with an exception: of the iterator, or about parameter arg_num, for what is no key. The caller destroys the
 * table in either case. */

/* Makes *names: each name once, in the order given, with null to it. */
bool php_mcp_cache_collect_names(HashTable *names, zval *keys, uint32_t arg_num);

/* Makes *values: name => value, never a reference. The last of several values of one name counts. */
bool php_mcp_cache_collect_values(HashTable *values, zval *given, uint32_t arg_num);

/* Many keys of a Cache that has values near: those that are found near stand behind those that memcached is to be
 * asked for. */

/* Finds, after php_mcp_cache_many_begin, of an object with a memo, what is near, counts it, and has the rest asked
 * for. `remember`: where the caller may be drawn to rebuild a value early; else NULL. */
void php_mcp_cache_many_near_find(mcp_cache_many *many, const mcp_remember *remember);

/* Takes the place of php_mcp_cache_many_batch, as the next ones do of _take and _end, whether anything is near
 * or not. */
mcp_cache_batch php_mcp_cache_many_near_batch(mcp_cache_many *many);
bool php_mcp_cache_many_near_take(mcp_cache_many *many, size_t i, zval *value);
void php_mcp_cache_many_near_end(mcp_cache_many *many);

/* Keeps what may be near, after memcached was asked, and before any user code. */
void php_mcp_cache_many_near_keep(mcp_cache_many *many);

#endif
