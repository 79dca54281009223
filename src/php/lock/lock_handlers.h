/* The objects of McPatterns\Lock and McPatterns\Semaphore for the engine: from their making to their end. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_LOCK_HANDLERS_H
#define MCP_PHP_LOCK_HANDLERS_H

#include "php.h"

/* Has the class's objects made, shown and freed here; both classes have the same object. */
void php_mcp_lock_handlers_register(zend_class_entry *type);

#endif
