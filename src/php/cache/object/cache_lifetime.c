/* Lifetimes: the meaning of 0, null and INF for a TTL and a grace, and the spread by jitter. */
/* SPDX-License-Identifier: MIT */
#include "cache_lifetime.h"

#include "../../objects/duration.h"
#include "../../host/environment.h"

/* Spread TTLs (C10), so that values stored together do not expire together. */
mcp_lifetime php_mcp_cache_lifetime_spread(mcp_lifetime lifetime, double jitter) {
	if (jitter > 0 && lifetime.ttl_ms > 0) {
		uint64_t random = mcp_random_u64(php_mcp_environment_get());
		double share = 2.0 * ((double)(random >> 11) / 9007199254740992.0) - 1.0; /* 2^53 */
		double spread_ms = (double)lifetime.ttl_ms * (1.0 + jitter * share);
		lifetime.ttl_ms = spread_ms < 1 ? 1 : (uint64_t)spread_ms;
	}
	return lifetime;
}

static inline void set_lifetime(mcp_lifetime *lifetime, uint64_t ttl_ms, uint64_t grace_ms,
	bool grace_is_given) {
	lifetime->ttl_ms = ttl_ms;
	lifetime->grace_ms = MIN(grace_ms, MCP_GRACE_FOREVER);
	lifetime->keeps_grace = !grace_is_given;
}

static zend_always_inline bool judge(const mcp_cache_object *object,
	mcp_cache_lifetime_arguments arguments, mcp_lifetime *lifetime) {
	uint64_t ttl_ms = object->options.ttl_ms;
	if (php_mcp_duration_is_given(arguments.ttl) &&
		!php_mcp_duration_parse(arguments.ttl, arguments.ttl_arg_num, MCP_DURATION_TTL, &ttl_ms)) {
		return false;
	}
	uint64_t grace_ms = php_mcp_cache_object_grace_ms(object, ttl_ms);
	if (php_mcp_duration_is_given(arguments.grace) &&
		!php_mcp_duration_parse(arguments.grace, arguments.grace_arg_num, MCP_DURATION_GRACE,
			&grace_ms)) {
		return false;
	}
	set_lifetime(lifetime, ttl_ms, grace_ms, php_mcp_duration_is_given(arguments.grace));
	return true;
}

bool php_mcp_cache_lifetime_judge(const mcp_cache_object *object,
	mcp_cache_lifetime_arguments arguments, mcp_lifetime *lifetime) {
	return judge(object, arguments, lifetime);
}

bool php_mcp_cache_lifetime_parse(const mcp_cache_object *object,
	mcp_cache_lifetime_arguments arguments, mcp_lifetime *lifetime) {
	if (!judge(object, arguments, lifetime)) {
		return false;
	}
	if (object->options.jitter > 0) {
		*lifetime = php_mcp_cache_lifetime_spread(*lifetime, object->options.jitter);
	}
	return true;
}

/* Written in full: after the response, the running function is not remember(). */
#define TTL_CALLABLE "McPatterns\\Cache::remember(): Argument #2 ($ttl) "

/* Takes over the returned value. */
static bool judge_returned(zval *ttl, double seconds) {
	bool is_none = php_mcp_duration_is_none(ttl, seconds);
	bool is_date = php_mcp_duration_is_date(ttl, seconds);
	zval_ptr_dtor(ttl);
	if (EG(exception) != NULL) { /* of its destructor */
		return false;
	}
	if (is_none) {
		zend_value_error(TTL_CALLABLE
			"must not return a DateInterval or Time\\Duration of 0 seconds");
		return false;
	}
	if (is_date) {
		zend_value_error(TTL_CALLABLE "must return " MCP_DURATION_DATE ", %.0f returned", seconds);
		return false;
	}
	if (!(seconds >= 0 && (seconds <= MCP_DURATION_MAX_S || zend_isinf(seconds)))) {
		zend_value_error(TTL_CALLABLE "must return between 0 and 10000000000 seconds, %g returned",
			seconds);
		return false;
	}
	return true;
}

static bool read_returned(zval *ttl, double *seconds) {
	bool is_duration = php_mcp_duration_is_one(ttl);
	if (!is_duration) {
		zend_type_error(TTL_CALLABLE
			"must return a DateInterval, a Time\\Duration, an int, a float or null, %s returned",
			zend_zval_type_name(ttl));
	}
	if (!is_duration || !php_mcp_duration_read(ttl, seconds)) {
		zval_ptr_dtor(ttl);
		return false;
	}
	return judge_returned(ttl, *seconds);
}

bool php_mcp_cache_lifetime_parse_returned(const mcp_cache_object *object, zval *ttl,
	const mcp_lifetime *asked, mcp_lifetime *lifetime) {
	double seconds;
	if (!read_returned(ttl, &seconds)) {
		return false;
	}
	uint64_t ttl_ms = zend_isinf(seconds) ? 0 : php_mcp_duration_ms(seconds);
	bool grace_is_given = !asked->keeps_grace;
	set_lifetime(lifetime, ttl_ms,
		grace_is_given ? asked->grace_ms : php_mcp_cache_object_grace_ms(object, ttl_ms),
		grace_is_given);
	return true;
}
