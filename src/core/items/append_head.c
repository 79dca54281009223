/* Writes and reads the 16-byte head of an appended item. */
/* SPDX-License-Identifier: MIT */
#include "append_head.h"

#include "../little_endian.h"

enum {
	AT_VERSION = 1,
	AT_END = 2,
	AT_ID = 8,
	VERSION = 1,
};

void mcp_append_head_write(const mcp_append_head *head, char out[MCP_APPEND_HEAD_LENGTH]) {
	unsigned char *to = (unsigned char *)out;
	bool is_endless = head->end_ms >= MCP_APPEND_NEVER_MS;
	to[0] = (unsigned char)head->kind;
	to[AT_VERSION] = VERSION;
	mcp_store_u48(to + AT_END, is_endless ? MCP_APPEND_NEVER_MS : head->end_ms);
	mcp_store_u64(to + AT_ID, head->id);
}

bool mcp_append_head_read(mcp_bytes item, mcp_append_kind kind, mcp_append_head *head) {
	const unsigned char *from = (const unsigned char *)item.data;
	if (item.length < MCP_APPEND_HEAD_LENGTH || from[0] != (unsigned char)kind ||
		from[AT_VERSION] != VERSION) {
		return false;
	}
	*head = (mcp_append_head){
		.kind = kind,
		.end_ms = mcp_load_u48(from + AT_END),
		.id = mcp_load_u64(from + AT_ID),
	};
	return head->id != 0;
}
