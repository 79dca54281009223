/* Pool::diagnose(): shows a Pool to its diagnosis. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_POOL_DIAGNOSIS_H
#define MCP_PHP_POOL_DIAGNOSIS_H

#include "pool.h"

/* Makes the report of a Pool; of NULL one about the exception that stands there instead, which it takes away. */
void php_mcp_pool_diagnosis_make(zval *report, mcp_pool *pool);

#endif
