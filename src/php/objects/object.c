/* Creation, handlers and construction errors that all classes share. */
/* SPDX-License-Identifier: MIT */
#include "object.h"

#include "../host/environment.h"
#include "ext/date/php_date.h"

#include <math.h>

/* No two objects are equal. PHP's comparison reads properties, so without properties, all locks would be equal. */
static int compare(zval *one, zval *other) {
	ZEND_COMPARE_OBJECTS_FALLBACK(one, other);
	return ZEND_UNCOMPARABLE;
}

void php_mcp_object_handlers_init(zend_object_handlers *handlers, size_t offset,
	zend_object_free_obj_t free_object) {
	memcpy(handlers, &std_object_handlers, sizeof(*handlers));
	handlers->offset = (int)offset;
	handlers->free_obj = free_object;
	handlers->clone_obj = NULL;
	handlers->compare = compare;
}

zend_object *php_mcp_object_create(zend_class_entry *type, const zend_object_handlers *handlers) {
	size_t offset = (size_t)handlers->offset;
	char *object = zend_object_alloc(offset + sizeof(zend_object), type);
	zend_object *std = (zend_object *)(object + offset);
	zend_object_std_init(std, type);
	if (type->default_properties_count > 0) {
		object_properties_init(std, type);
	}
	std->handlers = handlers;
	return std;
}

void php_mcp_object_throw_unconstructed(const zend_object *std) {
	zend_throw_error(NULL, "%s object was never constructed", ZSTR_VAL(std->ce->name));
}

void php_mcp_object_throw_constructed(const zend_object *std) {
	zend_throw_error(NULL, "Cannot call the constructor of a %s twice", ZSTR_VAL(std->ce->name));
}

void php_mcp_object_add_seconds(HashTable *info, const char *name, uint64_t duration_ms) {
	zval array;
	ZVAL_ARR(&array, info);
	add_assoc_double(&array, name, php_mcp_duration_seconds(duration_ms));
}

/* The first second of 2001 to the first second of 2100. */
#define DATE_MIN_S 978307200
#define DATE_MAX_S 4102444800

static const char *fault(double seconds, mcp_duration_rule rule) {
	bool may_be_infinite =
		rule != MCP_DURATION_ANY && rule != MCP_DURATION_POSITIVE && rule != MCP_DURATION_SHORT;
	bool is_positive = rule >= MCP_DURATION_POSITIVE;
	if (isnan(seconds) || (isinf(seconds) && !(may_be_infinite && seconds > 0))) {
		return may_be_infinite ? "must be a number of seconds or INF"
							   : "must be a finite number of seconds";
	}
	if (is_positive && seconds <= 0) {
		return "must be greater than 0";
	}
	if (seconds < 0) {
		return "must be greater than or equal to 0";
	}
	if ((rule == MCP_DURATION_POSITIVE || rule == MCP_DURATION_SHORT) &&
		seconds > MCP_DURATION_SHORT_MAX_S) {
		return "must be at most 4294967 seconds";
	}
	if (seconds > MCP_DURATION_MAX_S && !isinf(seconds)) {
		return "must be at most 10000000000 seconds";
	}
	return NULL;
}

/* --- intervals --- */

/* Calls DateTimeImmutable's own method. If an exception is set, the caller need not free *result. */
static bool call(zval *date, const char *method, zval *argument, zval *result) {
	zend_class_entry *type = php_date_get_immutable_ce();
	zend_function *function = zend_hash_str_find_ptr(&type->function_table, method, strlen(method));
	ZVAL_UNDEF(result);
	if (function == NULL) { /* by disable_classes */
		zend_throw_error(NULL, "A DateInterval needs the class DateTimeImmutable");
		return false;
	}
	zend_call_known_function(function, Z_OBJ_P(date), type, result, 1, argument, NULL);
	return EG(exception) == NULL;
}

/* Creates a date in UTC, where every day has 24 hours. */
static bool make_date(zval *date, zend_long second) {
	if (object_init_ex(date, php_date_get_immutable_ce()) != SUCCESS) {
		return false;
	}
	zval text;
	zval nothing;
	ZVAL_STR(&text, zend_strpprintf(0, "@" ZEND_LONG_FMT, second));
	bool is_made = call(date, "__construct", &text, &nothing);
	zval_ptr_dtor(&text);
	if (!is_made) {
		zval_ptr_dtor(date);
	}
	return is_made;
}

static bool read_date(zval *date, zend_long since, double *seconds) {
	zval format;
	zval text;
	ZVAL_STRINGL(&format, "U u", strlen("U u"));
	bool is_read = call(date, "format", &format, &text);
	zval_ptr_dtor(&format);
	if (is_read) {
		char *fraction;
		double second = (double)ZEND_STRTOL(Z_STRVAL(text), &fraction, 10);
		*seconds = second - (double)since + zend_strtod(fraction + 1, NULL) / 1e6;
		zval_ptr_dtor(&text);
	}
	return is_read;
}

/* Let PHP's calendar add the interval to the current time: the length of a month and of "3 weekdays" depends on the
 * date. */
