/* Reads igbinary's tokens one after the other, with a stack of its own for the arrays they are in. The
 * bytes of a token's type, and what follows each, are igbinary's src/php7/igbinary.c. */
/* SPDX-License-Identifier: MIT */
#include "serialized.h"

#include "serialized_memory.h"

#define HEADER_LENGTH 4

enum {
	TOKEN_NULL = 0x00,
	TOKEN_REFERENCE_8 = 0x01,
	TOKEN_FALSE = 0x04,
	TOKEN_TRUE = 0x05,
	TOKEN_INT_8 = 0x06,
	TOKEN_DOUBLE = 0x0C,
	TOKEN_EMPTY_STRING = 0x0D,
	TOKEN_STRING_NUMBER_8 = 0x0E,
	TOKEN_STRING_8 = 0x11,
	TOKEN_ARRAY_8 = 0x14,
	TOKEN_OBJECT_8 = 0x17,        /* with its class's name ... */
	TOKEN_OBJECT_NUMBER_8 = 0x1A, /* ... or the number of a name that stood before */
	TOKEN_CUSTOM_8 = 0x1D,        /* what Serializable::serialize() gave */
	TOKEN_INT_64 = 0x20,
	TOKEN_OBJECT_REFERENCE_8 = 0x22,
	TOKEN_REFERENCE = 0x25,
	TOKEN_ENUM_CASE = MCP_SERIALIZED_ENUM_IGBINARY,
};

typedef struct token_reader {
	const unsigned char *at, *end;
	mcp_serialized_facts *facts;
	uint32_t depth;
	/* Of the array at each depth: how many keys and values still come. */
	uint64_t left[MCP_SERIALIZED_DEPTH_MAX + 1];
} token_reader;

static bool skip(token_reader *reader, size_t length) {
	if (length > (size_t)(reader->end - reader->at)) {
		return false;
	}
	reader->at += length;
	return true;
}

/* In as many bytes as `width`, the most significant first. */
static bool read_number(token_reader *reader, size_t width, uint64_t *number) {
	*number = 0;
	for (size_t i = 0; i < width; i++) {
		if (reader->at == reader->end) {
			return false;
		}
		*number = *number << 8 | *reader->at++;
	}
	return true;
}

/* 8, 16 and 32 bits have three types in a row. */
static bool is_one_of_three(unsigned char type, int first) {
	return type >= first && type <= first + 2;
}

static size_t width_of(unsigned char type, int first) {
	return (size_t)1 << (type - first);
}

static bool read_string(token_reader *reader, size_t width) {
	uint64_t length;
	if (!read_number(reader, width, &length) || !skip(reader, length)) {
		return false;
	}
	reader->facts->memory += mcp_memory_of_string(length);
	return true;
}

/* Each element takes two bytes at least, its key and its value. */
static bool enter_array(token_reader *reader, size_t width) {
	uint64_t count;
	if (!read_number(reader, width, &count) || count > (uint64_t)(reader->end - reader->at) / 2 ||
		reader->depth == MCP_SERIALIZED_DEPTH_MAX) {
		return false;
	}
	reader->facts->memory += mcp_memory_of_array(count);
	reader->depth++;
	reader->left[reader->depth] = 2 * count;
	if (reader->depth > reader->facts->depth) {
		reader->facts->depth = reader->depth;
	}
	return true;
}

/* The signs of integers have a type of their own: 06 and 07 are the 8 bits of plus and minus. */
static bool read_fixed(token_reader *reader, unsigned char type) {
	if (type >= TOKEN_INT_8 && type < TOKEN_DOUBLE) {
		return skip(reader, (size_t)1 << ((type - TOKEN_INT_8) / 2));
	}
	if (is_one_of_three(type, TOKEN_REFERENCE_8)) {
		return skip(reader, width_of(type, TOKEN_REFERENCE_8));
	}
	if (is_one_of_three(type, TOKEN_STRING_NUMBER_8)) {
		return skip(reader, width_of(type, TOKEN_STRING_NUMBER_8));
	}
	switch (type) {
		case TOKEN_NULL:
		case TOKEN_FALSE:
		case TOKEN_TRUE:
		case TOKEN_EMPTY_STRING:
			return true;
		case TOKEN_DOUBLE:
		case TOKEN_INT_64:
		case TOKEN_INT_64 + 1:
			return skip(reader, 8);
		default:
			return false;
	}
}

