/* Registers the enums and converts their cases. The order of declaration identifies a case; the C enums in enums.h
 * have that order. */
/* SPDX-License-Identifier: MIT */
#include "enums.h"

#include "classes.h"
#include "zend_enum.h"

#include "enums_arginfo.h"

zend_class_entry *php_mcp_distribution_enum;
zend_class_entry *php_mcp_serializer_enum;
zend_class_entry *php_mcp_compression_enum;
zend_class_entry *php_mcp_refresh_enum;
zend_class_entry *php_mcp_transport_enum;
zend_class_entry *php_mcp_limiting_enum;
zend_class_entry *php_mcp_locking_enum;
zend_class_entry *php_mcp_status_enum;

int php_mcp_enums_case(zend_object *object) {
	zend_string *wanted = Z_STR_P(zend_enum_fetch_case_name(object));
	int place = 0;
	zend_string *name;
	zend_class_constant *constant;
	ZEND_HASH_FOREACH_STR_KEY_PTR(CE_CONSTANTS_TABLE(object->ce), name, constant) {
		if ((ZEND_CLASS_CONST_FLAGS(constant) & ZEND_CLASS_CONST_IS_CASE) == 0) {
			continue;
		}
		if (zend_string_equals(name, wanted)) {
			return place;
		}
		place++;
	}
	ZEND_HASH_FOREACH_END();
	ZEND_UNREACHABLE();
}

zend_object *php_mcp_enums_status(mcp_entry_status status) {
	static const char *const names[] = {
		[MCP_ENTRY_FRESH] = "Fresh",
		[MCP_ENTRY_STALE] = "Stale",
		[MCP_ENTRY_ELECTED] = "Elected",
		[MCP_ENTRY_BUSY] = "Busy",
		[MCP_ENTRY_MISS] = "Miss",
	};
	return zend_enum_get_case_cstr(php_mcp_status_enum, names[status]);
}

zend_object *php_mcp_enums_limiting(mcp_limiting algorithm) {
	static const char *const names[] = {
		[MCP_LIMITING_FIXED_WINDOW] = "FixedWindow",
		[MCP_LIMITING_SLIDING_WINDOW] = "SlidingWindow",
		[MCP_LIMITING_TOKEN_BUCKET] = "TokenBucket",
	};
	return zend_enum_get_case_cstr(php_mcp_limiting_enum, names[algorithm]);
}

void php_mcp_enums_register(void) {
	php_mcp_distribution_enum = register_class_McPatterns_Distribution();
	php_mcp_serializer_enum = register_class_McPatterns_Serializer();
	php_mcp_compression_enum = register_class_McPatterns_Compression();
	php_mcp_refresh_enum = register_class_McPatterns_Refresh();
	php_mcp_transport_enum = register_class_McPatterns_Transport();
	php_mcp_limiting_enum = register_class_McPatterns_Limiting();
	php_mcp_locking_enum = register_class_McPatterns_Locking();
	php_mcp_status_enum = register_class_McPatterns_Status();
}
