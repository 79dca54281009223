/* A Pool's password and options of TLS: out of the constructor's arguments, or the INI settings where they were not given. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_ACCESS_ARGUMENTS_H
#define MCP_PHP_ACCESS_ARGUMENTS_H

#include "servers/server_access.h"

/* As the constructor parsed them, borrowed; NULL: not given. */
typedef struct mcp_access_arguments {
	HashTable *tls;
	zend_string *user;
	zend_string *password;
} mcp_access_arguments;

/* Where a mistake is: an argument, or the setting that stands for it. */
typedef struct mcp_access_mistake {
	uint32_t arg_num; /* 0: the setting */
	const char *setting;
	zend_string *words; /* that follow "must "; the caller's. NULL: there is none */
} mcp_access_mistake;

/* Reads them, and refuses what libmemcached has no use for. *access is the caller's, and NULL if there is nothing to keep.
 * `takes_settings`: for what is not given. */
mcp_access_mistake php_mcp_access_arguments_read(const mcp_access_arguments *arguments,
	bool takes_settings, bool is_direct, mcp_server_access **access);

#endif
