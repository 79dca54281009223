/* FastLZ's block format, levels 1 and 2, as documented by its author (github.com/ariya/FastLZ): literal
 * runs, and matches of earlier output. */
/* SPDX-License-Identifier: MIT */
#include "fastlz.h"

#include <stdint.h>

#define LITERALS_BELOW 32   /* an instruction byte below this is a literal run */
#define MATCH_LENGTH_MIN 2  /* added to the 3 bits of a match's length */
#define MATCH_LENGTH_LONG 7 /* all 3 bits set: more length follows */
#define FAR_DISTANCE 8191   /* level 2: from this distance on, 16 more bits follow */

typedef struct block_reader {
	const uint8_t *at, *end;
	uint8_t *out; /* NULL: count only */
	size_t written, limit;
	int level;
	bool is_intact;
} block_reader;

static uint8_t next(block_reader *reader) {
	if (reader->at == reader->end) {
		reader->is_intact = false;
		return 0;
	}
	return *reader->at++;
}

static bool has_room(const block_reader *reader, size_t count) {
	return count <= reader->limit - reader->written;
}

static void copy_literals(block_reader *reader, size_t count) {
	if (count > (size_t)(reader->end - reader->at) || !has_room(reader, count)) {
		reader->is_intact = false;
		return;
	}
	if (reader->out != NULL) {
		memcpy(reader->out + reader->written, reader->at, count);
	}
	reader->at += count;
	reader->written += count;
}

/* Bytewise, because a match can overlap its output. */
static void copy_match(block_reader *reader, size_t distance, size_t count) {
	if (!reader->is_intact || distance > reader->written || !has_room(reader, count)) {
		reader->is_intact = false;
		return;
	}
	size_t end = reader->written + count;
	if (reader->out != NULL) {
		for (size_t i = reader->written; i < end; i++) {
			reader->out[i] = reader->out[i - distance];
		}
	}
	reader->written = end;
}

/* Read the rest of a length that exceeds 3 bits: one byte. At level 2, another byte follows each byte of 255. */
static size_t read_length(block_reader *reader) {
	size_t length = 0;
	uint8_t part;
	do {
		part = next(reader);
		length += part;
	} while (reader->level == 2 && part == UINT8_MAX && reader->is_intact);
	return length;
}

static void read_match(block_reader *reader, uint8_t instruction) {
	size_t length = instruction >> 5;
	size_t high = (size_t)(instruction & 31) << 8;
	if (length == MATCH_LENGTH_LONG) {
		length += read_length(reader);
	}
	uint8_t low = next(reader);
	size_t distance = high + low + 1;
	if (reader->level == 2 && low == UINT8_MAX && high == (31u << 8)) {
		size_t far = (size_t)next(reader) << 8;
		distance = far + next(reader) + FAR_DISTANCE + 1;
	}
	copy_match(reader, distance, length + MATCH_LENGTH_MIN);
}

static bool read_block(mcp_bytes block, uint8_t *out, size_t length) {
	if (block.length == 0) {
		return false;
	}
	block_reader reader = {
		.at = (const uint8_t *)block.data,
		.end = (const uint8_t *)block.data + block.length,
		.out = out,
		.limit = length,
		.level = (*(const uint8_t *)block.data >> 5) + 1,
		.is_intact = true,
	};
	if (reader.level > 2) {
		return false;
	}
	/* The first instruction is a literal run; its upper bits are the level. */
	copy_literals(&reader, (size_t)(next(&reader) & 31) + 1);
	while (reader.is_intact && reader.at < reader.end) {
		uint8_t instruction = next(&reader);
		if (instruction < LITERALS_BELOW) {
			copy_literals(&reader, (size_t)instruction + 1);
		} else {
			read_match(&reader, instruction);
		}
	}
	return reader.is_intact && reader.written == reader.limit;
}

bool mcp_fastlz_becomes(mcp_bytes block, size_t length) {
	return read_block(block, NULL, length);
}

bool mcp_fastlz_expand(mcp_bytes block, char *out, size_t length) {
	return read_block(block, (uint8_t *)out, length);
}
