/* What class_lock.c and lock_run.c share about arguments, and the methods outside class_lock.c that its
 * generated table names. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_LOCK_METHODS_H
#define MCP_PHP_LOCK_METHODS_H

#include "php.h"

/* No argument is 0. False with a ValueError about parameter arg_num. */
bool mcp_lock_parse_wait(zval *wait, uint32_t arg_num, uint64_t *wait_ms);

ZEND_METHOD(McPatterns_Lock, run);

#endif
