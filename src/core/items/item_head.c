/* Writes and reads the heads of appended items and of rows. */
/* SPDX-License-Identifier: MIT */
#include "item_head.h"

#include "../bytes.h"

enum {
	AT_VERSION = 1,
	VERSION = 1, /* of both heads */
};

enum { AT_END = 2, AT_ID = 8 };

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

/* Writes and reads the head of a row. */

enum {
	AT_STATE = 2,
	AT_FLAGS = 4,
	AT_STAMP = 8,
	MAGIC = 0xE4,
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
