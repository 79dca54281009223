/* The head of a table's row: it says what the payload is, and which writing of the row this is. docs/spec/storage.md
 * has the format. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_ROW_HEAD_H
#define MCP_CORE_ROW_HEAD_H

#include "../bytes.h"
#include "../envelope/signature.h"

#include <stdint.h>

#define MCP_ROW_HEAD_LENGTH 16
#define MCP_ROW_HEAD_MAX (MCP_ROW_HEAD_LENGTH + MCP_SIGNATURE_LENGTH)

typedef struct mcp_row_head {
	uint32_t flags; /* the payload's own: 16 bits */
	uint64_t stamp; /* random, not 0; another for each writing */
	bool is_signed;
	unsigned char signature[MCP_SIGNATURE_LENGTH];
} mcp_row_head;

/* Returns the length. */
size_t mcp_row_head_write(const mcp_row_head *head, char out[MCP_ROW_HEAD_MAX]);

/* False if the item is no row, or of a version to come. The payload is a view into it. */
bool mcp_row_head_read(mcp_bytes item, mcp_row_head *head, mcp_bytes *payload);

#endif
