/* Makes a lifetime of seconds: the one place that knows what 0, null and INF mean for a TTL and a grace, and
 * how far jitter moves the soft end. */
/* SPDX-License-Identifier: MIT */
#include "cache_lifetime.h"

#include "../duration.h"
#include "../environment.h"

static bool is_given(const zval *argument) {
	return argument != NULL && Z_TYPE_P(argument) != IS_NULL;
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

bool mcp_cache_lifetime_parse(const mcp_cache_object *object,
	mcp_cache_lifetime_arguments arguments, mcp_lifetime *lifetime) {
	return mcp_cache_lifetime_parse_spread(object, arguments, object->options.jitter, lifetime);
}

bool mcp_cache_lifetime_parse_spread(const mcp_cache_object *object,
	mcp_cache_lifetime_arguments arguments, double jitter, mcp_lifetime *lifetime) {
	const mcp_cache_options *options = &object->options;
	uint64_t ttl_ms = options->ttl_ms;
	if (is_given(arguments.ttl) &&
		!mcp_duration_parse(arguments.ttl, arguments.ttl_arg_num, MCP_DURATION_ANY, &ttl_ms)) {
		return false;
	}
	uint64_t as_ttl_ms = ttl_ms == 0 ? MCP_GRACE_FOREVER : ttl_ms;
	uint64_t grace_ms = options->has_grace ? options->grace_ms : as_ttl_ms;
	if (is_given(arguments.grace) &&
		!mcp_duration_parse(arguments.grace, arguments.grace_arg_num, MCP_DURATION_OR_INFINITE,
			&grace_ms)) {
		return false;
	}
	lifetime->ttl_ms = spread(ttl_ms, jitter);
	lifetime->grace_ms = grace_ms > MCP_GRACE_FOREVER ? MCP_GRACE_FOREVER : grace_ms;
	lifetime->keeps_grace = !is_given(arguments.grace);
	return true;
}

/* Said in full: after the response the function that is running is not remember(). */
#define TTL_CALLABLE "McPatterns\\Cache::remember(): Argument #2 ($ttl) "

bool mcp_cache_lifetime_parse_returned(const mcp_cache_object *object, zval *ttl, zval *grace,
	double jitter, mcp_lifetime *lifetime) {
	bool is_number = Z_TYPE_P(ttl) == IS_LONG || Z_TYPE_P(ttl) == IS_DOUBLE;
	if (!is_number) {
		zend_type_error(TTL_CALLABLE "must return an int, a float or null, %s returned",
			zend_zval_type_name(ttl));
		zval_ptr_dtor(ttl);
		return false;
	}
	double seconds = zval_get_double(ttl);
	if (!(seconds >= 0 && seconds <= MCP_DURATION_MAX_S)) {
		zend_value_error(TTL_CALLABLE "must return 0 to 10000000000 seconds, %g returned", seconds);
		return false;
	}
	mcp_cache_lifetime_arguments arguments = {ttl, grace, 2, 4};
	return mcp_cache_lifetime_parse_spread(object, arguments, jitter, lifetime);
}
