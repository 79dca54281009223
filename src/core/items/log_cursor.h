/* Where a reader of an event log has come to, and the text that its caller keeps it in. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_LOG_CURSOR_H
#define MCP_CORE_LOG_CURSOR_H

#include "../bytes.h"

#include <stdint.h>

/* The mark, two numbers of 16 hex digits and one of each slot, three of 20 digits, and what is between. */
#define MCP_LOG_CURSOR_MAX 128

/* How far a slot was read. */
typedef struct mcp_log_place {
	uint64_t id;     /* of the item that was there; 0: none was */
	uint64_t offset; /* bytes of it; 0 when none was */
} mcp_log_place;

/* Two slots in a row, because an event may come late into the one that has just ended. */
typedef struct mcp_log_cursor {
	uint64_t log;  /* which log it belongs to: a number of the caller's */
	uint64_t slot; /* the newer of the two */
	mcp_log_place older, newer;
} mcp_log_cursor;

/* Returns the length. */
size_t mcp_log_cursor_write(const mcp_log_cursor *cursor, char out[MCP_LOG_CURSOR_MAX]);

/* False if the text is none that was written so. */
bool mcp_log_cursor_read(mcp_bytes text, mcp_log_cursor *cursor);

#endif
