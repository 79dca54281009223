/* One byte each for the version, the format, the marks and the number of stamps, then the stamps. */
/* SPDX-License-Identifier: MIT */
#include "session_head.h"

#include "../little_endian.h"

enum { VERSION = 1, MARK_WHOLE = 1, MARK_OVER_TOMBSTONE = 2, MARKS = 3, FIXED_LENGTH = 4 };

static unsigned char *stamp_at(unsigned char *out, size_t i) {
	return out + FIXED_LENGTH + i * MCP_SESSION_STAMP_LENGTH;
}

size_t mcp_session_head_write(const mcp_session_head *head, char out[MCP_SESSION_HEAD_MAX]) {
	out[0] = VERSION;
	out[1] = (char)head->format;
	out[2] = (char)((head->is_whole ? MARK_WHOLE : 0) |
		(head->is_over_tombstone ? MARK_OVER_TOMBSTONE : 0));
	out[3] = (char)head->stamp_count;
	for (size_t i = 0; i < head->stamp_count; i++) {
		mcp_store_u32(stamp_at((unsigned char *)out, i), head->stamps[i]);
	}
	return FIXED_LENGTH + (size_t)head->stamp_count * MCP_SESSION_STAMP_LENGTH;
}

static bool is_known(const unsigned char *fixed) {
	return fixed[0] == VERSION && fixed[1] < MCP_SESSION_FORMATS && (fixed[2] & ~MARKS) == 0;
}

mcp_session_reading mcp_session_head_read(mcp_bytes payload, mcp_session_head *head,
	mcp_bytes *data) {
	const unsigned char *fixed = (const unsigned char *)payload.data;
	if (payload.length < FIXED_LENGTH || fixed[0] < VERSION) {
		return MCP_SESSION_NONE;
	}
	if (!is_known(fixed)) {
		return MCP_SESSION_NEWER;
	}
	size_t count = fixed[3];
	size_t length = FIXED_LENGTH + count * MCP_SESSION_STAMP_LENGTH;
	if (count == 0 || count > MCP_SESSION_STAMPS_MAX || payload.length < length) {
		return MCP_SESSION_NONE;
	}
	*head = (mcp_session_head){
		.format = (mcp_session_format)fixed[1],
		.is_whole = (fixed[2] & MARK_WHOLE) != 0,
		.is_over_tombstone = (fixed[2] & MARK_OVER_TOMBSTONE) != 0,
		.stamp_count = (uint8_t)count,
	};
	for (size_t i = 0; i < count; i++) {
		head->stamps[i] = mcp_load_u32(fixed + FIXED_LENGTH + i * MCP_SESSION_STAMP_LENGTH);
	}
	*data = mcp_bytes_of(payload.data + length, payload.length - length);
	return MCP_SESSION_READ;
}

bool mcp_session_head_has(const mcp_session_head *head, uint32_t stamp) {
	for (size_t i = 0; i < head->stamp_count; i++) {
		if (head->stamps[i] == stamp) {
			return true;
		}
	}
	return false;
}

void mcp_session_head_descend(mcp_session_head *head, uint32_t stamp,
	const mcp_session_head *from) {
	size_t kept =
		from->stamp_count < MCP_SESSION_STAMPS_MAX ? from->stamp_count : MCP_SESSION_STAMPS_MAX - 1;
	memmove(head->stamps + 1, from->stamps, kept * sizeof(head->stamps[0]));
	head->stamps[0] = stamp;
	head->stamp_count = (uint8_t)(kept + 1);
}
