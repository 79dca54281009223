/* Checks and reads arguments: constructor options by a table, windows, and strict arguments. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_OPTIONS_H
#define MCP_PHP_OPTIONS_H

#include "../../core/items/window.h"
#include "object.h"

/* Type of an option. Flags, numbers and counts are parsed into the struct of options. A duration is read from the
 * frame of the call. */
typedef enum mcp_option_kind {
	MCP_OPTION_FLAG,     /* bool */
	MCP_OPTION_MS,       /* uint64_t, checked by the class; shown as seconds */
	MCP_OPTION_NUMBER,   /* double, from `least` to `most` */
	MCP_OPTION_COUNT,    /* zend_long, from `least` to `most` */
	MCP_OPTION_DURATION, /* uint64_t in ms, checked by `rule` */
} mcp_option_kind;

/* Default, check of the argument and entry of var_dump() of an option. */
typedef struct mcp_option {
	const char *name; /* name of the parameter, and key in var_dump() */
	uint8_t argument; /* position in the signature */
	uint8_t kind, rule;
	bool takes_null;   /* null selects the default */
	uint16_t offset;   /* offset in the struct of options */
	uint16_t is_given; /* offset of a bool, true if given; 0: none. Shown as null */
	double initial;    /* default of the stub; durations in seconds */
	double least, most;
} mcp_option;

void php_mcp_options_fill(void *options, const mcp_option *rows, size_t count);

/* Checks the given arguments after parsing. The rows must be in the order of the arguments. False with an exception
 * about the first invalid argument. Can run user code: the handler of a deprecation. */
bool php_mcp_options_judge(zend_execute_data *call, void *options, const mcp_option *rows,
	size_t count);

bool php_mcp_options_refuse_range(uint32_t argument, double least, double most);
/* False with a ValueError about parameter `argument`. */
static inline bool php_mcp_options_is_between(uint32_t argument, double number, double least,
	double most) {
	return EXPECTED(number >= least && number <= most) ||
		php_mcp_options_refuse_range(argument, least, most);
}

/* Adds the options to the output of var_dump(), in the order of the rows. */
void php_mcp_options_show(HashTable *info, const void *options, const mcp_option *rows,
	size_t count);

/* Checks the window of a constructor: its length in seconds (parameter 3) and its number of slots (parameter 4). False
 * with a ValueError about the length or the slots. */
bool php_mcp_options_judge_window(zend_long length_s, zend_long slots, zend_long slots_max,
	mcp_window *window);
/* Adds the window to the output of var_dump(). `length`: name of parameter 3. */
void php_mcp_options_show_window(HashTable *info, const char *length, const mcp_window *window);

/* Arguments that are checked as under strict_types, because PHP would convert a mistake silently. */

/* Reads an argument that must be true or false. NULL: not given, *is_on is unchanged. False with a TypeError that
 * ends in `advice`. */
bool php_mcp_options_read_switch(uint32_t number, const zval *given, const char *advice,
	bool *is_on);

/* Rejects the types `refused`, MAY_BE_...: numbers for a string, such as a port or a TTL for a prefix, or bools for a
 * number. PHP would read true as a wait of 1 second. Call it before the arguments are parsed, because parsing converts
 * them. False with a TypeError that ends in `advice`. */
bool php_mcp_options_judge_type(const zval *given, uint32_t number, uint32_t refused,
	const char *expected, const char *advice);
static inline bool php_mcp_options_judge_strict(const zend_execute_data *call, uint32_t number,
	uint32_t refused, const char *expected, const char *advice) {
	const zval *given = ZEND_CALL_ARG(call, number);
	return ZEND_CALL_NUM_ARGS(call) < number ||
		((refused | MAY_BE_REF) & (1u << Z_TYPE_P(given))) == 0 ||
		php_mcp_options_judge_type(given, number, refused, expected, advice);
}

/* Reads one string of a variadic parameter in place, as PHP does. False with a TypeError. For an array, the message
 * advises to unpack it. */
bool php_mcp_options_read_variadic_text(uint32_t number, zval *given, zend_string **text);

/* Assign to a variable that was passed by reference, as the engine does, but destroy the previous value last: its
 * destructor can use the variable. Takes over `value`. Does nothing if `variable` is not a reference (call_user_func()
 * passes a value). Can leave an exception from a type check or from the destructor. */
void php_mcp_options_assign_reference(zval *variable, zval *value);

#endif
