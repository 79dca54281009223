/* The memory in which a session's data is taken apart and merged: handed in, and never more of it taken than it has. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_SESSION_ROOM_H
#define MCP_CORE_SESSION_ROOM_H

#include "../bytes.h"

#include <stdint.h>

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

#endif
