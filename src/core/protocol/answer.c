/* Parses a reply: finds the line, and determines the kind of the reply from the line's first word. A reply that differs
 * from memcached's exact format is invalid, because a guess could return one request's reply for another. */
/* SPDX-License-Identifier: MIT */
#include "answer.h"

#include "../bytes.h"

#define LINE_END "\r\n"
#define LINE_END_LENGTH 2

typedef enum rest {
	NOTHING,    /* the word is the whole line */
	TEXT,       /* " some words", or empty */
	STATISTIC,  /* " name value" */
	META_FLAGS, /* " c123 kname", or empty */
} rest;

typedef struct word {
	const char *text;
	size_t length;
	mcp_answer_kind kind;
	rest rest;
} word;

#define WORD(text, kind, rest) \
	{ text, sizeof(text) - 1, kind, rest }

/* The most frequent words first. */
static const word words[] = {
	WORD("END", MCP_ANSWER_END, NOTHING),
	WORD("STORED", MCP_ANSWER_STORED, NOTHING),
	WORD("HD", MCP_ANSWER_STORED, META_FLAGS),
	WORD("NOT_STORED", MCP_ANSWER_NOT_STORED, NOTHING),
	WORD("DELETED", MCP_ANSWER_DELETED, NOTHING),
	WORD("NOT_FOUND", MCP_ANSWER_NOT_FOUND, NOTHING),
	WORD("EXISTS", MCP_ANSWER_EXISTS, NOTHING),
	WORD("TOUCHED", MCP_ANSWER_TOUCHED, NOTHING),
	WORD("STAT", MCP_ANSWER_STATISTIC, STATISTIC),
	WORD("NS", MCP_ANSWER_NOT_STORED, META_FLAGS),
	WORD("EX", MCP_ANSWER_EXISTS, META_FLAGS),
	WORD("NF", MCP_ANSWER_NOT_FOUND, META_FLAGS),
	WORD("EN", MCP_ANSWER_MISS, NOTHING),
	WORD("MN", MCP_ANSWER_NO_OPERATION, NOTHING),
	WORD("OK", MCP_ANSWER_OK, NOTHING),
	WORD("VERSION", MCP_ANSWER_VERSION, TEXT),
	WORD("ERROR", MCP_ANSWER_ERROR, NOTHING),
	WORD("SERVER_ERROR", MCP_ANSWER_SERVER_ERROR, TEXT),
	WORD("CLIENT_ERROR", MCP_ANSWER_CLIENT_ERROR, TEXT),
};

static void refuse_line(mcp_answer *answer) {
	*answer = (mcp_answer){
		.kind = MCP_ANSWER_NONSENSE,
		.length = answer->length,
		.line = answer->line,
	};
}

/* Returns false if the line is incomplete, too long, or does not end with CR LF. `answer` contains the reason. */
static bool find_line(mcp_bytes arrived, mcp_answer *answer) {
	bool is_long = arrived.length >= MCP_ANSWER_LINE_MAX;
	size_t length = is_long ? MCP_ANSWER_LINE_MAX : arrived.length;
	const char *end = length > 0 ? memchr(arrived.data, '\n', length) : NULL;
	if (end == NULL) {
		answer->kind = is_long ? MCP_ANSWER_NONSENSE : MCP_ANSWER_INCOMPLETE;
		answer->length = is_long ? length : arrived.length + 1;
		answer->line = mcp_bytes_of(arrived.data, is_long ? length : 0);
		return false;
	}
	answer->length = (size_t)(end - arrived.data) + 1;
	answer->line = mcp_bytes_of(arrived.data, answer->length - 1);
	if (answer->length < LINE_END_LENGTH || end[-1] != '\r') {
		answer->kind = MCP_ANSWER_NONSENSE;
		return false;
	}
	answer->line.length--;
	return true;
}

/* Take the next part of a line: at least one byte, up to a space or the end. Moves `at` past that space. */
static bool take_part(const char **at, const char *end, mcp_bytes *part) {
	if (*at >= end) {
		return false;
	}
	const char *space = memchr(*at, ' ', (size_t)(end - *at));
	*part = mcp_bytes_of(*at, (size_t)((space != NULL ? space : end) - *at));
	*at = space != NULL ? space + 1 : end;
	/* A trailing space is invalid, because a part must follow. */
	return part->length > 0 && !(space != NULL && *at == end);
}

/* Like `take_part`, optimized for numbers, the most frequent parts. */
static bool take_number(const char **at, const char *end, uint64_t *number) {
	const char *start = *at;
	*at = mcp_decimal_scan_u64(start, end, number);
	if (*at == start || *at == end) {
		return *at != start;
	}
	return *(*at)++ == ' ' && *at != end;
}

