/* The enums of McPatterns, and the conversion between their cases and C enums. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_ENUMS_H
#define MCP_PHP_ENUMS_H

#include "php.h"

extern zend_class_entry *php_mcp_distribution_enum;
extern zend_class_entry *php_mcp_serializer_enum;
extern zend_class_entry *php_mcp_compression_enum;
extern zend_class_entry *php_mcp_refresh_enum;
extern zend_class_entry *php_mcp_transport_enum;
extern zend_class_entry *php_mcp_limiting_enum;
extern zend_class_entry *php_mcp_locking_enum;
extern zend_class_entry *php_mcp_status_enum;

typedef enum mcp_serializer {
	MCP_SERIALIZER_PHP,
	MCP_SERIALIZER_IGBINARY,
	MCP_SERIALIZER_JSON,
	MCP_SERIALIZER_MSGPACK,
} mcp_serializer;

typedef enum mcp_compression {
	MCP_COMPRESSION_NONE,
	MCP_COMPRESSION_ZLIB,
	MCP_COMPRESSION_ZSTD,
} mcp_compression;

typedef enum mcp_refresh {
	MCP_REFRESH_INLINE,
	MCP_REFRESH_AFTER_RESPONSE,
} mcp_refresh;

typedef enum mcp_transport {
	MCP_TRANSPORT_LIBMEMCACHED,
	MCP_TRANSPORT_DIRECT,
} mcp_transport;

typedef enum mcp_entry_status {
	MCP_ENTRY_FRESH,
	MCP_ENTRY_STALE,
	MCP_ENTRY_ELECTED,
	MCP_ENTRY_BUSY,
	MCP_ENTRY_MISS,
} mcp_entry_status;

/* Returns the position of a case in the declaration of its enum, from 0. The C enums above, mcp_distribution,
 * mcp_limiting and mcp_session_locking have the same order. */
int php_mcp_enums_case(zend_object *object);
/* Returns the case at this position. Borrowed: the enum owns its cases. */
zend_object *php_mcp_enums_object(zend_class_entry *type, int place);

#endif
