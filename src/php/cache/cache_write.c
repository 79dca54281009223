/* The writing methods of McPatterns\Cache, and the two that end a claim by hand. */
/* SPDX-License-Identifier: MIT */
#include "cache_methods.h"
#include "cache_object.h"

#include "../environment.h"
#include "../value.h"

/* set, add and replace. */
static void store(INTERNAL_FUNCTION_PARAMETERS, mcp_cache_writer write) {
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
		!mcp_cache_lifetime_parse(object, (mcp_duration_argument){ttl, 3},
			(mcp_duration_argument){grace, 4}, &lifetime)) {
		RETURN_THROWS();
	}
	RETURN_BOOL(mcp_cache_value_store(Z_OBJ_P(ZEND_THIS), name, value, lifetime, write));
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

/* Under the newest claim that get or lookup took, whatever object did. What has been overtaken by this very
 * process is refused without asking. */
static mcp_status publish(mcp_cache_call *call, zend_string *name, mcp_cache_value *value) {
	mcp_held_claim *held = mcp_cache_claims_find(call->object, name);
	if (held == NULL) {
		return MCP_NOT_STORED;
	}
	value->compute_ms = mcp_environment_elapsed_ms(held->taken_ns);
	mcp_status status = MCP_NOT_STORED;
	if (held->is_overtaken) {
		call->object->statistics.refused++;
	} else {
		status = mcp_cache_publish(&call->cache, &call->key, &held->claim, value);
	}
	mcp_cache_claims_count_time(call->object, held);
	/* Where it may not have been stored the claim is kept: to try again with, and to be given back. */
	if (status == MCP_OK || status == MCP_NOT_STORED) {
		mcp_cache_claims_end(held);
	}
	return status;
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
	if (!mcp_cache_object_begin(&call, Z_OBJ_P(ZEND_THIS), name, 1) ||
		!mcp_cache_lifetime_parse(call.object, (mcp_duration_argument){ttl, 3},
			(mcp_duration_argument){NULL, 0}, &lifetime) ||
		!mcp_value_encode(&encoded, value, 2)) {
		RETURN_THROWS();
	}
	mcp_cache_object_renew(&call, call.object, name);
	mcp_cache_value record = {
		.payload = encoded.payload,
		.flags = encoded.flags,
		.lifetime = lifetime,
	};
	mcp_status status = publish(&call, name, &record);
	mcp_value_release(&encoded);
	mcp_cache_value_complain(&call, status, name);
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
	if (!mcp_cache_object_begin(&call, Z_OBJ_P(ZEND_THIS), name, 1)) {
		RETURN_THROWS();
	}
	mcp_status status = operation(&call.cache, &call.key);
	if (status == MCP_OK) {
		mcp_cache_claims_drop(call.object, name);
	}
	mcp_cache_value_complain(&call, status, name);
	RETURN_BOOL(status == MCP_OK);
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
	if (!mcp_cache_object_begin(&call, Z_OBJ_P(ZEND_THIS), name, 1)) {
		RETURN_THROWS();
	}
	mcp_held_claim *held = mcp_cache_claims_find(call.object, name);
	if (held == NULL || held->is_overtaken) {
		RETURN_FALSE;
	}
	mcp_status status = mcp_cache_abandon(&call.cache, &call.key, &held->claim, false);
	if (status == MCP_OK || status == MCP_NOT_STORED) {
		mcp_cache_claims_end(held);
	}
	RETURN_BOOL(status == MCP_OK);
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
	if (!mcp_cache_object_begin(&call, Z_OBJ_P(ZEND_THIS), name, 1) ||
		!mcp_cache_lifetime_parse(call.object, (mcp_duration_argument){ttl, 2},
			(mcp_duration_argument){NULL, 0}, &lifetime)) {
		RETURN_THROWS();
	}
	mcp_status status = mcp_cache_touch(&call.cache, &call.key, lifetime);
	mcp_cache_value_complain(&call, status, name);
	RETURN_BOOL(status == MCP_OK);
}
