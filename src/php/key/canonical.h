/* The canonical form that McPatterns\Key hashes: one sequence of bytes for all parameters that count
 * as the same, and never one for two that do not. Byte by byte in docs/spec/keys.md. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CANONICAL_H
#define MCP_PHP_CANONICAL_H

#include "php.h"
#include "zend_smart_str.h"

/* Appends the form of `value`. Runs user code (jsonSerialize, __toString). False with an exception:
 * a TypeError that names the parameter for what has no canonical form, or what user code threw. */
bool php_mcp_canonical_append(smart_str *form, zval *value, uint32_t arg_num);

#endif
