/* Fast path for the most frequent reply, a hit of "gets" with one key: one pass, without searching for
 * delimiters. Everything else is parsed by answer.h. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_ANSWER_HIT_H
#define MCP_CORE_ANSWER_HIT_H

#include "../bytes.h"
#include "../compiler.h"
#include "../words.h"

#include <stdint.h>

/* Minimum bytes after the key, so that words can be read without a bounds check: 3 spaces, 8 digits each of
 * flags, length and CAS value, and the line end. A tag's line with its 19-digit version and the reply's end
 * is no shorter. */
#define MCP_ANSWER_HIT_ROOM 29
/* Larger values use the slow path. */
#define MCP_ANSWER_HIT_MAX 99999999
#define MCP_ANSWER_HIT_WORD "VALUE "
#define MCP_ANSWER_HIT_END "\r\nEND\r\n"

/* `value` is a view of the received bytes. */
typedef struct mcp_answer_hit {
	mcp_bytes value;
	uint64_t cas;
	uint32_t flags;
} mcp_answer_hit;

/* Read up to 16 digits. More than 8 require `behind` more bytes, for the rest of the line. */
MCP_INLINED bool mcp_answer_hit_number(const char **at, const char *end, long behind,
	uint64_t *number) {
	mcp_digits first = mcp_digits_read(*at);
	*number = first.number;
	*at += first.count;
	if (first.count == MCP_DIGITS_READ) {
		if (end - *at < MCP_DIGITS_READ + behind) {
			return false;
		}
		mcp_digits more = mcp_digits_read(*at);
		*number = mcp_digits_append(*number, more);
		*at += more.count;
	}
	return first.count > 0;
}

/* Parse the line of an item with this key. Returns the start of the value, and fills in everything but its
 * data. NULL if it is something else or incomplete; *hit is then undefined. */
static inline const char *mcp_answer_hit_line(mcp_bytes arrived, mcp_bytes key,
	mcp_answer_hit *hit) {
	enum {
		WORD_LENGTH = sizeof(MCP_ANSWER_HIT_WORD) - 1,
		LINE_END_LENGTH = 2,
		BEHIND_LENGTH = 1 + MCP_DIGITS_READ + LINE_END_LENGTH,
		BEHIND_FLAGS = 1 + MCP_DIGITS_READ + BEHIND_LENGTH,
	};
	if (arrived.length < WORD_LENGTH + key.length + MCP_ANSWER_HIT_ROOM ||
		memcmp(arrived.data, MCP_ANSWER_HIT_WORD, WORD_LENGTH) != 0 ||
		!mcp_words_equal(arrived.data + WORD_LENGTH, key.data, key.length)) {
		return NULL;
	}
	const char *at = arrived.data + WORD_LENGTH + key.length, *end = arrived.data + arrived.length;
	uint64_t flags, length;
	if (*at++ != ' ' || !mcp_answer_hit_number(&at, end, BEHIND_FLAGS, &flags) ||
		flags > UINT32_MAX || *at++ != ' ' ||
		!mcp_answer_hit_number(&at, end, BEHIND_LENGTH, &length) || length > MCP_ANSWER_HIT_MAX ||
		*at++ != ' ' || !mcp_answer_hit_number(&at, end, LINE_END_LENGTH, &hit->cas) ||
		memcmp(at, MCP_ANSWER_HIT_END, LINE_END_LENGTH) != 0) {
		return NULL;
	}
	hit->value.length = (size_t)length;
	hit->flags = (uint32_t)flags;
	return at + LINE_END_LENGTH;
}

/* True if the bytes are exactly an item of this key and the end of the reply, as mcp_answer_read would parse
 * them. `key` must be valid for memcached. False if they are something else or incomplete; *hit is then
 * undefined. */
static inline bool mcp_answer_hit_read(mcp_bytes arrived, mcp_bytes key, mcp_answer_hit *hit) {
	enum { END_LENGTH = sizeof(MCP_ANSWER_HIT_END) - 1 };
	const char *value = mcp_answer_hit_line(arrived, key, hit);
	const char *end = arrived.data + arrived.length;
	if (value == NULL || (size_t)(end - value) != hit->value.length + END_LENGTH ||
		memcmp(end - END_LENGTH, MCP_ANSWER_HIT_END, END_LENGTH) != 0) {
		return false;
	}
	hit->value.data = value;
	return true;
}

/* Parse an item of this key, followed by anything. Returns its length, 0 if it is something else. */
static inline size_t mcp_answer_hit_first(mcp_bytes arrived, mcp_bytes key, mcp_answer_hit *hit) {
	enum { LINE_END_LENGTH = 2 };
	const char *value = mcp_answer_hit_line(arrived, key, hit);
	if (value == NULL) {
		return 0;
	}
	size_t before = (size_t)(value - arrived.data), whole = hit->value.length + LINE_END_LENGTH;
	if (arrived.length - before < whole ||
		memcmp(value + hit->value.length, MCP_ANSWER_HIT_END, LINE_END_LENGTH) != 0) {
		return 0;
	}
	hit->value.data = value;
	return before + whole;
}

#endif
