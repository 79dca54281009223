/* The class McPatterns\Cache: each method parses its arguments, calls the function that does the work, and returns. */
/* SPDX-License-Identifier: MIT */
#include "../engine/compat.h"
#include "../objects/classes.h"
#include "../objects/object.h"
#include "../objects/enums.h"
#include "../objects/options.h"
#include "../pool/class_pool.h"
#include "many/cache_many.h"
#include "near/cache_nearby.h"
#include "object/cache_object.h"
#include "remember/remember.h"
#include "remember/remember_call.h"
#include "reads/kept_reads.h"
#include "value/cache_value.h"
#include "ext/spl/spl_exceptions.h"
#include "zend_closures.h"
#include "zend_exceptions.h"

#include "class_cache_arginfo.h"

/* --- arguments of remember(), checked in two steps --- */

/* Arguments that affect the read are checked before the read. Arguments about the stored value are checked only when
 * this caller computes, so that a hit does not pay for them. */

/* The parsed arguments of remember(). Everything is borrowed. NULL, or a zval that is null: not given. */
typedef struct mcp_remember_arguments {
	zend_string *name;
	zval *closure;         /* $compute if it is a closure; otherwise NULL */
	mcp_user_call compute; /* $compute if it is not a closure */
	mcp_user_call tags_of; /* empty: not given */
	/* int|float|callable|null, checked here because there is no Z_PARAM for it */
	zval *ttl;
	zval *grace, *lease, *wait;
	bool stale, stale_is_null;
	bool stale_on_error, stale_on_error_is_null;
	double early, jitter;
	bool early_is_null, jitter_is_null;
	zend_object *refresh; /* NULL: not given */
	bool is_forced;
	zval *entry; /* a reference to ?Entry; NULL: not given */
} mcp_remember_arguments;

/* Returns true if a fresh value can be returned immediately, because no argument affects the read. */
static inline bool are_plain_arguments(const mcp_remember_arguments *arguments,
	const mcp_cache_object *object) {
	return arguments->early_is_null && object->options.early <= 0 && arguments->entry == NULL &&
		!arguments->is_forced && !php_mcp_duration_is_given(arguments->lease) &&
		!php_mcp_duration_is_given(arguments->wait);
}

static inline bool is_closure(const zval *value) {
	return Z_TYPE_P(value) == IS_OBJECT && Z_OBJCE_P(value) == zend_ce_closure;
}

static void clear_optional(mcp_remember_arguments *arguments) {
	arguments->tags_of.info.size = 0;
	arguments->grace = arguments->lease = arguments->wait = arguments->entry = NULL;
	arguments->stale_is_null = arguments->stale_on_error_is_null = true;
	arguments->early_is_null = arguments->jitter_is_null = true;
	arguments->refresh = NULL;
	arguments->is_forced = false;
}

/* A closure is always valid, so it is resolved only when it is called. */
static bool parse_remember(mcp_remember_arguments *arguments, zend_execute_data *execute_data) {
	arguments->closure = NULL;
	clear_optional(arguments);
	ZEND_PARSE_PARAMETERS_START(3, 14)
		Z_PARAM_STR(arguments->name)
		Z_PARAM_ZVAL(arguments->ttl)
		if (EXPECTED(is_closure(ZEND_CALL_ARG(execute_data, 3)))) {
			Z_PARAM_ZVAL(arguments->closure)
		} else {
			Z_PARAM_FUNC(arguments->compute.info, arguments->compute.cache)
		}
		Z_PARAM_OPTIONAL
		Z_PARAM_ZVAL(arguments->grace)
		Z_PARAM_NUMBER_OR_NULL(arguments->lease)
		Z_PARAM_NUMBER_OR_NULL(arguments->wait)
		Z_PARAM_BOOL_OR_NULL(arguments->stale, arguments->stale_is_null)
		Z_PARAM_BOOL_OR_NULL(arguments->stale_on_error, arguments->stale_on_error_is_null)
		Z_PARAM_DOUBLE_OR_NULL(arguments->early, arguments->early_is_null)
		Z_PARAM_DOUBLE_OR_NULL(arguments->jitter, arguments->jitter_is_null)
		Z_PARAM_OBJ_OF_CLASS_OR_NULL(arguments->refresh, php_mcp_refresh_enum)
		Z_PARAM_BOOL(arguments->is_forced)
		Z_PARAM_ZVAL(arguments->entry)
		Z_PARAM_FUNC_OR_NULL(arguments->tags_of.info, arguments->tags_of.cache)
	ZEND_PARSE_PARAMETERS_END_EX(return false);
	return true;
}

