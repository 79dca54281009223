/* Whether a text that should be something else, a prefix, looks like a server. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_SERVER_LIKENESS_H
#define MCP_PHP_SERVER_LIKENESS_H

#include "php.h"

/* Recognizes what can only be meant as one more server. */
bool php_mcp_server_likeness_is_sure(const zend_string *text);

#endif
