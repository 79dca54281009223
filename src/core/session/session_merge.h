/* Merges what two requests have made of one session, key by key: each key that only one of them has changed is as that
 * one left it, and of a key that both have changed the later one's stays, which is counted. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_SESSION_MERGE_H
#define MCP_CORE_SESSION_MERGE_H

#include "session_parts.h"

/* A conflict of three arrays is merged by the same rule inside, down to so many levels. */
#define MCP_SESSION_MERGE_DEPTH_MAX 8

typedef struct mcp_session_versions {
	mcp_session_format format; /* of all three */
	unsigned depth;            /* 1: whole keys alone; to MCP_SESSION_MERGE_DEPTH_MAX */
	mcp_bytes base;            /* what both began with */
	mcp_bytes mine, theirs;    /* the later one's, and what was stored before it */
} mcp_session_versions;

typedef struct mcp_session_merged {
	mcp_bytes data; /* in the room, where it is not a copy of nothing */
	unsigned conflicts;
} mcp_session_merged;

/* Merges: in their order, then keys that are mine alone. False if the room is short, or one of the three cannot be taken
 * apart (the room's `reason`). */
bool mcp_session_merge(const mcp_session_versions *versions, mcp_session_room *room,
	mcp_session_merged *merged);

#endif
