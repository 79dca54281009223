/* Releases the cache of McPatterns\MC for the module. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_MC_CLASS_MC_H
#define MCP_PHP_MC_CLASS_MC_H

#include "../../core/bytes.h"
#include "php.h"

/* Release the cache at request end, while objects can be released, and when another one is selected. */
void php_mcp_class_mc_reset(void);

#endif
