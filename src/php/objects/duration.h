/* Durations as PHP code writes them: seconds, whole or not, DateIntervals and PHP 8.6's Time\Durations. Milliseconds inside. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_DURATION_H
#define MCP_PHP_DURATION_H

#include "php.h"

/* About 317 years: far more than any cache keeps, far less than what would overflow. */
#define MCP_DURATION_MAX_S 1e10
#define MCP_DURATION_SHORT_MAX_S 4294967 /* 2^32 ms, rounded down */

typedef enum mcp_duration_rule {
	MCP_DURATION_ANY,         /* 0 or more; 0 is a TTL without end, and no object means that */
	MCP_DURATION_TTL,         /* the same; INF is 0, and a number that is a date is refused */
	MCP_DURATION_GRACE,       /* 0 or more, or INF (UINT64_MAX), and likewise no date */
	MCP_DURATION_POSITIVE,    /* more than 0, at most 49 days: fits 32 bits of milliseconds */
	MCP_DURATION_SHORT,       /* 0 or more, at most 49 days */
	MCP_DURATION_OR_INFINITE, /* 0 or more, or INF */
	MCP_DURATION_POSITIVE_OR_INFINITE, /* more than 0, or INF */
} mcp_duration_rule;

/* Says whether a parameter was given that may be left out or null. */
static inline bool php_mcp_duration_is_given(const zval *value) {
	return value != NULL && Z_TYPE_P(value) != IS_NULL;
}

/* Parses a parameter DateInterval|Time\Duration|int|float, as it was given: a numeric string becomes its number, in place, where
 * types are not strict. A DateInterval is what DateTimeImmutable::add() makes of it from now on, by this extension's
 * clock and in UTC. Fractions of a millisecond count as a whole one. May run user code (the handler of a
 * deprecation). False with a TypeError or a ValueError about parameter arg_num. */
bool php_mcp_duration_parse_any(zval *value, uint32_t arg_num, mcp_duration_rule rule,
	uint64_t *ms);
/* Parses at once what nearly every call gives. */
static zend_always_inline bool php_mcp_duration_parse(zval *value, uint32_t arg_num,
	mcp_duration_rule rule, uint64_t *ms) {
	bool is_positive = rule == MCP_DURATION_POSITIVE || rule == MCP_DURATION_POSITIVE_OR_INFINITE;
	if (EXPECTED(Z_TYPE_P(value) == IS_LONG && Z_LVAL_P(value) >= (is_positive ? 1 : 0) &&
			Z_LVAL_P(value) <= MCP_DURATION_SHORT_MAX_S)) {
		*ms = (uint64_t)Z_LVAL_P(value) * 1000;
		return true;
	}
	return php_mcp_duration_parse_any(value, arg_num, rule, ms);
}

/* Parses one that may be left out, and leaves what stands in *ms as it is then. */
static inline bool php_mcp_duration_judge(zval *value, uint32_t arg_num, mcp_duration_rule rule,
	uint64_t *ms) {
	return !php_mcp_duration_is_given(value) || php_mcp_duration_parse(value, arg_num, rule, ms);
}
/* Parses so by one of the rules whose durations fit 32 bits. */
static inline bool php_mcp_duration_judge_short(zval *value, uint32_t arg_num,
	mcp_duration_rule rule, uint32_t *ms) {
	uint64_t long_ms = *ms;
	bool is_right = php_mcp_duration_judge(value, arg_num, rule, &long_ms);
	*ms = (uint32_t)long_ms;
	return is_right;
}

/* Says of what is no parameter whether it is a DateInterval, a Time\Duration, an int or a float; the second says of such a one how
 * many seconds, whatever their sign. False with an exception (an interval that was never constructed). */
bool php_mcp_duration_is_one(const zval *value);
bool php_mcp_duration_read(zval *value, double *seconds);

/* Finds a DateInterval or Time\Duration of no time, as one has whose end has come: as a TTL it would be without end. */
bool php_mcp_duration_is_none(const zval *value, double seconds);
#define MCP_DURATION_NONE \
	"must not be a DateInterval or Time\\Duration of no time: a TTL of 0 is without end"

/* Finds a number that is a Unix time of this century: who moves from php-memcached, or counts from time(), means another moment. */
bool php_mcp_duration_is_date(const zval *value, double seconds);
#define MCP_DURATION_DATE "seconds from now, not a date"

/* Converts seconds that some rule allows. */
uint64_t php_mcp_duration_ms(double seconds);
/* Converts back: UINT64_MAX is INF. */
double php_mcp_duration_seconds(uint64_t ms);

#endif
