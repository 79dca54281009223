/* The line of a request, put together on the stack: memcached's words, a key and some numbers. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_REQUEST_H
#define MCP_STORE_REQUEST_H

#include "../../../core/bytes.h"
#include "../../../core/decimal.h"
#include "../../../core/key/key.h"
#include "../../../core/words.h"

/* The longest: a word, a key, four numbers with their marks, each after a space, and some flags. */
#define MCP_REQUEST_MAX (32 + MCP_WIRE_KEY_MAX + 4 * (3 + MCP_DECIMAL_MAX_LENGTH))

typedef struct mcp_request {
	size_t length;
	char text[MCP_REQUEST_MAX];
} mcp_request;

static inline void mcp_request_add(mcp_request *request, const char *data, size_t length) {
	memcpy(request->text + request->length, data, length);
	request->length += length;
}

static inline void mcp_request_begin(mcp_request *request, const char *verb, mcp_bytes key) {
	request->length = 0;
	mcp_request_add(request, verb, strlen(verb));
	mcp_words_copy(request->text + request->length, key.data, key.length);
	request->length += key.length;
}

/* Adds a number; `mark` is what stands between it and what was before: a space, and perhaps a meta flag. */
static inline void mcp_request_add_u64(mcp_request *request, const char *mark, uint64_t number) {
	mcp_request_add(request, mark, strlen(mark));
	request->length += mcp_decimal_format_u64(number, request->text + request->length);
}

static inline void mcp_request_add_i64(mcp_request *request, const char *mark, int64_t number) {
	mcp_request_add(request, mark, strlen(mark));
	request->length += mcp_decimal_format_i64(number, request->text + request->length);
}

static inline mcp_bytes mcp_request_end(mcp_request *request) {
	mcp_request_add(request, "\r\n", 2);
	return mcp_bytes_of(request->text, request->length);
}

#endif
