/* A Cache's own memory of values that it has answered, for as long as they may be near: PHP values without objects and
 * references, by the key's name. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_MEMO_H
#define MCP_PHP_CACHE_MEMO_H

#include "../../patterns/cache_near.h"

#include "php.h"

/* At most so many values, of so many bytes together; where one more has no room, all go: what is behind them, the host's
 * memory, is nearly as near. */
#define MCP_MEMO_VALUES_MAX 256
#define MCP_MEMO_BYTES_MAX (1024 * 1024)
/* A value of more is not kept. */
#define MCP_MEMO_VALUE_BYTES_MAX (256 * 1024)

typedef struct mcp_memo {
	HashTable values; /* name => mcp_memo_value */
	size_t bytes;
} mcp_memo;

typedef struct mcp_memo_value {
	zval value;
	size_t bytes;
	mcp_near_look look;
	/* Of its envelope. */
	uint64_t created_ms, soft_ms, epoch;
	uint32_t compute_ms, election;
} mcp_memo_value;

mcp_memo *mcp_memo_create(void);
void mcp_memo_free(mcp_memo *memo);

/* NULL: there is none. Whether it counts is for the caller to judge, who then drops what does not. */
static inline mcp_memo_value *mcp_memo_find(const mcp_memo *memo, zend_string *name) {
	return zend_hash_find_ptr(&memo->values, name);
}
void mcp_memo_drop(mcp_memo *memo, zend_string *name);

/* Keeps a reference to the value, if it is of a kind and size that may be kept. */
void mcp_memo_keep(mcp_memo *memo, zend_string *name, zval *value, const mcp_near_look *look,
	const mcp_envelope *envelope);

#endif
