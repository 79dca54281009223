/* Analyzes igbinary token by token, with an explicit stack for arrays.
 * Token types as in igbinary's src/php7/igbinary.c. Every igbinary value is scanned here, so that strings,
 * numbers and arrays take only a dozen instructions each. */
/* SPDX-License-Identifier: MIT */
#include "serialized.h"

#define HEADER_LENGTH 4
/* Bytes per array in igbinary's table of reference targets: 16, and 32 while the table is copied to twice its size. */
#define MEMORY_OF_PLACE 48

/* Kind of the bytes after a token. */
typedef enum token_kind {
	KIND_UNKNOWN,
	KIND_KEY,   /* `width` bytes, valid as a key */
	KIND_FIXED, /* `width` bytes, not valid as a key */
	KIND_NULL,
	KIND_SKIPPED = KIND_NULL, /* kinds up to here are values of `width` bytes */
	KIND_STRING,              /* a length of `width` bytes, and the string */
	KIND_STRING_NUMBER,       /* the number of an earlier string */
	KIND_ARRAY,               /* a count */
	KIND_REFERENCE,           /* the number of an earlier value */
	KIND_OBJECT_REFERENCE,
	KIND_MARK,          /* precedes a value that is referred to; not a value itself */
	KIND_OBJECT,        /* the name of its class */
	KIND_OBJECT_NUMBER, /* the number of an earlier class name */
	KIND_CUSTOM,        /* the result of Serializable::serialize() */
	KIND_ENUM_CASE,
} token_kind;

typedef struct token {
	unsigned char kind, width;
} token;

/* Tokens by type. The widths of 8, 16 and 32 bits have consecutive types. Integers have one type per sign: 06 is a
 * positive integer of 8 bits, and 07 is a negative one. */
static const token tokens[UINT8_MAX + 1] = {
	[0x00] = {KIND_NULL, 0},
	[0x01] = {KIND_REFERENCE, 1},
	[0x02] = {KIND_REFERENCE, 2},
	[0x03] = {KIND_REFERENCE, 4},
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
	[0x25] = {KIND_MARK, 0},
	[MCP_SERIALIZED_ENUM_IGBINARY] = {KIND_ENUM_CASE, 0},
};

/* Stays in registers as long as its address is not taken: see read_rare. */
typedef struct token_reader {
	const unsigned char *at, *end;
	size_t strings; /* number of strings read so far, to which later strings can refer by number */
	size_t values;
	size_t memory; /* memory of strings, arrays and references */
	uint32_t depth, depth_max;
	uint32_t left; /* remaining elements of the current array */
	bool has_objects, has_enums, has_references;
} token_reader;

/* Remaining elements of the outer arrays. */
typedef struct level_stack {
	uint32_t left[MCP_SERIALIZED_DEPTH_MAX + 1];
} level_stack;

static inline size_t bytes_left(const token_reader *reader) {
	return (size_t)(reader->end - reader->at);
}

/* Returns {KIND_UNKNOWN, 0} at the end. */
static inline token next_token(token_reader *reader) {
	return reader->at < reader->end ? tokens[*reader->at++] : (token){KIND_UNKNOWN, 0};
}

/* Most significant byte first. */
static uint32_t wide_number(const unsigned char *at, size_t width) {
	uint32_t number = 0;
	for (size_t i = 0; i < width; i++) {
		number = number << 8 | at[i];
	}
	return number;
}

static inline bool read_number(token_reader *reader, size_t width, uint32_t *number) {
	if (width > bytes_left(reader)) {
		return false;
	}
	*number = width == 1 ? *reader->at : wide_number(reader->at, width);
	reader->at += width;
	return true;
}

static inline bool skip(token_reader *reader, size_t length) {
	if (length > bytes_left(reader)) {
		return false;
	}
	reader->at += length;
	return true;
}

static inline bool read_bytes(token_reader *reader, size_t width) {
	uint32_t length;
	if (!read_number(reader, width, &length) || !skip(reader, length)) {
		return false;
	}
	reader->memory += mcp_memory_of_string(length);
	return true;
}

/* Read a string that gets a number, to which later tokens can refer. */
static inline bool read_string(token_reader *reader, size_t width) {
	reader->strings++;
	return read_bytes(reader, width);
}

static inline bool read_string_number(token_reader *reader, size_t width) {
	uint32_t number;
	return read_number(reader, width, &number) && number < reader->strings;
}

/* Enter an array, or the properties of an object. Each element has at least one byte: a null key has no value. */
static inline bool enter_array(token_reader *reader, level_stack *levels, size_t width) {
	uint32_t count;
	if (!read_number(reader, width, &count) || count > bytes_left(reader) ||
		reader->depth == MCP_SERIALIZED_DEPTH_MAX) {
		return false;
	}
	reader->memory += mcp_memory_of_array(count) + MEMORY_OF_PLACE;
	levels->left[reader->depth++] = reader->left;
	reader->left = count;
	if (reader->depth > reader->depth_max) {
		reader->depth_max = reader->depth;
	}
	return true;
}

/* --- objects and references --- */

static bool read_case(token_reader *reader) {
	token name = next_token(reader);
	reader->has_enums = true;
	return name.kind == KIND_STRING
		? read_string(reader, name.width)
		: name.kind == KIND_STRING_NUMBER && read_string_number(reader, name.width);
}

