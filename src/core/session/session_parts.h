/* A session's data taken apart by its keys. Each value's back references are kept as of its own beginning, so that it
 * can be compared and moved: PHP counts them from the beginning of everything. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_SESSION_PARTS_H
#define MCP_CORE_SESSION_PARTS_H

#include "session_head.h"
#include "session_room.h"

/* A back reference in a part's value. An enum's case is one object, which PHP writes once, and "r:" wherever it is again,
 * under another key, too: such a reference is taken for the case that it is of. */
typedef struct mcp_session_reference {
	struct mcp_session_reference *next;
	size_t at, length;  /* in the value: the digits; all of it, if it is a case */
	size_t slot;        /* counted from the value's own, which is 1 */
	mcp_bytes its_case; /* as it was written once; empty: the slot counts */
} mcp_session_reference;

typedef struct mcp_session_part {
	struct mcp_session_part *next;
	mcp_bytes key;                           /* as it stands there: a name, or its serialization */
	mcp_bytes value;                         /* serialized */
	size_t before;                           /* slots of what stands before it */
	size_t slots;                            /* its own */
	const mcp_session_reference *references; /* in their order */
} mcp_session_part;

/* A case that stands in the data. */
typedef struct mcp_session_case {
	struct mcp_session_case *next;
	size_t slot;
	mcp_bytes text;
} mcp_session_case;

typedef struct mcp_session_cases {
	mcp_session_case *newest;
	size_t count;
} mcp_session_cases;

typedef struct mcp_session_parts {
	bool
		is_array; /* serialize()'s array, of a whole session or inside of one; else names and values */
	size_t count;
	const mcp_session_part *first;
	const mcp_session_part **by_key; /* all of them, sorted */
	mcp_session_cases cases;         /* of all the data */
} mcp_session_parts;

/* Takes apart a session's data in the formats `php` and `php_serialize`. False if the room is short, or the data cannot be
 * taken apart (`reason`): a reference from one key to another, a class's own format, a name twice, or anything that
 * PHP does not write. */
bool mcp_session_parts_take(mcp_session_parts *parts, mcp_session_room *room,
	mcp_session_format format, mcp_bytes data);

/* Takes apart a part's value that is an array; `of` are the parts that it is one of. */
bool mcp_session_parts_take_inside(mcp_session_parts *parts, mcp_session_room *room,
	const mcp_session_parts *of, const mcp_session_part *part);
static inline bool mcp_session_part_is_array(const mcp_session_part *part) {
	return part->value.data[0] == 'a';
}

/* NULL if there is none of this key. */
const mcp_session_part *mcp_session_parts_find(const mcp_session_parts *parts, mcp_bytes key);

/* Says whether two values are the same, wherever they stand; both may be NULL: absent. */
bool mcp_session_parts_are_equal(const mcp_session_part *a, const mcp_session_part *b);

/* Writes the value as it stands behind so many slots, with its references accordingly. Returns its length; `to` may be
 * NULL: only that. */
size_t mcp_session_parts_place(const mcp_session_part *part, size_t before, char *to);

#endif
