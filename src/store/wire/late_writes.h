/* Connections with a write whose reply timed out, kept open until the reply arrives. The server can execute the write
 * at any time before it replies, and never afterwards. The list belongs to the process or thread, because a late write
 * concerns all connections of the process or thread. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_LATE_WRITES_H
#define MCP_STORE_LATE_WRITES_H

#include "socket.h"

/* Limit for all servers together, because each late write costs a descriptor. */
#define MCP_LATE_WRITES_MAX 64
/* Maximum wait for a connection that a firewall dropped: the maximum segment lifetime of RFC 9293. */
#define MCP_LATE_WRITES_WAIT_MS 120000

typedef struct mcp_late_write {
	char *address; /* address of the server, see address.h; malloc'ed */
	mcp_socket socket;
	uint64_t since_ms; /* monotonic time */
	bool is_open_ended;
} mcp_late_write;

/* Zero-initialized: empty. Invariant: oldest first, one per server. */
typedef struct mcp_late_writes {
	size_t count;
	mcp_late_write writes[MCP_LATE_WRITES_MAX];
} mcp_late_writes;

/* Takes ownership of the socket. For the caller, the socket is then closed. One reply ends the write. `is_open_ended`:
 * the number of replies is unknown, so sending is shut down and the write ends when the server closes the connection.
 * If the server already has a late write or the list is full, the socket is closed and undelivered bytes are
 * dropped. */
void mcp_late_writes_set_aside(mcp_late_writes *late, const char *address, mcp_socket *socket,
	bool is_open_ended, uint64_t now_ms);

/* True if this server can still execute a late write. Does not wait. Closes connections that got a reply, were closed
 * by the server, or are older than MCP_LATE_WRITES_WAIT_MS. */
bool mcp_late_writes_are_out(mcp_late_writes *late, const char *address, uint64_t now_ms);

/* Like mcp_late_writes_are_out, for all servers, including those without further requests. */
void mcp_late_writes_sweep(mcp_late_writes *late, uint64_t now_ms);

/* Closes the oldest connection to free its descriptor. False: the list is empty. */
bool mcp_late_writes_give_one_up(mcp_late_writes *late);

/* Closes all connections without a shutdown: at the end of the process, and in the child of a fork, whose parent
 * continues to wait. */
void mcp_late_writes_close(mcp_late_writes *late);

#endif
