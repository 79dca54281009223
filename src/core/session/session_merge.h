/* Merges the changes of two requests to one session, key by key. A key that only one has changed keeps that
 * change. If both have changed it, the later one's stays, and a conflict is counted. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_SESSION_MERGE_H
#define MCP_CORE_SESSION_MERGE_H

#include "session_parts.h"

/* Maximum depth of merging: three conflicting arrays are merged by the same rule inside. */
#define MCP_SESSION_MERGE_DEPTH_MAX 8

typedef struct mcp_session_versions {
	mcp_session_format format; /* of all three */
	unsigned depth;            /* 1: only whole keys; up to MCP_SESSION_MERGE_DEPTH_MAX */
	mcp_bytes base;            /* the common base of both */
	mcp_bytes mine, theirs;    /* the later version, and the one stored before it */
} mcp_session_versions;

typedef struct mcp_session_merged {
	mcp_bytes data; /* in the room, unless it is empty */
	unsigned conflicts;
} mcp_session_merged;

/* Merge in the order of theirs, followed by keys that only mine has. Returns false if the room is too small,
 * or one of the three cannot be parsed (the room's `reason`). */
bool mcp_session_merge(const mcp_session_versions *versions, mcp_session_room *room,
	mcp_session_merged *merged);

#endif
