/* The only file that asks which PHP version it is compiled for. Everything else is written against
 * the newest names, which older versions get from here. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_COMPAT_H
#define MCP_PHP_COMPAT_H

#include "php.h"

#if PHP_VERSION_ID < 80200
#error "mcpatterns needs PHP 8.2 or newer"
#endif

#endif
