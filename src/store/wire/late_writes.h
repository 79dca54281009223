/* Connections with a write whose answer did not come in time: set aside, and open until it comes. A write that was
 * sent may be carried out at any time until then; afterwards it never is. The process has them, or a thread of its
 * own: whoever sent it, it lands. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_LATE_WRITES_H
#define MCP_STORE_LATE_WRITES_H

#include "socket.h"

/* The most for all servers together: each costs a descriptor. */
#define MCP_LATE_WRITES_MAX 64
/* A flow that some firewall has forgotten never answers. As long as RFC 9293 lets a segment live (its MSL). */
#define MCP_LATE_WRITES_WAIT_MS 120000

typedef struct mcp_late_write {
	char *address; /* of the server, as address.h has it; malloc'ed */
	mcp_socket socket;
	uint64_t since_ms; /* of the monotonic clock */
	bool is_open_ended;
} mcp_late_write;

/* Zero-initialised: none. Invariant: the oldest first, no two of one server. */
typedef struct mcp_late_writes {
	size_t count;
	mcp_late_write writes[MCP_LATE_WRITES_MAX];
} mcp_late_writes;

/* Takes the socket over, which is closed for the caller then. One answer is waited for; `is_open_ended`: there is no
 * telling how many will come, so the server is told that nothing more will, and has answered when it closes. Where one
 * of the same server is aside, or where there is no room, the socket is closed, and what this host has not delivered
 * yet is dropped. */
void mcp_late_writes_set_aside(mcp_late_writes *late, const char *address, mcp_socket *socket,
	bool is_open_ended, uint64_t now_ms);

/* Says whether a write may still land on this server. Looks without waiting; closes what has answered, was closed by
 * the server or has waited for longer than MCP_LATE_WRITES_WAIT_MS. */
bool mcp_late_writes_are_out(mcp_late_writes *late, const char *address, uint64_t now_ms);

/* Looks so at all of them, for where nobody else looks. */
void mcp_late_writes_sweep(mcp_late_writes *late, uint64_t now_ms);

/* Gives up the oldest, for its descriptor. False if there is none. */
bool mcp_late_writes_give_one_up(mcp_late_writes *late);

/* Closes them all and says nothing to the servers: at the end of the process, and in the child of a fork, whose parent
 * goes on waiting. */
void mcp_late_writes_close(mcp_late_writes *late);

#endif
