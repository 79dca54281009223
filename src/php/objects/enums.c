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

zend_object *php_mcp_enums_object(zend_class_entry *type, int place) {
	zend_string *name;
	zend_class_constant *constant;
	ZEND_HASH_FOREACH_STR_KEY_PTR(CE_CONSTANTS_TABLE(type), name, constant) {
		if ((ZEND_CLASS_CONST_FLAGS(constant) & ZEND_CLASS_CONST_IS_CASE) != 0 && place-- == 0) {
			return zend_enum_get_case(type, name);
		}
	}
	ZEND_HASH_FOREACH_END();
	ZEND_UNREACHABLE();
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
