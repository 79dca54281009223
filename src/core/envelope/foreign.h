/* Values that php-memcached (3.x) and pecl-memcache (3.x, 4.x, 8.x) stored, without an envelope. Their flags say how
 * to read them; where the two mean different things by one number, the first byte tells. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_FOREIGN_H
#define MCP_CORE_FOREIGN_H

#include "../bytes.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct mcp_foreign_value {
	mcp_bytes payload; /* a view into the item, or a constant */
	uint32_t flags;    /* as core/envelope/value_flags.h */
} mcp_foreign_value;

/* Reads the item as this extension's payloads have the value; nothing is unserialized or inflated. False if
 * neither client gives such flags, and if they are those of an envelope: a damaged one is no string. The upper 16
 * bits, into which users of php-memcached put their own, are not looked at. */
bool mcp_foreign_read(mcp_bytes item, uint32_t item_flags, mcp_foreign_value *value);

/* Stands for the epoch that the item has not: the same for every reader as long as the item stays, another one
 * after each write. */
uint64_t mcp_foreign_epoch(mcp_bytes item, uint32_t item_flags, uint64_t cas);

#endif
