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

#endif
