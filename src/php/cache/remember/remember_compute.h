/* The computing half of Cache::remember(). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_REMEMBER_COMPUTE_H
#define MCP_PHP_REMEMBER_COMPUTE_H

#include "remembering.h"

/* Computes with what the computation is told of the old value (C14, C17), and stores nothing. False with an exception, or
 * when the engine is on its way out. Runs user code. */
bool php_mcp_remember_run(mcp_remembering *remembering, zval *result);

/* Computes, stores under the claim, and puts what the caller gets into *return_value; or gives the
 * claim back, and an exception is set. Runs user code. */
void php_mcp_remember_compute(mcp_remembering *remembering, zval *return_value);

#endif