/* --- arguments that affect the read --- */

/* Check the value of the variable before a computation, which can change the variable. */
static bool judge_entry(zval *entry) {
	if (entry == NULL) {
		return true;
	}
	ZVAL_DEREF(entry);
	if (Z_TYPE_P(entry) == IS_NULL ||
		(Z_TYPE_P(entry) == IS_OBJECT && Z_OBJCE_P(entry) == php_mcp_entry_class_entry)) {
		return true;
	}
	zend_argument_type_error(13, "must be of type ?McPatterns\\Entry, %s given",
		zend_zval_type_name(entry));
	return false;
}

/* --- arguments about the stored value --- */

/* Accepts DateInterval|Time\Duration|int|float|callable|null. *duration is NULL for a callable. */
static bool judge_ttl(mcp_remember_call *remembering, zval *ttl, zval **duration) {
	*duration = NULL;
	if (Z_TYPE_P(ttl) == IS_NULL || php_mcp_duration_is_one(ttl)) {
		*duration = ttl;
		return true;
	}
	mcp_user_call *callback = &remembering->ttl_of;
	if (zend_fcall_info_init(ttl, 0, &callback->info, &callback->cache, NULL, NULL) == SUCCESS) {
		/* A __call() is resolved again when it is called, as with Z_PARAM_FUNC. */
		zend_release_fcall_info_cache(&callback->cache);
		return true;
	}
	if (Z_TYPE_P(ttl) == IS_STRING && zend_parse_arg_number(ttl, duration, false, 2)) {
		return true;
	}
	zend_argument_type_error(2,
		"must be of type DateInterval|Time\\Duration|callable|int|float|null, %s given",
		zend_zval_type_name(ttl));
	return false;
}

static bool judge_lifetime(mcp_remember_call *remembering, zval *ttl, zval *grace) {
	mcp_cache_lifetime_arguments arguments = {ttl, grace, 2, 4};
	if (!php_mcp_cache_object_judge_lifetime(remembering->object, arguments,
			&remembering->lifetime)) {
		return false;
	}
	remembering->options.lifetime =
		php_mcp_cache_object_spread_lifetime(remembering->lifetime, remembering->jitter);
	return true;
}

static bool judge_tags(const mcp_remember_call *remembering) {
	if (remembering->object->copies == NULL || php_mcp_user_call_is_none(&remembering->tags_of)) {
		return true;
	}
	zend_argument_value_error(14, "must be null for a Cache with several copies");
	return false;
}

/* Returns true if the check of the duration runs no user code. A string that might name a function can run an
 * autoloader, and any other string can run a handler for warnings. */
static bool is_simple(const zval *duration) {
	return !php_mcp_duration_is_given(duration) || php_mcp_duration_is_one(duration) ||
		is_closure(duration);
}

static mcp_argument_verdict judge_remember(mcp_remember_call *remembering) {
	const mcp_remember_arguments *arguments = remembering->arguments;
	bool are_simple = is_simple(arguments->ttl) && is_simple(arguments->grace);
	zval *duration;
	bool are_right = judge_ttl(remembering, arguments->ttl, &duration) &&
		(arguments->jitter_is_null || php_mcp_options_is_between(10, arguments->jitter, 0, 1)) &&
		judge_lifetime(remembering, duration, arguments->grace) && judge_tags(remembering);
	if (!are_right) {
		return MCP_ARGUMENTS_WRONG;
	}
	return are_simple ? MCP_ARGUMENTS_RIGHT : MCP_ARGUMENTS_RIGHT_AFTER_CODE;
}

/* --- both steps --- */

