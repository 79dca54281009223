/* The class McPatterns\Cache: each method reads its arguments, asks for its work and answers. The work is in the
 * verbs' files beside this one, and the methods of many keys are in class_cache_many.c. */
/* SPDX-License-Identifier: MIT */
#include "../engine/compat.h"
#include "../objects/classes.h"
#include "../objects/object.h"
#include "../pool/class_pool.h"
#include "../objects/strict_argument.h"
#include "cache_arguments.h"
#include "cache_emptying.h"
#include "claims/claim_results.h"
#include "object/cache_lifetime.h"
#include "near/cache_nearby.h"
#include "object/cache_object.h"
#include "tags/cache_tag_names.h"
#include "tags/cache_tagging.h"
#include "value/cache_update.h"
#include "value/cache_value.h"
#include "remember/remember.h"
#include "remember_arguments.h"

#include "class_cache_arginfo.h"

ZEND_METHOD(McPatterns_Cache, __construct) {
	mcp_cache_arguments arguments;
	if (!php_mcp_cache_arguments_parse(&arguments, execute_data)) {
		RETURN_THROWS();
	}
	mcp_cache_object *object = php_mcp_cache_object_from(Z_OBJ_P(ZEND_THIS));
	mcp_pool *pool = php_mcp_class_pool_get(arguments.pool);
	mcp_cache_options options;
	/* Judging may run the handler of a deprecation: last comes whether the object is new. */
	if (pool == NULL || !php_mcp_cache_arguments_judge(&arguments, &options) ||
		!php_mcp_object_require_new(&object->std, object->pool)) {
		RETURN_THROWS();
	}
	php_mcp_cache_object_construct(object, pool, arguments.prefix, &options);
}

/* Parses what methods of a key take, and of a $default if `fallback` is not NULL. NULL with an exception. */
static zend_always_inline mcp_cache_object *parse(zend_string **name, zval **fallback,
	zend_execute_data *execute_data) {
	ZEND_PARSE_PARAMETERS_START(1, fallback != NULL ? 2 : 1)
		Z_PARAM_STR(*name)
		Z_PARAM_OPTIONAL
		Z_PARAM_ZVAL(*fallback)
	ZEND_PARSE_PARAMETERS_END_EX(return NULL);
	return php_mcp_cache_object_get_for(Z_OBJ_P(ZEND_THIS), *name);
}

static bool begin(mcp_cache_call *call, zend_string **name, zval **fallback,
	zend_execute_data *execute_data) {
	mcp_cache_object *object = parse(name, fallback, execute_data);
	if (EXPECTED(object != NULL)) {
		php_mcp_cache_object_renew(call, object, *name);
	}
	return object != NULL;
}

/* Serves get and peek: the value or the default. */
static void answer(INTERNAL_FUNCTION_PARAMETERS, mcp_cache_reader read) {
	mcp_cache_call call;
	zend_string *name;
	zval *fallback = NULL;
	mcp_cache_entry entry;
	mcp_cache_object *object = parse(&name, &fallback, execute_data);
	if (object == NULL) {
		RETURN_THROWS();
	}
	if (UNEXPECTED(object->memo != NULL)) {
		if (!php_mcp_cache_nearby_take(object, name, return_value) &&
			!php_mcp_cache_nearby_ask(object, name, read, NULL, return_value) &&
			EG(exception) == NULL && fallback != NULL) {
			RETURN_COPY(fallback);
		}
		return;
	}
	php_mcp_cache_object_renew(&call, object, name);
	if (!php_mcp_cache_value_ask(&call, name, read, &entry)) {
		RETURN_THROWS();
	}
	bool is_elected = entry.verdict == MCP_VERDICT_ELECTED;
	if (!is_elected && php_mcp_cache_value_decode(&call, &entry, return_value)) {
		return;
	}
	if (fallback != NULL) {
		RETURN_COPY(fallback);
	}
}

ZEND_METHOD(McPatterns_Cache, get) {
	answer(INTERNAL_FUNCTION_PARAM_PASSTHRU, mcp_cache_get);
}

