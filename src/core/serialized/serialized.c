/* Reads the text of PHP's serialize() item by item, without recursion. It believes no count: one that
 * claims more than the bytes that follow is no serialization. */
/* SPDX-License-Identifier: MIT */
#include "serialized.h"

#include "serialized_memory.h"

/* An object, and the table of an incomplete one. */
#define MEMORY_OF_CUSTOM 512
/* The engine's reader. */
#define MEMORY_OF_READER 20480

/* The surroundings of a custom format ("C:"). */
typedef struct surroundings {
	const char *end;
	uint32_t depth;
} surroundings;

typedef struct text_reader {
	const char *at, *end; /* the end of the innermost custom format */
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

/* Reads digits and a colon. No count is larger than the bytes that are left. */
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

/* Skips "<length>:<quote><bytes><quote>", which strings and classes' names are. */
static bool skip_sized(text_reader *reader, char begin, char end) {
	size_t length;
	if (!read_count(reader, &length) || !skip_char(reader, begin) || length > bytes_left(reader)) {
		return false;
	}
	reader->at += length;
	reader->facts->memory += mcp_memory_of_string(length);
	return skip_char(reader, end);
}

/* Skips to the ';' that ends a number, a mark or nothing at all. */
static bool skip_scalar(text_reader *reader) {
	const char *end = memchr(reader->at, ';', bytes_left(reader));
	if (end == NULL) {
		return false;
	}
	reader->at = end + 1;
	return true;
}

static void deepen(text_reader *reader) {
	reader->depth++;
	if (reader->depth > reader->facts->depth) {
		reader->facts->depth = reader->depth;
	}
}

/* Enters "<count>:{" */
static bool enter(text_reader *reader) {
	size_t count;
	if (!read_count(reader, &count) || !skip_char(reader, '{')) {
		return false;
	}
	reader->facts->memory += mcp_memory_of_array(count);
	deepen(reader);
	return true;
}

/* Leaves a level, but not the custom format that is read. */
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
	deepen(reader);
	return true;
}

/* Enters "<length>:{<bytes>}", whose bytes the engine copies. */
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

/* Reads an item, but not 'S', which escapes bytes and is of a PHP that never was. */
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

/* --- custom formats ---
 * What a class writes is its own. The engine's classes write items with something between them, and read arrays and
 * custom formats in them: all that looks like an item, whose end is where it says, counts for one. */

static bool is_counted(char type) {
	return type == 's' || type == 'a' || type == 'O' || type == 'C' || type == 'E' || type == '}';
}

static void read_custom(text_reader *reader) {
	const char *first = reader->at;
	if (!is_counted(*first) || !read_item(reader)) {
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

static void begin(text_reader *reader, mcp_bytes text, mcp_serialized_facts *facts) {
	reader->at = text.data;
	reader->end = text.data + text.length;
	reader->depth = reader->customs = reader->customs_deepest = 0;
	reader->facts = facts;
}

void mcp_serialized_scan_custom(mcp_bytes bytes, mcp_serialized_facts *facts) {
	*facts = (mcp_serialized_facts){0};
	text_reader reader;
	begin(&reader, bytes, facts);
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
	begin(&reader, text, facts);
	do {
		if (reader.at == reader.end || !read_item(&reader)) {
			return false;
		}
		read_customs(&reader);
	} while (reader.depth > 0);
	return reader.at == reader.end;
}
