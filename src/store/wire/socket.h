/* Stream socket to one server, without a protocol. Each operation has a deadline, which signals do not extend. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_SOCKET_H
#define MCP_STORE_SOCKET_H

#include "../../core/bytes.h"
#include "deadline.h"

typedef enum mcp_socket_outcome {
	MCP_SOCKET_DONE,
	MCP_SOCKET_LATE,       /* timeout */
	MCP_SOCKET_BROKEN,     /* see `error` */
	MCP_SOCKET_NO_ADDRESS, /* unknown host name */
} mcp_socket_outcome;

typedef struct mcp_socket {
	int descriptor; /* -1: closed */
	int error;      /* errno of the last failure; 0: closed by the peer */
	bool is_local;  /* unix socket */
	/* The last send failed before any byte was taken, so the peer has received none of it. */
	bool took_nothing;
} mcp_socket;

/* `port` 0: a unix socket with the path `host`. */
typedef struct mcp_socket_address {
	const char *host;
	uint16_t port;
} mcp_socket_address;

/* Keepalive probes: their interval in seconds, and how many may stay unanswered. */
#define MCP_SOCKET_PROBE_S 10
#define MCP_SOCKET_PROBES 3

/* Maximum number of pieces of one send. */
#define MCP_SOCKET_PIECES_MAX 520

static inline bool mcp_socket_is_open(const mcp_socket *socket) {
	return socket->descriptor >= 0;
}

/* Connects a closed socket, with the environment's keepalive.
 * `answer_timeout_ms`: the longest first wait of any receive. The deadline is for all addresses of the host
 * together and does not bound the name lookup. */
mcp_socket_outcome mcp_socket_connect(mcp_socket *socket, const mcp_socket_address *address,
	mcp_deadline *deadline, uint32_t answer_timeout_ms);
/* Lets the system probe the peer after `idle_s` seconds of silence, and end the connection without a reply. 0: never.
 * No effect on a unix socket. */
void mcp_socket_keep_alive(mcp_socket *socket, uint32_t idle_s);
typedef enum mcp_socket_readiness {
	MCP_SOCKET_TO_RECEIVE,
	MCP_SOCKET_TO_SEND,
} mcp_socket_readiness;

/* Waits until the socket is readable or writable, for callers that do the transfer. */
mcp_socket_outcome mcp_socket_await(mcp_socket *socket, mcp_socket_readiness readiness,
	mcp_deadline *deadline);
/* Sends all bytes, or fails. */
mcp_socket_outcome mcp_socket_send(mcp_socket *socket, const mcp_bytes *pieces, size_t count,
	mcp_deadline *deadline);
/* Returns how many bytes were sent at once. Pass the rest to mcp_socket_send, which waits or fails. */
size_t mcp_socket_try_to_send(mcp_socket *socket, mcp_bytes bytes);
/* Receives 1 to `room` (> 0) bytes, without waiting for more than arrive together. */
mcp_socket_outcome mcp_socket_receive(mcp_socket *socket, char *into, size_t room,
	mcp_deadline *deadline, size_t *received);
/* True if nothing has arrived, not even the end of the connection. Does not wait. */
bool mcp_socket_is_silent(mcp_socket *socket);
/* Receives without waiting. MCP_SOCKET_LATE: nothing has arrived. MCP_SOCKET_BROKEN: the connection is closed. */
mcp_socket_outcome mcp_socket_look(mcp_socket *socket, char *into, size_t room, size_t *received);
/* Shuts down sending. */
void mcp_socket_end(mcp_socket *socket);
/* Closes the socket and drops undelivered bytes. Never call it in the child of a fork. */
void mcp_socket_abort(mcp_socket *socket);
/* True if it failed because this process or host has no free descriptor. */
bool mcp_socket_lacks_descriptors(const mcp_socket *socket);
/* Closes without a shutdown. In the child of a fork, only closes the child's descriptor. */
void mcp_socket_close(mcp_socket *socket);

#endif
