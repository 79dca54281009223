/* Makes keys of names by a Pool's prefix alone. */
/* SPDX-License-Identifier: MIT */
#include "pool_key.h"

mcp_key php_mcp_pool_key_make(mcp_key_space space, const mcp_pool *pool, const zend_string *name,
	mcp_key_buffer *buffer) {
	mcp_key_parts parts = {
		.space = space,
		.prefix = php_mcp_pool_prefix(pool),
		.name = mcp_bytes_of(ZSTR_VAL(name), ZSTR_LEN(name)),
	};
	return mcp_key_make(buffer, &parts);
}
