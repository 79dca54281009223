/* The places of the last routes, so that a route that comes again, as an object's own key does with each call, is
 * hashed by a few words and not by what clients have agreed upon. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_ROUTE_MEMO_H
#define MCP_STORE_ROUTE_MEMO_H

#include "../../core/bytes.h"
#include "../../core/compiler.h"
#include "../../core/words.h"

/* As many as a page's keys, in 16 KB. */
#define MCP_ROUTE_MEMO_BITS 8
/* Longer ones are not remembered: what is known of a route fills one line of the processor's cache. */
#define MCP_ROUTE_MEMO_LENGTH_MAX 61

typedef struct mcp_route_note {
	uint16_t place;
	uint8_t length; /* 0: of none */
	char route[MCP_ROUTE_MEMO_LENGTH_MAX];
} mcp_route_note;

/* All zeroes when it is empty. Each route has one place in it, and the last one that came is there. */
typedef struct mcp_route_memo {
	mcp_route_note notes[1 << MCP_ROUTE_MEMO_BITS];
} mcp_route_memo;

/* Mixes all bytes: names differ by their middle as often as by their end. */
MCP_INLINED uint64_t mcp_route_memo_hash(mcp_bytes route) {
	const uint64_t odd = 0x9e3779b97f4a7c15; /* 2^64 by the golden ratio */
	uint64_t hash = route.length;
	if (route.length < sizeof(uint64_t)) {
		uint64_t word = 0;
		mcp_words_copy((char *)&word, route.data, route.length);
		return (hash ^ word) * odd;
	}
	const char *last = route.data + route.length - sizeof(uint64_t);
	for (const char *at = route.data; at < last; at += sizeof(uint64_t)) {
		hash = (hash ^ mcp_word(at)) * odd;
		hash ^= hash >> 32;
	}
	return (hash ^ mcp_word(last)) * odd;
}

/* Returns the route's note, or where it is to be noted. NULL: it is not remembered. */
MCP_INLINED mcp_route_note *mcp_route_memo_find(mcp_route_memo *memo, mcp_bytes route) {
	if (route.length - 1 >= MCP_ROUTE_MEMO_LENGTH_MAX) {
		return NULL;
	}
	return &memo->notes[mcp_route_memo_hash(route) >> (64 - MCP_ROUTE_MEMO_BITS)];
}

MCP_INLINED bool mcp_route_note_is_of(const mcp_route_note *note, mcp_bytes route) {
	return note->length == route.length && mcp_words_equal(note->route, route.data, route.length);
}

static inline void mcp_route_note_write(mcp_route_note *note, mcp_bytes route, size_t place) {
	note->place = (uint16_t)place;
	note->length = (uint8_t)route.length;
	memcpy(note->route, route.data, route.length);
}

#endif
