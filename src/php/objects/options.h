/* The options that objects are made with: one row each, for the default, the judging of the argument and what var_dump() shows. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_OPTIONS_H
#define MCP_PHP_OPTIONS_H

#include "duration.h"

/* Flags, numbers and counts are parsed into their place in the struct of options; a duration is taken from the call's frame. */
typedef enum mcp_option_kind {
	MCP_OPTION_FLAG,     /* bool */
	MCP_OPTION_MS,       /* uint64_t, which the class itself judges; shown as seconds */
	MCP_OPTION_NUMBER,   /* double, from `least` to `most` */
	MCP_OPTION_COUNT,    /* zend_long, likewise */
	MCP_OPTION_DURATION, /* uint64_t, ms, by `rule` */
} mcp_option_kind;

typedef struct mcp_option {
	const char *name; /* of the parameter, and key of var_dump() */
	uint8_t argument; /* its place in the signature */
	uint8_t kind, rule;
	bool takes_null;   /* of durations: null is the default */
	uint16_t offset;   /* in the struct of options */
	uint16_t is_given; /* offset of the bool that null makes false, which shows as null; 0: none */
	double initial;    /* as in the stub; durations in seconds */
	double least, most;
} mcp_option;

/* Fills in the defaults. */
void php_mcp_options_fill(void *options, const mcp_option *rows, size_t count);

/* Judges the arguments that were given, after they were parsed, by rows in their order. False with an exception about the first
 * wrong one. May run user code (the handler of a deprecation). */
bool php_mcp_options_judge(zend_execute_data *call, void *options, const mcp_option *rows,
	size_t count);

bool php_mcp_options_refuse_range(uint32_t argument, double least, double most);
/* Judges one number. False with a ValueError about parameter `argument`. */
static inline bool php_mcp_options_is_between(uint32_t argument, double number, double least,
	double most) {
	return EXPECTED(number >= least && number <= most) ||
		php_mcp_options_refuse_range(argument, least, most);
}

/* Adds them for var_dump(), in the order of the rows. */
void php_mcp_options_show(HashTable *info, const void *options, const mcp_option *rows,
	size_t count);

#endif
