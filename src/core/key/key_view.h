/* Keys as views over the buffer that they are made in. Private to the files beside it. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_KEY_VIEW_H
#define MCP_CORE_KEY_VIEW_H

#include "../compiler.h"
#include "../words.h"
#include "key.h"

/* Returns the end of what was appended. */
MCP_INLINED char *mcp_key_view_append(char *to, const char *from, size_t length) {
	return length > 0 ? mcp_words_copy(to, from, length) : to;
}

/* Makes views over what is in the buffer from its start to `end`; the body begins after the prefix. */
static inline mcp_key mcp_key_view_safe(mcp_key_buffer *buffer, const char *body, char *end,
	uint64_t fingerprint, bool is_safe) {
	*end = '\0';
	return (mcp_key){
		.wire = mcp_bytes_of(buffer->bytes, (size_t)(end - buffer->bytes)),
		.route = mcp_bytes_of(body, (size_t)(end - body)),
		.fingerprint = fingerprint,
		.is_safe = is_safe,
	};
}

static inline mcp_key mcp_key_view_of(mcp_key_buffer *buffer, const char *body, char *end,
	uint64_t fingerprint) {
	return mcp_key_view_safe(buffer, body, end, fingerprint, false);
}

/* Makes a key without bytes: mcp_key_is_safe refuses it, so what does not fit is never sent. */
static inline mcp_key mcp_key_view_none(void) {
	return (mcp_key){.wire = mcp_bytes_none(), .route = mcp_bytes_none()};
}

#endif
