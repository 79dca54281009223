/* The exceptions of McPatterns. Thrown by failure.c for a status, and by the classes for outcomes of
 * their own (a lock that could not be had). */
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
