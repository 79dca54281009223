/* From items to sessions and back: judging what a read found, and composing what a write sends. For the session's files
 * alone. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_SESSION_ITEM_H
#define MCP_PATTERNS_SESSION_ITEM_H

#include "../../core/envelope/envelope.h"
#include "../../store/steps.h"
#include "session.h"

/* The thing that stands under a session's key; `data` is a view into the item, or into what
 * it was unpacked to. */
typedef struct mcp_session_found {
	mcp_session_kind kind;
	mcp_session_obstacle obstacle;
	uint64_t birth;
	mcp_session_head head;
	mcp_bytes data;
} mcp_session_found;

/* Judges the answer of a read that has not failed. */
mcp_session_found mcp_session_item_judge(const mcp_session *session, const mcp_store_step *step);

/* An item to be written. `record` points into it: not to be copied. */
typedef struct mcp_session_item {
	char header[MCP_ENVELOPE_UNTAGGED_MAX_LENGTH];
	mcp_buffer payload; /* of a value, as it was before it was packed */
	mcp_record record;
} mcp_session_item;

/* False if there is no memory. Its caller frees the payload. */
bool mcp_session_item_make_value(const mcp_session *session, mcp_session_item *item, uint64_t birth,
	const mcp_session_head *head, mcp_bytes data);
void mcp_session_item_make_placeholder(const mcp_session *session, mcp_session_item *item,
	uint64_t birth);
/* Has a birth that no other one has, and lives for as long as a request that began before it may run. */
void mcp_session_item_make_tombstone(const mcp_session *session, mcp_session_item *item);

/* Draws a birth, or a stamp; never 0. */
uint64_t mcp_session_item_draw(const mcp_session *session);
/* Draws the birth of a session that is begun where this was read. */
uint64_t mcp_session_item_draw_birth(const mcp_session *session, const mcp_session_known *over);

/* Says whether a session of this id was destroyed after the request had read a tombstone, or nothing: what it has found
 * now is another tombstone, or a session that was begun over another one. */
bool mcp_session_item_ended_since(const mcp_session_known *known, const mcp_session_found *found);

#endif
