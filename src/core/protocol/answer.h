/* Parses memcached's replies (text protocol and meta commands, protocol.txt) from the bytes received so far.
 * No I/O and no state: the same bytes give the same result. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_ANSWER_H
#define MCP_CORE_ANSWER_H

#include "../bytes.h"
#include "../compiler.h"

#include <stdint.h>

/* memcached's longest lines, those of VALUE and "stats", are far shorter. */
#define MCP_ANSWER_LINE_MAX 2048
/* memcached's maximum item size (-I). */
#define MCP_ANSWER_VALUE_MAX ((uint64_t)1024 * 1024 * 1024)

typedef enum mcp_answer_kind {
	MCP_ANSWER_INCOMPLETE = 0, /* more bytes are needed */
	MCP_ANSWER_NONSENSE,       /* not a reply of memcached */
	MCP_ANSWER_VALUE,          /* key, flags, CAS value and value of an item; more replies follow */
	MCP_ANSWER_CONFIG,         /* like a value, for "config get" */
	MCP_ANSWER_END,            /* end of a retrieval or of statistics */
	MCP_ANSWER_STORED,         /* also "HD" of a meta command, possibly with a CAS value */
	MCP_ANSWER_NOT_STORED,     /* "NOT_STORED", "NS" */
	MCP_ANSWER_EXISTS,         /* "EXISTS", "EX" */
	MCP_ANSWER_NOT_FOUND,      /* "NOT_FOUND", "NF" */
	MCP_ANSWER_MISS,           /* "EN" of "mg" */
	MCP_ANSWER_DELETED,
	MCP_ANSWER_TOUCHED,
	MCP_ANSWER_OK,
	MCP_ANSWER_NUMBER,       /* result of incr and decr */
	MCP_ANSWER_STATISTIC,    /* key and value, without control characters; more replies follow */
	MCP_ANSWER_VERSION,      /* value */
	MCP_ANSWER_NO_OPERATION, /* "MN" of "mn" */
	MCP_ANSWER_ERROR,        /* unknown command */
	MCP_ANSWER_CLIENT_ERROR, /* value: the reason */
	MCP_ANSWER_SERVER_ERROR, /* value: the reason */
} mcp_answer_kind;

/* A reply with views into the received bytes. Fields that the reply's kind does not have are empty or 0. */
typedef struct mcp_answer {
	mcp_answer_kind kind;
	/* Length including line end and value. If incomplete: the minimum total length, which exceeds the number of
	 * received bytes. */
	size_t length;
	mcp_bytes line; /* without line end; invalid replies: the available bytes; incomplete: empty */
	mcp_bytes key;
	mcp_bytes value;
	uint64_t cas; /* 0: none */
	uint64_t number;
	uint32_t flags;
} mcp_answer;

/* Parse the first reply in these bytes. */
void mcp_answer_read(mcp_bytes arrived, mcp_answer *answer);

/* Fast path for the most frequent reply, a hit of "gets" with one key: one pass, without searching for
 * delimiters. Everything else is parsed by mcp_answer_read(). */

/* Minimum bytes after the key, so that words can be read without a bounds check: 3 spaces, 8 digits each
 * of flags, length and CAS value, and the line end. The line of a tag, with its 19-digit version and the
 * end of the reply, has at least this length. */
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

/* Read up to 16 digits. 8 or more digits require at least 8 + `behind` bytes after the first 8, for the
 * rest of the line. */
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

/* Parse the line of an item with this key. Returns the start of the value, and fills in everything but the value's
 * data. NULL if the line is something else or incomplete; *hit is then undefined. */
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

/* True if the bytes are exactly an item of this key and the end of the reply, as mcp_answer_read would parse them.
 * `key` must be valid for memcached. False if the bytes are something else or incomplete; *hit is then undefined. */
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

/* Parse an item of this key, followed by anything. Returns the item's length, or 0 if the bytes are
 * something else or incomplete. */
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
