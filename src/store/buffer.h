/* Reusable byte buffer of a store. An empty buffer is all zeroes; its owner frees it. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_BUFFER_H
#define MCP_STORE_BUFFER_H

#include "../core/bytes.h"

/* Size up to which a process keeps a buffer forever. A larger buffer survives the 2 calls after the one that needed it:
 * repeated large reads are common, and new pages cost more than the copying. */
#define MCP_BUFFER_KEPT_MAX ((size_t)1024 * 1024)

typedef struct mcp_buffer {
	char *data;
	size_t length;
	size_t capacity;
	bool was_giant; /* the use before the last one exceeded MCP_BUFFER_KEPT_MAX */
} mcp_buffer;

/* Slow path of mcp_buffer_reserve: reallocates. */
bool mcp_buffer_grow(mcp_buffer *buffer, size_t extra);

/* Reserves `extra` bytes after the content; views into the buffer become invalid. False: no memory, buffer
 * unchanged. */
static inline bool mcp_buffer_reserve(mcp_buffer *buffer, size_t extra) {
	return extra <= buffer->capacity - buffer->length || mcp_buffer_grow(buffer, extra);
}

static inline bool mcp_buffer_append(mcp_buffer *buffer, mcp_bytes bytes) {
	if (!mcp_buffer_reserve(buffer, bytes.length)) {
		return false;
	}
	if (bytes.length > 0) {
		memcpy(buffer->data + buffer->length, bytes.data, bytes.length);
		buffer->length += bytes.length;
	}
	return true;
}

void mcp_buffer_free(mcp_buffer *buffer);

/* Frees a buffer above MCP_BUFFER_KEPT_MAX, with its content. */
static inline void mcp_buffer_trim(mcp_buffer *buffer) {
	if (buffer->capacity > MCP_BUFFER_KEPT_MAX) {
		mcp_buffer_free(buffer);
	}
}

/* Slow path of mcp_buffer_clear for a buffer above MCP_BUFFER_KEPT_MAX. */
void mcp_buffer_clear_giant(mcp_buffer *buffer);

/* Empties the buffer for its next use. Frees a large one that neither of the last 2 uses needed; `length` is the size
 * of the use that ends now. */
static inline void mcp_buffer_clear(mcp_buffer *buffer) {
	if (buffer->capacity > MCP_BUFFER_KEPT_MAX) {
		mcp_buffer_clear_giant(buffer);
	}
	buffer->length = 0;
}

/* Empties the buffer and sets its length to `bytes`, with undefined content. False: no memory, buffer empty. */
static inline bool mcp_buffer_use(mcp_buffer *buffer, size_t bytes) {
	mcp_buffer_clear(buffer);
	if (!mcp_buffer_reserve(buffer, bytes)) {
		return false;
	}
	buffer->length = bytes;
	return true;
}

#endif
