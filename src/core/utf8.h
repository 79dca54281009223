/* Where a text in UTF-8 may be cut. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_UTF8_H
#define MCP_CORE_UTF8_H

#include "bytes.h"

#include <stdbool.h>

/* Behind the first byte of a letter. */
#define MCP_UTF8_CONTINUATION_MAX 3

static inline bool mcp_utf8_is_continuation(char byte) {
	return ((unsigned char)byte & 0xC0) == 0x80;
}

/* Returns where a text of more than `end` bytes is to end: there, or before the letter that would be cut. Bytes
 * that are no UTF-8 are cut there. */
static inline size_t mcp_utf8_cut(mcp_bytes text, size_t end) {
	size_t least = end > MCP_UTF8_CONTINUATION_MAX ? end - MCP_UTF8_CONTINUATION_MAX : 0;
	for (size_t at = end;; at--) {
		if (!mcp_utf8_is_continuation(text.data[at])) {
			return at;
		}
		if (at == least) {
			return end;
		}
	}
}

#endif