static bool read_type(token_reader *reader, unsigned char *type) {
	if (reader->at == reader->end) {
		return false;
	}
	*type = *reader->at++;
	return true;
}

static bool read_class(token_reader *reader, unsigned char type) {
	if (is_one_of_three(type, TOKEN_OBJECT_8)) {
		return read_string(reader, width_of(type, TOKEN_OBJECT_8));
	}
	return is_one_of_three(type, TOKEN_OBJECT_NUMBER_8) &&
		skip(reader, width_of(type, TOKEN_OBJECT_NUMBER_8));
}

static bool read_case(token_reader *reader) {
	unsigned char type;
	reader->facts->has_enums = true;
	if (!read_type(reader, &type)) {
		return false;
	}
	if (is_one_of_three(type, TOKEN_STRING_8)) {
		return read_string(reader, width_of(type, TOKEN_STRING_8));
	}
	return is_one_of_three(type, TOKEN_STRING_NUMBER_8) && read_fixed(reader, type);
}

/* Its class, and then its properties, as an array has its elements, bytes of its own, or an enum's case. */
static bool read_object(token_reader *reader, unsigned char type) {
	unsigned char body;
	if (!read_class(reader, type) || !read_type(reader, &body)) {
		return false;
	}
	if (body == TOKEN_ENUM_CASE) {
		return read_case(reader);
	}
	if (is_one_of_three(body, TOKEN_CUSTOM_8)) {
		return read_string(reader, width_of(body, TOKEN_CUSTOM_8));
	}
	return is_one_of_three(body, TOKEN_ARRAY_8) &&
		enter_array(reader, width_of(body, TOKEN_ARRAY_8));
}

static bool is_object(unsigned char type) {
	return (type >= TOKEN_OBJECT_8 && type < TOKEN_CUSTOM_8) ||
		is_one_of_three(type, TOKEN_OBJECT_REFERENCE_8);
}

static bool read_any_object(token_reader *reader, unsigned char type) {
	reader->facts->has_objects = true;
	if (is_one_of_three(type, TOKEN_OBJECT_REFERENCE_8)) {
		return skip(reader, width_of(type, TOKEN_OBJECT_REFERENCE_8));
	}
	return read_object(reader, type);
}

static bool read_token(token_reader *reader) {
	unsigned char type;
	if (!read_type(reader, &type)) {
		return false;
	}
	reader->facts->memory += MCP_MEMORY_OF_VALUE;
	if (is_one_of_three(type, TOKEN_ARRAY_8)) {
		return enter_array(reader, width_of(type, TOKEN_ARRAY_8));
	}
	if (is_one_of_three(type, TOKEN_STRING_8)) {
		return read_string(reader, width_of(type, TOKEN_STRING_8));
	}
	return is_object(type) ? read_any_object(reader, type) : read_fixed(reader, type);
}

/* A reference's own mark stands before the value, and is none. */
static bool is_mark(const token_reader *reader) {
	return reader->at < reader->end && *reader->at == TOKEN_REFERENCE;
}

static void leave_what_is_over(token_reader *reader) {
	while (reader->depth > 0 && reader->left[reader->depth] == 0) {
		reader->depth--;
	}
}

bool mcp_serialized_scan_igbinary(mcp_bytes block, mcp_serialized_facts *facts) {
	*facts = (mcp_serialized_facts){0};
	token_reader reader;
	reader.at = (const unsigned char *)block.data;
	reader.end = reader.at + block.length;
	reader.facts = facts;
	reader.depth = 0;
	uint64_t version;
	if (!read_number(&reader, HEADER_LENGTH, &version) || version < 1 || version > 2) {
		return false;
	}
	do {
		reader.at += is_mark(&reader);
		if (reader.depth > 0) {
			reader.left[reader.depth]--;
		}
		if (!read_token(&reader)) {
			return false;
		}
		leave_what_is_over(&reader);
	} while (reader.depth > 0);
	return reader.at == reader.end;
}
