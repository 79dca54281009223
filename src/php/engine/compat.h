/* Contains all checks of the PHP version. Other code uses the names of the newest version, which this file defines
 * for older versions. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_COMPAT_H
#define MCP_PHP_COMPAT_H

#include "php.h"

#include "ext/json/php_json.h"
#include "ext/standard/basic_functions.h"
#include "zend_ini.h"

#if PHP_VERSION_ID < 80200
#error "mcpatterns requires PHP 8.2 or later"
#endif

/* Counters, tokens and times need 64 bits. */
#if SIZEOF_ZEND_LONG < 8
#error "mcpatterns requires a PHP with 64-bit integers"
#endif

/* PHP's generator emits this macro for a variadic parameter of several types, but 8.2 does not define it. */
#ifndef ZEND_ARG_VARIADIC_TYPE_MASK
#define ZEND_ARG_VARIADIC_TYPE_MASK(by_ref, name, mask, fallback) \
	{#name, ZEND_TYPE_INIT_MASK((mask) | _ZEND_ARG_INFO_FLAGS(by_ref, 1, 0)), fallback},
#endif

/* Fill in a shutdown function that calls the closure. On success, the entry owns the caller's reference to the
 * closure: as the function name before 8.5, and in the entry's cache since 8.5. */
static inline bool php_mcp_compat_fill_entry(php_shutdown_function_entry *entry, zval *closure) {
	zend_fcall_info info;
	*entry = (php_shutdown_function_entry){0};
	if (zend_fcall_info_init(closure, 0, &info, &entry->fci_cache, NULL, NULL) != SUCCESS) {
		return false;
	}
#if PHP_VERSION_ID < 80500
	entry->fci = info;
#endif
	return true;
}

#if PHP_VERSION_ID < 80600

#define zend_ini_string_literal(name) zend_ini_string((name), sizeof("" name) - 1, false)
#define zend_ini_long_literal(name) zend_ini_long((name), sizeof("" name) - 1, false)
#define zend_ini_bool_literal(name) (zend_ini_long_literal(name) != 0)

/* The error of json_last_error() and json_last_error_msg(). Since 8.6, it includes a position. */
typedef php_json_error_code mcp_compat_json_error;
#define MCP_COMPAT_JSON_ERROR JSON_G(error_code)
#define MCP_COMPAT_JSON_ERROR_CODE JSON_G(error_code)

/* The path parameter of a save handler's open function. */
#define MCP_COMPAT_SAVE_PATH(path) (path)

#else

typedef php_json_error_details mcp_compat_json_error;
#define MCP_COMPAT_JSON_ERROR JSON_G(error_details)
#define MCP_COMPAT_JSON_ERROR_CODE JSON_G(error_details).code

#define MCP_COMPAT_SAVE_PATH(path) ZSTR_VAL(path)

#endif

/* Forget the pending exceptions without freeing them. Before 8.6, the caller of an autoloader had one more pending
 * exception. */
static inline void php_mcp_compat_forget_exceptions(void) {
	EG(exception) = NULL;
#if PHP_VERSION_ID < 80600
	EG(prev_exception) = NULL;
#endif
}

#endif
