/* Values from php-memcached (3.x) and pecl-memcache (3.x, 4.x, 8.x), without an envelope. Their flags
 * determine how to read them. If flags are ambiguous, the first byte decides. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_FOREIGN_H
#define MCP_CORE_FOREIGN_H

#include "../bytes.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct mcp_foreign_value {
	mcp_bytes payload; /* a view into the item, or a constant */
	uint32_t flags;    /* see core/envelope/value_flags.h */
} mcp_foreign_value;

/* Convert the item to a payload of this extension, without unserialization or decompression. Returns false for flags of
 * other clients, and for flags of an envelope, because a damaged envelope is not a string. Ignores the upper 16 bits,
 * which users of php-memcached can set. */
bool mcp_foreign_read(mcp_bytes item, uint32_t item_flags, mcp_foreign_value *value);

/* Substitute for the missing epoch: equal for all readers as long as the item is unchanged, and different after each
 * write. */
uint64_t mcp_foreign_epoch(mcp_bytes item, uint32_t item_flags, uint64_t cas);

#endif
