/* Values on their way: what an entry serves becomes a PHP value, a PHP value becomes what is written. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_VALUE_CACHE_VALUE_H
#define MCP_PHP_CACHE_VALUE_CACHE_VALUE_H

#include "../../engine/user_call.h"
#include "../../value/value.h"
#include "../object/cache_object.h"

/* The troubles that a Cache throws, counts and tells its Pool's listener of values. Apart from the files that read
 * and write them, whose hits are not to pay for it. */

/* Tells that what is there cannot be read, and what its own code has thrown, if that stands. */
void php_mcp_cache_trouble_unreadable(const mcp_cache_object *object, const mcp_key *key);

/* Ends the exception that stands, if there is one and it is no exit: what has thrown it is a miss (C9). Returns false. */
bool php_mcp_cache_trouble_contain(void);

/* get, peek, lookup and read. */
typedef void (*mcp_cache_reader)(const mcp_cache *cache, const mcp_key *key,
	mcp_cache_entry *entry);

/* Notes a look: holds the claim that it took, and keeps what it has found of tags and for a guarded Cache. The entry's views
 * live on if it has a value. */
void php_mcp_cache_value_note_look(mcp_cache_call *call, zend_string *name, mcp_cache_entry *entry);
/* Does all that is to be done with an entry which is not merely fresh. False with an exception. */
bool php_mcp_cache_value_take_note(mcp_cache_call *call, zend_string *name, mcp_cache_entry *entry);

/* Reads. An elected caller's claim is held by the process from here on. False with an exception. */
static zend_always_inline bool php_mcp_cache_value_ask(mcp_cache_call *call, zend_string *name,
	mcp_cache_reader read, mcp_cache_entry *entry) {
	read(&call->cache, &call->key, entry);
	bool is_all = entry->verdict == MCP_VERDICT_FRESH && entry->trouble == MCP_OK &&
		!call->object->notes_looks;
	return EXPECTED(is_all) || php_mcp_cache_value_take_note(call, name, entry);
}

/* Encodes by php_mcp_value_encode in the format of the object's Pool, for this key. Runs user code. */
bool php_mcp_cache_value_encode(mcp_encoded_value *encoded, const mcp_cache_object *object,
	zend_string *name, zval *value);

/* Encodes in another format. */
bool php_mcp_cache_value_encode_as(mcp_encoded_value *encoded, const mcp_cache_object *object,
	const mcp_format *format, zend_string *name, zval *value);

/* Decodes by php_mcp_value_decode what stands under this key. An unreadable value is counted and told; what it has thrown
 * stands. Runs user code. */
bool php_mcp_cache_value_take(mcp_cache_object *object, const mcp_key *key, mcp_bytes payload,
	uint32_t flags, zval *value);

/* Does the next one's work for all but strings. */
bool php_mcp_cache_value_decode_other(mcp_cache_call *call, const mcp_cache_entry *entry,
	zval *value);

/* Decodes what the entry serves into *value. False for a miss: nothing there, or unreadable (counted and told), then with
 * the exception that the value's own code threw. Runs user code: the entry's views are dead after. */
static zend_always_inline bool php_mcp_cache_value_decode_or_throw(mcp_cache_call *call,
	const mcp_cache_entry *entry, zval *value) {
	return (EXPECTED(entry->has_value) &&
			   EXPECTED(php_mcp_value_decode_string(value, entry->payload, entry->flags))) ||
		php_mcp_cache_value_decode_other(call, entry, value);
}

/* Decodes for a caller to whom a value that throws is a miss (C9): no exception but an exit stands. */
static zend_always_inline bool php_mcp_cache_value_decode(mcp_cache_call *call,
	const mcp_cache_entry *entry, zval *value) {
	return php_mcp_cache_value_decode_or_throw(call, entry, value) ||
		(UNEXPECTED(EG(exception) != NULL) && php_mcp_cache_trouble_contain());
}

/* Reads, and makes the Entry of what was read. False with an exception; then this caller's claim, of which it will
 * not hear, has been given back. Runs user code. */
bool php_mcp_cache_value_tell(mcp_cache_call *call, zend_string *name, mcp_cache_reader read,
	zval *story);

/* Says whether peek finds a value that can be decoded. Runs user code. */
bool php_mcp_cache_value_exists(mcp_cache_call *call, zend_string *name);

/* set, add and replace. */
typedef mcp_status (*mcp_cache_writer)(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_value *value);

/* Writes what is encoded already. When it was stored, this process's claims on the key are fulfilled (C6). */
mcp_status php_mcp_cache_value_write(mcp_cache_call *call, zend_string *name,
	const mcp_encoded_value *encoded, mcp_lifetime lifetime, mcp_cache_writer write);

/* A value to be stored under a key, which is not empty. All is borrowed from the running method. */
typedef struct mcp_cache_storing {
	mcp_cache_object *object;
	zend_string *name;
	zval *value;
	mcp_lifetime lifetime;
} mcp_cache_storing;

/* Encodes and writes. Answers what a method returns: true when stored; false if not; an exception when
 * the value cannot be (its type, its size). */
bool php_mcp_cache_value_store(const mcp_cache_storing *storing, mcp_cache_writer write);

/* Encodes and writes under the claim that this process holds. Answers as php_mcp_cache_value_store. */
bool php_mcp_cache_value_publish(const mcp_cache_storing *storing);

/* Throws for what a caller must hear of, whatever the method answers otherwise: the StoredValueException
 * for MCP_TOO_LARGE, the ServerException for MCP_NO_CAS; nothing for other statuses. */
void php_mcp_cache_value_complain(const mcp_cache_call *call, mcp_status status, zend_string *name);

/* Changes of what is there: pull, delete, expire, touch, increment, and update with the user's code in the middle. */

/* Takes the value out of the cache. False if there is none for this caller, or with an exception. */
bool php_mcp_cache_update_pull(mcp_cache_call *call, zend_string *name, zval *value);

/* delete and expire: when it was done, what this process holds on the key is overtaken. False if it was not,
 * or with an exception. */
typedef mcp_status (*mcp_cache_operation)(const mcp_cache *cache, const mcp_key *key);
bool php_mcp_cache_update_overtake(mcp_cache_call *call, zend_string *name,
	mcp_cache_operation operation);

/* Deletes, and answers whether the server had something to delete. False as well when it was not asked. */
bool php_mcp_cache_update_forget(mcp_cache_call *call, zend_string *name);

/* False if there is no value, or with an exception. */
bool php_mcp_cache_update_touch(mcp_cache_call *call, zend_string *name, mcp_lifetime lifetime);

/* False if there is no number to count, or with an exception. */
bool php_mcp_cache_update_count(mcp_cache_call *call, zend_string *name, int64_t by,
	const mcp_cache_initial *initial, int64_t *number);

/* Reads, calls `change` with the old value or null, and stores what it returns if nothing has changed
 * meanwhile; otherwise again. Runs user code. False with an exception, or when the engine is on its way out;
 * then *changed is UNDEF. */
bool php_mcp_cache_update_change(mcp_cache_object *object, zend_string *name,
	const mcp_user_call *change, mcp_lifetime lifetime, zval *changed);

#endif