/* Parse the line after its first word and space, and the value after the line. */
static void read_value(mcp_bytes arrived, size_t skipped, mcp_answer_kind kind,
	mcp_answer *answer) {
	const char *at = answer->line.data + skipped;
	const char *end = answer->line.data + answer->line.length;
	uint64_t flags, length;
	if (!take_part(&at, end, &answer->key) || !take_number(&at, end, &flags) ||
		flags > UINT32_MAX || !take_number(&at, end, &length) || length > MCP_ANSWER_VALUE_MAX ||
		(at < end && (!take_number(&at, end, &answer->cas) || at < end))) {
		refuse_line(answer);
		return;
	}
	size_t begins = answer->length;
	size_t whole = begins + (size_t)length + LINE_END_LENGTH;
	if (arrived.length < whole) {
		*answer = (mcp_answer){.kind = MCP_ANSWER_INCOMPLETE, .length = whole};
		return;
	}
	if (memcmp(arrived.data + whole - LINE_END_LENGTH, LINE_END, LINE_END_LENGTH) != 0) {
		refuse_line(answer);
		return;
	}
	answer->kind = kind;
	answer->length = whole;
	answer->flags = (uint32_t)flags;
	answer->value = mcp_bytes_of(arrived.data + begins, (size_t)length);
}

/* Parse the flags. Only the CAS value is kept. */
static bool read_meta_flags(const char *at, const char *end, mcp_answer *answer) {
	while (at < end) {
		mcp_bytes flag;
		if (!take_part(&at, end, &flag)) {
			return false;
		}
		mcp_bytes argument = mcp_bytes_of(flag.data + 1, flag.length - 1);
		if (flag.data[0] == 'c' && !mcp_decimal_parse_u64(argument, &answer->cas)) {
			return false;
		}
	}
	return true;
}

static bool has_control(mcp_bytes bytes) {
	for (size_t i = 0; i < bytes.length; i++) {
		unsigned char byte = (unsigned char)bytes.data[i];
		if (byte < 0x20 || byte == 0x7f) {
			return true;
		}
	}
	return false;
}

/* Read a name and its value. The value can be missing. */
static bool read_statistic(const char *at, const char *end, mcp_answer *answer) {
	const char *space = at < end ? memchr(at, ' ', (size_t)(end - at)) : NULL;
	answer->key = mcp_bytes_of(at, (size_t)((space != NULL ? space : end) - at));
	answer->value =
		space != NULL ? mcp_bytes_of(space + 1, (size_t)(end - space - 1)) : mcp_bytes_of(end, 0);
	return answer->key.length > 0 && !has_control(mcp_bytes_of(at, (size_t)(end - at)));
}

static bool read_rest(rest kind, const char *at, const char *end, mcp_answer *answer) {
	switch (kind) {
		case NOTHING:
			return false;
		case TEXT:
			answer->value = mcp_bytes_of(at, (size_t)(end - at));
			return true;
		case STATISTIC:
			return read_statistic(at, end, answer);
		default:
			return read_meta_flags(at, end, answer);
	}
}

static bool begins_with(mcp_bytes line, const char *text, size_t length) {
	return line.length >= length && memcmp(line.data, text, length) == 0;
}

/* Read the line if it begins with the known word. A space separates the word from the rest. */
static bool read_as(const word *known, mcp_answer *answer) {
	mcp_bytes line = answer->line;
	if (!begins_with(line, known->text, known->length)) {
		return false;
	}
	const char *end = line.data + line.length;
	const char *at = line.data + known->length;
	if (at == end) {
		return known->rest != STATISTIC;
	}
	return *at == ' ' && read_rest(known->rest, at + 1, end, answer);
}

static void read_word(mcp_answer *answer) {
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (read_as(&words[i], answer)) {
			answer->kind = words[i].kind;
			return;
		}
	}
	refuse_line(answer);
}

/* No word begins with a digit. */
static bool begins_with_digit(mcp_bytes line) {
	return line.length > 0 && mcp_is_digit(line.data[0]);
}

void mcp_answer_read(mcp_bytes arrived, mcp_answer *answer) {
	*answer = (mcp_answer){0};
	if (!find_line(arrived, answer)) {
		return;
	}
	if (begins_with(answer->line, "VALUE ", sizeof("VALUE ") - 1)) {
		read_value(arrived, sizeof("VALUE ") - 1, MCP_ANSWER_VALUE, answer);
	} else if (begins_with(answer->line, "CONFIG ", sizeof("CONFIG ") - 1)) {
		read_value(arrived, sizeof("CONFIG ") - 1, MCP_ANSWER_CONFIG, answer);
	} else if (begins_with_digit(answer->line) &&
		mcp_decimal_parse_u64(answer->line, &answer->number)) {
		answer->kind = MCP_ANSWER_NUMBER;
	} else {
		read_word(answer);
	}
}
