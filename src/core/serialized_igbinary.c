/* Reads igbinary's tokens one after the other, with a stack of its own for the arrays they are in. The
 * bytes of a token's type, and what follows each, are igbinary's src/php7/igbinary.c. */
/* SPDX-License-Identifier: MIT */
#include "serialized.h"

#include "serialized_memory.h"

#define HEADER_LENGTH 4

/* What a token's type says of what follows it. */
typedef enum token_kind {
	KIND_UNKNOWN,
	KIND_FIXED, /* as many bytes as `width` */
	KIND_KEY,   /* the same, and it may be a key */
	KIND_NULL,
	KIND_STRING,        /* a length of so many bytes, and the string */
	KIND_STRING_NUMBER, /* the number of a string that stood before */
	KIND_ARRAY,         /* a count */
	KIND_OBJECT,        /* the name of its class */
	KIND_OBJECT_NUMBER, /* the number of such a name */
	KIND_OBJECT_REFERENCE,
	KIND_CUSTOM, /* what Serializable::serialize() gave */
	KIND_ENUM_CASE,
} token_kind;

typedef struct token {
	unsigned char kind, width;
} token;

#define TOKEN_REFERENCE 0x25

/* By their types. 8, 16 and 32 bits have three types in a row; of integers the signs have types of their own, so
 * that 06 and 07 are the 8 bits of plus and minus. */
static const token tokens[] = {
	[0x00] = {KIND_NULL, 0},
	[0x01] = {KIND_FIXED, 1}, /* a reference to an array or a value */
	[0x02] = {KIND_FIXED, 2},
	[0x03] = {KIND_FIXED, 4},
	[0x04] = {KIND_FIXED, 0}, /* false, true */
	[0x05] = {KIND_FIXED, 0},
	[0x06] = {KIND_KEY, 1},
	[0x07] = {KIND_KEY, 1},
	[0x08] = {KIND_KEY, 2},
	[0x09] = {KIND_KEY, 2},
	[0x0A] = {KIND_KEY, 4},
	[0x0B] = {KIND_KEY, 4},
	[0x0C] = {KIND_FIXED, 8}, /* a float */
	[0x0D] = {KIND_KEY, 0},   /* an empty string */
	[0x0E] = {KIND_STRING_NUMBER, 1},
	[0x0F] = {KIND_STRING_NUMBER, 2},
	[0x10] = {KIND_STRING_NUMBER, 4},
	[0x11] = {KIND_STRING, 1},
	[0x12] = {KIND_STRING, 2},
	[0x13] = {KIND_STRING, 4},
	[0x14] = {KIND_ARRAY, 1},
	[0x15] = {KIND_ARRAY, 2},
	[0x16] = {KIND_ARRAY, 4},
	[0x17] = {KIND_OBJECT, 1},
	[0x18] = {KIND_OBJECT, 2},
	[0x19] = {KIND_OBJECT, 4},
	[0x1A] = {KIND_OBJECT_NUMBER, 1},
	[0x1B] = {KIND_OBJECT_NUMBER, 2},
	[0x1C] = {KIND_OBJECT_NUMBER, 4},
	[0x1D] = {KIND_CUSTOM, 1},
	[0x1E] = {KIND_CUSTOM, 2},
	[0x1F] = {KIND_CUSTOM, 4},
	[0x20] = {KIND_KEY, 8},
	[0x21] = {KIND_KEY, 8},
	[0x22] = {KIND_OBJECT_REFERENCE, 1},
	[0x23] = {KIND_OBJECT_REFERENCE, 2},
	[0x24] = {KIND_OBJECT_REFERENCE, 4},
	[MCP_SERIALIZED_ENUM_IGBINARY] = {KIND_ENUM_CASE, 0},
};

typedef struct token_reader {
	const unsigned char *at, *end;
	mcp_serialized_facts *facts;
	uint64_t strings; /* written out so far; another string may be one of them by its number */
	uint32_t depth;
	/* Of the array at each depth: how many elements still come. */
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
	const unsigned char *at = reader->at;
	if (!skip(reader, width)) {
		return false;
	}
	*number = *at;
	while (++at < reader->at) {
		*number = *number << 8 | *at;
	}
	return true;
}

/* {KIND_UNKNOWN, 0} at the end, too. */
static token read_token(token_reader *reader) {
	if (reader->at == reader->end || *reader->at >= sizeof(tokens) / sizeof(tokens[0])) {
		return (token){KIND_UNKNOWN, 0};
	}
	return tokens[*reader->at++];
}

