/* Analyzes PHP's serialize() format, JSON and MessagePack item by item, without recursion. Counts are not
 * trusted: a count that exceeds the remaining bytes is invalid. */
/* SPDX-License-Identifier: MIT */
#include "serialized.h"

#include "../bytes.h"

/* Bytes of an object, and of the property table of a __PHP_Incomplete_Class. */
#define MEMORY_OF_CUSTOM 512
/* Bytes of unserialize()'s state. Each nested custom format has its own state. */
#define MEMORY_OF_READER 20480

/* The reader's state outside a custom format ("C:"). */
typedef struct surroundings {
	const char *end;
	uint32_t depth;
} surroundings;

typedef struct text_reader {
	const char *at, *end; /* end of the innermost custom format */
	uint32_t depth;
	uint32_t customs, customs_deepest;
	mcp_serialized_facts *facts;
	surroundings around[MCP_SERIALIZED_CUSTOMS_MAX];
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

/* Read digits and a colon. A count cannot exceed the remaining bytes. */
static bool read_count(text_reader *reader, size_t *count) {
	const char *first = reader->at;
	*count = 0;
	while (reader->at < reader->end && mcp_is_digit(*reader->at)) {
		*count = *count * 10 + (size_t)(*reader->at++ - '0');
		if (*count > bytes_left(reader)) {
			return false;
		}
	}
	return reader->at > first && skip_char(reader, ':');
}

/* Skip "<length>:<quote><bytes><quote>", the format of strings and class names. */
static bool skip_sized(text_reader *reader, char begin, char end) {
	size_t length;
	if (!read_count(reader, &length) || !skip_char(reader, begin) || length > bytes_left(reader)) {
		return false;
	}
	reader->at += length;
	reader->facts->memory += mcp_memory_of_string(length);
	return skip_char(reader, end);
}

/* Skip to the ';' that ends a scalar. */
static bool skip_scalar(text_reader *reader) {
	const char *end = memchr(reader->at, ';', bytes_left(reader));
	if (end == NULL) {
		return false;
	}
	reader->at = end + 1;
	return true;
}

static void note_depth(mcp_serialized_facts *facts, uint32_t depth) {
	facts->depth = depth > facts->depth ? depth : facts->depth;
}

/* Enter "<count>:{". */
static bool enter(text_reader *reader) {
	size_t count;
	if (!read_count(reader, &count) || !skip_char(reader, '{')) {
		return false;
	}
	reader->facts->memory += mcp_memory_of_array(count);
	note_depth(reader->facts, ++reader->depth);
	return true;
}

/* Leave a level, but not the current custom format. */
static bool leave(text_reader *reader) {
	uint32_t outermost = reader->customs > 0 ? reader->around[reader->customs - 1].depth + 1 : 0;
	if (reader->depth == outermost) {
		return false;
	}
	reader->depth--;
	return true;
}

static bool nest(text_reader *reader) {
	if (reader->customs == MCP_SERIALIZED_CUSTOMS_MAX) {
		reader->facts->depth = MCP_SERIALIZED_DEPTH_MAX + 1;
		return false;
	}
	reader->around[reader->customs++] = (surroundings){reader->end, reader->depth};
	if (reader->customs > reader->customs_deepest) {
		reader->customs_deepest = reader->customs;
		reader->facts->memory += MEMORY_OF_READER;
	}
	note_depth(reader->facts, ++reader->depth);
	return true;
}

/* Enter "<length>:{<bytes>}", whose bytes the engine copies. */
static bool enter_custom(text_reader *reader) {
	size_t length;
	if (!read_count(reader, &length) || !skip_char(reader, '{') || length >= bytes_left(reader) ||
		reader->at[length] != '}' || !nest(reader)) {
		return false;
	}
	reader->facts->memory += MEMORY_OF_CUSTOM + mcp_memory_of_string(length);
	reader->end = reader->at + length;
	return true;
}

static void leave_custom(text_reader *reader) {
	reader->customs--;
	reader->at = reader->end + 1;
	reader->end = reader->around[reader->customs].end;
	reader->depth = reader->around[reader->customs].depth;
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
	return type == 'O' ? enter(reader) : enter_custom(reader);
}

/* Read an item, or the end of a level. 'S' (escaped strings of the unreleased PHP 6) is invalid. */
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

/* Custom formats. Each class defines the content of its own format. The engine's classes write items with separators.
 * These items can contain arrays and custom formats. Anything that looks like a complete item counts as an item. */

static void read_custom(text_reader *reader) {
	const char *first = reader->at;
	if (memchr("saOCE}", *first, 6) == NULL || !read_item(reader)) {
		reader->facts->memory += *first == ';' ? MCP_MEMORY_OF_VALUE : 0;
		reader->facts->memory += *first == 'R' || *first == 'r' ? MCP_MEMORY_OF_REFERENCE : 0;
		reader->at = first + 1;
	}
}

static void read_customs(text_reader *reader) {
	while (reader->customs > 0) {
		if (reader->at == reader->end) {
			leave_custom(reader);
		} else {
			read_custom(reader);
		}
	}
}

static void begin_reading(text_reader *reader, mcp_bytes text, mcp_serialized_facts *facts) {
	reader->at = text.data;
	reader->end = text.data + text.length;
	reader->depth = reader->customs = reader->customs_deepest = 0;
	reader->facts = facts;
}

void mcp_serialized_scan_custom(mcp_bytes bytes, mcp_serialized_facts *facts) {
	*facts = (mcp_serialized_facts){0};
	text_reader reader;
	begin_reading(&reader, bytes, facts);
	nest(&reader);
	while (reader.at < reader.end) {
		read_custom(&reader);
		while (reader.customs > 1 && reader.at == reader.end) {
			leave_custom(&reader);
		}
	}
}

bool mcp_serialized_scan(mcp_bytes text, mcp_serialized_facts *facts) {
	*facts = (mcp_serialized_facts){0};
	if (text.length == 0) {
		return false;
	}
	text_reader reader;
	begin_reading(&reader, text, facts);
	do {
		if (reader.at == reader.end || !read_item(&reader)) {
			return false;
		}
		read_customs(&reader);
	} while (reader.depth > 0);
	return reader.at == reader.end;
}

/* Memory of a JSON text: arrays and objects, their elements, and strings. */

/* A growing array is copied when it doubles, so up to 3 times the final size is allocated. 36: Bucket and hash slot. */
#define MEMORY_OF_ELEMENT (MCP_MEMORY_OF_VALUE + 3 * 36)
/* Capacity of the smallest array. */
#define ELEMENTS_MIN 8

/* Skip to the closing quotation mark or the end. */
static const char *skip_string(const char *at, const char *end) {
	while (at < end && *at != '"') {
		at += *at == '\\' && at + 1 < end ? 2 : 1;
	}
	return at;
}

bool mcp_serialized_scan_json(mcp_bytes text, mcp_serialized_facts *facts) {
	*facts = (mcp_serialized_facts){.memory = MCP_MEMORY_OF_VALUE};
	uint32_t depth = 0;
	const char *end = text.data + text.length;
	for (const char *at = text.data; at < end; at++) {
		if (*at == '"') {
			const char *last = skip_string(at + 1, end);
			facts->memory += mcp_memory_of_string((size_t)(last - at));
			at = last;
		} else if (*at == '[' || *at == '{') {
			facts->memory += mcp_memory_of_array(ELEMENTS_MIN);
			note_depth(facts, ++depth);
		} else if (*at == ',') {
			facts->memory += MEMORY_OF_ELEMENT;
		} else if ((*at == ']' || *at == '}') && depth > 0) {
			depth--;
		}
	}
	return text.length > 0;
}

/* Reads MessagePack item by item, with an explicit stack for arrays and maps. Types as in msgpack's spec.md. A map key
 * that is neither an integer nor a string is rejected, because the msgpack extension makes objects and references from
 * such a key. */

enum {
	FIX_INT_END = 0x80,
	FIX_MAP_END = 0x90,
	FIX_ARRAY_END = 0xA0,
	FIX_STRING_END = 0xC0,
	TYPE_NIL = 0xC0,
	TYPE_FALSE = 0xC2,
	TYPE_TRUE = 0xC3,
	TYPE_FLOAT_32 = 0xCA,
	TYPE_FLOAT_64 = 0xCB,
	TYPE_UINT_8 = 0xCC,
	TYPE_INT_8 = 0xD0,
	TYPE_STRING_8 = 0xD9,
	TYPE_ARRAY_16 = 0xDC,
	TYPE_MAP_16 = 0xDE,
	NEGATIVE_FIX_INT = 0xE0,
};

typedef struct level {
	uint64_t left; /* remaining items; in a map, keys and values count separately */
	bool is_map;
} level;

typedef struct item_reader {
	const unsigned char *at, *end;
	mcp_serialized_facts *facts;
	uint32_t depth;
	level levels[MCP_SERIALIZED_MSGPACK_DEPTH_MAX + 1];
} item_reader;

static bool skip(item_reader *reader, uint64_t length) {
	if (length > (size_t)(reader->end - reader->at)) {
		return false;
	}
	reader->at += length;
	return true;
}

static bool read_number(item_reader *reader, size_t width, uint64_t *number) {
	*number = 0;
	if (width > (size_t)(reader->end - reader->at)) {
		return false;
	}
	for (size_t i = 0; i < width; i++) {
		*number = *number << 8 | *reader->at++;
	}
	return true;
}

/* Enter an array or a map. Each key and each element has at least one byte. */
static bool enter_msgpack(item_reader *reader, uint64_t count, bool is_map) {
	uint64_t items = is_map ? 2 * count : count;
	if (items > (size_t)(reader->end - reader->at) ||
		reader->depth == MCP_SERIALIZED_MSGPACK_DEPTH_MAX) {
		return false;
	}
	reader->facts->memory += mcp_memory_of_array((size_t)count);
	reader->levels[++reader->depth] = (level){.left = items, .is_map = is_map};
	note_depth(reader->facts, reader->depth);
	return true;
}

static bool read_string(item_reader *reader, unsigned char type) {
	uint64_t length = type - FIX_ARRAY_END;
	if ((type >= FIX_STRING_END && !read_number(reader, 1u << (type - TYPE_STRING_8), &length)) ||
		!skip(reader, length)) {
		return false;
	}
	reader->facts->memory += mcp_memory_of_string((size_t)length);
	return true;
}

static bool read_other(item_reader *reader, unsigned char type) {
	uint64_t count;
	if (type < FIX_MAP_END) {
		return enter_msgpack(reader, type - FIX_INT_END, true);
	}
	if (type < FIX_ARRAY_END) {
		return enter_msgpack(reader, type - FIX_MAP_END, false);
	}
	switch (type) {
		case TYPE_NIL:
		case TYPE_FALSE:
		case TYPE_TRUE:
			return true;
		case TYPE_FLOAT_32:
			return skip(reader, 4);
		case TYPE_FLOAT_64:
			return skip(reader, 8);
		case TYPE_ARRAY_16:
		case TYPE_ARRAY_16 + 1:
		case TYPE_MAP_16:
		case TYPE_MAP_16 + 1:
			return read_number(reader, 2u << (type % 2), &count) &&
				enter_msgpack(reader, count, type >= TYPE_MAP_16);
		default:
			return false;
	}
}

static bool read_item_msgpack(item_reader *reader) {
	if (reader->at == reader->end) {
		return false;
	}
	level *inside = &reader->levels[reader->depth];
	/* The first item of each pair in a map. */
	bool is_key = reader->depth > 0 && inside->is_map && inside->left % 2 == 0;
	if (reader->depth > 0) {
		inside->left--;
	}
	unsigned char type = *reader->at++;
	reader->facts->memory += MCP_MEMORY_OF_VALUE;
	if (type < FIX_INT_END || type >= NEGATIVE_FIX_INT) {
		return true;
	}
	if (type >= TYPE_UINT_8 && type < TYPE_INT_8 + 4) {
		return skip(reader, 1u << ((type - TYPE_UINT_8) % 4));
	}
	if ((type >= FIX_ARRAY_END && type < FIX_STRING_END) ||
		(type >= TYPE_STRING_8 && type < TYPE_ARRAY_16)) {
		return read_string(reader, type);
	}
	reader->facts->has_objects = reader->facts->has_objects || is_key;
	return !is_key && read_other(reader, type);
}

bool mcp_serialized_scan_msgpack(mcp_bytes block, mcp_serialized_facts *facts) {
	*facts = (mcp_serialized_facts){0};
	item_reader reader;
	reader.at = (const unsigned char *)block.data;
	reader.end = reader.at + block.length;
	reader.facts = facts;
	reader.depth = 0;
	do {
		if (!read_item_msgpack(&reader)) {
			return false;
		}
		while (reader.depth > 0 && reader.levels[reader.depth].left == 0) {
			reader.depth--;
		}
	} while (reader.depth > 0);
	return reader.at == reader.end;
}
