/* Decodes what is served, encodes and writes what is to be stored. Encoding is user code: a call begins, or
 * begins again, only after it. */
/* SPDX-License-Identifier: MIT */
#include "cache_value.h"

#include "../../objects/failure.h"
#include "../claims/cache_claims.h"
#include "../claims/claim_results.h"
#include "../guarded/cache_guarding.h"
#include "../tags/tag_snapshots.h"
#include "cache_trouble.h"
#include "../entry/class_entry.h"

void php_mcp_cache_value_note_look(mcp_cache_call *call, zend_string *name,
	mcp_cache_entry *entry) {
	if (entry->verdict == MCP_VERDICT_ELECTED) {
		php_mcp_cache_claims_hold(call, name, entry);
	}
	if (UNEXPECTED(call->cache.tags != NULL)) {
		php_mcp_tag_snapshots_note(call, name, entry, mcp_cache_look_gave(entry));
	}
	if (UNEXPECTED(php_mcp_cache_guarding_is_on(call->object))) {
		php_mcp_cache_guarding_note(call, entry);
	}
}

bool php_mcp_cache_value_take_note(mcp_cache_call *call, zend_string *name,
	mcp_cache_entry *entry) {
	php_mcp_cache_value_complain(call, entry->trouble, name);
	if (EG(exception) != NULL) {
		return false;
	}
	php_mcp_cache_value_note_look(call, name, entry);
	return true;
}

bool php_mcp_cache_value_encode(mcp_encoded_value *encoded, const mcp_cache_object *object,
	zend_string *name, zval *value) {
	return php_mcp_cache_value_encode_as(encoded, object, php_mcp_pool_format(object->pool), name,
		value);
}

bool php_mcp_cache_value_encode_as(mcp_encoded_value *encoded, const mcp_cache_object *object,
	const mcp_format *format, zend_string *name, zval *value) {
	if (php_mcp_value_encode(encoded, value, format,
			mcp_bytes_of(ZSTR_VAL(name), ZSTR_LEN(name)))) {
		return true;
	}
	mcp_key_buffer buffer;
	mcp_key key = php_mcp_cache_object_key(object->pool, object->scope, name, &buffer);
	php_mcp_cache_trouble_unstorable(object, &key, name);
	return false;
}

bool php_mcp_cache_value_take(mcp_cache_object *object, const mcp_key *key, mcp_bytes payload,
	uint32_t flags, zval *value) {
	return php_mcp_value_decode(value, payload, flags, php_mcp_pool_format(object->pool)) ||
		php_mcp_cache_trouble_undecoded(object, key);
}

bool php_mcp_cache_value_decode_other(mcp_cache_call *call, const mcp_cache_entry *entry,
	zval *value) {
	if (entry->has_value) {
		const mcp_format *format = php_mcp_pool_format(call->object->pool);
		return php_mcp_value_decode(value, entry->payload, entry->flags, format) ||
			php_mcp_cache_trouble_undecoded(call->object, &call->key);
	}
	if (entry->is_unreadable) {
		php_mcp_cache_trouble_unreadable(call->object, &call->key);
	}
	return false;
}

bool php_mcp_cache_value_tell(mcp_cache_call *call, zend_string *name, mcp_cache_reader read,
	zval *story) {
	mcp_cache_entry entry;
	if (!php_mcp_cache_value_ask(call, name, read, &entry)) {
		return false;
	}
	uint64_t now_ms = mcp_wall_ms(call->cache.environment);
	zval value;
	bool is_readable = php_mcp_cache_value_decode(call, &entry, &value);
	if (EG(exception) != NULL) {
		if (entry.verdict == MCP_VERDICT_ELECTED) {
			php_mcp_claim_results_take_back(call->object, name, &entry.claim);
		}
		return false;
	}
	php_mcp_class_entry_create(story, &entry, is_readable ? &value : NULL, now_ms);
	return true;
}