ZEND_METHOD(McPatterns_Cache, peek) {
	answer(INTERNAL_FUNCTION_PARAM_PASSTHRU, mcp_cache_peek);
}

/* Serves entry and lookup: the value with its story. */
static void answer_with_story(INTERNAL_FUNCTION_PARAMETERS, mcp_cache_reader read) {
	mcp_cache_call call;
	zend_string *name;
	mcp_cache_object *object = parse(&name, NULL, execute_data);
	if (object == NULL) {
		RETURN_THROWS();
	}
	if (object->memo != NULL && read == mcp_cache_read) {
		php_mcp_cache_nearby_tell(object, name, return_value);
		return;
	}
	php_mcp_cache_object_renew(&call, object, name);
	if (!php_mcp_cache_value_tell(&call, name, read, return_value)) {
		RETURN_THROWS();
	}
}

ZEND_METHOD(McPatterns_Cache, entry) {
	answer_with_story(INTERNAL_FUNCTION_PARAM_PASSTHRU, mcp_cache_read);
}

ZEND_METHOD(McPatterns_Cache, lookup) {
	answer_with_story(INTERNAL_FUNCTION_PARAM_PASSTHRU, mcp_cache_lookup);
}

ZEND_METHOD(McPatterns_Cache, publish) {
	mcp_cache_storing storing;
	if (!php_mcp_cache_arguments_parse_storing(&storing, 3, execute_data)) {
		RETURN_THROWS();
	}
	RETURN_BOOL(php_mcp_cache_value_publish(&storing));
}

ZEND_METHOD(McPatterns_Cache, abandon) {
	mcp_cache_call call;
	zend_string *name;
	if (!begin(&call, &name, NULL, execute_data)) {
		RETURN_THROWS();
	}
	RETURN_BOOL(php_mcp_claim_results_abandon(&call, name) == MCP_OK);
}

ZEND_METHOD(McPatterns_Cache, has) {
	mcp_cache_call call;
	zend_string *name;
	mcp_cache_object *object = parse(&name, NULL, execute_data);
	if (object == NULL) {
		RETURN_THROWS();
	}
	if (object->memo != NULL) {
		RETURN_BOOL(php_mcp_cache_nearby_has(object, name));
	}
	php_mcp_cache_object_renew(&call, object, name);
	RETURN_BOOL(php_mcp_cache_value_exists(&call, name));
}

