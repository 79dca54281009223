/* What every method of McPatterns\Cache does first and last: object and key checks on the way in,
 * decoding and lifetimes. */
/* SPDX-License-Identifier: MIT */
#include "cache_object.h"

#include "../duration.h"
#include "../environment.h"
#include "../exceptions.h"
#include "../failure.h"
#include "../value.h"

#include "Zend/zend_exceptions.h"

mcp_cache_object *mcp_cache_object_get(zend_object *zend_object) {
	mcp_cache_object *object = mcp_cache_object_from(zend_object);
	if (UNEXPECTED(object->pool == NULL)) {
		zend_throw_error(NULL, "%s object was never constructed", ZSTR_VAL(zend_object->ce->name));
		return NULL;
	}
	return object;
}

mcp_cache mcp_cache_object_context(mcp_cache_object *object) {
	return (mcp_cache){
		.store = mcp_pool_store(object->pool),
		.environment = mcp_environment_get(),
		.statistics = &object->statistics,
		.lease_ms = object->lease_ms,
		.lease_is_fitted = true,
	};
}

mcp_key mcp_cache_key(mcp_pool *pool, zend_string *scope, zend_string *name,
	mcp_key_buffer *buffer) {
	mcp_key_parts parts = {
		.space = MCP_SPACE_CACHE,
		.prefix = mcp_pool_prefix(pool),
		.scope = mcp_bytes_of(ZSTR_VAL(scope), ZSTR_LEN(scope)),
		.name = mcp_bytes_of(ZSTR_VAL(name), ZSTR_LEN(name)),
	};
	return mcp_key_make(buffer, &parts);
}

mcp_key mcp_cache_object_key(const mcp_cache_object *object, zend_string *name,
	mcp_key_buffer *buffer) {
	return mcp_cache_key(object->pool, object->scope, name, buffer);
}

void mcp_cache_object_renew(mcp_cache_call *call, mcp_cache_object *object, zend_string *name) {
	call->object = object;
	call->cache = mcp_cache_object_context(object);
	call->key = mcp_cache_object_key(object, name, &call->buffer);
}

bool mcp_cache_object_begin(mcp_cache_call *call, zend_object *zend_object, zend_string *name,
	uint32_t arg_num) {
	mcp_cache_object *object = mcp_cache_object_get(zend_object);
	if (UNEXPECTED(object == NULL)) {
		return false;
	}
	if (UNEXPECTED(ZSTR_LEN(name) == 0)) {
		zend_argument_value_error(arg_num, "cannot be empty");
		return false;
	}
	mcp_cache_object_renew(call, object, name);
	return true;
}

bool mcp_cache_value_decode(mcp_cache_call *call, const mcp_cache_entry *entry, zval *value) {
	if (!entry->has_value) {
		return false;
	}
	if (EXPECTED(mcp_value_decode(value, entry->payload, entry->flags))) {
		return true;
	}
	call->object->statistics.unreadable++;
	return false;
}

static bool is_given(mcp_duration_argument argument) {
	return argument.value != NULL && Z_TYPE_P(argument.value) != IS_NULL;
}

/* C10: soft TTLs spread, so that what was stored together does not expire together. */
static uint64_t spread(uint64_t ttl_ms, double jitter) {
	if (jitter <= 0) {
		return ttl_ms;
	}
	uint64_t random = mcp_random_u64(mcp_environment_get());
	double share = 2.0 * ((double)(random >> 11) / 9007199254740992.0) - 1.0; /* 2^53 */
	double spread_ms = (double)ttl_ms * (1.0 + jitter * share);
	return spread_ms < 1 && ttl_ms > 0 ? 1 : (uint64_t)spread_ms;
}

bool mcp_cache_lifetime_parse(const mcp_cache_object *object, mcp_duration_argument ttl,
	mcp_duration_argument grace, mcp_lifetime *lifetime) {
	return mcp_cache_lifetime_parse_spread(object, ttl, grace, object->jitter, lifetime);
}

bool mcp_cache_lifetime_parse_spread(const mcp_cache_object *object, mcp_duration_argument ttl,
	mcp_duration_argument grace, double jitter, mcp_lifetime *lifetime) {
	uint64_t ttl_ms = object->ttl_ms;
	if (is_given(ttl) && !mcp_duration_parse(ttl.value, ttl.arg_num, MCP_DURATION_ANY, &ttl_ms)) {
		return false;
	}
	uint64_t as_ttl_ms = ttl_ms == 0 ? MCP_GRACE_FOREVER : ttl_ms;
	uint64_t grace_ms = object->has_grace ? object->grace_ms : as_ttl_ms;
	if (is_given(grace) &&
		!mcp_duration_parse(grace.value, grace.arg_num, MCP_DURATION_OR_INFINITE, &grace_ms)) {
		return false;
	}
	lifetime->ttl_ms = spread(ttl_ms, jitter);
	lifetime->grace_ms = grace_ms > MCP_GRACE_FOREVER ? MCP_GRACE_FOREVER : grace_ms;
	lifetime->keeps_grace = !is_given(grace);
	return true;
}

void mcp_cache_value_complain(const mcp_cache_call *call, mcp_status status, zend_string *name) {
	mcp_store *store = call->cache.store;
	if (status == MCP_TOO_LARGE) {
		size_t limit = mcp_store_item_max(store, &call->key, 0) + MCP_STORE_ITEM_OVERHEAD;
		bool is_even = limit % 1048576 == 0;
		zend_throw_exception_ex(mcp_stored_value_exception, 0,
			"Cannot store the value of \"%s\": it is larger than memcached's limit of %zu %s",
			ZSTR_VAL(name), is_even ? limit / 1048576 : limit, is_even ? "MiB" : "bytes");
	} else if (status == MCP_NO_CAS) {
		mcp_failure_throw_for_key(status, "change", mcp_bytes_of(ZSTR_VAL(name), ZSTR_LEN(name)),
			store, &call->key);
	}
}

bool mcp_cache_value_store(zend_object *zend_object, zend_string *name, zval *value,
	mcp_lifetime lifetime, mcp_cache_writer write) {
	mcp_encoded_value encoded;
	if (!mcp_value_encode(&encoded, value, 2)) {
		return false;
	}
	/* Encoding ran user code: the call begins only now. */
	mcp_cache_call call;
	if (!mcp_cache_object_begin(&call, zend_object, name, 1)) {
		mcp_value_release(&encoded);
		return false;
	}
	mcp_cache_value record = {
		.payload = encoded.payload,
		.flags = encoded.flags,
		.compute_ms = mcp_cache_claims_age_ms(call.object, name),
		.lifetime = lifetime,
	};
	mcp_status status = write(&call.cache, &call.key, &record);
	mcp_value_release(&encoded);
	mcp_cache_value_complain(&call, status, name);
	if (status == MCP_OK) {
		/* What this process was elected to compute has been stored (C6). */
		mcp_cache_claims_fulfil(call.object, name);
	}
	return status == MCP_OK;
}
