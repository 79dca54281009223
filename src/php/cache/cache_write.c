/* The writing methods of McPatterns\Cache, and the two that end a claim by hand. */
/* SPDX-License-Identifier: MIT */
#include "cache_methods.h"
#include "cache_object.h"

#include "../value.h"

/* set, add and replace. */
static void store(INTERNAL_FUNCTION_PARAMETERS, mcp_cache_write write) {
	zend_string *name;
	zval *value;
	zval *ttl = NULL;
	zval *grace = NULL;
	ZEND_PARSE_PARAMETERS_START(2, 4)
		Z_PARAM_STR(name)
		Z_PARAM_ZVAL(value)
		Z_PARAM_OPTIONAL
		Z_PARAM_NUMBER_OR_NULL(ttl)
		Z_PARAM_NUMBER_OR_NULL(grace)
	ZEND_PARSE_PARAMETERS_END();

	mcp_cache_object *object = mcp_cache_object_get(Z_OBJ_P(ZEND_THIS));
	mcp_lifetime lifetime;
	if (object == NULL ||
		!mcp_cache_object_lifetime(object, (mcp_duration_argument){ttl, 3},
			(mcp_duration_argument){grace, 4}, &lifetime)) {
		RETURN_THROWS();
	}
	RETURN_BOOL(mcp_cache_object_store(Z_OBJ_P(ZEND_THIS), name, value, lifetime, write));
}

ZEND_METHOD(McPatterns_Cache, set) {
	store(INTERNAL_FUNCTION_PARAM_PASSTHRU, mcp_cache_set);
}

ZEND_METHOD(McPatterns_Cache, add) {
	store(INTERNAL_FUNCTION_PARAM_PASSTHRU, mcp_cache_add);
}

ZEND_METHOD(McPatterns_Cache, replace) {
	store(INTERNAL_FUNCTION_PARAM_PASSTHRU, mcp_cache_replace);
}

ZEND_METHOD(McPatterns_Cache, publish) {
	zend_string *name;
	zval *value;
	zval *ttl = NULL;
	ZEND_PARSE_PARAMETERS_START(2, 3)
		Z_PARAM_STR(name)
		Z_PARAM_ZVAL(value)
		Z_PARAM_OPTIONAL
		Z_PARAM_NUMBER_OR_NULL(ttl)
	ZEND_PARSE_PARAMETERS_END();

	mcp_cache_call call;
	mcp_lifetime lifetime;
	mcp_encoded_value encoded;
	if (!mcp_cache_call_begin(&call, Z_OBJ_P(ZEND_THIS), name, 1) ||
		!mcp_cache_object_lifetime(call.object, (mcp_duration_argument){ttl, 3},
			(mcp_duration_argument){NULL, 0}, &lifetime) ||
		!mcp_value_encode(&encoded, value, 2)) {
		RETURN_THROWS();
	}
	mcp_held_claim held;
	if (!mcp_cache_claims_take(call.object, name, &held)) {
		mcp_value_release(&encoded);
		RETURN_FALSE;
	}
	mcp_cache_call_renew(&call, call.object, name);
	mcp_cache_value record = {
		.payload = encoded.payload,
		.flags = encoded.flags,
		.compute_ms = mcp_held_claim_age_ms(&held),
		.lifetime = lifetime,
	};
	mcp_status status = mcp_cache_publish(&call.cache, &call.key, &held.claim, &record);
	mcp_value_release(&encoded);
	if (status == MCP_TOO_LARGE) {
		mcp_cache_claims_hold(call.object, name, &held.claim);
		mcp_cache_throw_if_too_large(status, name);
		RETURN_THROWS();
	}
	RETURN_BOOL(status == MCP_OK);
}

/* A method of one key that answers whether its pattern's status is MCP_OK. */
typedef mcp_status (*key_operation)(const mcp_cache *cache, const mcp_key *key);

static void operate(INTERNAL_FUNCTION_PARAMETERS, key_operation operation) {
	zend_string *name;
	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(name)
	ZEND_PARSE_PARAMETERS_END();

	mcp_cache_call call;
	if (!mcp_cache_call_begin(&call, Z_OBJ_P(ZEND_THIS), name, 1)) {
		RETURN_THROWS();
	}
	bool is_done = operation(&call.cache, &call.key) == MCP_OK;
	if (is_done) {
		mcp_cache_claims_drop(call.object, name);
	}
	RETURN_BOOL(is_done);
}

ZEND_METHOD(McPatterns_Cache, delete) {
	operate(INTERNAL_FUNCTION_PARAM_PASSTHRU, mcp_cache_delete);
}

ZEND_METHOD(McPatterns_Cache, expire) {
	operate(INTERNAL_FUNCTION_PARAM_PASSTHRU, mcp_cache_expire);
}

ZEND_METHOD(McPatterns_Cache, abandon) {
	zend_string *name;
	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(name)
	ZEND_PARSE_PARAMETERS_END();

	mcp_cache_call call;
	if (!mcp_cache_call_begin(&call, Z_OBJ_P(ZEND_THIS), name, 1)) {
		RETURN_THROWS();
	}
	mcp_held_claim held;
	if (!mcp_cache_claims_take(call.object, name, &held)) {
		RETURN_FALSE;
	}
	RETURN_BOOL(mcp_cache_abandon(&call.cache, &call.key, &held.claim, false) == MCP_OK);
}

ZEND_METHOD(McPatterns_Cache, touch) {
	zend_string *name;
	zval *ttl = NULL;
	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_STR(name)
		Z_PARAM_OPTIONAL
		Z_PARAM_NUMBER_OR_NULL(ttl)
	ZEND_PARSE_PARAMETERS_END();

	mcp_cache_call call;
	mcp_lifetime lifetime;
	if (!mcp_cache_call_begin(&call, Z_OBJ_P(ZEND_THIS), name, 1) ||
		!mcp_cache_object_lifetime(call.object, (mcp_duration_argument){ttl, 2},
			(mcp_duration_argument){NULL, 0}, &lifetime)) {
		RETURN_THROWS();
	}
	RETURN_BOOL(mcp_cache_touch(&call.cache, &call.key, lifetime) == MCP_OK);
}
