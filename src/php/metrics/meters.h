/* The memory that this process counts in: the host's, or where nothing is shared (or what is shared is too small) its
 * own, in which case other processes count elsewhere. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_METERS_H
#define MCP_PHP_METERS_H

#include "../../core/metrics/meter.h"

#include "php.h"

#include <stdbool.h>

/* Opens at start-up, after the shared memory has been opened; the next closes at the end. */
void php_mcp_meters_open(void);
void php_mcp_meters_close(void);
/* Begins a request with the settings as they are now. */
void php_mcp_meters_begin_request(void);
/* Notes a fork in the child: it counts under its own process id. */
void php_mcp_meters_note_fork(void);

/* NULL if mcpatterns.metrics is off. */
mcp_metrics *php_mcp_meters_metrics(void);
/* Says whether other processes count there, too. */
bool php_mcp_meters_is_shared(void);

/* Fills the meter of a cache with this prefix, and answers it; NULL: nothing is counted. It lives as long as the request. */
const mcp_meter *php_mcp_meters_make(mcp_meter *meter, const zend_string *prefix);

#endif
