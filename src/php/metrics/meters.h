/* Chooses the memory in which this process counts: the host's shared memory, or its own memory if shared memory is
 * missing or too small. Writes the event codes of a request as a line to mcpatterns.trace_file. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_METERS_H
#define MCP_PHP_METERS_H

#include "../../core/metrics/metrics.h"

#include "php.h"

#include <stdbool.h>

/* Open the metrics at start-up, after the shared memory. */
void php_mcp_meters_open(void);
void php_mcp_meters_close(void);
/* Begin a request with the current settings. */
void php_mcp_meters_begin_request(void);
/* Call this in a forked child, which then counts under its own process id. */
void php_mcp_meters_note_fork(void);

/* Returns NULL if mcpatterns.metrics is off. */
mcp_metrics *php_mcp_meters_metrics(void);
/* True if other processes count in the same memory. */
bool php_mcp_meters_is_shared(void);

/* Count the processes that are alive, as far as this host can see them. */
size_t php_mcp_meters_count_processes(const mcp_metrics *metrics);
/* The memory is not trusted: any number is possible. */
static inline zend_long php_mcp_meters_shown(uint64_t number) {
	return number > ZEND_LONG_MAX ? ZEND_LONG_MAX : (zend_long)number;
}
/* Add a number to an array in its display unit. */
void php_mcp_meters_add_count(zval *array, const char *name, const mcp_count *count,
	uint64_t number);

/* Append one line to each trace file, in one write, after the request's last object has been freed. A failed write
 * never fails the request: it is counted (Metrics::read(), trace_failures). */
void php_mcp_meters_end_trace_files(void);
/* Like php_mcp_meters_end_trace_files(), between two requests of one process. The files remain open. */
void php_mcp_meters_end_trace_lines(void);

/* Fill in and return the meter of a cache with this prefix. NULL if metrics are off. Valid until request end. */
const mcp_meter *php_mcp_meters_make(mcp_meter *meter, const zend_string *prefix);

#endif