#if ZEND_DEBUG
/* Check the types of the arguments whose values are checked later. An engine with assertions aborts if a call returns
 * although an argument does not have the type of its parameter. */
static bool have_their_types(const mcp_remember_arguments *arguments) {
	mcp_remember_call none;
	zval *grace = arguments->grace;
	zval *number;
	uint64_t ms;
	return judge_ttl(&none, arguments->ttl, &number) &&
		(!php_mcp_duration_is_given(grace) || php_mcp_duration_is_one(grace) ||
			zend_parse_arg_number(grace, &number, false, 4) ||
			php_mcp_duration_parse(grace, 4, MCP_DURATION_GRACE, &ms));
}
#else
#define have_their_types(arguments) true
#endif

/* Checks the arguments that affect the read. `remembering->judge` checks the others later, so `arguments` must
 * outlive it. False with an exception. */
static bool begin_remember(mcp_remember_call *remembering, mcp_cache_object *object,
	const mcp_remember_arguments *arguments) {
	const mcp_cache_options *options = &object->options;
	*remembering = (mcp_remember_call){
		.object = object,
		.name = arguments->name,
		.arguments = arguments,
		.judge = judge_remember,
		.closure = arguments->closure,
		.lease_ms = options->lease_ms,
		.lease_is_given = php_mcp_duration_is_given(arguments->lease),
		.stale_on_error =
			arguments->stale_on_error_is_null ? options->stale_on_error : arguments->stale_on_error,
		.is_after_response = arguments->refresh != NULL &&
			php_mcp_enums_case(arguments->refresh) == MCP_REFRESH_AFTER_RESPONSE,
		.is_forced = arguments->is_forced,
		.jitter = arguments->jitter_is_null ? options->jitter : arguments->jitter,
		.options =
			{
				.serve_stale = arguments->stale_is_null
					? options->serve_stale && !arguments->is_forced
					: arguments->stale,
				.wait_ms = options->wait_ms,
				.early = arguments->early_is_null ? options->early : arguments->early,
			},
		.entry = arguments->entry,
	};
	if (arguments->closure == NULL) {
		remembering->compute = arguments->compute;
	}
	if (!php_mcp_user_call_is_none(&arguments->tags_of)) {
		remembering->tags_of = arguments->tags_of;
	}
	return php_mcp_duration_judge_short(arguments->lease, 5, MCP_DURATION_POSITIVE,
			   &remembering->lease_ms) &&
		php_mcp_duration_judge_short(arguments->wait, 6, MCP_DURATION_SHORT,
			&remembering->options.wait_ms) &&
		(arguments->early_is_null || /* the constructor has checked the object's `early` */
			php_mcp_options_is_between(9, arguments->early, 0, MCP_CACHE_EARLY_MAX)) &&
		judge_entry(arguments->entry);
}

/* --- the methods that take many keys --- */

