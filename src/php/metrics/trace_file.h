/* The letters of a request as a line in the file of mcpatterns.trace_file, for tail -f. It never fails a request: what cannot
 * be written is lost, and counted (Metrics::read(), trace_failures). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_TRACE_FILE_H
#define MCP_PHP_TRACE_FILE_H

#include "../../core/metrics/meter.h"

#include "php.h"

#include <stdbool.h>

bool php_mcp_trace_file_is_wanted(void);
/* Returns the line for the caches with this prefix; NULL if no file is wanted. It lives as long as the request. */
mcp_trace_line *php_mcp_trace_file_line(const zend_string *prefix);
/* Appends a line to each file, by one write, when the request's last object is gone. */
void php_mcp_trace_file_end_request(void);
/* Does so between two requests of one process: the files stay. */
void php_mcp_trace_file_end_lines(void);
/* Forgets in the child of a fork the letters so far, which are the parent's. */
void php_mcp_trace_file_forget(void);

#endif
