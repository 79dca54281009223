/* The methods of McPatterns\Cache that take many keys, as those of class_cache.c take one. */
/* SPDX-License-Identifier: MIT */
#include "object/cache_lifetime.h"
#include "many/cache_many.h"
#include "object/cache_object.h"
#include "remember/remember_many.h"
#include "remember_arguments.h"

/* Stands, as the next ones do, in the class's table, which class_cache_arginfo.h makes. */
ZEND_METHOD(McPatterns_Cache, rememberMany);
ZEND_METHOD(McPatterns_Cache, getMultiple);
ZEND_METHOD(McPatterns_Cache, setMultiple);
ZEND_METHOD(McPatterns_Cache, deleteMultiple);
ZEND_METHOD(McPatterns_Cache, expireMultiple);

ZEND_METHOD(McPatterns_Cache, rememberMany) {
	zval *keys;
	zval *ttl;
	mcp_remembering_many many = {0};
	mcp_remembering *defaults = &many.defaults;
	ZEND_PARSE_PARAMETERS_START(3, 3)
		Z_PARAM_ITERABLE(keys)
		Z_PARAM_ZVAL(ttl)
		Z_PARAM_FUNC(defaults->compute.info, defaults->compute.cache)
	ZEND_PARSE_PARAMETERS_END();

	defaults->object = php_mcp_cache_object_get(Z_OBJ_P(ZEND_THIS));
	if (defaults->object == NULL || !php_mcp_remember_arguments_use_defaults(defaults, ttl)) {
		RETURN_THROWS();
	}
	php_mcp_remember_many_answer(&many, keys, return_value);
}

ZEND_METHOD(McPatterns_Cache, getMultiple) {
	zval *keys;
	zval *fallback = NULL;
	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_ITERABLE(keys)
		Z_PARAM_OPTIONAL
		Z_PARAM_ZVAL(fallback)
	ZEND_PARSE_PARAMETERS_END();

	php_mcp_cache_many_get(Z_OBJ_P(ZEND_THIS), keys, fallback, return_value);
}

ZEND_METHOD(McPatterns_Cache, setMultiple) {
	zval *values;
	zval *ttl = NULL;
	zval *grace = NULL;
	ZEND_PARSE_PARAMETERS_START(1, 3)
		Z_PARAM_ITERABLE(values)
		Z_PARAM_OPTIONAL
		Z_PARAM_ZVAL(ttl)
		Z_PARAM_ZVAL(grace)
	ZEND_PARSE_PARAMETERS_END();

	mcp_cache_lifetime_arguments arguments = {ttl, grace, 2, 3};
	RETURN_BOOL(php_mcp_cache_many_set(Z_OBJ_P(ZEND_THIS), values, arguments));
}

/* Serves deleteMultiple and expireMultiple. */
static void change_many(INTERNAL_FUNCTION_PARAMETERS,
	bool (*change)(zend_object *std, zval *keys)) {
	zval *keys;
	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_ITERABLE(keys)
	ZEND_PARSE_PARAMETERS_END();

	RETURN_BOOL(change(Z_OBJ_P(ZEND_THIS), keys));
}

ZEND_METHOD(McPatterns_Cache, deleteMultiple) {
	change_many(INTERNAL_FUNCTION_PARAM_PASSTHRU, php_mcp_cache_many_delete);
}

ZEND_METHOD(McPatterns_Cache, expireMultiple) {
	change_many(INTERNAL_FUNCTION_PARAM_PASSTHRU, php_mcp_cache_many_expire);
}
