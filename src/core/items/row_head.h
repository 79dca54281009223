/* Head of a table's row: flags of the payload, and a stamp of this write. docs/spec/storage.md defines the
 * format. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_ROW_HEAD_H
#define MCP_CORE_ROW_HEAD_H

#include "../bytes.h"
#include "../envelope/signature.h"

#include <stdint.h>

#define MCP_ROW_HEAD_LENGTH 16
#define MCP_ROW_HEAD_MAX (MCP_ROW_HEAD_LENGTH + MCP_SIGNATURE_LENGTH)

typedef struct mcp_row_head {
	uint32_t flags; /* of the payload: 16 bits */
	uint64_t stamp; /* random per write, not 0 */
	bool is_signed;
	unsigned char signature[MCP_SIGNATURE_LENGTH];
} mcp_row_head;

/* Returns the length. */
size_t mcp_row_head_write(const mcp_row_head *head, char out[MCP_ROW_HEAD_MAX]);

/* Returns false if the item is not a row, or of a later version. The payload is a view into it. */
bool mcp_row_head_read(mcp_bytes item, mcp_row_head *head, mcp_bytes *payload);

#endif
