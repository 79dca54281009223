/* The answer that is read more often than all others, to a "gets" of one key that is there, in one pass and without
 * looking for the ends of its parts first. Whatever is not exactly that, and all that is rare, is for answer.h. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_ANSWER_HIT_H
#define MCP_CORE_ANSWER_HIT_H

#include "bytes.h"
#include "words.h"

#include <stdint.h>

/* Behind the key there are at least so many bytes, or it is not read here: so words may be read without a look at the
 * end. A line's rest is shorter: 8 digits of flags and of a length, 16 of a cas id, their spaces and the line's end. */
#define MCP_ANSWER_HIT_ROOM 48
#define MCP_ANSWER_HIT_WORD "VALUE "
#define MCP_ANSWER_HIT_END "\r\nEND\r\n"

/* `value` is a view of what arrived. */
typedef struct mcp_answer_hit {
	mcp_bytes value;
	uint64_t cas;
	uint32_t flags;
} mcp_answer_hit;

/* Up to eight digits and what stands behind them. */
static inline bool mcp_answer_hit_number(const char **at, char behind, uint64_t *number) {
	mcp_digits digits = mcp_digits_read(*at);
	const char *end = *at + digits.count;
	*number = digits.number;
	*at = end + 1;
	return digits.count > 0 && *end == behind;
}

/* Up to sixteen. */
static inline bool mcp_answer_hit_cas(const char **at, uint64_t *cas) {
	static const uint32_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000,
		100000000};
	mcp_digits first = mcp_digits_read(*at);
	*cas = first.number;
	*at += first.count;
	if (first.count == 8) {
		mcp_digits more = mcp_digits_read(*at);
		*cas = *cas * powers[more.count] + more.number;
		*at += more.count;
	}
	return first.count > 0;
}

/* Of an item of this key, its line: answers where the value begins, and fills in everything but its bytes. NULL: it is
 * something else, or there is too little of it, and *hit means nothing. */
static inline const char *mcp_answer_hit_line(mcp_bytes arrived, mcp_bytes key,
	mcp_answer_hit *hit) {
	enum { WORD_LENGTH = sizeof(MCP_ANSWER_HIT_WORD) - 1, LINE_END_LENGTH = 2 };
	if (arrived.length < WORD_LENGTH + key.length + MCP_ANSWER_HIT_ROOM ||
		memcmp(arrived.data, MCP_ANSWER_HIT_WORD, WORD_LENGTH) != 0 ||
		!mcp_words_equal(arrived.data + WORD_LENGTH, key.data, key.length)) {
		return NULL;
	}
	const char *at = arrived.data + WORD_LENGTH + key.length;
	uint64_t flags, length;
	if (*at++ != ' ' || !mcp_answer_hit_number(&at, ' ', &flags) ||
		!mcp_answer_hit_number(&at, ' ', &length) || !mcp_answer_hit_cas(&at, &hit->cas) ||
		memcmp(at, MCP_ANSWER_HIT_END, LINE_END_LENGTH) != 0) {
		return NULL;
	}
	/* Both are less than a hundred million: nothing overflows. */
	hit->value.length = (size_t)length;
	hit->flags = (uint32_t)flags;
	return at + LINE_END_LENGTH;
}

/* True: these bytes are an item of this key and the end of the answer, as mcp_answer_read would find them, and nothing
 * else. `key` is one that memcached takes. False: they are something else, or not yet all there, and *hit means
 * nothing. */
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

/* The same of an item with anything behind it: answers how many bytes it has, 0 for false. */
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
