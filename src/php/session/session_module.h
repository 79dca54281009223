/* PHP's session module, which may be loaded before this one, be part of PHP, or not be there at all: its symbols are looked
 * up when this module starts, and none of them is linked. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_SESSION_MODULE_H
#define MCP_PHP_SESSION_MODULE_H

#include "php.h"

#if defined(__has_include)
#if __has_include("ext/session/php_session.h")
#include "ext/session/php_session.h"
#define MCP_HAS_SESSION_HEADERS
#endif
#endif

#ifdef MCP_HAS_SESSION_HEADERS

/* Finds it, and registers a save handler with it, which it borrows for good. False if it is not there. */
bool php_mcp_session_module_register(const ps_module *handler);

/* Returns its globals, for this thread. Only once it has been found. */
php_ps_globals *php_mcp_session_module_globals(void);

/* Writes and closes the session that is open, if it is. */
void php_mcp_session_module_flush(void);

#endif

/* Makes a random id as session.sid_length and its like say. Only once it has been found. */
zend_string *php_mcp_session_module_create_id(void);

/* Says whether the save handler is there to be chosen. */
bool php_mcp_session_module_is_here(void);

#endif
