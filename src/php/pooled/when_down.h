/* An object's answer in the place of a server that failed: numbers that a page only shows are not to end it. The one
 * place that says which failures these are, counts the answer and has it told to the Pool's listener. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_WHEN_DOWN_H
#define MCP_PHP_WHEN_DOWN_H

#include "../../core/status.h"
#include "../pool/pool.h"

#include "php.h"

/* As the constructor was told; zeroed: the object throws. */
typedef struct mcp_when_down {
	bool is_given;
	zend_long answer;
} mcp_when_down;

/* Takes a parameter that may be null. */
static inline mcp_when_down php_mcp_when_down_of(zend_long answer, bool is_null) {
	return (mcp_when_down){.is_given = !is_null, .answer = answer};
}

/* Shows it to var_dump() as a number and as a switch. */
void php_mcp_when_down_show(zval *info, const mcp_when_down *when_down);
void php_mcp_when_down_show_bool(zval *info, const mcp_when_down *when_down);

/* Decides after a call of `name`, whose key (or its slots' first part) is `key`, ended with `status`. True if
 * the method is to return what the object answers by itself. False if the status stands, an exception that must be thrown
 * or MCP_OK. Runs no user code. */
bool php_mcp_when_down_steps_in(const mcp_when_down *when_down, mcp_status status, mcp_pool *pool,
	const mcp_key *key, zend_string *name);

#endif
