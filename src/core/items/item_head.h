/* Heads of items that many processes append to, and of table rows. docs/spec/storage.md defines the formats. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_ITEM_HEAD_H
#define MCP_CORE_ITEM_HEAD_H

#include "../bytes.h"
#include "../envelope/signature.h"

#include <stdint.h>

/* Magic and version (2 bytes), end (6), random number (8). */
#define MCP_APPEND_HEAD_LENGTH 16
/* End of an item that never expires. */
#define MCP_APPEND_NEVER_MS 0xFFFFFFFFFFFFull

typedef enum mcp_append_kind {
	MCP_APPEND_LOG = 0xE2, /* a slot of an event log */
	MCP_APPEND_SET = 0xE3, /* a shard of a member set */
} mcp_append_kind;

typedef struct mcp_append_head {
	mcp_append_kind kind;
	uint64_t end_ms; /* Unix time, at most MCP_APPEND_NEVER_MS */
	uint64_t id;     /* not 0 */
} mcp_append_head;

void mcp_append_head_write(const mcp_append_head *head, char out[MCP_APPEND_HEAD_LENGTH]);

/* Returns false if the item is not of this kind and version. */
bool mcp_append_head_read(mcp_bytes item, mcp_append_kind kind, mcp_append_head *head);

/* Head of a table's row: flags of the payload, and a stamp of this write. docs/spec/storage.md defines the
 * format. */

#define MCP_ROW_HEAD_LENGTH 16
#define MCP_ROW_HEAD_MAX (MCP_ROW_HEAD_LENGTH + MCP_SIGNATURE_LENGTH)

typedef struct mcp_row_head {
	uint32_t flags; /* flags of the payload, 16 bits */
	uint64_t stamp; /* random per write, not 0 */
	bool is_signed;
	unsigned char signature[MCP_SIGNATURE_LENGTH];
} mcp_row_head;

/* Returns the length. */
size_t mcp_row_head_write(const mcp_row_head *head, char out[MCP_ROW_HEAD_MAX]);

/* Returns false if the item is not a row of this version. The payload is a view into the item. */
bool mcp_row_head_read(mcp_bytes item, mcp_row_head *head, mcp_bytes *payload);

#endif
