/* Bytes that grow and are used again and again: what a store puts together or keeps for its caller.
 * An empty one is all zeroes; its owner frees it. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_BUFFER_H
#define MCP_STORE_BUFFER_H

#include "../core/bytes.h"

/* The most that a process keeps of a buffer for ever. More than that stays for the two calls behind the one that took it,
 * and the third gives it back: whoever asks for thousands of keys asks again, and new pages cost more than the answers that
 * are written into them. */
#define MCP_BUFFER_KEPT_MAX ((size_t)1024 * 1024)

typedef struct mcp_buffer {
	char *data;
	size_t length;
	size_t capacity;
	bool was_giant; /* the use before the last one took more than is kept */
} mcp_buffer;

/* Does mcp_buffer_reserve's work where there is no room yet. */
bool mcp_buffer_grow(mcp_buffer *buffer, size_t extra);

/* Reserves room for `extra` bytes behind what is there; views into the buffer may die. False if there is no
 * memory; then nothing changed. */
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

/* Frees what is more than an ordinary call needs; what is in the buffer is gone then. */
static inline void mcp_buffer_trim(mcp_buffer *buffer) {
	if (buffer->capacity > MCP_BUFFER_KEPT_MAX) {
		mcp_buffer_free(buffer);
	}
}

/* Does mcp_buffer_clear's work where there is more than an ordinary call needs. */
void mcp_buffer_clear_giant(mcp_buffer *buffer);

/* Empties it for its next use. Keeps its memory unless that is more than an ordinary call needs, and than each of the last
 * two uses took: `length` says what the one that ends here did. */
static inline void mcp_buffer_clear(mcp_buffer *buffer) {
	if (buffer->capacity > MCP_BUFFER_KEPT_MAX) {
		mcp_buffer_clear_giant(buffer);
	}
	buffer->length = 0;
}

/* Empties it and takes so many bytes of it for its next use, with nothing in them yet. False if there is no memory; then it
 * is empty. */
static inline bool mcp_buffer_use(mcp_buffer *buffer, size_t bytes) {
	mcp_buffer_clear(buffer);
	if (!mcp_buffer_reserve(buffer, bytes)) {
		return false;
	}
	buffer->length = bytes;
	return true;
}

#endif
