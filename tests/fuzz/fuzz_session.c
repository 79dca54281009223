/* Feeds the reader of a session's head and the merge arbitrary bytes, and sessions that it writes itself. A merge can be
 * taken apart again; of two requests of which one changed nothing it is the other's; and nothing is read or written
 * beyond what was handed in. */
/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include "../../src/core/session/session_parts.h"
#include <stdio.h>

enum { ROOM = 1 << 20, TEXT_MAX = 4096, KEYS = 4, DEPTH_MAX = 3, ITEM_MAX = 64, SLOTS_MAX = 64 };

/* --- sessions of its own --- */

/* A session being written; every choice is a byte of the input, and 0 after its end. */
typedef struct writing {
	const uint8_t *at, *end;
	char text[TEXT_MAX];
	size_t length;
	unsigned slots, from; /* so far, and before the key that is written */
	bool
		is_reference[SLOTS_MAX]; /* each slot: "r:", to which PHP refers by the object's own slot */
} writing;

static unsigned choose(writing *to, unsigned below) {
	return to->at < to->end ? *to->at++ % below : 0;
}

static void put(writing *to, const char *text) {
	size_t length = strlen(text);
	if (to->length + length < TEXT_MAX) {
		memcpy(to->text + to->length, text, length);
		to->length += length;
	}
}

static void put_numbered(writing *to, const char *format, unsigned number) {
	char text[ITEM_MAX];
	snprintf(text, sizeof(text), format, number);
	put(to, text);
}

static void put_value(writing *to, unsigned depth);

static void put_elements(writing *to, unsigned depth) {
	unsigned count = choose(to, 3);
	put_numbered(to, "%u:{", count);
	for (unsigned i = 0; i < count; i++) {
		put_numbered(to, choose(to, 2) == 0 ? "i:%u;" : "s:1:\"%u\";", i);
		put_value(to, depth + 1);
	}
	put(to, "}");
}

/* Refers to any slot, mostly to one of its own key's. */
static void put_reference(writing *to) {
	unsigned own = to->slots - to->from;
	bool is_own = own > 0 && choose(to, 8) > 0;
	unsigned slot = is_own ? to->from + 1 + choose(to, own) : 1 + choose(to, to->slots + 2);
	bool is_object = choose(to, 2) == 0 && !to->is_reference[slot];
	put_numbered(to, is_object ? "r:%u;" : "R:%u;", slot);
	to->slots += is_object;
	to->is_reference[to->slots] |= is_object;
}

static void put_value(writing *to, unsigned depth) {
	unsigned kind = choose(to, depth < DEPTH_MAX ? 9 : 7);
	if (kind == 6) {
		put_reference(to);
		return;
	}
	to->slots++;
	static const char *const scalars[] = {"N;", "b:1;", "i:-5;", "d:0.5;", "s:4:\"a|\"}\";",
		"E:6:\"Suit:H\";"};
	if (kind < 6) {
		put(to, scalars[kind]);
		return;
	}
	put(to, kind == 7 ? "a:" : "O:1:\"A\":");
	put_elements(to, depth);
}

static mcp_bytes write_session(writing *to, mcp_session_format format) {
	bool is_array = format == MCP_SESSION_PHP_SERIALIZE;
	unsigned keys = choose(to, KEYS), first = choose(to, KEYS);
	to->length = to->from = 0;
	memset(to->is_reference, 0, sizeof(to->is_reference));
	to->slots = is_array;
	if (is_array) {
		put_numbered(to, "a:%u:{", keys);
	}
	for (unsigned i = 0; i < keys; i++) {
		put_numbered(to, is_array ? "i:%u;" : "k%u|", (first + i) % KEYS);
		to->from = to->slots;
		put_value(to, 0);
	}
	put(to, is_array ? "}" : "");
	return mcp_bytes_of(to->text, to->length);
}

/* --- what must hold --- */

static char *memory[2];

