/* The value of a lock's item: its holder, until when by the holder's wall clock, which of the holder's
 * acquisitions it is, and, unless it is to outlast that one, the process that holds it. One line of text
 * that a person can read with any client; docs/spec/storage.md has the format. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_LOCK_ITEM_H
#define MCP_CORE_LOCK_ITEM_H

#include "../holders/holders.h"

/* The mark, a label, 20 digits, 16 digits, and the spaces behind these. */
#define MCP_LOCK_ITEM_HEAD_MAX (6 + MCP_HOLDER_LABEL_MAX + 20 + 1 + 16 + 1)
/* No wall clock ends it. */
#define MCP_LOCK_ITEM_NEVER UINT64_MAX

typedef struct mcp_lock_item {
	mcp_bytes owner;        /* the holder's name, any bytes; borrowed */
	uint64_t stamp;         /* random, another for each acquisition; not 0 */
	uint64_t until_ms;      /* Unix time; MCP_LOCK_ITEM_NEVER, or below 2^63 */
	mcp_holder_name holder; /* as read; without a machine: no process is named */
} mcp_lock_item;

/* Writes all that stands before the owner's name, which ends the value. `label`: names the process, in the place of
 * item->holder; NULL: none is named. Returns the length. */
size_t mcp_lock_item_write_head(const mcp_lock_item *item, const mcp_holder_label *label,
	char head[MCP_LOCK_ITEM_HEAD_MAX]);

/* False if the value is not of this format. `owner` then is a view into `value`. */
bool mcp_lock_item_read(mcp_bytes value, mcp_lock_item *item);

#endif
