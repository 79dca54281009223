/* A stream socket to one server: connects, sends and receives, each until a deadline and however often signals
 * interrupt it. Knows no protocol. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_SOCKET_H
#define MCP_STORE_SOCKET_H

#include "../../core/bytes.h"
#include "deadline.h"

typedef enum mcp_socket_outcome {
	MCP_SOCKET_DONE,
	MCP_SOCKET_LATE,       /* the time is over */
	MCP_SOCKET_BROKEN,     /* `error` says of what */
	MCP_SOCKET_NO_ADDRESS, /* no host has this name */
} mcp_socket_outcome;

typedef struct mcp_socket {
	int descriptor; /* -1: closed */
	int error;      /* errno of what broke last; 0: the other side has closed it */
	bool is_local;  /* a unix socket */
	/* The fate of what was to be sent last: true if it broke before any of it was taken, so that the other side
	 * has none of it. */
	bool took_nothing;
} mcp_socket;

/* Where to: `port` 0 is a unix socket, whose path is `host`. */
typedef struct mcp_socket_address {
	const char *host;
	uint16_t port;
} mcp_socket_address;

/* The probes of a connection that is kept alive: seconds from one to the next, and how many may stay without an answer. */
#define MCP_SOCKET_PROBE_S 10
#define MCP_SOCKET_PROBES 3

/* The pieces that are sent in one go. */
#define MCP_SOCKET_PIECES_MAX 256

static inline bool mcp_socket_is_open(const mcp_socket *socket) {
	return socket->descriptor >= 0;
}

/* Connects a closed one, which is kept alive as the environment has it. `answer_timeout_ms`: the longest that a receive
 * will ever be asked to wait first. The deadline is for all of a host's addresses together, and looking its name up is not bounded by it. */
mcp_socket_outcome mcp_socket_connect(mcp_socket *socket, const mcp_socket_address *address,
	mcp_deadline *deadline, uint32_t answer_timeout_ms);
/* Has the system ask the other side whether it is still there, once the connection has been idle for so many seconds, and
 * end it when there is no answer. 0: never. Of no use, and harmless, on a unix socket. */
void mcp_socket_keep_alive(mcp_socket *socket, uint32_t idle_s);
typedef enum mcp_socket_readiness {
	MCP_SOCKET_TO_RECEIVE,
	MCP_SOCKET_TO_SEND,
} mcp_socket_readiness;

/* Waits until something can be received, or sent, for whoever does that by itself. */
mcp_socket_outcome mcp_socket_await(mcp_socket *socket, mcp_socket_readiness readiness,
	mcp_deadline *deadline);
/* Sends all of it, or fails. */
mcp_socket_outcome mcp_socket_send(mcp_socket *socket, const mcp_bytes *pieces, size_t count,
	mcp_deadline *deadline);
/* Says how much of it leaves at once. The rest is to be sent as above, to wait or to fail there. */
size_t mcp_socket_try_to_send(mcp_socket *socket, mcp_bytes bytes);
/* Receives at least one byte and at most `room` (> 0), without waiting for more than come together. */
mcp_socket_outcome mcp_socket_receive(mcp_socket *socket, char *into, size_t room,
	mcp_deadline *deadline, size_t *received);
/* Says whether nothing has come, not even the end of the connection. Waits for nothing. */
bool mcp_socket_is_silent(mcp_socket *socket);
/* Takes what has come, without waiting: MCP_SOCKET_LATE: nothing has. MCP_SOCKET_BROKEN: the connection has ended. */
mcp_socket_outcome mcp_socket_look(mcp_socket *socket, char *into, size_t room, size_t *received);
/* Tells the other side that nothing more will be sent. */
void mcp_socket_end(mcp_socket *socket);
/* Closes it, and drops what this host has not delivered yet. Never in the child of a fork. */
void mcp_socket_abort(mcp_socket *socket);
/* Says whether it broke because this process, or this host, has no descriptor left. */
bool mcp_socket_lacks_descriptors(const mcp_socket *socket);
/* Says nothing to the other side. In the child of a fork, closes the child's own descriptor. */
void mcp_socket_close(mcp_socket *socket);

#endif
