/* Turns an mcp_status into the exception that a caller of ours sees, by one table. Nothing below
 * src/php throws, and nothing else in src/php chooses an exception for a status. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_FAILURE_H
#define MCP_PHP_FAILURE_H

#include "../../store/store.h"

#include "php.h"

/* Throws: 'Cannot <action> "<name>" on <address>: <reason>'. `action` is a verb with its noun
 * ("increment the counter"); `name` is the key as the user gave it, `server` the store of the server that
 * failed; both may be empty or NULL and are left out then. The reason is what that server failed of. A status that is an answer (MCP_OK, MCP_NOT_FOUND, ...)
 * becomes a ServerException about an unexpected answer. */
void php_mcp_failure_throw(mcp_status status, const char *action, mcp_bytes name,
	mcp_store *server);

/* Throws without a server, and for a reason that says more than the table's words for the status. */
void php_mcp_failure_throw_because(mcp_status status, const char *action, mcp_bytes name,
	const char *reason);

/* Throws as php_mcp_failure_throw does, on the server that `key` lives on. */
void php_mcp_failure_throw_for_key(mcp_status status, const char *action, mcp_bytes name,
	mcp_store *store, const mcp_key *key);

/* Throws a NotSerializableException about the value of `name`. `reason` completes "it must be serializable,
 * ...". */
void php_mcp_failure_throw_not_serializable(mcp_bytes name, const char *reason);

/* Throws: '<noun> "<name>" <what>', for what is no store's status. */
void php_mcp_failure_throw_about(zend_class_entry *exception, const char *noun, mcp_bytes name,
	const char *what);

/* Says whether the table makes a ServerException of it. Not of MCP_OK, nor of a status that only a class knows
 * the words for. */
bool php_mcp_failure_is_of_server(mcp_status status);

/* Makes a name fit to stand in a message: printable, and cut when it is long. The caller owns it. */
zend_string *php_mcp_failure_show_name(const zend_string *name);

/* Describes "the server could not be reached: no such file" for messages that are not exceptions. `failure` is
 * what the server failed of, or NULL. The caller owns it. */
zend_string *php_mcp_failure_describe(mcp_status status, const mcp_store_failure *failure);
/* Describes the failure itself, whatever came after it. */
zend_string *php_mcp_failure_describe_server(const mcp_store_failure *failure);

#endif
