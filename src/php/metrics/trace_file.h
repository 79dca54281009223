/* Writes the event codes of a request as a line to mcpatterns.trace_file. A failed write never fails the request: it
 * is counted (Metrics::read(), trace_failures). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_TRACE_FILE_H
#define MCP_PHP_TRACE_FILE_H

#include "../../core/metrics/metrics.h"
#include "php.h"

#include <stdbool.h>

bool php_mcp_trace_file_is_wanted(void);
/* Get the line for caches with this prefix. NULL if no trace file is set. Valid until request end. */
mcp_trace_line *php_mcp_trace_file_line(const zend_string *prefix);
/* Append one line to each file, in one write, after the request's last object is freed. */
void php_mcp_trace_file_end_request(void);
/* Same, between two requests of one process. The files stay. */
void php_mcp_trace_file_end_lines(void);
/* In a forked child, forget the parent's events. */
void php_mcp_trace_file_forget(void);

#endif