ZEND_METHOD(McPatterns_Cache, rememberMany) {
	zval *keys;
	zval *ttl;
	mcp_remembering_many many = {0};
	mcp_remember_arguments arguments = {.name = NULL};
	ZEND_PARSE_PARAMETERS_START(3, 3)
		Z_PARAM_ITERABLE(keys)
		Z_PARAM_ZVAL(ttl)
		Z_PARAM_FUNC(arguments.compute.info, arguments.compute.cache)
	ZEND_PARSE_PARAMETERS_END();

	mcp_cache_object *object = php_mcp_cache_object_get(Z_OBJ_P(ZEND_THIS));
	clear_optional(&arguments);
	if (object == NULL || !begin_remember(&many.defaults, object, &arguments) ||
		!judge_lifetime(&many.defaults, ttl, NULL)) {
		RETURN_THROWS();
	}
	many.defaults.judge = NULL; /* done */
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

ZEND_METHOD(McPatterns_Cache, prefetch) {
	zval *keys;
	(void)return_value;
	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_ITERABLE(keys)
	ZEND_PARSE_PARAMETERS_END();

	php_mcp_cache_many_prefetch(Z_OBJ_P(ZEND_THIS), keys);
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
static void change_many(INTERNAL_FUNCTION_PARAMETERS, bool expires) {
	zval *keys;
	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_ITERABLE(keys)
	ZEND_PARSE_PARAMETERS_END();

	RETURN_BOOL(php_mcp_cache_many_change(Z_OBJ_P(ZEND_THIS), keys, expires));
}

ZEND_METHOD(McPatterns_Cache, deleteMultiple) {
	change_many(INTERNAL_FUNCTION_PARAM_PASSTHRU, false);
}

ZEND_METHOD(McPatterns_Cache, expireMultiple) {
	change_many(INTERNAL_FUNCTION_PARAM_PASSTHRU, true);
}

ZEND_METHOD(McPatterns_Cache, __construct) {
	(void)return_value;
	php_mcp_cache_object_construct(execute_data);
}

/* Parses a key, and also $default if `fallback` is not NULL. Returns the object, or NULL with an exception. */
static zend_always_inline mcp_cache_object *parse(zend_string **name, zval **fallback,
	zend_execute_data *execute_data) {
	ZEND_PARSE_PARAMETERS_START(1, fallback != NULL ? 2 : 1)
		Z_PARAM_STR(*name)
		Z_PARAM_OPTIONAL
		Z_PARAM_ZVAL(*fallback)
	ZEND_PARSE_PARAMETERS_END_EX(return NULL);
	return php_mcp_cache_object_get_for(Z_OBJ_P(ZEND_THIS), *name);
}

static bool begin_cache_call(mcp_cache_call *call, zend_string **name, zval **fallback,
	zend_execute_data *execute_data) {
	mcp_cache_object *object = parse(name, fallback, execute_data);
	if (EXPECTED(object != NULL)) {
		php_mcp_cache_object_renew(call, object, *name);
	}
	return object != NULL;
}

/* Serves get and peek. */
static void answer_read(INTERNAL_FUNCTION_PARAMETERS, mcp_cache_reader read) {
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
	if (!php_mcp_cache_value_read(&call, name, read, &entry)) {
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
	answer_read(INTERNAL_FUNCTION_PARAM_PASSTHRU, mcp_cache_get);
}

ZEND_METHOD(McPatterns_Cache, peek) {
	answer_read(INTERNAL_FUNCTION_PARAM_PASSTHRU, mcp_cache_peek);
}

/* Serves entry and lookup. */
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
	if (!php_mcp_cache_value_make_entry(&call, name, read, return_value)) {
		RETURN_THROWS();
	}
}

ZEND_METHOD(McPatterns_Cache, entry) {
	answer_with_story(INTERNAL_FUNCTION_PARAM_PASSTHRU, mcp_cache_read);
}

ZEND_METHOD(McPatterns_Cache, lookup) {
	answer_with_story(INTERNAL_FUNCTION_PARAM_PASSTHRU, mcp_cache_lookup);
}

/* Parses the object and the arguments of publish, set, add or replace. publish has no $grace. */
static bool parse_storing(mcp_cache_storing *storing, uint32_t parameters_max,
	zend_execute_data *execute_data) {
	zval *ttl = NULL;
	zval *grace = NULL;
	ZEND_PARSE_PARAMETERS_START(2, parameters_max)
		Z_PARAM_STR(storing->name)
		Z_PARAM_ZVAL(storing->value)
		Z_PARAM_OPTIONAL
		Z_PARAM_ZVAL(ttl)
		Z_PARAM_ZVAL(grace)
	ZEND_PARSE_PARAMETERS_END_EX(return false);
	mcp_cache_lifetime_arguments arguments = {ttl, grace, 3, 4};
	storing->object = php_mcp_cache_object_get_for(Z_OBJ_P(ZEND_THIS), storing->name);
	return storing->object != NULL &&
		php_mcp_cache_object_parse_lifetime(storing->object, arguments, &storing->lifetime);
}

ZEND_METHOD(McPatterns_Cache, publish) {
	mcp_cache_storing storing;
	if (!parse_storing(&storing, 3, execute_data)) {
		RETURN_THROWS();
	}
	RETURN_BOOL(php_mcp_cache_value_publish(&storing));
}

ZEND_METHOD(McPatterns_Cache, abandon) {
	mcp_cache_call call;
	zend_string *name;
	if (!begin_cache_call(&call, &name, NULL, execute_data)) {
		RETURN_THROWS();
	}
	RETURN_BOOL(php_mcp_cache_value_abandon_claim(&call, name) == MCP_OK);
}

ZEND_METHOD(McPatterns_Cache, has) {
	zend_string *name;
	mcp_cache_object *object = parse(&name, NULL, execute_data);
	if (object == NULL) {
		RETURN_THROWS();
	}
	RETURN_BOOL(php_mcp_cache_nearby_has(object, name));
}

/* Serves set, add and replace. */
static void store(INTERNAL_FUNCTION_PARAMETERS, mcp_cache_writer write) {
	mcp_cache_storing storing;
	if (!parse_storing(&storing, 4, execute_data)) {
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
	if (object == NULL || !php_mcp_cache_object_parse_lifetime(object, arguments, &lifetime) ||
		!php_mcp_cache_value_update(object, name, &change, lifetime, return_value)) {
		RETURN_THROWS();
	}
}

ZEND_METHOD(McPatterns_Cache, pull) {
	mcp_cache_call call;
	zend_string *name;
	zval *fallback = NULL;
	if (!begin_cache_call(&call, &name, &fallback, execute_data)) {
		RETURN_THROWS();
	}
	if (!php_mcp_cache_value_pull(&call, name, return_value) && fallback != NULL) {
		RETURN_COPY(fallback);
	}
}

/* Serves delete and expire. */
static void overtake(INTERNAL_FUNCTION_PARAMETERS,
	mcp_status (*operation)(const mcp_cache *cache, const mcp_key *key)) {
	mcp_cache_call call;
	zend_string *name;
	if (!begin_cache_call(&call, &name, NULL, execute_data)) {
		RETURN_THROWS();
	}
	mcp_status status = operation(&call.cache, &call.key);
	RETURN_BOOL(php_mcp_cache_value_finish_delete(&call, name, status));
}

ZEND_METHOD(McPatterns_Cache, delete) {
	overtake(INTERNAL_FUNCTION_PARAM_PASSTHRU, mcp_cache_delete);
}

ZEND_METHOD(McPatterns_Cache, forget) {
	mcp_cache_call call;
	zend_string *name;
	if (!begin_cache_call(&call, &name, NULL, execute_data)) {
		RETURN_THROWS();
	}
	bool was_there;
	mcp_status status = mcp_cache_forget(&call.cache, &call.key, &was_there);
	RETURN_BOOL(php_mcp_cache_value_finish_delete(&call, name, status) && was_there);
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
	if (object == NULL || !php_mcp_cache_object_parse_lifetime(object, arguments, &lifetime)) {
		RETURN_THROWS();
	}
	mcp_cache_call call;
	php_mcp_cache_object_renew(&call, object, name);
	mcp_status status = mcp_cache_touch(&call.cache, &call.key, lifetime);
	php_mcp_cache_value_throw_status(&call, status, name);
	RETURN_BOOL(status == MCP_OK);
}

/* Serves increment and decrement. decrement has neither $initial nor $ttl. $ttl is checked even if it is not used. */
static void count_by(INTERNAL_FUNCTION_PARAMETERS, bool is_down) {
	zend_string *name;
	zend_long by = 1, initial = 0;
	bool initial_is_null = true;
	zval *ttl = NULL;
	ZEND_PARSE_PARAMETERS_START(1, is_down ? 2 : 4)
		Z_PARAM_STR(name)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(by)
		Z_PARAM_LONG_OR_NULL(initial, initial_is_null)
		Z_PARAM_ZVAL(ttl)
	ZEND_PARSE_PARAMETERS_END();

	mcp_cache_object *object = php_mcp_cache_object_get_for(Z_OBJ_P(ZEND_THIS), name);
	if (object == NULL) {
		RETURN_THROWS();
	}
	if (by == ZEND_LONG_MIN) {
		zend_argument_value_error(2, "must be greater than PHP_INT_MIN");
		RETURN_THROWS();
	}
	if (object->copies != NULL) {
		zend_throw_exception(spl_ce_LogicException,
			"a Cache with several copies cannot increment or decrement; use update()", 0);
		RETURN_THROWS();
	}
	mcp_cache_initial start = {.number = initial};
	mcp_cache_lifetime_arguments lifetime = {.ttl = ttl, .ttl_arg_num = 4};
	if ((!initial_is_null || php_mcp_duration_is_given(ttl)) &&
		!php_mcp_cache_object_parse_lifetime(object, lifetime, &start.lifetime)) {
		RETURN_THROWS();
	}
	mcp_cache_call call;
	php_mcp_cache_object_renew(&call, object, name);
	int64_t number;
	if (php_mcp_cache_value_increment(&call, name, is_down ? -(int64_t)by : by,
			initial_is_null ? NULL : &start, &number)) {
		RETURN_LONG((zend_long)number);
	}
	RETURN_FALSE;
}

ZEND_METHOD(McPatterns_Cache, increment) {
	count_by(INTERNAL_FUNCTION_PARAM_PASSTHRU, false);
}

ZEND_METHOD(McPatterns_Cache, decrement) {
	count_by(INTERNAL_FUNCTION_PARAM_PASSTHRU, true);
}

/* Not inlined, so that a plain hit does not clear its variables. */
static zend_never_inline void remember_on(mcp_cache_object *object,
	const mcp_remember_arguments *arguments, const mcp_first_read *first_read, zval *return_value) {
	mcp_remember_call remembering;
	if (begin_remember(&remembering, object, arguments)) {
		php_mcp_remember_answer(&remembering, first_read, return_value);
	}
}

ZEND_METHOD(McPatterns_Cache, remember) {
	mcp_remember_arguments arguments;
	mcp_first_read first_read;
	if (!parse_remember(&arguments, execute_data) || !have_their_types(&arguments)) {
		RETURN_THROWS();
	}
	mcp_cache_object *object = php_mcp_cache_object_get_for(Z_OBJ_P(ZEND_THIS), arguments.name);
	if (object == NULL) {
		RETURN_THROWS();
	}
	first_read.is_made = false;
	if (are_plain_arguments(&arguments, object) &&
		php_mcp_remember_at_once(object, arguments.name, &first_read, return_value)) {
		return;
	}
	remember_on(object, &arguments, &first_read, return_value);
}

/* Adds the method's tags to `names`. False with an exception. */
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
	return php_mcp_cache_object_parse_tag_names(arguments, count, names);
}

ZEND_METHOD(McPatterns_Cache, tagged) {
	mcp_cache_object *object = php_mcp_cache_object_get(Z_OBJ_P(ZEND_THIS));
	if (object != NULL && object->copies != NULL) {
		zend_value_error("a Cache with several copies cannot have tags");
	}
	if (EG(exception) != NULL) {
		RETURN_THROWS();
	}
	zend_array *names = php_mcp_cache_object_copy_tag_names(object);
	if (!parse_tags(execute_data, names)) {
		zend_array_release(names);
		RETURN_THROWS();
	}
	RETURN_OBJ(php_mcp_cache_object_create_view(object, names));
}

/* Serves invalidateTags and, if `is_strict`, deleteTags. */
static void invalidate(INTERNAL_FUNCTION_PARAMETERS, bool is_strict) {
	zend_array *names = zend_new_array(0);
	bool is_parsed = parse_tags(execute_data, names);
	mcp_cache_object *object = is_parsed ? php_mcp_cache_object_get(Z_OBJ_P(ZEND_THIS)) : NULL;
	if (object != NULL) {
		RETVAL_BOOL(php_mcp_kept_reads_invalidate_tags(object, names, is_strict));
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
	if (!php_mcp_options_read_switch(1, strict,
			"clear() deletes the object's whole prefix, delete() one key", &is_strict)) {
		RETURN_THROWS();
	}

	mcp_cache_object *object = php_mcp_cache_object_get(Z_OBJ_P(ZEND_THIS));
	if (object == NULL) {
		RETURN_THROWS();
	}
	RETURN_BOOL(php_mcp_kept_reads_clear_cache(object, is_strict));
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
