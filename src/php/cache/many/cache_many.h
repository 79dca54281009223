/* Many keys of one Cache at once: the work of getMultiple, setMultiple, deleteMultiple and expireMultiple, and
 * what reading many takes, for rememberMany too. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_MANY_H
#define MCP_PHP_CACHE_MANY_H

#include "../object/cache_lifetime.h"
#include "../object/cache_object.h"

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
	struct mcp_many_near *near; /* see cache_many_near.h; NULL: nothing is near */
} mcp_cache_many;

/* Fills everything but object and cache, which the caller has set. There must be names, and they must live until
 * the end, in this table or elsewhere. */
void php_mcp_cache_many_begin(mcp_cache_many *many, HashTable *names);
void php_mcp_cache_many_end(mcp_cache_many *many);
/* Ends where no payload was copied. */
void php_mcp_cache_many_end_uncopied(mcp_cache_many *many);

mcp_cache_batch php_mcp_cache_many_batch(mcp_cache_many *many);

/* Copies, before any user code, every value that is there, old ones included. */
void php_mcp_cache_many_copy_payloads(mcp_cache_many *many);
/* Copies the i-th alone. */
void php_mcp_cache_many_copy_payload(mcp_cache_many *many, size_t i);

/* Notes a look through a view, when no entry's view is needed any more, for what this process stores next. */
void php_mcp_cache_many_note_looks(mcp_cache_many *many);

/* True with an exception if there is a key that no caller can be elected for: its server gives no cas ids. */
bool php_mcp_cache_many_complain(const mcp_cache_many *many);

/* Takes the i-th value. False for a miss, an unreadable value (counted), or with an exception. */
bool php_mcp_cache_many_take(mcp_cache_many *many, size_t i, zval *value);

/* --- the methods: of any iterable; an Error when the object was never constructed --- */

/* Fills *result, which is made here, with a value or the fallback (NULL: null) for each key; elects as get
 * does. Stops at an exception; this one is in cache_many_get.c. */
void php_mcp_cache_many_get(zend_object *std, zval *keys, zval *fallback, zval *result);

/* Encodes all, then stores each that can be (C18). False if one was not stored, or with an exception. */
bool php_mcp_cache_many_set(zend_object *std, zval *given, mcp_cache_lifetime_arguments arguments);

/* Deletes each. False if one may not be gone, or with an exception. */
bool php_mcp_cache_many_delete(zend_object *std, zval *keys);

/* Expires each. False if it was not done for one, or with an exception. */
bool php_mcp_cache_many_expire(zend_object *std, zval *keys);

#endif
