/* Registers the exceptions, which have no methods of their own. */
/* SPDX-License-Identifier: MIT */
#include "exceptions.h"

#include "classes.h"
#include "ext/spl/spl_exceptions.h"
#include "zend_exceptions.h"
#include "zend_interfaces.h"

#include "exceptions_arginfo.h"

zend_class_entry *php_mcp_exception_interface;
zend_class_entry *php_mcp_server_exception;
zend_class_entry *php_mcp_lock_timeout_exception;
zend_class_entry *php_mcp_lock_lost_exception;
zend_class_entry *php_mcp_stored_value_exception;
zend_class_entry *php_mcp_rebuild_paused_exception;
zend_class_entry *php_mcp_unstorable_interface;
zend_class_entry *php_mcp_too_large_exception;
zend_class_entry *php_mcp_not_serializable_exception;

void php_mcp_exceptions_register(void) {
	php_mcp_exception_interface = register_class_McPatterns_Exception(zend_ce_throwable);
	php_mcp_server_exception = register_class_McPatterns_ServerException(spl_ce_RuntimeException,
		php_mcp_exception_interface);
	php_mcp_lock_timeout_exception =
		register_class_McPatterns_LockTimeoutException(spl_ce_RuntimeException,
			php_mcp_exception_interface);
	php_mcp_lock_lost_exception =
		register_class_McPatterns_LockLostException(spl_ce_RuntimeException,
			php_mcp_exception_interface);
	php_mcp_stored_value_exception =
		register_class_McPatterns_StoredValueException(spl_ce_UnexpectedValueException,
			php_mcp_exception_interface);
	php_mcp_unstorable_interface =
		register_class_McPatterns_UnstorableException(php_mcp_exception_interface);
	php_mcp_too_large_exception =
		register_class_McPatterns_TooLargeException(php_mcp_stored_value_exception,
			php_mcp_unstorable_interface);
	php_mcp_not_serializable_exception =
		register_class_McPatterns_NotSerializableException(zend_ce_type_error,
			php_mcp_unstorable_interface);
	php_mcp_rebuild_paused_exception =
		register_class_McPatterns_RebuildPausedException(spl_ce_RuntimeException,
			php_mcp_exception_interface);
}
