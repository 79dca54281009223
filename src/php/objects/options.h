/* Constructor options as a table: each row has the default, the check of the argument and the entry of var_dump(). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_OPTIONS_H
#define MCP_PHP_OPTIONS_H

#include "duration.h"

/* Flags, numbers and counts are parsed into the struct of options. A duration is read from the frame of the call. */
typedef enum mcp_option_kind {
	MCP_OPTION_FLAG,     /* bool */
	MCP_OPTION_MS,       /* uint64_t, checked by the class; shown as seconds */
	MCP_OPTION_NUMBER,   /* double, from `least` to `most` */
	MCP_OPTION_COUNT,    /* zend_long, from `least` to `most` */
	MCP_OPTION_DURATION, /* uint64_t in ms, checked by `rule` */
} mcp_option_kind;

typedef struct mcp_option {
	const char *name; /* of the parameter; key in var_dump() */
	uint8_t argument; /* position in the signature */
	uint8_t kind, rule;
	bool takes_null;   /* durations: null selects the default */
	uint16_t offset;   /* in the struct of options */
	uint16_t is_given; /* offset of a bool that null makes false, or 0; shown as null */
	double initial;    /* as in the stub; durations in seconds */
	double least, most;
} mcp_option;

void php_mcp_options_fill(void *options, const mcp_option *rows, size_t count);

/* Checks the given arguments after parsing. The rows must be in the order of the arguments. False with an exception
 * about the first invalid argument. May run user code: the handler of a deprecation. */
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

#endif
