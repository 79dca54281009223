/* A rememberMany() from its question to its answers. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_REMEMBER_MANY_H
#define MCP_PHP_REMEMBER_MANY_H

#include "remembering_many.h"

/* Answers after defaults and TTL have been set in `call`. Runs user code. *result is made here, a value or null
 * for each key, unless a key is refused; an exception may be the answer. */
void php_mcp_remember_many_answer(mcp_remembering_many *call, zval *keys, zval *result);

#endif
