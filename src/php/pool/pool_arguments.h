/* The arguments of Pool's constructor, and the INI settings where they were not given: judged, with a
 * ValueError for each mistake, and made a pool of. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_POOL_POOL_ARGUMENTS_H
#define MCP_PHP_POOL_POOL_ARGUMENTS_H

#include "../value/format.h"
#include "pool.h"
#include "servers/server_access.h"

/* A Pool's password and options of TLS: out of the constructor's arguments, or the INI settings where they were not given. */

/* As the constructor parsed them, borrowed; NULL: not given. */
typedef struct mcp_access_arguments {
	HashTable *tls;
	zend_string *user;
	zend_string *password;
} mcp_access_arguments;

/* As the constructor parsed them; everything is borrowed. A pointer that is NULL was not given. */
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
	bool persistent, persistent_is_null;
	zend_object *transport;
	mcp_access_arguments access;
} mcp_pool_arguments;

/* Returns what a constructor without arguments has parsed. */
mcp_pool_arguments php_mcp_pool_arguments_none(void);

/* Makes a pool that the caller owns, of the settings where an argument was not given; NULL with an exception if something is
 * wrong. User, password and TLS options are those of the settings only where the servers are. */
mcp_pool *php_mcp_pool_arguments_create(const mcp_pool_arguments *arguments);

/* Makes one of the settings for PHP's sessions, on the servers of session.save_path unless that is empty, and under a prefix
 * of their own, unless that is. NULL with a warning if something is wrong. */
mcp_pool *php_mcp_pool_arguments_for_sessions(const char *servers, const char *prefix);

/* Judges the settings after they were registered, when the module starts. False, with the mistake reported by a
 * warning. */
bool php_mcp_pool_arguments_judge_at_start(void);

#endif
