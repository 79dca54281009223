/* The head of a session's payload: which of PHP's formats the rest is in, whether it can be taken apart, and the
 * stamps of the writes that it descends from, so that a writer whose answer did not come finds itself in it. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_SESSION_HEAD_H
#define MCP_CORE_SESSION_HEAD_H

#include "../bytes.h"

#include <stdint.h>

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

#endif
