/* The arguments of the constructors of McPatterns\Lock and McPatterns\Semaphore, and of Lock::restore(). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_LOCK_ARGUMENTS_H
#define MCP_PHP_LOCK_ARGUMENTS_H

#include "lock_object.h"

/* With their numbers, which differ. */
typedef struct mcp_lock_arguments {
	zend_object *pool;
	zend_string *name;
	zval *ttl;
	uint32_t ttl_number;
	zval *skew;
	uint32_t skew_number;
	zend_string *owner; /* NULL: a random one */
	uint32_t owner_number;
	uint32_t permits; /* of a Semaphore, judged; 0: a Lock */
} mcp_lock_arguments;

/* Constructs the object; false with an exception, and then it stays unconstructed. May run user code. */
bool php_mcp_lock_arguments_construct(mcp_lock_object *object, const mcp_lock_arguments *arguments);

/* Parses a TTL; false with an exception about parameter arg_num. */
bool php_mcp_lock_arguments_parse_ttl(zval *ttl, uint32_t arg_num, uint64_t *ttl_ms);
/* Parses a wait; no argument is 0. */
bool php_mcp_lock_arguments_parse_wait(zval *wait, uint32_t arg_num, uint64_t *wait_ms);

#endif
