/* The arguments of Pool's constructor that say how values are written and read, and the INI settings that
 * stand for them: judged, with a ValueError for each mistake. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_FORMAT_ARGUMENTS_H
#define MCP_PHP_FORMAT_ARGUMENTS_H

#include "format.h"

/* The arguments as the constructor parsed them; everything is borrowed. NULL stands for those that were not given. */
typedef struct mcp_format_arguments {
	zend_object *serializer;
	zval *allowed_classes;
	zend_string *signing_key; /* or ... */
	HashTable *signing_keys;
	zend_object *compression;
	zend_long compress_above;
} mcp_format_arguments;

mcp_format_arguments php_mcp_format_arguments_defaults(void);

/* Judges the arguments, and the next the settings; false with an exception. On true the caller owns what the format does, see php_mcp_format_free. */
bool php_mcp_format_arguments_judge(const mcp_format_arguments *arguments, mcp_format *format);
bool php_mcp_format_arguments_judge_settings(mcp_format *format);
/* Goes by the settings' names alone, which may be of what is not here. Returns NULL, or which one is none, as the end
 * of a sentence that begins with "The INI setting"; the caller releases it. */
zend_string *php_mcp_format_arguments_name(mcp_format *format);

#endif
