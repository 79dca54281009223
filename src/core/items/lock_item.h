/* Value of a lock's item: owner, end by the holder's wall clock, stamp of the acquisition and, unless the
 * lock must outlive it, the holder's process.
 * One line of readable text; docs/spec/storage.md defines the format. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_LOCK_ITEM_H
#define MCP_CORE_LOCK_ITEM_H

#include "../holders/holders.h"

/* Mark, label, 20 digits, 16 digits, and the spaces after these. */
#define MCP_LOCK_ITEM_HEAD_MAX (6 + MCP_HOLDER_LABEL_MAX + 20 + 1 + 16 + 1)
/* No wall clock ends it. */
#define MCP_LOCK_ITEM_NEVER UINT64_MAX

typedef struct mcp_lock_item {
	mcp_bytes owner;        /* the holder's name, any bytes; borrowed */
	uint64_t stamp;         /* random per acquisition; not 0 */
	uint64_t until_ms;      /* Unix time; MCP_LOCK_ITEM_NEVER, or below 2^63 */
	mcp_holder_name holder; /* when read; without a machine: no process is named */
} mcp_lock_item;

/* Write everything before the owner's name, which ends the value. `label`: the process's name instead of
 * item->holder; NULL: none. Returns the length. */
size_t mcp_lock_item_write_head(const mcp_lock_item *item, const mcp_holder_label *label,
	char head[MCP_LOCK_ITEM_HEAD_MAX]);

/* Returns false if the value has another format. `owner` is a view into `value`. */
bool mcp_lock_item_read(mcp_bytes value, mcp_lock_item *item);

#endif