static bool merge(const mcp_session_versions *of, int which, mcp_session_merged *merged) {
	mcp_session_arena room = mcp_session_arena_of(memory[which], ROOM);
	bool is_merged = mcp_session_merge(of, &room, merged);
	require(is_merged || mcp_session_arena_is_short(&room) || room.reason != NULL);
	return is_merged;
}

static bool has_the_keys_of(mcp_session_format format, mcp_bytes one, mcp_bytes other) {
	mcp_session_arena room = mcp_session_arena_of(memory[1], ROOM);
	mcp_session_parts of_one, of_other;
	require(mcp_session_parts_take(&of_one, &room, format, one) &&
		mcp_session_parts_take(&of_other, &room, format, other));
	for (const mcp_session_part *part = of_other.first; part != NULL; part = part->next) {
		const mcp_session_part *found = mcp_session_parts_find(&of_one, part->key);
		if (!mcp_session_parts_are_equal(found, part)) {
			return false;
		}
	}
	return of_one.count == of_other.count;
}

static void merge_three(const mcp_session_versions *of) {
	mcp_session_merged merged, again;
	if (!merge(of, 0, &merged)) {
		return;
	}
	mcp_session_versions same = *of;
	same.base = same.mine = same.theirs = merged.data;
	require(merge(&same, 1, &again) && again.conflicts == 0);
	require(mcp_bytes_equal(merged.data, again.data));
	same = *of;
	same.mine = of->base;
	require(merge(&same, 0, &merged) && merged.conflicts == 0);
	require(has_the_keys_of(of->format, merged.data, of->theirs));
	same = *of;
	same.theirs = of->base;
	require(merge(&same, 0, &merged) && merged.conflicts == 0);
	require(has_the_keys_of(of->format, merged.data, of->mine));
}

static void merge_own(const uint8_t *data, size_t size, mcp_session_versions *of) {
	static writing all[3];
	mcp_bytes *texts[] = {&of->base, &of->mine, &of->theirs};
	for (size_t i = 0; i < 3; i++) {
		all[i].at = data + size * i / 3;
		all[i].end = data + size * (i + 1) / 3;
		*texts[i] = write_session(&all[i], of->format);
	}
	merge_three(of);
}

/* Merges copies on the heap and to the byte, so that a byte more is seen. */
static void merge_given(const uint8_t *data, size_t size, mcp_session_versions *of) {
	mcp_bytes *texts[] = {&of->base, &of->mine, &of->theirs};
	char *copies[3];
	for (size_t i = 0; i < 3; i++) {
		size_t from = size * i / 3, length = size * (i + 1) / 3 - from;
		copies[i] = malloc(length + (length == 0));
		require(copies[i] != NULL);
		if (length > 0) {
			memcpy(copies[i], data + from, length);
		}
		*texts[i] = mcp_bytes_of(copies[i], length);
	}
	merge_three(of);
	for (size_t i = 0; i < 3; i++) {
		free(copies[i]);
	}
}

static void read_head(const uint8_t *data, size_t size) {
	mcp_session_head head;
	mcp_bytes rest;
	char again[MCP_SESSION_HEAD_MAX];
	mcp_bytes payload = mcp_bytes_of((const char *)data, size);
	if (mcp_session_head_read(payload, &head, &rest) == MCP_SESSION_READ) {
		size_t length = mcp_session_head_write(&head, again);
		require(length + rest.length == size && memcmp(again, data, length) == 0);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	if (size < 2) {
		return 0;
	}
	for (size_t i = 0; i < 2; i++) {
		memory[i] = memory[i] != NULL ? memory[i] : malloc(ROOM);
		require(memory[i] != NULL);
	}
	mcp_session_versions of = {
		.format = data[0] % 2 == 0 ? MCP_SESSION_PHP : MCP_SESSION_PHP_SERIALIZE,
		.depth = 1 + data[0] / 2 % MCP_SESSION_MERGE_DEPTH_MAX,
	};
	read_head(data, size);
	merge_own(data + 1, size - 1, &of);
	merge_given(data + 1, size - 1, &of);
	return 0;
}
