/* Values of a Cache: decoding of served values, encoding and writing of new values. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_VALUE_CACHE_VALUE_H
#define MCP_PHP_CACHE_VALUE_CACHE_VALUE_H

#include "../../engine/user_call.h"
#include "../../pool/pool_listener.h"
#include "../../value/value.h"
#include "../object/cache_object.h"

/* --- failures of values, in separate functions so that hits do not pay for them --- */

/* Reports a failure, with the current exception, if any. `name`: see mcp_error_event. */
void php_mcp_cache_value_report_failure(const mcp_cache_object *object, mcp_error_kind kind,
	const mcp_key *key, zend_string *name);
/* Reports the current exception as the reason why the value cannot be stored, if this extension or a method of the
 * value threw it. Ignores other exceptions. */
void php_mcp_cache_value_report_unstorable(const mcp_cache_object *object, zend_string *name,
	bool is_of_user);

/* Clears an exception that user code threw while a value was decoded, because the value is treated as a miss (C9). An
 * exit is not cleared. Returns false. */
bool php_mcp_cache_value_contain_exception(void);

/* --- get, peek, lookup and read --- */
typedef void (*mcp_cache_reader)(const mcp_cache *cache, const mcp_key *key,
	mcp_cache_entry *entry);

/* Records a read: keeps its claim, its tag versions and the read stamp of a guarded Cache. The entry's views remain
 * valid if it has a value. */
void php_mcp_cache_value_note_read(mcp_cache_call *call, zend_string *name, mcp_cache_entry *entry);
/* Handles an entry that is not just a fresh value. False with an exception. */
bool php_mcp_cache_value_handle_entry(mcp_cache_call *call, zend_string *name,
	mcp_cache_entry *entry);

/* Reads an entry. The process keeps the claim of an elected caller. False with an exception. */
static zend_always_inline bool php_mcp_cache_value_read(mcp_cache_call *call, zend_string *name,
	mcp_cache_reader read, mcp_cache_entry *entry) {
	read(&call->cache, &call->key, entry);
	bool is_all = entry->verdict == MCP_VERDICT_FRESH && entry->trouble == MCP_OK &&
		!call->object->records_reads;
	return EXPECTED(is_all) || php_mcp_cache_value_handle_entry(call, name, entry);
}

/* Encodes in the format of the object's Pool. Runs user code. */
bool php_mcp_cache_value_encode(mcp_encoded_value *encoded, const mcp_cache_object *object,
	zend_string *name, zval *value);

bool php_mcp_cache_value_encode_as(mcp_encoded_value *encoded, const mcp_cache_object *object,
	const mcp_format *format, zend_string *name, zval *value);

/* Makes the value to store, with borrowed payload and tags. */
static inline mcp_cache_value php_mcp_cache_value_of(const mcp_encoded_value *encoded,
	uint32_t compute_ms, mcp_lifetime lifetime, mcp_bytes tags) {
	return (mcp_cache_value){
		.payload = encoded->payload,
		.flags = encoded->flags,
		.compute_ms = compute_ms,
		.lifetime = lifetime,
		.tags = tags,
	};
}

/* Decodes a payload of this key. Runs user code. An unreadable value is counted and reported. An exception thrown by
 * its code is not cleared. */
bool php_mcp_cache_value_decode_payload(mcp_cache_object *object, const mcp_key *key,
	mcp_bytes payload, uint32_t flags, zval *value);

/* php_mcp_cache_value_decode_or_throw() for values that are not strings. */
bool php_mcp_cache_value_decode_other(mcp_cache_call *call, const mcp_cache_entry *entry,
	zval *value);

/* Decodes the entry's value. Runs user code, which invalidates the entry's views. False for a miss or an unreadable
 * value, which is counted and reported. An exception thrown by its code is not cleared. */