bool php_mcp_cache_value_exists(mcp_cache_call *call, zend_string *name) {
	mcp_cache_entry entry;
	mcp_cache_peek(&call->cache, &call->key, &entry);
	if (call->cache.tags != NULL) {
		php_mcp_tag_snapshots_note(call, name, &entry,
			entry.has_value ? MCP_LOOK_GAVE_A_VALUE : MCP_LOOK_GAVE_NO_WORD);
	}
	if (php_mcp_cache_guarding_is_on(call->object)) {
		php_mcp_cache_guarding_note(call, &entry);
	}
	zval value;
	if (!php_mcp_cache_value_decode(call, &entry, &value)) {
		return false;
	}
	zval_ptr_dtor(&value);
	return true;
}

void php_mcp_cache_value_complain(const mcp_cache_call *call, mcp_status status,
	zend_string *name) {
	if (status == MCP_TOO_LARGE) {
		php_mcp_cache_trouble_throw_too_large(call, name);
	} else if (status == MCP_NO_CAS) {
		php_mcp_failure_throw_for_key(status, "change",
			mcp_bytes_of(ZSTR_VAL(name), ZSTR_LEN(name)), call->cache.store, &call->key);
	}
}

/* Stores the value by `write`; a guarded Cache's in the place of what its looks have found. */
static mcp_status store_by(mcp_cache_call *call, const mcp_cache_value *value,
	mcp_cache_writer write) {
	if (EXPECTED(!php_mcp_cache_guarding_is_on(call->object))) {
		return write(&call->cache, &call->key, value);
	}
	if (write == mcp_cache_replace) {
		return php_mcp_cache_guarding_replace(call, value);
	}
	return write == mcp_cache_add ? php_mcp_cache_guarding_add(call, value)
								  : php_mcp_cache_guarding_set(call, value);
}

mcp_status php_mcp_cache_value_write(mcp_cache_call *call, zend_string *name,
	const mcp_encoded_value *encoded, mcp_lifetime lifetime, mcp_cache_writer write) {
	mcp_captured_tags captured;
	captured.length = 0;
	mcp_status status = MCP_OK;
	if (call->cache.tags != NULL) {
		status = php_mcp_tag_snapshots_capture(call, name, &captured);
	}
	if (status != MCP_OK) {
		php_mcp_cache_object_tally(call->object, MCP_COUNT_ERRORS, 1);
		return status;
	}
	bool may_fulfil = php_mcp_cache_claims_are_held();
	mcp_cache_value value = {
		.payload = encoded->payload,
		.flags = encoded->flags,
		.compute_ms = may_fulfil ? php_mcp_cache_claims_age_ms(call->object, name) : 0,
		.lifetime = lifetime,
		.tags = mcp_captured_tags_view(&captured),
	};
	status = store_by(call, &value, write);
	if (status == MCP_OK) {
		php_mcp_tag_snapshots_end(call->object, &call->key);
	}
	if (may_fulfil && status == MCP_OK) {
		php_mcp_claim_results_fulfil(call->object, name);
	}
	return status;
}

bool php_mcp_cache_value_store(const mcp_cache_storing *storing, mcp_cache_writer write) {
	mcp_encoded_value encoded;
	if (!php_mcp_cache_value_encode(&encoded, storing->object, storing->name, storing->value)) {
		return false;
	}
	mcp_cache_call call;
	php_mcp_cache_object_renew(&call, storing->object, storing->name);
	mcp_status status =
		php_mcp_cache_value_write(&call, storing->name, &encoded, storing->lifetime, write);
	php_mcp_value_release(&encoded);
	php_mcp_cache_value_complain(&call, status, storing->name);
	return status == MCP_OK;
}

bool php_mcp_cache_value_publish(const mcp_cache_storing *storing) {
	mcp_encoded_value encoded;
	if (!php_mcp_cache_value_encode(&encoded, storing->object, storing->name, storing->value)) {
		return false;
	}
	mcp_cache_call call;
	php_mcp_cache_object_renew(&call, storing->object, storing->name);
	mcp_cache_value record = {
		.payload = encoded.payload,
		.flags = encoded.flags,
		.lifetime = storing->lifetime,
	};
	mcp_status status = php_mcp_claim_results_publish(&call, storing->name, &record);
	if (status == MCP_OK) {
		php_mcp_tag_snapshots_end(call.object, &call.key);
	}
	php_mcp_value_release(&encoded);
	php_mcp_cache_value_complain(&call, status, storing->name);
	return status == MCP_OK;
}
