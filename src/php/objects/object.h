/* Shared parts of all classes' objects: zeroed memory, handlers that forbid clone and comparison, construction
 * errors. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_OBJECT_H
#define MCP_PHP_OBJECT_H

#include "../../core/bytes.h"

#include "php.h"

static inline mcp_bytes php_mcp_bytes_of(const zend_string *string) {
	return mcp_bytes_of(ZSTR_VAL(string), ZSTR_LEN(string));
}

/* Initializes a class's handlers at start-up. `offset`: offset of the zend_object, which is the last member of the
 * class's struct. `free_object` must end with zend_object_std_dtor(). */
void php_mcp_object_handlers_init(zend_object_handlers *handlers, size_t offset,
	zend_object_free_obj_t free_object);

/* Returns a new object with its struct zeroed. */
zend_object *php_mcp_object_create(zend_class_entry *type, const zend_object_handlers *handlers);

/* True if the object has its class's struct. Check each object argument: for a class in disable_classes, PHP creates
 * objects without the struct and without methods. */
static inline bool php_mcp_object_has(const zend_object *std,
	const zend_object_handlers *handlers) {
	return EXPECTED(std->handlers == handlers);
}

/* Throws "McPatterns\Lock object was never constructed" */
void php_mcp_object_throw_unconstructed(const zend_object *std);
/* Throws "Cannot call the constructor of a McPatterns\Lock twice" */
void php_mcp_object_throw_constructed(const zend_object *std);

/* Call at the start of a method. `set` is a member that only the constructor sets. False with an Error. */
static inline bool php_mcp_object_require_constructed(const zend_object *std, const void *set) {
	if (UNEXPECTED(set == NULL)) {
		php_mcp_object_throw_unconstructed(std);
		return false;
	}
	return true;
}

/* Call in a constructor, at the start and again after user code ran. False with an Error if the object is already
 * constructed. */
static inline bool php_mcp_object_require_new(const zend_object *std, const void *set) {
	if (UNEXPECTED(set != NULL)) {
		php_mcp_object_throw_constructed(std);
		return false;
	}
	return true;
}

/* UINT64_MAX is shown as INF. */
void php_mcp_object_add_seconds(HashTable *info, const char *name, uint64_t duration_ms);

/* Durations of PHP code: int|float seconds, DateIntervals and PHP 8.6's Time\Durations. Stored as milliseconds. */

/* Maximum of about 317 years: longer than the life of any cache entry, and too short to overflow. */
#define MCP_DURATION_MAX_S 1e10
#define MCP_DURATION_SHORT_MAX_S 4294967 /* 2^32 ms, rounded down */

/* Rules that reject 0 come last. */
typedef enum mcp_duration_rule {
	MCP_DURATION_ANY, /* 0 or more; 0 means never, so an object of 0 seconds is rejected */
	MCP_DURATION_TTL, /* like ANY; INF becomes 0; rejects a number that looks like a date */
	/* 0 or more, or INF (UINT64_MAX); rejects a number that looks like a date */
	MCP_DURATION_GRACE,
	MCP_DURATION_SHORT,       /* 0 or more, at most 49 days */
	MCP_DURATION_OR_INFINITE, /* 0 or more, or INF */
	MCP_DURATION_POSITIVE,    /* more than 0, at most 49 days: fits 32 bits of milliseconds */
	MCP_DURATION_POSITIVE_OR_INFINITE, /* more than 0, or INF */
} mcp_duration_rule;

/* False for an optional parameter that was omitted or is null. */
static inline bool php_mcp_duration_is_given(const zval *value) {
	return value != NULL && Z_TYPE_P(value) != IS_NULL;
}

/* Parses a parameter of type DateInterval|Time\Duration|int|float.
 * - Without strict_types, a numeric string is converted in place.
 * - A DateInterval is added to the current time of this extension's clock by DateTimeImmutable::add(), in UTC.
 * - A fraction of a millisecond is rounded up.
 * - Can run user code: the handler of a deprecation.
 * - Returns false with a TypeError or ValueError about parameter arg_num. */
bool php_mcp_duration_parse_any(zval *value, uint32_t arg_num, mcp_duration_rule rule,
	uint64_t *ms);
/* Fast path for integers. */
static zend_always_inline bool php_mcp_duration_parse(zval *value, uint32_t arg_num,
	mcp_duration_rule rule, uint64_t *ms) {
	bool is_positive = rule >= MCP_DURATION_POSITIVE;
	if (EXPECTED(Z_TYPE_P(value) == IS_LONG && Z_LVAL_P(value) >= (is_positive ? 1 : 0) &&
			Z_LVAL_P(value) <= MCP_DURATION_SHORT_MAX_S)) {
		*ms = (uint64_t)Z_LVAL_P(value) * 1000;
		return true;
	}
	return php_mcp_duration_parse_any(value, arg_num, rule, ms);
}

/* Parses an optional parameter. Leaves *ms unchanged if it was not given. */
static inline bool php_mcp_duration_judge(zval *value, uint32_t arg_num, mcp_duration_rule rule,
	uint64_t *ms) {
	return !php_mcp_duration_is_given(value) || php_mcp_duration_parse(value, arg_num, rule, ms);
}

/* Like php_mcp_duration_judge(), for rules whose durations fit 32 bits. */
static inline bool php_mcp_duration_judge_short(zval *value, uint32_t arg_num,
	mcp_duration_rule rule, uint32_t *ms) {
	uint64_t long_ms = *ms;
	bool is_right = php_mcp_duration_judge(value, arg_num, rule, &long_ms);
	*ms = (uint32_t)long_ms;
	return is_right;
}

/* For values that are not parameters. php_mcp_duration_is_one() returns whether the value is a DateInterval,
 * Time\Duration, int or float. php_mcp_duration_read() gets its seconds, which can be negative. It returns false with
 * an exception, for example if a DateInterval was never constructed. */
bool php_mcp_duration_is_one(const zval *value);
bool php_mcp_duration_read(zval *value, double *seconds);

/* True for a zero DateInterval or Time\Duration, for example of a deadline that has passed. As a TTL, 0 would never
 * expire. */
bool php_mcp_duration_is_none(const zval *value, double seconds);
#define MCP_DURATION_NONE \
	"must not be a DateInterval or Time\\Duration of 0 seconds: a TTL of 0 never expires"

/* True for a number that is a Unix time of this century. Callers that migrate from php-memcached or add to time()
 * pass such dates. */
bool php_mcp_duration_is_date(const zval *value, double seconds);
#define MCP_DURATION_DATE "seconds from now, not a date"

uint64_t php_mcp_duration_ms(double seconds);
/* UINT64_MAX becomes INF. */
double php_mcp_duration_seconds(uint64_t ms);

#endif