static zend_always_inline bool php_mcp_cache_value_decode_or_throw(mcp_cache_call *call,
	const mcp_cache_entry *entry, zval *value) {
	return (EXPECTED(entry->has_value) &&
			   EXPECTED(php_mcp_value_decode_string(value, entry->payload, entry->flags))) ||
		php_mcp_cache_value_decode_other(call, entry, value);
}

/* Like php_mcp_cache_value_decode_or_throw(), but a value that throws is treated as a miss (C9). Only an exit is
 * kept. */
static zend_always_inline bool php_mcp_cache_value_decode(mcp_cache_call *call,
	const mcp_cache_entry *entry, zval *value) {
	return php_mcp_cache_value_decode_or_throw(call, entry, value) ||
		(UNEXPECTED(EG(exception) != NULL) && php_mcp_cache_value_contain_exception());
}

/* Reads and creates the Entry. Runs user code. False with an exception; a claim of this read is then released. */
bool php_mcp_cache_value_make_entry(mcp_cache_call *call, zend_string *name, mcp_cache_reader read,
	zval *story);

/* True if peek() finds a decodable value. Runs user code. */
bool php_mcp_cache_value_exists(mcp_cache_call *call, zend_string *name);

/* Writes an encoded value. A stored value fulfills this process's claims on the key (C6). */
mcp_status php_mcp_cache_value_write(mcp_cache_call *call, zend_string *name,
	const mcp_encoded_value *encoded, mcp_lifetime lifetime, mcp_cache_writer write);

/* A value for a non-empty key. Borrowed from the running method. */
typedef struct mcp_cache_storing {
	mcp_cache_object *object;
	zend_string *name;
	zval *value;
	mcp_lifetime lifetime;
} mcp_cache_storing;

/* Encodes and writes. True: stored. False: not stored, with an exception if its type or size is the reason. */
bool php_mcp_cache_value_store(const mcp_cache_storing *storing, mcp_cache_writer write);

/* Like php_mcp_cache_value_store(), under the claim that this process holds. */
bool php_mcp_cache_value_publish(const mcp_cache_storing *storing);

/* Throws a StoredValueException for MCP_TOO_LARGE and a ServerException for MCP_NO_CAS. Ignores other statuses. */
void php_mcp_cache_value_throw_status(const mcp_cache_call *call, mcp_status status,
	zend_string *name);

/* --- the end of a claim --- */

/* Releases the newest claim of get() or lookup() on the key. A claim of this object takes precedence.
 * MCP_NOT_STORED, without a request: no claim, or this process has overtaken it. */
mcp_status php_mcp_cache_value_abandon_claim(mcp_cache_call *call, zend_string *name);

/* Releases a claim of get() or lookup() whose caller will not learn of it. Call it after user code. */
void php_mcp_cache_value_take_back_claim(mcp_cache_object *object, zend_string *name,
	const mcp_claim *claim);

/* Drops the claim after set() and similar methods have stored a value. Counts the compute time. */
void php_mcp_cache_value_fulfill_claim(mcp_cache_object *object, zend_string *name);

/* --- changes of the stored value: pull, delete, expire, touch, increment, and update, which runs user code between
 * read and write --- */

/* Reads and deletes the value. False for a miss, or with an exception. */
bool php_mcp_cache_value_pull(mcp_cache_call *call, zend_string *name, zval *value);

/* Ends a delete, a forget or an expire. On success, this process's claims on the key are overtaken. False on failure or
 * with an exception. */
bool php_mcp_cache_value_finish_delete(mcp_cache_call *call, zend_string *name, mcp_status status);

/* False if the value is not a counter, or with an exception. */
bool php_mcp_cache_value_increment(mcp_cache_call *call, zend_string *name, int64_t by,
	const mcp_cache_initial *initial, int64_t *number);

/* Reads, calls `change` with the value or null, and stores its result. Repeats this if another caller changed the
 * value meanwhile. Runs user code. False with an exception or if the script exits; *changed is then UNDEF. */
bool php_mcp_cache_value_update(mcp_cache_object *object, zend_string *name,
	const mcp_user_call *change, mcp_lifetime lifetime, zval *changed);

#endif
