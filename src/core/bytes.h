/* A borrowed view of bytes. It owns nothing. The function that returns one documents its lifetime. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_BYTES_H
#define MCP_CORE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef struct mcp_bytes {
	const char *data;
	size_t length;
} mcp_bytes;

static inline mcp_bytes mcp_bytes_of(const char *data, size_t length) {
	return (mcp_bytes){data, length};
}

static inline mcp_bytes mcp_bytes_none(void) {
	return (mcp_bytes){NULL, 0};
}

static inline bool mcp_bytes_equal(mcp_bytes a, mcp_bytes b) {
	return a.length == b.length && (a.length == 0 || memcmp(a.data, b.data, a.length) == 0);
}

/* Takes the bytes before the first `separator`, and removes both from *rest. False: there is none; takes all. */
static inline bool mcp_bytes_take_until(mcp_bytes *rest, char separator, mcp_bytes *taken) {
	const char *found = rest->length > 0 ? memchr(rest->data, separator, rest->length) : NULL;
	*taken = *rest;
	rest->length = 0;
	if (found != NULL) {
		size_t length = (size_t)(found - taken->data);
		*rest = mcp_bytes_of(found + 1, taken->length - length - 1);
		taken->length = length;
	}
	return found != NULL;
}

#endif