/* Read the data of a class with its own unserialize(). The engine's classes read this data in the format of PHP's
 * serialize(). */
static bool read_custom(token_reader *reader, size_t width) {
	uint32_t length;
	if (!read_number(reader, width, &length) || length > bytes_left(reader)) {
		return false;
	}
	mcp_serialized_facts facts;
	mcp_serialized_scan_custom(mcp_bytes_of((const char *)reader->at, length), &facts);
	uint32_t depth = reader->depth + facts.depth;
	reader->depth_max = depth > reader->depth_max ? depth : reader->depth_max;
	reader->memory += mcp_memory_of_string(length) + facts.memory;
	return skip(reader, length);
}

/* Read the part after the class: properties (like an array), custom bytes, or an enum case. */
static bool read_body(token_reader *reader, level_stack *levels) {
	token body = next_token(reader);
	switch (body.kind) {
		case KIND_ARRAY:
			return enter_array(reader, levels, body.width);
		case KIND_CUSTOM:
			return read_custom(reader, body.width);
		case KIND_ENUM_CASE:
			return read_case(reader);
		default:
			return false;
	}
}

static bool read_object(token_reader *reader, level_stack *levels, token object) {
	if (object.kind == KIND_REFERENCE) {
		reader->has_references = true;
		reader->memory += MCP_MEMORY_OF_REFERENCE;
		return skip(reader, object.width);
	}
	reader->has_objects = true;
	switch (object.kind) {
		case KIND_OBJECT:
			return read_string(reader, object.width) && read_body(reader, levels);
		case KIND_OBJECT_NUMBER:
			return read_string_number(reader, object.width) && read_body(reader, levels);
		case KIND_OBJECT_REFERENCE:
			return skip(reader, object.width);
		default:
			return false;
	}
}

/* Works on a copy, so that the reader's address is not taken. */
static inline bool read_rare(token_reader *reader, level_stack *levels, token value) {
	token_reader copy = *reader;
	bool is_read = read_object(&copy, levels, value);
	*reader = copy;
	return is_read;
}

/* --- keys and values: each called in one place, so that the compiler inlines them --- */

/* Read the first token of a value, after the mark of a reference target, if there is one. */
static inline token next_value(token_reader *reader) {
	token value = next_token(reader);
	if (value.kind == KIND_MARK) {
		reader->has_references = true;
		reader->memory += MCP_MEMORY_OF_REFERENCE;
		value = next_token(reader);
	}
	return value;
}

static inline bool read_value(token_reader *reader, level_stack *levels) {
	token value = next_value(reader);
	reader->values++;
	if (value.kind <= KIND_SKIPPED && value.kind != KIND_UNKNOWN) {
		return skip(reader, value.width);
	}
	if (value.kind == KIND_STRING) {
		return read_string(reader, value.width);
	}
	if (value.kind == KIND_STRING_NUMBER) {
		return read_string_number(reader, value.width);
	}
	return value.kind == KIND_ARRAY ? enter_array(reader, levels, value.width)
									: read_rare(reader, levels, value);
}

/* Read a key. igbinary accepts these keys. For any other key, igbinary frees memory that is in use. */
static inline bool read_key(token_reader *reader, token key) {
	if (key.kind == KIND_STRING_NUMBER) {
		return read_string_number(reader, key.width);
	}
	if (key.kind == KIND_KEY) {
		return skip(reader, key.width);
	}
	return key.kind == KIND_STRING ? read_string(reader, key.width) : key.kind == KIND_NULL;
}

/* Go to the value of the next element. Returns false with *is_over if no element is left. */
static inline bool find_value(token_reader *reader, level_stack *levels, bool *is_over) {
	for (;;) {
		while (reader->left == 0) {
			*is_over = reader->depth == 0;
			if (*is_over) {
				return false;
			}
			reader->left = levels->left[--reader->depth];
		}
		reader->left--;
		token key = next_token(reader);
		bool is_read = read_key(reader, key);
		if (!is_read || key.kind != KIND_NULL) {
			return is_read;
		}
	}
}

static inline bool read_all(token_reader *reader, level_stack *levels) {
	bool is_over = false;
	do {
		if (!read_value(reader, levels)) {
			return false;
		}
	} while (find_value(reader, levels, &is_over));
	return is_over && reader->at == reader->end;
}

bool mcp_serialized_scan_igbinary(mcp_bytes block, mcp_serialized_facts *facts) {
	level_stack levels;
	const unsigned char *begin = (const unsigned char *)block.data;
	token_reader reader = {.at = begin, .end = begin + block.length};
	uint32_t version;
	bool is_intact = read_number(&reader, HEADER_LENGTH, &version) &&
		(version == 1 || version == 2) && read_all(&reader, &levels);
	*facts = (mcp_serialized_facts){
		.depth = reader.depth_max,
		.has_objects = reader.has_objects,
		.has_enums = reader.has_enums,
		.is_inert = is_intact && !reader.has_objects && !reader.has_references,
		.memory = reader.memory + reader.values * MCP_MEMORY_OF_VALUE,
	};
	return is_intact;
}
