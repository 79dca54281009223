/* The reading methods of McPatterns\Cache: get, peek, has, entry and lookup. */
/* SPDX-License-Identifier: MIT */
#include "cache_methods.h"
#include "cache_object.h"

#include "class_entry.h"
#include "../environment.h"

typedef void (*reader)(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry);

static void return_default(zval *return_value, zval *fallback) {
	if (fallback != NULL) {
		RETURN_COPY(fallback);
	}
}

/* get and peek: the value or the default. */
static void answer(INTERNAL_FUNCTION_PARAMETERS, reader read) {
	zend_string *name;
	zval *fallback = NULL;
	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_STR(name)
		Z_PARAM_OPTIONAL
		Z_PARAM_ZVAL(fallback)
	ZEND_PARSE_PARAMETERS_END();

	mcp_cache_call call;
	if (!mcp_cache_object_begin(&call, Z_OBJ_P(ZEND_THIS), name, 1)) {
		RETURN_THROWS();
	}
	mcp_cache_entry entry;
	read(&call.cache, &call.key, &entry);
	mcp_cache_value_complain(&call, entry.trouble, name);
	if (EG(exception) != NULL) {
		RETURN_THROWS();
	}
	if (entry.verdict == MCP_VERDICT_ELECTED) {
		mcp_cache_claims_hold(call.object, name, &entry.claim);
	} else if (mcp_cache_value_decode(&call, &entry, return_value)) {
		return;
	}
	return_default(return_value, fallback);
}

ZEND_METHOD(McPatterns_Cache, get) {
	answer(INTERNAL_FUNCTION_PARAM_PASSTHRU, mcp_cache_lookup);
}

ZEND_METHOD(McPatterns_Cache, peek) {
	answer(INTERNAL_FUNCTION_PARAM_PASSTHRU, mcp_cache_read);
}

/* entry and lookup: the value with its story. */
static void tell(INTERNAL_FUNCTION_PARAMETERS, reader read) {
	zend_string *name;
	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(name)
	ZEND_PARSE_PARAMETERS_END();

	mcp_cache_call call;
	if (!mcp_cache_object_begin(&call, Z_OBJ_P(ZEND_THIS), name, 1)) {
		RETURN_THROWS();
	}
	mcp_cache_entry entry;
	read(&call.cache, &call.key, &entry);
	mcp_cache_value_complain(&call, entry.trouble, name);
	if (EG(exception) != NULL) {
		RETURN_THROWS();
	}
	if (entry.verdict == MCP_VERDICT_ELECTED) {
		mcp_cache_claims_hold(call.object, name, &entry.claim);
	}
	uint64_t now_ms = mcp_wall_ms(call.cache.environment);
	zval value;
	bool is_readable = mcp_cache_value_decode(&call, &entry, &value);
	if (EG(exception) != NULL) {
		RETURN_THROWS();
	}
	mcp_class_entry_create(return_value, &entry, is_readable ? &value : NULL, now_ms);
}

ZEND_METHOD(McPatterns_Cache, entry) {
	tell(INTERNAL_FUNCTION_PARAM_PASSTHRU, mcp_cache_read);
}

ZEND_METHOD(McPatterns_Cache, lookup) {
	tell(INTERNAL_FUNCTION_PARAM_PASSTHRU, mcp_cache_lookup);
}

ZEND_METHOD(McPatterns_Cache, has) {
	zend_string *name;
	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(name)
	ZEND_PARSE_PARAMETERS_END();

	mcp_cache_call call;
	if (!mcp_cache_object_begin(&call, Z_OBJ_P(ZEND_THIS), name, 1)) {
		RETURN_THROWS();
	}
	mcp_cache_entry entry;
	mcp_cache_read(&call.cache, &call.key, &entry);
	zval value;
	if (!mcp_cache_value_decode(&call, &entry, &value)) {
		RETURN_FALSE;
	}
	zval_ptr_dtor(&value);
	RETURN_TRUE;
}
