/* Feeds the readers of serialized bytes arbitrary ones, and values that it writes itself, of which it knows
 * what is in them. Whatever is intact is so to the byte: not with one less or one more. */
/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include "../../src/core/serialized/serialized.h"

#include <stdio.h>

#define ROOM (64 * 1024)
/* Each item may take so much. */
#define ITEM_MAX 300

typedef bool scanner(mcp_bytes bytes, mcp_serialized_facts *facts);

/* A value being written in both formats; every choice is a byte of the input, and 0 after its end. */
typedef struct writing {
	const uint8_t *at, *end;
	char *text, *block;
	size_t text_length, block_length;
	uint32_t depth_max;
	bool has_objects;
} writing;

static uint8_t choose(writing *to) {
	return to->at < to->end ? *to->at++ : 0;
}

static void put_text(writing *to, const char *text) {
	memcpy(to->text + to->text_length, text, strlen(text));
	to->text_length += strlen(text);
}

static void put_block(writing *to, uint8_t type, uint8_t argument) {
	to->block[to->block_length++] = (char)type;
	to->block[to->block_length++] = (char)argument;
}

static void put_string(writing *to, uint8_t length) {
	char head[16];
	snprintf(head, sizeof(head), "s:%u:\"", length);
	put_text(to, head);
	put_block(to, 0x11, length);
	for (uint8_t i = 0; i < length; i++) {
		char byte = (char)choose(to);
		to->text[to->text_length++] = byte;
		to->block[to->block_length++] = byte;
	}
	put_text(to, "\";");
}

static void put_int(writing *to, uint8_t number) {
	char text[16];
	snprintf(text, sizeof(text), "i:%u;", number);
	put_text(to, text);
	put_block(to, 0x06, number);
}

static void put_value(writing *to, uint32_t depth);

static void put_array(writing *to, uint32_t depth, uint8_t count) {
	char head[16];
	snprintf(head, sizeof(head), "a:%u:{", count);
	put_text(to, head);
	put_block(to, 0x14, count);
	to->depth_max = depth > to->depth_max ? depth : to->depth_max;
	for (uint8_t i = 0; i < count; i++) {
		put_int(to, i);
		put_value(to, depth + 1);
	}
	put_text(to, "}");
}

/* Puts an object into the text alone: the block has an integer there. */
static void put_object(writing *to) {
	static const char *const objects[] = {"O:1:\"A\":0:{}", "E:3:\"A:B\";", "C:1:\"A\":2:{}}}"};
	uint8_t choice = choose(to) % 3;
	put_text(to, objects[choice]);
	put_block(to, 0x06, 0);
	to->has_objects = true;
	if (choice != 1 && to->depth_max == 0) {
		to->depth_max = 1;
	}
}

static void put_value(writing *to, uint32_t depth) {
	uint8_t choice = choose(to);
	bool is_full = to->text_length > ROOM / 2 || depth > 64;
	if (choice % 4 == 1 && !is_full) {
		put_array(to, depth, choice / 4 % 8);
	} else if (choice % 4 == 2 && !is_full) {
		put_string(to, choice / 4);
	} else if (choice == 3 && depth == 1) {
		put_object(to);
	} else {
		put_int(to, choice);
	}
}

/* Scans a copy on the heap and to the byte, so that a sanitizer sees one more. */
static bool scan(scanner *reader, const char *bytes, size_t length, mcp_serialized_facts *facts) {
	char *copy = malloc(length > 0 ? length : 1);
	require(copy != NULL);
	memcpy(copy, bytes, length);
	bool is_intact = reader(mcp_bytes_of(copy, length), facts);
	free(copy);
	return is_intact;
}

static void require_exact(scanner *reader, const char *bytes, size_t length) {
	mcp_serialized_facts facts;
	char *longer = malloc(length + 1);
	require(longer != NULL);
	memcpy(longer, bytes, length);
	longer[length] = ';';
	require(!scan(reader, bytes, length - 1, &facts));
	require(!scan(reader, longer, length + 1, &facts));
	free(longer);
}

/* Requires no more memory than its length allows, read or not. */
static void require_any(scanner *reader, const uint8_t *data, size_t size) {
	mcp_serialized_facts facts;
	bool is_intact = scan(reader, (const char *)data, size, &facts);
	require(facts.memory <= mcp_serialized_memory_max(size));
	if (is_intact) {
		/* Custom formats inside each other count as too deep before they are. */
		require(facts.depth <= size || facts.depth == MCP_SERIALIZED_DEPTH_MAX + 1);
		require(facts.memory > 0);
		require_exact(reader, (const char *)data, size);
	}
}

static void require_json(const uint8_t *data, size_t size) {
	mcp_serialized_facts facts;
	if (scan(mcp_serialized_scan_json, (const char *)data, size, &facts)) {
		require(facts.memory <= mcp_serialized_memory_max_json(size));
	}
}

static void require_written(const uint8_t *data, size_t size) {
	writing to = {.at = data, .end = data + size, .text = malloc(ROOM), .block = malloc(ROOM)};
	require(to.text != NULL && to.block != NULL);
	memcpy(to.block, "\0\0\0\2", 4);
	to.block_length = 4;
	put_value(&to, 1);
	require(to.text_length + ITEM_MAX < ROOM && to.block_length + ITEM_MAX < ROOM);
	mcp_serialized_facts facts;
	require(scan(mcp_serialized_scan, to.text, to.text_length, &facts));
	require(facts.depth == to.depth_max && facts.has_objects == to.has_objects);
	require_exact(mcp_serialized_scan, to.text, to.text_length);
	require(scan(mcp_serialized_scan_igbinary, to.block, to.block_length, &facts));
	require(!facts.has_objects && facts.depth <= to.depth_max);
	require_exact(mcp_serialized_scan_igbinary, to.block, to.block_length);
	free(to.text);
	free(to.block);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	require_any(mcp_serialized_scan, data, size);
	require_any(mcp_serialized_scan_igbinary, data, size);
	require_any(mcp_serialized_scan_msgpack, data, size);
	require_json(data, size);
	require_written(data, size);
	return 0;
}
