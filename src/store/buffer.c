/* Buffer that grows by doubling and frees the memory of a rare large reply. */
/* SPDX-License-Identifier: MIT */
#include "buffer.h"

#include <stdint.h>
#include <stdlib.h>

#define SMALLEST 256

bool mcp_buffer_grow(mcp_buffer *buffer, size_t extra) {
	if (extra > SIZE_MAX / 2 - buffer->length) {
		return false;
	}
	size_t capacity = buffer->capacity < SMALLEST ? SMALLEST : buffer->capacity;
	while (capacity < buffer->length + extra) {
		capacity *= 2;
	}
	char *data = realloc(buffer->data, capacity);
	if (data == NULL) {
		return false;
	}
	buffer->data = data;
	buffer->capacity = capacity;
	return true;
}

void mcp_buffer_free(mcp_buffer *buffer) {
	free(buffer->data);
	*buffer = (mcp_buffer){0};
}

void mcp_buffer_clear_giant(mcp_buffer *buffer) {
	bool is_giant = buffer->length > MCP_BUFFER_KEPT_MAX;
	if (is_giant || buffer->was_giant) {
		buffer->was_giant = is_giant;
	} else {
		mcp_buffer_free(buffer);
	}
}
