/* What the files of the direct wire share: its connection, how a request begins, and how it fails. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_WIRE_DIRECT_LINE_H
#define MCP_STORE_WIRE_DIRECT_LINE_H

#include "inbox.h"
#include "request.h"
#include "wire.h"

/* Invariants: between two requests every answer has been read and nothing else has arrived with it, or the
 * connection is closed. */
typedef struct mcp_direct {
	mcp_wire base;
	const mcp_environment *environment;
	mcp_socket socket;
	mcp_deadline deadline; /* of the request under way */
	mcp_inbox items;       /* what `get` and `next` hand out views into */
	mcp_inbox lines;       /* every other answer: it ends no view */
	mcp_buffer keys;       /* a request for many */
	mcp_reason reason;     /* of the last failure */
	uint32_t connect_timeout_ms;
	uint32_t timeout_ms;
	uint16_t port;
	char host[]; /* NUL-terminated */
} mcp_direct;

/* Sends a request, and the connection first where there is none. Its answers come into `inbox`. Up to
 * MCP_SOCKET_PIECES_MAX pieces. */
mcp_status mcp_direct_send(mcp_direct *wire, mcp_inbox *inbox, const mcp_bytes *pieces,
	size_t count);
/* The next answer, all of it. Views of earlier ones stay in place when `keeps_views`, at the same offset. Nonsense
 * is a failure; what the answer says is the caller's to judge. */
mcp_status mcp_direct_hear(mcp_direct *wire, mcp_inbox *inbox, bool keeps_views,
	mcp_answer *answer);
/* Of the last one: nothing may stand behind it. */
mcp_status mcp_direct_finish(mcp_direct *wire, const mcp_inbox *inbox, const mcp_answer *answer);

/* Of an answer that is none to what was asked: the server's refusal, or something else. Closes the connection,
 * which may be in the middle of what the server did not understand. */
mcp_status mcp_direct_turn_down(mcp_direct *wire, const mcp_answer *answer);
void mcp_direct_hang_up(mcp_direct *wire);

#endif
