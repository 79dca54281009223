/* What a caller of Cache::remember() asked for, checked, with the object's defaults for the rest. */
/* SPDX-License-Identifier: MIT */
#include "remembering.h"

#include "../duration.h"
#include "../enums.h"

/* The arguments as they came in. */
typedef struct raw_arguments {
	zval *ttl, *grace, *lease, *wait;
	bool stale, stale_is_null;
	bool stale_on_error, stale_on_error_is_null;
	double early, jitter;
	bool early_is_null, jitter_is_null;
	zend_object *refresh;
} raw_arguments;

/* int|float|callable|null has no Z_PARAM. */
static bool parse_ttl(mcp_remembering *remembering, zval *ttl) {
	if (Z_TYPE_P(ttl) == IS_NULL || Z_TYPE_P(ttl) == IS_LONG || Z_TYPE_P(ttl) == IS_DOUBLE) {
		remembering->ttl = ttl;
		return true;
	}
	mcp_callback *callback = &remembering->ttl_of;
	if (zend_fcall_info_init(ttl, 0, &callback->info, &callback->cache, NULL, NULL) == SUCCESS) {
		/* A __call is looked up again at the call, as Z_PARAM_FUNC has it. */
		zend_release_fcall_info_cache(&callback->cache);
		remembering->has_ttl_callback = true;
		return true;
	}
	if (Z_TYPE_P(ttl) == IS_STRING && zend_parse_arg_number(ttl, &remembering->ttl, false, 2)) {
		return true;
	}
	zend_argument_type_error(2, "must be of type callable|int|float|null, %s given",
		zend_zval_type_name(ttl));
	return false;
}

static bool parse_lease(mcp_remembering *remembering, zval *lease) {
	remembering->lease_ms = remembering->object->lease_ms;
	remembering->lease_is_given = lease != NULL && Z_TYPE_P(lease) != IS_NULL;
	if (!remembering->lease_is_given) {
		return true;
	}
	uint64_t lease_ms;
	if (!mcp_duration_parse(lease, 5, MCP_DURATION_POSITIVE, &lease_ms)) {
		return false;
	}
	remembering->lease_ms = (uint32_t)lease_ms;
	return true;
}

static bool parse_wait(mcp_remembering *remembering, zval *wait) {
	remembering->options.wait_ms = remembering->object->wait_ms;
	if (wait == NULL || Z_TYPE_P(wait) == IS_NULL) {
		return true;
	}
	uint64_t wait_ms;
	if (!mcp_duration_parse(wait, 6, MCP_DURATION_SHORT, &wait_ms)) {
		return false;
	}
	remembering->options.wait_ms = (uint32_t)wait_ms;
	return true;
}

static bool parse_numbers(mcp_remembering *remembering, const raw_arguments *arguments) {
	const mcp_cache_object *object = remembering->object;
	remembering->options.early = arguments->early_is_null ? object->early : arguments->early;
	remembering->jitter = arguments->jitter_is_null ? object->jitter : arguments->jitter;
	if (!mcp_cache_early_is_valid(remembering->options.early)) {
		zend_argument_value_error(9, MCP_CACHE_EARLY_RULE);
		return false;
	}
	if (!mcp_cache_jitter_is_valid(remembering->jitter)) {
		zend_argument_value_error(10, MCP_CACHE_JITTER_RULE);
		return false;
	}
	return true;
}

/* Everything is checked before anything is asked of a server. */
static bool settle(mcp_remembering *remembering, const raw_arguments *arguments) {
	const mcp_cache_object *object = remembering->object;
	remembering->grace = arguments->grace;
	remembering->options.serve_stale =
		arguments->stale_is_null ? object->serve_stale : arguments->stale;
	remembering->is_after_response = arguments->refresh != NULL &&
		mcp_enums_case(arguments->refresh) == MCP_REFRESH_AFTER_RESPONSE;
	remembering->stale_on_error =
		arguments->stale_on_error_is_null ? object->stale_on_error : arguments->stale_on_error;
	return parse_ttl(remembering, arguments->ttl) && parse_lease(remembering, arguments->lease) &&
		parse_wait(remembering, arguments->wait) && parse_numbers(remembering, arguments) &&
		mcp_cache_lifetime_parse_spread(object, (mcp_duration_argument){remembering->ttl, 2},
			(mcp_duration_argument){remembering->grace, 4}, remembering->jitter,
			&remembering->options.lifetime);
}

bool mcp_remember_use_defaults(mcp_remembering *remembering, zval *ttl) {
	zval nothing;
	ZVAL_NULL(&nothing);
	raw_arguments arguments = {.ttl = ttl != NULL ? ttl : &nothing,
		.stale_is_null = true,
		.stale_on_error_is_null = true,
		.early_is_null = true,
		.jitter_is_null = true};
	bool is_settled = settle(remembering, &arguments);
	remembering->ttl = NULL; /* it has been read; the zval may not outlive the caller's */
	return is_settled;
}

bool mcp_remember_parse(mcp_remembering *remembering, zend_execute_data *execute_data) {
	raw_arguments arguments = {.stale_is_null = true,
		.stale_on_error_is_null = true,
		.early_is_null = true,
		.jitter_is_null = true};
	mcp_callback *compute = &remembering->compute;
	ZEND_PARSE_PARAMETERS_START(3, 11)
		Z_PARAM_STR(remembering->name)
		Z_PARAM_ZVAL(arguments.ttl)
		Z_PARAM_FUNC(compute->info, compute->cache)
		Z_PARAM_OPTIONAL
		Z_PARAM_NUMBER_OR_NULL(arguments.grace)
		Z_PARAM_NUMBER_OR_NULL(arguments.lease)
		Z_PARAM_NUMBER_OR_NULL(arguments.wait)
		Z_PARAM_BOOL_OR_NULL(arguments.stale, arguments.stale_is_null)
		Z_PARAM_BOOL_OR_NULL(arguments.stale_on_error, arguments.stale_on_error_is_null)
		Z_PARAM_DOUBLE_OR_NULL(arguments.early, arguments.early_is_null)
		Z_PARAM_DOUBLE_OR_NULL(arguments.jitter, arguments.jitter_is_null)
		Z_PARAM_OBJ_OF_CLASS(arguments.refresh, mcp_refresh_enum)
	ZEND_PARSE_PARAMETERS_END_EX(return false);

	remembering->object = mcp_cache_object_get(Z_OBJ_P(ZEND_THIS));
	if (remembering->object == NULL) {
		return false;
	}
	if (ZSTR_LEN(remembering->name) == 0) {
		zend_argument_value_error(1, "cannot be empty");
		return false;
	}
	return settle(remembering, &arguments);
}
