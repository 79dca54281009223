/* The letters of a request as a line in the file of mcpatterns.strip, for tail -f. It never fails a request: what cannot
 * be written is lost, and counted (Metrics::read(), strip_failures). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_STRIP_FILE_H
#define MCP_PHP_STRIP_FILE_H

#include "../../core/metrics/meter.h"

#include "php.h"

#include <stdbool.h>

bool php_mcp_strip_file_is_wanted(void);
/* For the caches with this prefix; NULL: no file is wanted. It lives as long as the request. */
mcp_tape *php_mcp_strip_file_tape(const zend_string *prefix);
/* When the request's last object is gone: appends a line to each file, by one write. */
void php_mcp_strip_file_end_request(void);
/* The same between two requests of one process: the files stay. */
void php_mcp_strip_file_end_lines(void);
/* In the child of a fork: the letters so far are the parent's. */
void php_mcp_strip_file_forget(void);

#endif
