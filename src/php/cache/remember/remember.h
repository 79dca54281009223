/* A remember() from its question to its answer. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_REMEMBER_H
#define MCP_PHP_REMEMBER_H

#include "remembering.h"

/* Answers what is there, or has it computed, now or after the response. Runs user code. *return_value or an
 * exception is the answer. */
void php_mcp_remember_answer(mcp_remembering *remembering, zval *return_value);

/* Answers a recursion by C14. True if *return_value or an exception is the answer, because this Fiber is
 * computing this very key. If another one is, nothing will be waited for. */
bool php_mcp_remember_answer_recursion(mcp_remembering *remembering, zval *return_value);

#endif
