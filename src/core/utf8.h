/* Truncation of UTF-8 text. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_UTF8_H
#define MCP_CORE_UTF8_H

#include "bytes.h"

#include <stdbool.h>

/* Maximum number of bytes after the first byte of a character. */
#define MCP_UTF8_CONTINUATION_MAX 3

static inline bool mcp_utf8_is_continuation(char byte) {
	return ((unsigned char)byte & 0xC0) == 0x80;
}

/* Where to truncate a text of more than `end` bytes: at `end`, or before the character that would be cut.
 * Invalid UTF-8 is truncated at `end`. */
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
