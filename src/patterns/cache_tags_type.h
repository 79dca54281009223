/* What a cache knows of its values' tags: which they are, and which numbers a value is stored with. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_CACHE_TAGS_TYPE_H
#define MCP_PATTERNS_CACHE_TAGS_TYPE_H

#include "../core/envelope.h"

/* What all values of a view have, and all of a clearable cache. Plain data; each is named once. */
typedef struct mcp_cache_tags {
	unsigned count;
	bool has_namespace; /* the first one: what lacks it is no value (N1) */
	uint64_t fingerprints[MCP_ENVELOPE_TAGS_MAX];
} mcp_cache_tags;

/* Bit 62 is set and bit 61 clear, so that it always has 19 digits and no carry reaches bit 63; 41 random bits say
 * which making of the tag it is, and the lowest 20 count the invalidations since. */
#define MCP_TAG_COUNT_BITS 20

/* Whether a number that was found can be stored with a value; otherwise the tag is absent. */
static inline bool mcp_tag_is_known(uint64_t number) {
	return (number & (uint64_t)1 << 62) != 0;
}

/* The numbers that a value is stored with, as they stand in an envelope. Plain data; outlives calls. */
typedef struct mcp_captured_tags {
	size_t length; /* 0: none */
	char bytes[MCP_ENVELOPE_TAGS_MAX * MCP_TAG_LENGTH];
} mcp_captured_tags;

/* The numbers that looks at one key have found, of each tag the first one. Plain data; outlives calls. */
#define MCP_NOTED_TAGS_MAX 64
typedef struct mcp_noted_tags {
	size_t length; /* 0: none */
	char bytes[MCP_NOTED_TAGS_MAX * MCP_TAG_LENGTH];
} mcp_noted_tags;

static inline mcp_bytes mcp_noted_tags_view(const mcp_noted_tags *noted) {
	return mcp_bytes_of(noted->bytes, noted->length);
}

static inline mcp_bytes mcp_captured_tags_view(const mcp_captured_tags *captured) {
	return mcp_bytes_of(captured->bytes, captured->length);
}

#endif
