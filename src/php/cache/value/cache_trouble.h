/* The troubles that a Cache throws, counts and tells its Pool's listener of values. Apart from the files that read
 * and write them, whose hits are not to pay for it. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_TROUBLE_H
#define MCP_PHP_CACHE_TROUBLE_H

#include "../object/cache_object.h"

/* Tells of the exception that stands, if it says that the value cannot be stored; one that user code threw says
 * nothing of it. */
void php_mcp_cache_trouble_unstorable(const mcp_cache_object *object, const mcp_key *key,
	zend_string *name);

/* Tells that what is there cannot be read, and what its own code has thrown, if that stands. */
void php_mcp_cache_trouble_unreadable(const mcp_cache_object *object, const mcp_key *key);

/* Counts and tells of a decoding that returned false, and returns false, too. An exception of the value's own code stays. */
bool php_mcp_cache_trouble_undecoded(mcp_cache_object *object, const mcp_key *key);
/* Ends the exception that stands, if there is one and it is no exit: what has thrown it is a miss (C9). Returns false. */
bool php_mcp_cache_trouble_contain(void);

/* Throws about a value that the server would not take. */
void php_mcp_cache_trouble_throw_too_large(const mcp_cache_call *call, zend_string *name);

#endif
