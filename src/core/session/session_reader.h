/* Reads serialize()'s text strictly, without recursion and without believing a count: what it does not know is not taken
 * apart. Slots are counted as PHP's reader does: one for each value but "R:", none for keys and properties' names. For
 * session_parts.c alone. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_SESSION_READER_H
#define MCP_CORE_SESSION_READER_H

#include "session_parts.h"

typedef struct mcp_session_reader {
	const char *at, *end;
	size_t slot; /* the last one that was taken */
	mcp_session_room *room;
	mcp_session_cases *cases;
	bool knows_cases; /* all of them were found before */
	size_t *left;     /* the elements to come of each array and object that is open */
	const char *value;
	mcp_session_reference **last; /* where the next one goes */
} mcp_session_reader;

/* False if there is no memory. */
bool mcp_session_reader_begin(mcp_session_reader *self, mcp_session_room *room, mcp_bytes data,
	mcp_session_cases *cases);

/* Notes why it cannot be taken apart, and returns false; the next one, that it is not what PHP writes. */
bool mcp_session_reader_refuse(mcp_session_reader *self, const char *reason);
bool mcp_session_reader_refuse_text(mcp_session_reader *self);

static inline size_t mcp_session_reader_left(const mcp_session_reader *self) {
	return (size_t)(self->end - self->at);
}

/* Skips these bytes; false if they do not stand next. */
bool mcp_session_reader_skip(mcp_session_reader *self, const char *text, size_t length);
/* Skips an array's key, or a property's name. */
bool mcp_session_reader_skip_key(mcp_session_reader *self);
/* Reads "<count>:{"; each element has more than so many bytes. */
bool mcp_session_reader_open(mcp_session_reader *self, size_t *count);

/* Reads a part, whose key has been read. NULL if it cannot be, or the room is short. */
mcp_session_part *mcp_session_reader_read_part(mcp_session_reader *self, mcp_bytes key);

#endif
