/* Writes and reads the head of a row. */
/* SPDX-License-Identifier: MIT */
#include "row_head.h"

#include "../little_endian.h"

enum {
	AT_VERSION = 1,
	AT_STATE = 2,
	AT_FLAGS = 4,
	AT_STAMP = 8,
	MAGIC = 0xE4,
	VERSION = 1,
	STATE_SIGNED = 1,
};

#define FLAGS_MASK 0xFFFFu

size_t mcp_row_head_write(const mcp_row_head *head, char out[MCP_ROW_HEAD_MAX]) {
	unsigned char *to = (unsigned char *)out;
	to[0] = MAGIC;
	to[AT_VERSION] = VERSION;
	mcp_store_u16(to + AT_STATE, head->is_signed ? STATE_SIGNED : 0);
	mcp_store_u32(to + AT_FLAGS, head->flags & FLAGS_MASK);
	mcp_store_u64(to + AT_STAMP, head->stamp);
	if (!head->is_signed) {
		return MCP_ROW_HEAD_LENGTH;
	}
	memcpy(to + MCP_ROW_HEAD_LENGTH, head->signature, MCP_SIGNATURE_LENGTH);
	return MCP_ROW_HEAD_MAX;
}

bool mcp_row_head_read(mcp_bytes item, mcp_row_head *head, mcp_bytes *payload) {
	const unsigned char *from = (const unsigned char *)item.data;
	if (item.length < MCP_ROW_HEAD_LENGTH || from[0] != MAGIC || from[AT_VERSION] != VERSION) {
		return false;
	}
	unsigned state = mcp_load_u16(from + AT_STATE);
	size_t length = (state & STATE_SIGNED) != 0 ? MCP_ROW_HEAD_MAX : MCP_ROW_HEAD_LENGTH;
	*head = (mcp_row_head){
		.flags = mcp_load_u32(from + AT_FLAGS),
		.stamp = mcp_load_u64(from + AT_STAMP),
		.is_signed = (state & STATE_SIGNED) != 0,
	};
	if ((state & ~(unsigned)STATE_SIGNED) != 0 || (head->flags & ~FLAGS_MASK) != 0 ||
		head->stamp == 0 || item.length < length) {
		return false;
	}
	if (head->is_signed) {
		memcpy(head->signature, from + MCP_ROW_HEAD_LENGTH, MCP_SIGNATURE_LENGTH);
	}
	*payload = mcp_bytes_of(item.data + length, item.length - length);
	return true;
}
