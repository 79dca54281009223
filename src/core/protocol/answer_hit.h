/* The answer that is read more often than all others, to a "gets" of one key that is there, in one pass and without
 * looking for the ends of its parts first. Whatever is not exactly that, and all that is rare, is for answer.h. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_ANSWER_HIT_H
#define MCP_CORE_ANSWER_HIT_H

#include "../bytes.h"
#include "../compiler.h"
#include "../words.h"

#include <stdint.h>

/* Behind the key there are at least so many bytes, or it is not read here: so words may be read without a look at the
 * end. Three spaces, 8 digits of flags, of a length and of a cas id, and the line's end: no more than a tag's line, its
 * number of 19 digits and the answer's end. */
#define MCP_ANSWER_HIT_ROOM 29
/* A value of more bytes is not read here. */
#define MCP_ANSWER_HIT_MAX 99999999
#define MCP_ANSWER_HIT_WORD "VALUE "
#define MCP_ANSWER_HIT_END "\r\nEND\r\n"

/* `value` is a view of what arrived. */
typedef struct mcp_answer_hit {
	mcp_bytes value;
	uint64_t cas;
	uint32_t flags;
} mcp_answer_hit;

/* Reads up to sixteen digits; more than eight only with room for `behind`, what else of the line is read. */
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

/* Reads the line of an item of this key: returns where the value begins, and fills in everything but its bytes. NULL
 * if it is something else, or there is too little of it; *hit then means nothing. */
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

/* True if these bytes are an item of this key and the end of the answer, as mcp_answer_read would find them, and
 * nothing else. `key` is one that memcached takes. False if they are something else, or not yet all there; *hit then
 * means nothing. */
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

/* Reads an item of this key with anything behind it: returns how many bytes it has, 0 if it is none. */
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
