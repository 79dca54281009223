/* Chooses the memory in which this process counts: the host's shared memory, or its own if there is none or it is
 * too small. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_METERS_H
#define MCP_PHP_METERS_H

#include "../../core/metrics/metrics.h"
#include "php.h"

#include <stdbool.h>

/* Open at start-up, after the shared memory. */
void php_mcp_meters_open(void);
void php_mcp_meters_close(void);
/* Begin a request with the current settings. */
void php_mcp_meters_begin_request(void);
/* Call in a forked child: it counts under its own process id. */
void php_mcp_meters_note_fork(void);

/* Returns NULL if mcpatterns.metrics is off. */
mcp_metrics *php_mcp_meters_metrics(void);
/* True if other processes count in the same memory. */
bool php_mcp_meters_is_shared(void);

/* Fill in and return the meter of a cache with this prefix. NULL if metrics are off. Valid until request end. */
const mcp_meter *php_mcp_meters_make(mcp_meter *meter, const zend_string *prefix);

#endif