static bool read_interval(zval *interval, double *seconds) {
	zend_long now = (zend_long)(mcp_wall_ms(php_mcp_environment_get()) / 1000);
	zval begin;
	zval end;
	if (!make_date(&begin, now)) {
		return false;
	}
	bool is_added = call(&begin, "add", interval, &end);
	zval_ptr_dtor(&begin);
	bool is_read = is_added && read_date(&end, now, seconds);
	if (is_added) {
		zval_ptr_dtor(&end);
	}
	return is_read;
}

static bool is_interval(const zval *value) {
	return Z_TYPE_P(value) == IS_OBJECT &&
		instanceof_function(Z_OBJCE_P(value), php_date_get_interval_ce());
}

/* PHP 8.6's final class, or the class of a polyfill. */
static bool is_duration(const zval *value) {
	return Z_TYPE_P(value) == IS_OBJECT &&
		zend_string_equals_literal(Z_OBJCE_P(value)->name, "Time\\Duration");
}

static bool read_duration(const zval *duration, double *seconds) {
	zval buffers[3];
	static const char *const names[] = {"seconds", "nanoseconds", "negative"};
	const zval *found[3];
	for (int i = 0; i < 3; i++) {
		found[i] = zend_read_property(Z_OBJCE_P(duration), Z_OBJ_P(duration), names[i],
			strlen(names[i]), false, &buffers[i]);
		if (EG(exception) != NULL) {
			return false;
		}
		ZVAL_DEREF(found[i]);
	}
	if (Z_TYPE_P(found[0]) != IS_LONG || Z_TYPE_P(found[1]) != IS_LONG) {
		zend_type_error("A Time\\Duration must have an int $seconds and an int $nanoseconds");
		return false;
	}
	*seconds = (double)Z_LVAL_P(found[0]) + (double)Z_LVAL_P(found[1]) / 1e9;
	*seconds = Z_TYPE_P(found[2]) == IS_TRUE ? -*seconds : *seconds;
	return true;
}

static bool is_object_of_time(const zval *value) {
	return is_interval(value) || is_duration(value);
}

bool php_mcp_duration_is_one(const zval *value) {
	return Z_TYPE_P(value) == IS_LONG || Z_TYPE_P(value) == IS_DOUBLE || is_object_of_time(value);
}

bool php_mcp_duration_is_none(const zval *value, double seconds) {
	return seconds == 0 && is_object_of_time(value);
}

bool php_mcp_duration_is_date(const zval *value, double seconds) {
	return seconds >= DATE_MIN_S && seconds <= DATE_MAX_S && !is_object_of_time(value);
}

bool php_mcp_duration_read(zval *value, double *seconds) {
	if (is_interval(value)) {
		return read_interval(value, seconds);
	}
	if (is_duration(value)) {
		return read_duration(value, seconds);
	}
	*seconds = Z_TYPE_P(value) == IS_LONG ? (double)Z_LVAL_P(value) : Z_DVAL_P(value);
	return true;
}

/* --- parameters --- */

/* Reads a number as PHP reads int|float: accepts a numeric string unless strict_types is on. */
static bool read_parameter(zval *value, uint32_t arg_num, double *seconds) {
	zval *number = value;
	if (is_object_of_time(value) || zend_parse_arg_number(value, &number, false, arg_num)) {
		return php_mcp_duration_read(number, seconds);
	}
	if (EG(exception) == NULL) {
		zend_argument_type_error(arg_num,
			"must be of type DateInterval|Time\\Duration|int|float, %s given",
			zend_zval_type_name(value));
	}
	return false;
}

bool php_mcp_duration_parse_any(zval *value, uint32_t arg_num, mcp_duration_rule rule,
	uint64_t *ms) {
	double seconds;
	if (!read_parameter(value, arg_num, &seconds)) {
		return false;
	}
	bool is_lifetime = rule == MCP_DURATION_TTL || rule == MCP_DURATION_GRACE;
	bool is_ttl = rule == MCP_DURATION_ANY || rule == MCP_DURATION_TTL;
	if (is_lifetime && php_mcp_duration_is_date(value, seconds)) {
		zend_argument_value_error(arg_num, "must be " MCP_DURATION_DATE ", %.0f given", seconds);
		return false;
	}
	bool is_none = is_ttl && php_mcp_duration_is_none(value, seconds);
	const char *reason = is_none ? MCP_DURATION_NONE : fault(seconds, rule);
	if (reason != NULL) {
		zend_argument_value_error(arg_num, "%s", reason);
		return false;
	}
	bool is_endless = rule == MCP_DURATION_TTL && isinf(seconds);
	*ms = is_endless ? 0 : php_mcp_duration_ms(seconds);
	return true;
}

uint64_t php_mcp_duration_ms(double seconds) {
	return isinf(seconds) ? UINT64_MAX : (uint64_t)ceil(seconds * 1000);
}

double php_mcp_duration_seconds(uint64_t ms) {
	return ms == UINT64_MAX ? ZEND_INFINITY : (double)ms / 1000.0;
}
