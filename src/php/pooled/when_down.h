/* Decides when an object returns a default because a server failed (whenDown), counts the default and reports it to
 * the Pool's listener. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_WHEN_DOWN_H
#define MCP_PHP_WHEN_DOWN_H

#include "../../core/status.h"
#include "../pool/pool.h"

#include "php.h"

/* Constructor argument. Zeroed: the object throws. */
typedef struct mcp_when_down {
	bool is_given;
	zend_long answer;
} mcp_when_down;

/* Make it of a nullable parameter. */
static inline mcp_when_down php_mcp_when_down_of(zend_long answer, bool is_null) {
	return (mcp_when_down){.is_given = !is_null, .answer = answer};
}

/* Add it to var_dump(), as a number or as a bool. */
void php_mcp_when_down_show(zval *info, const mcp_when_down *when_down);
void php_mcp_when_down_show_bool(zval *info, const mcp_when_down *when_down);

/* Decide after a call of `name` ended with `status`; `key` is its key or the first part of its slots' keys. Returns
 * true if the method must return the object's default. Returns false if the status stands: throw it, or MCP_OK. Runs
 * no user code. */
bool php_mcp_when_down_steps_in(const mcp_when_down *when_down, mcp_status status, mcp_pool *pool,
	const mcp_key *key, zend_string *name);

#endif
