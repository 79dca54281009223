/* The exceptions of McPatterns. failure.c throws them for a status, classes for their own outcomes, such as a lock
 * timeout. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_EXCEPTIONS_H
#define MCP_PHP_EXCEPTIONS_H

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

#endif