static bool read_bytes(token_reader *reader, size_t width) {
	uint64_t length;
	if (!read_number(reader, width, &length) || !skip(reader, length)) {
		return false;
	}
	reader->facts->memory += mcp_memory_of_string(length);
	return true;
}

/* One that gets a number. */
static bool read_string(token_reader *reader, size_t width) {
	reader->strings++;
	return read_bytes(reader, width);
}

/* Each element takes a byte at least: a key that is null stands without a value. */
static bool enter_array(token_reader *reader, size_t width) {
	uint64_t count;
	if (!read_number(reader, width, &count) || count > (uint64_t)(reader->end - reader->at) ||
		reader->depth == MCP_SERIALIZED_DEPTH_MAX) {
		return false;
	}
	reader->facts->memory += mcp_memory_of_array(count);
	reader->depth++;
	reader->left[reader->depth] = count;
	if (reader->depth > reader->facts->depth) {
		reader->facts->depth = reader->depth;
	}
	return true;
}

/* --- objects --- */

static bool read_case(token_reader *reader) {
	token name = read_token(reader);
	reader->facts->has_enums = true;
	return name.kind == KIND_STRING ? read_string(reader, name.width)
									: name.kind == KIND_STRING_NUMBER && skip(reader, name.width);
}

/* Behind its class: its properties, as an array has its elements, bytes of its own, or an enum's case. */
static bool read_body(token_reader *reader) {
	token body = read_token(reader);
	switch (body.kind) {
		case KIND_ARRAY:
			return enter_array(reader, body.width);
		case KIND_CUSTOM:
			return read_bytes(reader, body.width);
		case KIND_ENUM_CASE:
			return read_case(reader);
		default:
			return false;
	}
}

static bool read_object(token_reader *reader, token object) {
	reader->facts->has_objects = true;
	switch (object.kind) {
		case KIND_OBJECT:
			return read_string(reader, object.width) && read_body(reader);
		case KIND_OBJECT_NUMBER:
			return skip(reader, object.width) && read_body(reader);
		case KIND_OBJECT_REFERENCE:
			return skip(reader, object.width);
		default:
			return false;
	}
}

/* --- keys and values --- */

/* Of an array or an object. igbinary takes these, and at any other frees what it still uses. */
static bool read_key(token_reader *reader, token key) {
	uint64_t number;
	switch (key.kind) {
		case KIND_KEY:
		case KIND_NULL:
			return skip(reader, key.width);
		case KIND_STRING:
			return read_string(reader, key.width);
		case KIND_STRING_NUMBER:
			return read_number(reader, key.width, &number) && number < reader->strings;
		default:
			return false;
	}
}

/* A reference's own mark stands before the value, and is none. */
static bool is_mark(const token_reader *reader) {
	return reader->at < reader->end && *reader->at == TOKEN_REFERENCE;
}

static bool read_value(token_reader *reader) {
	reader->at += is_mark(reader);
	reader->facts->memory += MCP_MEMORY_OF_VALUE;
	token value = read_token(reader);
	switch (value.kind) {
		case KIND_FIXED:
		case KIND_KEY:
		case KIND_NULL:
		case KIND_STRING_NUMBER:
			return skip(reader, value.width);
		case KIND_STRING:
			return read_string(reader, value.width);
		case KIND_ARRAY:
			return enter_array(reader, value.width);
		default:
			return read_object(reader, value);
	}
}

static bool read_element(token_reader *reader) {
	reader->left[reader->depth]--;
	token key = read_token(reader);
	return read_key(reader, key) && (key.kind == KIND_NULL || read_value(reader));
}

static void leave_what_is_over(token_reader *reader) {
	while (reader->depth > 0 && reader->left[reader->depth] == 0) {
		reader->depth--;
	}
}

static bool read_header(token_reader *reader) {
	uint64_t version;
	return read_number(reader, HEADER_LENGTH, &version) && (version == 1 || version == 2);
}

bool mcp_serialized_scan_igbinary(mcp_bytes block, mcp_serialized_facts *facts) {
	*facts = (mcp_serialized_facts){0};
	token_reader reader;
	reader.at = (const unsigned char *)block.data;
	reader.end = reader.at + block.length;
	reader.facts = facts;
	reader.strings = 0;
	reader.depth = 0;
	bool is_intact = read_header(&reader) && read_value(&reader);
	leave_what_is_over(&reader);
	while (is_intact && reader.depth > 0) {
		is_intact = read_element(&reader);
		leave_what_is_over(&reader);
	}
	return is_intact && reader.at == reader.end;
}
