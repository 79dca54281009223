/* Reads and judges what a Cache is made with, and what its methods store. The constructor and remember() have early and jitter at
 * the same places. */
/* SPDX-License-Identifier: MIT */
#include "cache_arguments.h"

#include "../objects/duration.h"
#include "../objects/enums.h"
#include "../pool/class_pool.h"
#include "../objects/strict_argument.h"
#include "object/cache_lifetime.h"

#include "ext/spl/spl_exceptions.h"
#include "zend_exceptions.h"

/* An early refresh with a larger beta would nearly always come. */
#define EARLY_MAX 1000.0

#define NEAR_MIN_S 0.001
#define NEAR_MAX_S 60.0

bool php_mcp_cache_arguments_judge_early(double early) {
	if (!(early >= 0 && early <= EARLY_MAX)) {
		zend_argument_value_error(9, "must be between 0 and 1000");
		return false;
	}
	return true;
}

bool php_mcp_cache_arguments_judge_jitter(double jitter) {
	if (!(jitter >= 0 && jitter <= 1)) {
		zend_argument_value_error(10, "must be between 0 and 1");
		return false;
	}
	return true;
}

/* --- the constructor --- */

bool php_mcp_cache_arguments_parse(mcp_cache_arguments *arguments,
	zend_execute_data *execute_data) {
	*arguments = (mcp_cache_arguments){
		.prefix = ZSTR_EMPTY_ALLOC(),
		.serve_stale = true,
		.copies = 1,
	};
	bool early_is_null; /* then it is 0 */
	bool jitter_is_null;
	if (!php_mcp_strict_argument_judge_text(execute_data, 2, "a TTL is given as ttl:")) {
		return false;
	}
	ZEND_PARSE_PARAMETERS_START(1, 16)
		Z_PARAM_OBJ_OF_CLASS(arguments->pool, php_mcp_pool_class_entry)
		Z_PARAM_OPTIONAL
		Z_PARAM_STR(arguments->prefix)
		Z_PARAM_ZVAL(arguments->ttl)
		Z_PARAM_ZVAL(arguments->grace)
		Z_PARAM_NUMBER(arguments->lease)
		Z_PARAM_NUMBER_OR_NULL(arguments->wait)
		Z_PARAM_BOOL(arguments->serve_stale)
		Z_PARAM_BOOL(arguments->stale_on_error)
		Z_PARAM_DOUBLE_OR_NULL(arguments->early, early_is_null)
		Z_PARAM_DOUBLE_OR_NULL(arguments->jitter, jitter_is_null)
		Z_PARAM_LONG(arguments->copies)
		Z_PARAM_NUMBER(arguments->near)
		Z_PARAM_BOOL(arguments->clearable)
		Z_PARAM_BOOL(arguments->foreign)
		Z_PARAM_BOOL(arguments->guarded)
		Z_PARAM_NUMBER(arguments->holdoff)
	ZEND_PARSE_PARAMETERS_END_EX(return false);
	return true;
}

static bool judge_near(const mcp_cache_arguments *arguments, uint32_t *near_ms) {
	double seconds = arguments->near != NULL ? zval_get_double(arguments->near) : 0;
	if (seconds == 0) {
		return true;
	}
	if (!(seconds >= NEAR_MIN_S && seconds <= NEAR_MAX_S)) {
		zend_argument_value_error(12, "must be 0 or between 0.001 and 60 seconds");
		return false;
	}
	*near_ms = (uint32_t)(seconds * 1000);
	return true;
}

/* Judges how many copies there are; several on one server would be lost together. Servers that an endpoint tells may be
 * more or fewer at any time: there are as many copies then as there are servers. */
static bool judge_copies(const mcp_cache_arguments *arguments, unsigned *copies) {
	if (arguments->copies < 1 || arguments->copies > MCP_COPIES_MAX) {
		zend_argument_value_error(11, "must be between 1 and %d", MCP_COPIES_MAX);
		return false;
	}
	*copies = (unsigned)arguments->copies;
	if (*copies == 1) {
		return true;
	}
	if (arguments->clearable) {
		zend_argument_value_error(13, "must be false for a Cache with several copies");
		return false;
	}
	mcp_pool *pool = php_mcp_class_pool_get(arguments->pool);
	size_t servers = pool == NULL ? 0 : mcp_store_member_count(php_mcp_pool_store(pool));
	bool are_written = pool == NULL || php_mcp_pool_discovery_of(pool) == NULL;
	if (are_written && (zend_ulong)arguments->copies > servers) {
		zend_argument_value_error(11,
			"must be at most the number of different servers of the pool, which has %zu", servers);
		return false;
	}
	return true;
}

