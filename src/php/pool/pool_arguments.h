/* Validates a Pool's arguments, or the settings in their place, and creates the pool. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_POOL_POOL_ARGUMENTS_H
#define MCP_PHP_POOL_POOL_ARGUMENTS_H

#include "../value/format.h"
#include "pool.h"
#include "servers/server_access.h"

/* Password and TLS arguments as parsed, borrowed; NULL: not given. */
typedef struct mcp_access_arguments {
	HashTable *tls;
	zend_string *user;
	zend_string *password;
} mcp_access_arguments;

/* Arguments as parsed, borrowed; NULL: not given. */
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

/* Arguments of a constructor that was called without any. */
mcp_pool_arguments php_mcp_pool_arguments_none(void);

/* Create a pool that the caller owns, with settings in place of missing arguments. Returns NULL with an exception on
 * a mistake. User, password and TLS settings apply only to the servers of the settings. */
mcp_pool *php_mcp_pool_arguments_create(const mcp_pool_arguments *arguments);

/* Create a pool from the settings for PHP's sessions, with the servers of session.save_path and with `prefix`,
 * unless they are empty. Returns NULL with a warning on a mistake. */
mcp_pool *php_mcp_pool_arguments_for_sessions(const char *servers, const char *prefix);

/* Validate the settings at start-up. Returns false with a warning on a mistake. */
bool php_mcp_pool_arguments_judge_at_start(void);

#endif
