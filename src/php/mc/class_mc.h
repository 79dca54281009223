/* The module's view of McPatterns\MC: to let go of its cache when the request ends. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_MC_CLASS_MC_H
#define MCP_PHP_MC_CLASS_MC_H

#include "../../core/bytes.h"
#include "php.h"

/* Lets go of the cache at request end, while objects can still be released; and when another one is chosen. */
void php_mcp_class_mc_reset(void);

#endif
