/* Parses session data into keys. PHP numbers all values of the data. A back reference is such a number, which is called
 * a slot here. Parts have back references relative to the value that contains them, so that values can be compared and
 * moved. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_SESSION_SESSION_PARTS_H
#define MCP_CORE_SESSION_SESSION_PARTS_H

#include "../bytes.h"

#include <stdint.h>

/* Head of a session's payload: PHP's format of the data, whether the data can be parsed, and the stamps (random
 * numbers) of the writes from which the data descends. A writer that has received no reply searches these stamps for
 * its own stamp. */

/* Maximum number of stamps. If a payload has this number of stamps without the writer's stamp, the writer cannot know
 * the outcome of its write. */
#define MCP_SESSION_STAMPS_MAX 8
#define MCP_SESSION_STAMP_LENGTH 4
#define MCP_SESSION_HEAD_MAX (4 + MCP_SESSION_STAMPS_MAX * MCP_SESSION_STAMP_LENGTH)

/* PHP's session.serialize_handler. The numbers are part of stored items. */
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
	bool is_whole;          /* the data cannot be parsed: no writer merges the session */
	bool is_over_tombstone; /* the session was started over the tombstone of a destroyed session */
	uint8_t stamp_count;    /* 1 to MCP_SESSION_STAMPS_MAX */
	/* random; newest first, beginning with the stamp of the item's write */
	uint32_t stamps[MCP_SESSION_STAMPS_MAX];
} mcp_session_head;

typedef enum mcp_session_reading {
	MCP_SESSION_READ,
	MCP_SESSION_NEWER, /* the head has a later version, or an unknown format or mark */
	MCP_SESSION_NONE,  /* not a session's payload */
} mcp_session_reading;

/* Write the head, which precedes the data. Returns the head's length. */
size_t mcp_session_head_write(const mcp_session_head *head, char out[MCP_SESSION_HEAD_MAX]);

/* Parse the head; *data is a view of the rest. *head and *data are undefined unless MCP_SESSION_READ is returned. */
mcp_session_reading mcp_session_head_read(mcp_bytes payload, mcp_session_head *head,
	mcp_bytes *data);

/* Whether the payload was stored by this write or descends from it, as far as the payload's stamps reach back. */
bool mcp_session_head_has(const mcp_session_head *head, uint32_t stamp);

/* Put a write's stamp before the stamps of `from`, the write's base. The oldest stamp is dropped if there are too
 * many. */
void mcp_session_head_descend(mcp_session_head *head, uint32_t stamp, const mcp_session_head *from);

/* Caller's memory for parsing and merging session data; never exceeded. */

/* Borrowed memory, aligned like malloc's. Everything in it is valid as long as the memory. */
typedef struct mcp_session_arena {
	char *memory;
	size_t size, used;
	/* > size: memory was too small; this size would have been sufficient so far */
	size_t wanted;
	const char *reason; /* reason of a parse error, as text in parentheses; NULL: no error */
} mcp_session_arena;

static inline mcp_session_arena mcp_session_arena_of(void *memory, size_t size) {
	return (mcp_session_arena){.memory = memory, .size = size};
}

static inline bool mcp_session_arena_is_short(const mcp_session_arena *arena) {
	return arena->wanted > arena->size;
}

/* Returns NULL if the memory left is too small. */
static inline void *mcp_session_arena_take(mcp_session_arena *arena, size_t bytes) {
	enum { ALIGNMENT = 16 };
	size_t whole = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	if (whole < bytes || whole > arena->size - arena->used) {
		arena->wanted = whole < bytes ? SIZE_MAX : arena->used + whole;
		return NULL;
	}
	void *taken = arena->memory + arena->used;
	arena->used += whole;
	return taken;
}

/* A back reference in a part's value. PHP writes an enum case once, and then "r:" for each further use, also under
 * other keys. Here, such a reference is resolved to its case. */
typedef struct mcp_session_reference {
	struct mcp_session_reference *next;
	size_t at, length;  /* the digits in the value; of a case: the whole reference */
	size_t slot;        /* slot, relative to the slot of the value, which is 1 */
	mcp_bytes its_case; /* as written at its first use; empty: use the slot */
} mcp_session_reference;

typedef struct mcp_session_part {
	struct mcp_session_part *next;
	mcp_bytes key;                           /* as written: a name, or its serialization */
	mcp_bytes value;                         /* serialized */
	size_t before;                           /* number of slots before the value */
	size_t slots;                            /* number of slots in the value */
	const mcp_session_reference *references; /* references in order */
} mcp_session_part;

/* An enum case in the data. */
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
	/* serialize()'s array, of a whole session or nested; otherwise names and values */
	bool is_array;
	size_t count;
	const mcp_session_part *first;
	const mcp_session_part **by_key; /* all parts, sorted */
	mcp_session_cases cases;         /* enum cases of all data */
} mcp_session_parts;

/* Parse session data in the formats `php` and `php_serialize`. Returns false if the arena is too small, or the
 * data cannot be parsed (`reason`). Reasons are a reference across keys, a class's custom format, a duplicate
 * key, or data that PHP does not write. */
bool mcp_session_parts_take(mcp_session_parts *parts, mcp_session_arena *arena,
	mcp_session_format format, mcp_bytes data);

/* NULL if no part has this key. */
const mcp_session_part *mcp_session_parts_find(const mcp_session_parts *parts, mcp_bytes key);

/* Whether two values are equal, independently of their positions. NULL: missing. */
bool mcp_session_parts_are_equal(const mcp_session_part *a, const mcp_session_part *b);

/* Merges the changes of two requests to one session, key by key. A change that only one request made to a
 * key is kept. If both requests changed a key, the later change wins, and a conflict is counted. */

/* Maximum depth of merging. Within that depth, conflicting arrays are merged by the same rule. */
#define MCP_SESSION_MERGE_DEPTH_MAX 8

typedef struct mcp_session_versions {
	mcp_session_format format; /* format of all three versions */
	unsigned depth;            /* 1: only whole keys; up to MCP_SESSION_MERGE_DEPTH_MAX */
	mcp_bytes base;            /* the version from which both requests started */
	mcp_bytes mine, theirs;    /* the later version, and the version stored before it */
} mcp_session_versions;

typedef struct mcp_session_merged {
	mcp_bytes data; /* in the arena, unless it is empty */
	unsigned conflicts;
} mcp_session_merged;

/* Merge in the order of `theirs`, followed by keys that only `mine` has. Returns false if the arena is too
 * small, or one of the three versions cannot be parsed (the arena's `reason`). */
bool mcp_session_merge(const mcp_session_versions *versions, mcp_session_arena *arena,
	mcp_session_merged *merged);

#endif
