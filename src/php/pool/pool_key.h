/* The keys on a Pool's servers that names become, for classes without a scope of their own. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_POOL_KEY_H
#define MCP_PHP_POOL_KEY_H

#include "../../core/key/key.h"
#include "pool.h"

#include "php.h"

/* A key with the bytes that it is a view of: made once by an object whose name and pool stay, and not to be moved. */
typedef struct mcp_pool_kept_key {
	mcp_key key;
	mcp_key_buffer buffer;
} mcp_pool_kept_key;

/* Makes the key that `name` is among the pool's keys of one kind. */
mcp_key php_mcp_pool_key_make(mcp_key_space space, const mcp_pool *pool, const zend_string *name,
	mcp_key_buffer *buffer);

static inline void php_mcp_pool_key_keep(mcp_pool_kept_key *kept, mcp_key_space space,
	const mcp_pool *pool, const zend_string *name) {
	kept->key = php_mcp_pool_key_make(space, pool, name, &kept->buffer);
}

#endif
