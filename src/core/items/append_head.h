/* Head of an item that many processes append to: its kind, its intended end, and a random unique number. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_APPEND_HEAD_H
#define MCP_CORE_APPEND_HEAD_H

#include "../bytes.h"

#include <stdint.h>

/* Magic and version (2 bytes), end (6), random number (8). */
#define MCP_APPEND_HEAD_LENGTH 16
/* Never expires. */
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

/* Returns false if the item is not of this kind, or of a later version. */
bool mcp_append_head_read(mcp_bytes item, mcp_append_kind kind, mcp_append_head *head);

#endif
