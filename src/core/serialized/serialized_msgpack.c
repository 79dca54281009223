/* Reads MessagePack item by item, with a stack of its own for the arrays and maps they are in. The types are those
 * of msgpack's spec.md; what the msgpack extension makes objects and references of, a map's key that is nil,
 * is not read. */
/* SPDX-License-Identifier: MIT */
#include "serialized.h"

#include "serialized_memory.h"

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
	uint64_t left; /* how many items still come; of a map keys and values */
	bool is_map;
} level;

typedef struct item_reader {
	const unsigned char *at, *end;
	mcp_serialized_facts *facts;
	uint32_t depth;
	level levels[MCP_SERIALIZED_MSGPACK_DEPTH_MAX + 1];
} item_reader;

static size_t bytes_left(const item_reader *reader) {
	return (size_t)(reader->end - reader->at);
}

static bool skip(item_reader *reader, uint64_t length) {
	if (length > bytes_left(reader)) {
		return false;
	}
	reader->at += length;
	return true;
}

static bool read_number(item_reader *reader, size_t width, uint64_t *number) {
	*number = 0;
	if (width > bytes_left(reader)) {
		return false;
	}
	for (size_t i = 0; i < width; i++) {
		*number = *number << 8 | *reader->at++;
	}
	return true;
}

static bool skip_string(item_reader *reader, uint64_t length) {
	if (!skip(reader, length)) {
		return false;
	}
	reader->facts->memory += mcp_memory_of_string((size_t)length);
	return true;
}

/* Enters an array, each element of which takes a byte at least. */
static bool enter(item_reader *reader, uint64_t count, bool is_map) {
	uint64_t items = is_map ? 2 * count : count;
	if (items > bytes_left(reader) || reader->depth == MCP_SERIALIZED_MSGPACK_DEPTH_MAX) {
		return false;
	}
	reader->facts->memory += mcp_memory_of_array((size_t)count);
	reader->levels[++reader->depth] = (level){.left = items, .is_map = is_map};
	if (reader->depth > reader->facts->depth) {
		reader->facts->depth = reader->depth;
	}
	return true;
}

static bool enter_sized(item_reader *reader, size_t width, bool is_map) {
	uint64_t count;
	return read_number(reader, width, &count) && enter(reader, count, is_map);
}

static bool read_sized_string(item_reader *reader, size_t width) {
	uint64_t length;
	return read_number(reader, width, &length) && skip_string(reader, length);
}

static bool is_int(unsigned char type) {
	return type < FIX_INT_END || type >= NEGATIVE_FIX_INT ||
		(type >= TYPE_UINT_8 && type < TYPE_INT_8 + 4);
}

static bool is_string(unsigned char type) {
	return (type >= FIX_ARRAY_END && type < FIX_STRING_END) ||
		(type >= TYPE_STRING_8 && type < TYPE_ARRAY_16);
}

static bool read_int(item_reader *reader, unsigned char type) {
	bool is_in_its_type = type < FIX_INT_END || type >= NEGATIVE_FIX_INT;
	return is_in_its_type || skip(reader, 1u << ((type - TYPE_UINT_8) % 4));
}

static bool read_string(item_reader *reader, unsigned char type) {
	return type < FIX_STRING_END ? skip_string(reader, type - FIX_ARRAY_END)
								 : read_sized_string(reader, 1u << (type - TYPE_STRING_8));
}

static bool read_other(item_reader *reader, unsigned char type) {
	if (type < FIX_MAP_END) {
		return enter(reader, type - FIX_INT_END, true);
	}
	if (type < FIX_ARRAY_END) {
		return enter(reader, type - FIX_MAP_END, false);
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
			return enter_sized(reader, 2u << (type - TYPE_ARRAY_16), false);
		case TYPE_MAP_16:
		case TYPE_MAP_16 + 1:
			return enter_sized(reader, 2u << (type - TYPE_MAP_16), true);
		default:
			return false;
	}
}

/* Says whether a key is next: the first of each two items in a map is one. */
static bool takes_key(const item_reader *reader) {
	const level *inside = &reader->levels[reader->depth];
	return reader->depth > 0 && inside->is_map && inside->left % 2 == 0;
}

static bool read_item(item_reader *reader) {
	if (reader->at == reader->end) {
		return false;
	}
	bool is_key = takes_key(reader);
	if (reader->depth > 0) {
		reader->levels[reader->depth].left--;
	}
	unsigned char type = *reader->at++;
	reader->facts->memory += MCP_MEMORY_OF_VALUE;
	if (is_int(type)) {
		return read_int(reader, type);
	}
	if (is_string(type)) {
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
		if (!read_item(&reader)) {
			return false;
		}
		while (reader.depth > 0 && reader.levels[reader.depth].left == 0) {
			reader.depth--;
		}
	} while (reader.depth > 0);
	return reader.at == reader.end;
}
