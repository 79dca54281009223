/* Counts what a JSON text would take: its arrays and objects, their elements, and its strings. */
/* SPDX-License-Identifier: MIT */
#include "serialized.h"

#include "serialized_memory.h"

/* An array grows by doubling, and is copied then: three times what its elements take at the end. */
#define MEMORY_OF_ELEMENT (MCP_MEMORY_OF_VALUE + 3 * 36)
/* The elements that the smallest array has room for. */
#define ELEMENTS_MIN 8

/* Skips to the quotation mark that ends it, or to the end. */
static const char *skip_string(const char *at, const char *end) {
	while (at < end && *at != '"') {
		at += *at == '\\' && at + 1 < end ? 2 : 1;
	}
	return at;
}

static void enter(mcp_serialized_facts *facts, uint32_t *depth) {
	facts->memory += mcp_memory_of_array(ELEMENTS_MIN);
	*depth += 1;
	if (*depth > facts->depth) {
		facts->depth = *depth;
	}
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
			enter(facts, &depth);
		} else if (*at == ',') {
			facts->memory += MEMORY_OF_ELEMENT;
		} else if ((*at == ']' || *at == '}') && depth > 0) {
			depth--;
		}
	}
	return text.length > 0;
}
