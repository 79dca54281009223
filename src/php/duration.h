/* Durations as PHP code writes them: seconds, whole or not. Milliseconds inside. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_DURATION_H
#define MCP_PHP_DURATION_H

#include "php.h"

/* About 317 years: far more than any cache keeps, far less than what would overflow. */
#define MCP_DURATION_MAX_S 1e10

typedef enum mcp_duration_rule {
	MCP_DURATION_ANY,         /* 0 or more */
	MCP_DURATION_POSITIVE,    /* more than 0, at most 49 days: fits 32 bits of milliseconds */
	MCP_DURATION_SHORT,       /* 0 or more, at most 49 days */
	MCP_DURATION_OR_INFINITE, /* 0 or more, or INF (UINT64_MAX) */
} mcp_duration_rule;

/* *value is an int or a float. Fractions of a millisecond count as a whole one. False with a
 * ValueError about parameter arg_num. */
bool mcp_duration_parse(zval *value, uint32_t arg_num, mcp_duration_rule rule, uint64_t *ms);

/* Of seconds that some rule allows. */
uint64_t mcp_duration_ms(double seconds);

#endif