/* Serves set, add and replace. */
static void store(INTERNAL_FUNCTION_PARAMETERS, mcp_cache_writer write) {
	mcp_cache_storing storing;
	if (!php_mcp_cache_arguments_parse_storing(&storing, 4, execute_data)) {
		RETURN_THROWS();
	}
	RETURN_BOOL(php_mcp_cache_value_store(&storing, write));
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

ZEND_METHOD(McPatterns_Cache, update) {
	zend_string *name;
	mcp_user_call change;
	zval *ttl = NULL;
	ZEND_PARSE_PARAMETERS_START(2, 3)
		Z_PARAM_STR(name)
		Z_PARAM_FUNC(change.info, change.cache)
		Z_PARAM_OPTIONAL
		Z_PARAM_ZVAL(ttl)
	ZEND_PARSE_PARAMETERS_END();

	mcp_cache_object *object = php_mcp_cache_object_get_for(Z_OBJ_P(ZEND_THIS), name);
	mcp_cache_lifetime_arguments arguments = {.ttl = ttl, .ttl_arg_num = 3};
	mcp_lifetime lifetime;
	if (object == NULL || !php_mcp_cache_lifetime_parse(object, arguments, &lifetime) ||
		!php_mcp_cache_update_change(object, name, &change, lifetime, return_value)) {
		RETURN_THROWS();
	}
}

ZEND_METHOD(McPatterns_Cache, pull) {
	mcp_cache_call call;
	zend_string *name;
	zval *fallback = NULL;
	if (!begin(&call, &name, &fallback, execute_data)) {
		RETURN_THROWS();
	}
	if (!php_mcp_cache_update_pull(&call, name, return_value) && fallback != NULL) {
		RETURN_COPY(fallback);
	}
}

/* Serves delete and expire. */
static void overtake(INTERNAL_FUNCTION_PARAMETERS, mcp_cache_operation operation) {
	mcp_cache_call call;
	zend_string *name;
	if (!begin(&call, &name, NULL, execute_data)) {
		RETURN_THROWS();
	}
	RETURN_BOOL(php_mcp_cache_update_overtake(&call, name, operation));
}

ZEND_METHOD(McPatterns_Cache, delete) {
	overtake(INTERNAL_FUNCTION_PARAM_PASSTHRU, mcp_cache_delete);
}

ZEND_METHOD(McPatterns_Cache, forget) {
	mcp_cache_call call;
	zend_string *name;
	if (!begin(&call, &name, NULL, execute_data)) {
		RETURN_THROWS();
	}
	RETURN_BOOL(php_mcp_cache_update_forget(&call, name));
}

ZEND_METHOD(McPatterns_Cache, expire) {
	overtake(INTERNAL_FUNCTION_PARAM_PASSTHRU, mcp_cache_expire);
}

ZEND_METHOD(McPatterns_Cache, touch) {
	zend_string *name;
	zval *ttl = NULL;
	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_STR(name)
		Z_PARAM_OPTIONAL
		Z_PARAM_ZVAL(ttl)
	ZEND_PARSE_PARAMETERS_END();

	mcp_cache_object *object = php_mcp_cache_object_get_for(Z_OBJ_P(ZEND_THIS), name);
	mcp_cache_lifetime_arguments arguments = {.ttl = ttl, .ttl_arg_num = 2};
	mcp_lifetime lifetime;
	if (object == NULL || !php_mcp_cache_lifetime_parse(object, arguments, &lifetime)) {
		RETURN_THROWS();
	}
	mcp_cache_call call;
	php_mcp_cache_object_renew(&call, object, name);
	RETURN_BOOL(php_mcp_cache_update_touch(&call, name, lifetime));
}

/* Serves increment and decrement, which has neither $initial nor $ttl. */
static void count(INTERNAL_FUNCTION_PARAMETERS, bool is_down) {
	zend_string *name;
	mcp_count_arguments arguments = {.by = 1, .initial_is_null = true};
	ZEND_PARSE_PARAMETERS_START(1, is_down ? 2 : 4)
		Z_PARAM_STR(name)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(arguments.by)
		Z_PARAM_LONG_OR_NULL(arguments.initial, arguments.initial_is_null)
		Z_PARAM_ZVAL(arguments.ttl)
	ZEND_PARSE_PARAMETERS_END();

	mcp_cache_object *object = php_mcp_cache_object_get_for(Z_OBJ_P(ZEND_THIS), name);
	mcp_cache_initial initial;
	if (object == NULL || !php_mcp_cache_arguments_judge_count(object, &arguments, &initial)) {
		RETURN_THROWS();
	}
	mcp_cache_call call;
	php_mcp_cache_object_renew(&call, object, name);
	int64_t number;
	if (php_mcp_cache_update_count(&call, name, is_down ? -(int64_t)arguments.by : arguments.by,
			arguments.initial_is_null ? NULL : &initial, &number)) {
		RETURN_LONG((zend_long)number);
	}
	RETURN_FALSE;
}

ZEND_METHOD(McPatterns_Cache, increment) {
	count(INTERNAL_FUNCTION_PARAM_PASSTHRU, false);
}

ZEND_METHOD(McPatterns_Cache, decrement) {
	count(INTERNAL_FUNCTION_PARAM_PASSTHRU, true);
}

/* Does what most calls never need, apart, so that it is not cleared for them. */
static zend_never_inline void remember_on(mcp_cache_object *object,
	const mcp_remember_arguments *arguments, const mcp_remember_look *look, zval *return_value) {
	mcp_remembering remembering;
	if (php_mcp_remember_arguments_begin(&remembering, object, arguments)) {
		php_mcp_remember_answer(&remembering, look, return_value);
	}
}

ZEND_METHOD(McPatterns_Cache, remember) {
	mcp_remember_arguments arguments;
	mcp_remember_look look;
	if (!php_mcp_remember_arguments_parse(&arguments, execute_data)) {
		RETURN_THROWS();
	}
	mcp_cache_object *object = php_mcp_cache_object_get_for(Z_OBJ_P(ZEND_THIS), arguments.name);
	if (object == NULL) {
		RETURN_THROWS();
	}
	look.is_made = false;
	if (php_mcp_remember_arguments_are_plain(&arguments, object) &&
		php_mcp_remember_at_once(object, arguments.name, &look, return_value)) {
		return;
	}
	remember_on(object, &arguments, &look, return_value);
}

/* Adds the tags that the method is given to `names`. False with an exception. */
static bool parse_tags(zend_execute_data *execute_data, zend_array *names) {
	zval *arguments;
	uint32_t count;
	ZEND_PARSE_PARAMETERS_START(1, -1)
		Z_PARAM_VARIADIC('+', arguments, count)
	ZEND_PARSE_PARAMETERS_END_EX(return false);
	if (ZEND_CALL_INFO(execute_data) & ZEND_CALL_HAS_EXTRA_NAMED_PARAMS) {
		zend_unexpected_extra_named_error();
		return false;
	}
	return php_mcp_cache_tag_names_parse(arguments, count, names);
}

ZEND_METHOD(McPatterns_Cache, tagged) {
	mcp_cache_object *object = php_mcp_cache_object_get(Z_OBJ_P(ZEND_THIS));
	if (object != NULL && object->copies != NULL) {
		zend_value_error("a Cache with several copies has no tags");
	}
	if (EG(exception) != NULL) {
		RETURN_THROWS();
	}
	zend_array *names =
		object->tag_names != NULL ? zend_array_dup(object->tag_names) : zend_new_array(0);
	if (!parse_tags(execute_data, names)) {
		zend_array_release(names);
		RETURN_THROWS();
	}
	RETURN_OBJ(php_mcp_cache_object_create_view(object, names));
}

/* Serves invalidateTags and deleteTags. */
static void invalidate(INTERNAL_FUNCTION_PARAMETERS, bool is_strict) {
	zend_array *names = zend_new_array(0);
	bool is_parsed = parse_tags(execute_data, names);
	mcp_cache_object *object = is_parsed ? php_mcp_cache_object_get(Z_OBJ_P(ZEND_THIS)) : NULL;
	if (object != NULL) {
		RETVAL_BOOL(php_mcp_cache_tagging_invalidate(object, names, is_strict));
	}
	zend_array_release(names);
}

ZEND_METHOD(McPatterns_Cache, invalidateTags) {
	invalidate(INTERNAL_FUNCTION_PARAM_PASSTHRU, false);
}

ZEND_METHOD(McPatterns_Cache, deleteTags) {
	invalidate(INTERNAL_FUNCTION_PARAM_PASSTHRU, true);
}

ZEND_METHOD(McPatterns_Cache, clear) {
	zval *strict = NULL;
	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_ZVAL(strict)
	ZEND_PARSE_PARAMETERS_END();
	bool is_strict = true;
	if (!php_mcp_strict_argument_read_switch(1, strict,
			"everything under the object's own prefix is cleared; delete() takes a key",
			&is_strict)) {
		RETURN_THROWS();
	}

	mcp_cache_object *object = php_mcp_cache_object_get(Z_OBJ_P(ZEND_THIS));
	if (object == NULL) {
		RETURN_THROWS();
	}
	if (!php_mcp_cache_tagging_clear(object, is_strict)) {
		RETURN_FALSE;
	}
	php_mcp_cache_emptying_end_cleared(object);
	RETURN_TRUE;
}

ZEND_METHOD(McPatterns_Cache, stats) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_cache_object *object = php_mcp_cache_object_get(Z_OBJ_P(ZEND_THIS));
	if (object == NULL) {
		RETURN_THROWS();
	}
	php_mcp_cache_object_report(object, return_value);
}

void php_mcp_class_cache_register(void) {
	php_mcp_cache_object_register(register_class_McPatterns_Cache());
}
