/* A session's data taken apart by its keys. Each value's back references are kept as of its own beginning, so that it
 * can be compared and moved: PHP counts them from the beginning of everything. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_SESSION_SESSION_PARTS_H
#define MCP_CORE_SESSION_SESSION_PARTS_H

#include "../bytes.h"

#include <stdint.h>

/* The head of a session's payload: which of PHP's formats the rest is in, whether it can be taken apart, and the
 * stamps of the writes that it descends from, so that a writer whose answer did not come finds itself in it. */

/* A writer that finds no stamp of its own among so many knows nothing of what became of its write. */
#define MCP_SESSION_STAMPS_MAX 8
#define MCP_SESSION_STAMP_LENGTH 4
#define MCP_SESSION_HEAD_MAX (4 + MCP_SESSION_STAMPS_MAX * MCP_SESSION_STAMP_LENGTH)

/* PHP's session.serialize_handler; the numbers stand in stored items. */
typedef enum mcp_session_format {
	MCP_SESSION_OTHER = 0,
	MCP_SESSION_PHP = 1,
	MCP_SESSION_PHP_SERIALIZE = 2,
	MCP_SESSION_IGBINARY = 3,
	MCP_SESSION_MSGPACK = 4,
	MCP_SESSION_PHP_BINARY = 5,
	MCP_SESSION_FORMATS,
} mcp_session_format;

typedef struct mcp_session_head {
	mcp_session_format format;
	bool is_whole;          /* its data cannot be taken apart: no writer merges it */
	bool is_over_tombstone; /* the session was begun where one had been destroyed */
	uint8_t stamp_count;    /* 1 to MCP_SESSION_STAMPS_MAX */
	uint32_t stamps[MCP_SESSION_STAMPS_MAX]; /* random; the newest, its own write's, first */
} mcp_session_head;

typedef enum mcp_session_reading {
	MCP_SESSION_READ,
	MCP_SESSION_NEWER, /* a later version's, or a format or a mark that this one does not know */
	MCP_SESSION_NONE,  /* no session's payload */
} mcp_session_reading;

/* Writes it before the data; returns its length. */
size_t mcp_session_head_write(const mcp_session_head *head, char out[MCP_SESSION_HEAD_MAX]);

/* Reads it; *data is a view behind it. Nothing in either counts unless it is MCP_SESSION_READ. */
mcp_session_reading mcp_session_head_read(mcp_bytes payload, mcp_session_head *head,
	mcp_bytes *data);

/* Says whether this write is the payload's, or one that it descends from, as far back as its stamps go. */
bool mcp_session_head_has(const mcp_session_head *head, uint32_t stamp);

/* Puts a write's stamp before those of what it descends from; the oldest one may fall out. */
void mcp_session_head_descend(mcp_session_head *head, uint32_t stamp, const mcp_session_head *from);

/* The memory in which a session's data is taken apart and merged: handed in, and never more of it taken than it has. */

/* Borrows its memory, which is aligned as malloc's is; all that is made in it lives as long as that. */
typedef struct mcp_session_room {
	char *memory;
	size_t size, used;
	size_t
		wanted; /* more than `size`: it was short of memory, and as much would have been enough so far */
	const char *
		reason; /* why data could not be taken apart, in words that follow "because "; NULL: it could */
} mcp_session_room;

static inline mcp_session_room mcp_session_room_of(void *memory, size_t size) {
	return (mcp_session_room){.memory = memory, .size = size};
}

static inline bool mcp_session_room_is_short(const mcp_session_room *room) {
	return room->wanted > room->size;
}

/* NULL if there is not as much left. */
static inline void *mcp_session_room_take(mcp_session_room *room, size_t bytes) {
	enum { ALIGNMENT = 16 };
	size_t whole = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	if (whole < bytes || whole > room->size - room->used) {
		room->wanted = whole < bytes ? SIZE_MAX : room->used + whole;
		return NULL;
	}
	void *taken = room->memory + room->used;
	room->used += whole;
	return taken;
}

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
