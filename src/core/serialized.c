/* Reads the text of PHP's serialize() item by item, without recursion. It believes no count: one that
 * claims more than the bytes that follow is no serialization. */
/* SPDX-License-Identifier: MIT */
#include "serialized.h"

#include "serialized_memory.h"

typedef struct text_reader {
	const char *at, *end;
	uint32_t depth;
	mcp_serialized_facts *facts;
} text_reader;

static bool skip_char(text_reader *reader, char expected) {
	if (reader->at == reader->end || *reader->at != expected) {
		return false;
	}
	reader->at++;
	return true;
}

static size_t bytes_left(const text_reader *reader) {
	return (size_t)(reader->end - reader->at);
}

/* Digits and a colon. No count is larger than the bytes that are left. */
static bool read_count(text_reader *reader, size_t *count) {
	const char *first = reader->at;
	*count = 0;
	while (reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9') {
		*count = *count * 10 + (size_t)(*reader->at++ - '0');
		if (*count > bytes_left(reader)) {
			return false;
		}
	}
	return reader->at > first && skip_char(reader, ':');
}

/* "<length>:<quote><bytes><quote>", which strings and classes' names are. */
static bool skip_sized(text_reader *reader, char begin, char end) {
	size_t length;
	if (!read_count(reader, &length) || !skip_char(reader, begin) || length > bytes_left(reader)) {
		return false;
	}
	reader->at += length;
	reader->facts->memory += mcp_memory_of_string(length);
	return skip_char(reader, end);
}

/* To the ';' that ends a number, a mark or nothing at all. */
static bool skip_scalar(text_reader *reader) {
	const char *end = memchr(reader->at, ';', bytes_left(reader));
	if (end == NULL) {
		return false;
	}
	reader->at = end + 1;
	return true;
}

/* "<count>:{" */
static bool enter(text_reader *reader) {
	size_t count;
	if (!read_count(reader, &count) || !skip_char(reader, '{')) {
		return false;
	}
	reader->facts->memory += mcp_memory_of_array(count);
	reader->depth++;
	if (reader->depth > reader->facts->depth) {
		reader->facts->depth = reader->depth;
	}
	return true;
}

static bool leave(text_reader *reader) {
	if (reader->depth == 0) {
		return false;
	}
	reader->depth--;
	return true;
}

static bool read_object(text_reader *reader, char type) {
	reader->facts->has_objects = true;
	if (!skip_sized(reader, '"', '"')) {
		return false;
	}
	if (type == 'E') {
		return skip_char(reader, ';');
	}
	if (!skip_char(reader, ':')) {
		return false;
	}
	return type == 'O' ? enter(reader) : skip_sized(reader, '{', '}');
}

/* 'S', which escapes bytes, is of a PHP that never was, and is not read. */
static bool read_item(text_reader *reader) {
	char type = *reader->at++;
	if (type == '}') {
		return leave(reader);
	}
	reader->facts->memory += MCP_MEMORY_OF_VALUE;
	if (type == 'N') {
		return skip_char(reader, ';');
	}
	if (!skip_char(reader, ':')) {
		return false;
	}
	switch (type) {
		case 'b':
		case 'i':
		case 'd':
			return skip_scalar(reader);
		case 'r':
		case 'R':
			reader->facts->memory += MCP_MEMORY_OF_REFERENCE;
			return skip_scalar(reader);
		case 's':
			return skip_sized(reader, '"', '"') && skip_char(reader, ';');
		case 'a':
			return enter(reader);
		case 'O':
		case 'C':
		case 'E':
			return read_object(reader, type);
		default:
			return false;
	}
}

bool mcp_serialized_scan(mcp_bytes text, mcp_serialized_facts *facts) {
	*facts = (mcp_serialized_facts){0};
	if (text.length == 0) {
		return false;
	}
	text_reader reader = {.at = text.data, .end = text.data + text.length, .facts = facts};
	do {
		if (reader.at == reader.end || !read_item(&reader)) {
			return false;
		}
	} while (reader.depth > 0);
	return reader.at == reader.end;
}
