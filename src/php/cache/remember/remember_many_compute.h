/* The computing half of Cache::rememberMany(). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_REMEMBER_MANY_COMPUTE_H
#define MCP_PHP_REMEMBER_MANY_COMPUTE_H

#include "remembering_many.h"

/* Computes what this caller was elected for in one callback, and stores it. False with an exception, or when
 * the engine is on its way out; then all claims have been given back. */
bool php_mcp_remember_many_compute(mcp_remembering_many *call);

#endif
