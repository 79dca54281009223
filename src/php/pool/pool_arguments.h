/* The arguments of Pool's constructor, and the INI settings that stand for them: judged, with a
 * ValueError for each mistake, and made a pool of. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_POOL_ARGUMENTS_H
#define MCP_PHP_POOL_ARGUMENTS_H

#include "../value/format_arguments.h"
#include "access_arguments.h"
#include "pool.h"

/* As the constructor parsed them; everything is borrowed. Objects and zvals that are NULL were not
 * given. */
typedef struct mcp_pool_arguments {
	zend_string *servers; /* or ... */
	HashTable *server_list;
	zend_string *prefix;
	zend_object *distribution;
	mcp_format_arguments format;
	zval *connect_timeout;
	zval *timeout;
	zval *retry_after;
	bool failover;
	bool persistent;
	zend_object *transport;
	mcp_access_arguments access;
} mcp_pool_arguments;

mcp_pool_arguments php_mcp_pool_arguments_defaults(void);

/* Makes a pool that the caller owns, as the next does; NULL with an exception if something is wrong. */
mcp_pool *php_mcp_pool_arguments_create(const mcp_pool_arguments *arguments);
mcp_pool *php_mcp_pool_arguments_from_settings(void);

/* Makes one of the settings for PHP's sessions, on the servers of session.save_path unless that is empty, and under a prefix
 * of their own, unless that is. NULL with a warning if something is wrong. */
mcp_pool *php_mcp_pool_arguments_for_sessions(const char *servers, const char *prefix);

/* Judges the settings after they were registered, when the module starts. False, with the mistake reported by a
 * warning. */
bool php_mcp_pool_arguments_judge_at_start(void);

#endif
