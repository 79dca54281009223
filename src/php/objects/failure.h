/* The exceptions, and the conversion of an mcp_status to an exception. Only this file and the
 * sessions' handler choose the exception for a status. Nothing below src/php throws. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_FAILURE_H
#define MCP_PHP_FAILURE_H

#include "../../store/store.h"

#include "php.h"

extern zend_class_entry *php_mcp_exception_interface;
extern zend_class_entry *php_mcp_server_exception;
extern zend_class_entry *php_mcp_lock_timeout_exception;
extern zend_class_entry *php_mcp_lock_lost_exception;
extern zend_class_entry *php_mcp_stored_value_exception;
extern zend_class_entry *php_mcp_rebuild_paused_exception;
extern zend_class_entry *php_mcp_unstorable_interface;
extern zend_class_entry *php_mcp_too_large_exception;
extern zend_class_entry *php_mcp_not_serializable_exception;

/* Throws 'Cannot <action> "<name>" on <address>: <reason>'.
 * - action: a verb with its noun, such as "increment the counter".
 * - name: the key as the user wrote it. Omitted if empty.
 * - server: the store of the failed server, whose failure gives the reason. Omitted if NULL.
 * - A status that is a reply (MCP_OK, MCP_NOT_FOUND) becomes a ServerException about an unexpected reply. */
void php_mcp_failure_throw(mcp_status status, const char *action, mcp_bytes name,
	mcp_store *server);

/* Throws without a server. `reason` replaces the message of the table. */
void php_mcp_failure_throw_because(mcp_status status, const char *action, mcp_bytes name,
	const char *reason);

/* Returns the server that failed last, if `status` is its failure, or else the server of `key`. A call for one key
 * might have used other servers: those of its tags, copies or fence. Returns NULL for no failure and no key. */
mcp_store *php_mcp_failure_server(mcp_status status, mcp_store *store, const mcp_key *key);

/* Calls php_mcp_failure_throw() with the result of php_mcp_failure_server(). */
void php_mcp_failure_throw_for_key(mcp_status status, const char *action, mcp_bytes name,
	mcp_store *store, const mcp_key *key);

/* Throws a NotSerializableException. `reason` completes "not serializable: ...". */
void php_mcp_failure_throw_not_serializable(mcp_bytes name, const char *reason);

/* Throws '<noun> "<name>" <what>' for a failure that has no status. */
void php_mcp_failure_throw_about(zend_class_entry *exception, const char *noun, mcp_bytes name,
	const char *what);

/* True if the table has a ServerException for the status. False for MCP_OK, and for a status whose message only a
 * class knows. */
bool php_mcp_failure_is_of_server(mcp_status status);

/* Returns a printable name, truncated if it is long. The caller owns it. */
zend_string *php_mcp_failure_show_name(mcp_bytes name);

/* Describes a status for messages outside exceptions: "the server could not be reached: no such file". `failure` can be
 * NULL. The caller owns the string. */
zend_string *php_mcp_failure_describe(mcp_status status, const mcp_store_failure *failure);
#endif