/* Refuses other clients' values to a cache with several copies, as they write one of these and have no part in their order;
 * and to a clearable one, which takes what has not the tag of its prefix for nothing. */
static bool judge_foreign(const mcp_cache_arguments *arguments) {
	if (arguments->foreign && arguments->copies > 1) {
		zend_argument_value_error(14, "must be false for a Cache with several copies");
		return false;
	}
	if (!arguments->clearable || !arguments->foreign) {
		return true;
	}
	zend_argument_value_error(14,
		"cannot be true with $clearable: what other clients stored is not of what clear() takes away");
	return false;
}

/* Refuses a guarded cache what would put back behind its back what it has refused: a copy, or a server that was away. */
static bool judge_guarded(const mcp_cache_arguments *arguments, uint32_t *holdoff_ms) {
	if (!php_mcp_duration_judge_short(arguments->holdoff, 16, MCP_DURATION_POSITIVE, holdoff_ms)) {
		return false;
	}
	mcp_pool *pool = arguments->guarded ? php_mcp_class_pool_get(arguments->pool) : NULL;
	if (pool == NULL || (arguments->copies == 1 && !php_mcp_pool_fails_over(pool))) {
		return true;
	}
	zend_throw_exception(spl_ce_LogicException,
		arguments->copies > 1
			? "a guarded Cache keeps one of each key: $copies must be 1"
			: "a guarded Cache knows each key's own server alone: its Pool must be one without failover",
		0);
	return false;
}

bool php_mcp_cache_arguments_judge(const mcp_cache_arguments *arguments,
	mcp_cache_options *options) {
	*options = php_mcp_cache_object_defaults();
	/* null is no TTL here. */
	bool has_ttl = arguments->ttl != NULL;
	if ((has_ttl &&
			!php_mcp_duration_parse(arguments->ttl, 3, MCP_DURATION_TTL, &options->ttl_ms)) ||
		!php_mcp_duration_judge(arguments->grace, 4, MCP_DURATION_GRACE, &options->grace_ms) ||
		!php_mcp_duration_judge_short(arguments->lease, 5, MCP_DURATION_POSITIVE,
			&options->lease_ms) ||
		!php_mcp_duration_judge_short(arguments->wait, 6, MCP_DURATION_SHORT, &options->wait_ms) ||
		!php_mcp_cache_arguments_judge_early(arguments->early) ||
		!php_mcp_cache_arguments_judge_jitter(arguments->jitter)) {
		return false;
	}
	if (!judge_copies(arguments, &options->copies) || !judge_foreign(arguments) ||
		!judge_near(arguments, &options->near_ms) ||
		!judge_guarded(arguments, &options->holdoff_ms)) {
		return false;
	}
	options->has_grace = php_mcp_duration_is_given(arguments->grace);
	options->serve_stale = arguments->serve_stale;
	options->stale_on_error = arguments->stale_on_error;
	options->reads_foreign = arguments->foreign;
	options->early = arguments->early;
	options->jitter = arguments->jitter;
	options->is_clearable = arguments->clearable;
	options->is_guarded = arguments->guarded;
	return true;
}

/* --- publish, set, add and replace --- */

bool php_mcp_cache_arguments_parse_storing(mcp_cache_storing *storing, uint32_t parameters_max,
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
		php_mcp_cache_lifetime_parse(storing->object, arguments, &storing->lifetime);
}

/* --- increment and decrement --- */

bool php_mcp_cache_arguments_judge_count(const mcp_cache_object *object,
	const mcp_count_arguments *arguments, mcp_cache_initial *initial) {
	if (arguments->by == ZEND_LONG_MIN) {
		zend_argument_value_error(2, "must be greater than PHP_INT_MIN");
		return false;
	}
	if (object->copies != NULL) {
		zend_throw_exception(spl_ce_LogicException,
			"a running number has one place: a Cache with several copies has update() for it", 0);
		return false;
	}
	*initial = (mcp_cache_initial){.number = arguments->initial};
	if (arguments->initial_is_null && !php_mcp_duration_is_given(arguments->ttl)) {
		return true;
	}
	mcp_cache_lifetime_arguments lifetime = {.ttl = arguments->ttl, .ttl_arg_num = 4};
	return php_mcp_cache_lifetime_parse(object, lifetime, &initial->lifetime);
}
