/* Judges each argument of remember() once, with a TypeError or a ValueError for each mistake, and puts the object's defaults in
 * for what was not given. */
/* SPDX-License-Identifier: MIT */
#include "remember_arguments.h"

#include "../objects/enums.h"
#include "cache_arguments.h"
#include "object/cache_lifetime.h"

#include "zend_closures.h"

static inline bool is_closure(const zval *value) {
	return Z_TYPE_P(value) == IS_OBJECT && Z_OBJCE_P(value) == zend_ce_closure;
}

/* Looks a closure up only where it is called: it is always right. */
static bool parse(mcp_remember_arguments *arguments, zend_execute_data *execute_data) {
	arguments->closure = NULL;
	arguments->tags_of.info.size = 0;
	arguments->grace = arguments->lease = arguments->wait = arguments->entry = NULL;
	arguments->stale_is_null = arguments->stale_on_error_is_null = true;
	arguments->early_is_null = arguments->jitter_is_null = true;
	arguments->refresh = NULL;
	arguments->is_forced = false;
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

/* --- what the look is steered by --- */

static bool judge_lease(mcp_remembering *remembering, zval *lease) {
	remembering->lease_ms = remembering->object->options.lease_ms;
	remembering->lease_is_given = php_mcp_duration_is_given(lease);
	return php_mcp_duration_judge_short(lease, 5, MCP_DURATION_POSITIVE, &remembering->lease_ms);
}

static bool judge_wait(mcp_remembering *remembering, zval *wait) {
	remembering->options.wait_ms = remembering->object->options.wait_ms;
	return php_mcp_duration_judge_short(wait, 6, MCP_DURATION_SHORT, &remembering->options.wait_ms);
}

static bool judge_early(mcp_remembering *remembering, const mcp_remember_arguments *arguments) {
	remembering->options.early =
		arguments->early_is_null ? remembering->object->options.early : arguments->early;
	return arguments->early_is_null || /* judged with the object */
		php_mcp_cache_arguments_judge_early(arguments->early);
}

/* Judges the variable as it is before the call; a computation may make anything of it. */
static bool judge_entry(mcp_remembering *remembering, zval *entry) {
	remembering->entry = entry;
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

static void choose(mcp_remembering *remembering, const mcp_remember_arguments *arguments) {
	const mcp_cache_options *options = &remembering->object->options;
	remembering->is_forced = arguments->is_forced;
	remembering->options.serve_stale =
		arguments->stale_is_null ? options->serve_stale && !arguments->is_forced : arguments->stale;
	remembering->stale_on_error =
		arguments->stale_on_error_is_null ? options->stale_on_error : arguments->stale_on_error;
	remembering->jitter = arguments->jitter_is_null ? options->jitter : arguments->jitter;
	remembering->is_after_response = arguments->refresh != NULL &&
		php_mcp_enums_case(arguments->refresh) == MCP_REFRESH_AFTER_RESPONSE;
}

/* --- the terms --- */

/* Judges DateInterval|Time\Duration|int|float|callable|null. *duration is NULL for a callable. */
static bool judge_ttl(mcp_remembering *remembering, zval *ttl, zval **duration) {
	*duration = NULL;
	if (Z_TYPE_P(ttl) == IS_NULL || php_mcp_duration_is_one(ttl)) {
		*duration = ttl;
		return true;
	}
	mcp_user_call *callback = &remembering->ttl_of;
	if (zend_fcall_info_init(ttl, 0, &callback->info, &callback->cache, NULL, NULL) == SUCCESS) {
		/* A __call is looked up again at the call, as Z_PARAM_FUNC has it. */
		zend_release_fcall_info_cache(&callback->cache);
		remembering->has_ttl_callback = true;
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

static bool judge_lifetime(mcp_remembering *remembering, zval *ttl, zval *grace) {
	mcp_cache_lifetime_arguments arguments = {ttl, grace, 2, 4};
	if (!php_mcp_cache_lifetime_judge(remembering->object, arguments, &remembering->lifetime)) {
		return false;
	}
	remembering->options.lifetime =
		php_mcp_cache_lifetime_spread(remembering->lifetime, remembering->jitter);
	return true;
}

static bool judge_tags(const mcp_remembering *remembering) {
	if (remembering->object->copies == NULL || php_mcp_user_call_is_none(&remembering->tags_of)) {
		return true;
	}
	zend_argument_value_error(14, "must be null for a Cache with several copies");
	return false;
}

/* Says whether a duration is judged without any of the application's code: what may be a name may be looked for by its
 * autoloader, and the handler of a warning may run for other strings. */
static bool is_simple(const zval *duration) {
	return !php_mcp_duration_is_given(duration) || php_mcp_duration_is_one(duration) ||
		is_closure(duration);
}

static bool judge_terms(mcp_remembering *remembering) {
	const mcp_remember_arguments *arguments = remembering->arguments;
	zval *duration;
	return judge_ttl(remembering, arguments->ttl, &duration) &&
		(arguments->jitter_is_null || php_mcp_cache_arguments_judge_jitter(arguments->jitter)) &&
		judge_lifetime(remembering, duration, arguments->grace) && judge_tags(remembering);
}

static mcp_terms judge(mcp_remembering *remembering) {
	const mcp_remember_arguments *arguments = remembering->arguments;
	bool are_simple = is_simple(arguments->ttl) && is_simple(arguments->grace);
	if (!judge_terms(remembering)) {
		return MCP_TERMS_WRONG;
	}
	return are_simple ? MCP_TERMS_RIGHT : MCP_TERMS_RIGHT_AFTER_CODE;
}

/* --- both --- */

#if ZEND_DEBUG
/* Judges the types of what is judged later. An engine with assertions ends the process where a call returns although an argument is
 * of another type than its parameter. */
static bool have_their_types(const mcp_remember_arguments *arguments) {
	mcp_remembering none;
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

bool php_mcp_remember_arguments_parse(mcp_remember_arguments *arguments,
	zend_execute_data *execute_data) {
	return parse(arguments, execute_data) && have_their_types(arguments);
}

bool php_mcp_remember_arguments_begin(mcp_remembering *remembering, mcp_cache_object *object,
	const mcp_remember_arguments *arguments) {
	*remembering = (mcp_remembering){
		.object = object,
		.name = arguments->name,
		.arguments = arguments,
		.judge = judge,
	};
	if (arguments->closure == NULL) {
		remembering->compute = arguments->compute;
	} else {
		remembering->closure = arguments->closure;
	}
	if (!php_mcp_user_call_is_none(&arguments->tags_of)) {
		remembering->tags_of = arguments->tags_of;
	}
	choose(remembering, arguments);
	return judge_lease(remembering, arguments->lease) && judge_wait(remembering, arguments->wait) &&
		judge_early(remembering, arguments) && judge_entry(remembering, arguments->entry);
}

bool php_mcp_remember_arguments_use_defaults(mcp_remembering *remembering, zval *ttl) {
	const mcp_cache_options *options = &remembering->object->options;
	remembering->lease_ms = options->lease_ms;
	remembering->stale_on_error = options->stale_on_error;
	remembering->jitter = options->jitter;
	remembering->options.serve_stale = options->serve_stale;
	remembering->options.wait_ms = options->wait_ms;
	remembering->options.early = options->early;
	return judge_lifetime(remembering, ttl, NULL);
}
