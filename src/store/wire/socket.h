/* Socket to one server, without a protocol. Each operation has a deadline, which signals do not extend. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_SOCKET_H
#define MCP_STORE_SOCKET_H

#include "../../core/bytes.h"
#include "../../core/environment.h"

/* Time limit of a request and its reply: the timeout, and one more timeout per 64 KiB that were transferred.
 * A slower server counts as unresponsive, even if it sends steadily. */

#define MCP_DEADLINE_BYTES_PER_TIMEOUT 65536

typedef struct mcp_deadline {
	const mcp_environment *environment;
	uint64_t began_ms; /* monotonic time */
	uint32_t timeout_ms;
	size_t moved;  /* bytes for which the caller had to wait */
	bool is_fresh; /* no wait yet */
} mcp_deadline;

static inline uint64_t mcp_deadline_allowed_ms(uint32_t timeout_ms, size_t moved) {
	return (uint64_t)timeout_ms * (1 + moved / MCP_DEADLINE_BYTES_PER_TIMEOUT);
}

static inline mcp_deadline mcp_deadline_begin(const mcp_environment *environment,
	uint32_t timeout_ms) {
	return (mcp_deadline){
		.environment = environment,
		.began_ms = mcp_monotonic_ms(environment),
		.timeout_ms = timeout_ms,
		.is_fresh = true,
	};
}

/* Restarts the time. */
static inline void mcp_deadline_begin_again(mcp_deadline *deadline) {
	deadline->began_ms = mcp_monotonic_ms(deadline->environment);
	deadline->moved = 0;
	deadline->is_fresh = true;
}

/* Returns the longest duration of the next wait; 0: timeout. Reads no clock for the first wait. */
static inline uint64_t mcp_deadline_left_ms(mcp_deadline *deadline) {
	uint64_t allowed_ms = mcp_deadline_allowed_ms(deadline->timeout_ms, deadline->moved);
	if (deadline->is_fresh) {
		deadline->is_fresh = false;
		return allowed_ms;
	}
	uint64_t passed_ms = mcp_monotonic_ms(deadline->environment) - deadline->began_ms;
	return passed_ms < allowed_ms ? allowed_ms - passed_ms : 0;
}

typedef enum mcp_socket_outcome {
	MCP_SOCKET_DONE,
	MCP_SOCKET_LATE,       /* timeout */
	MCP_SOCKET_BROKEN,     /* see `error` */
	MCP_SOCKET_NO_ADDRESS, /* unknown host name */
} mcp_socket_outcome;

typedef struct mcp_socket {
	int descriptor;   /* -1: closed */
	int error;        /* errno of the last failure; 0: closed by the peer */
	bool is_local;    /* unix socket */
	bool is_datagram; /* UDP; set before connecting */
	/* The last send failed before any byte was taken, so the peer has received no byte. */
	bool took_nothing;
	bool is_brief;  /* the last request was short */
	bool may_block; /* receives without MSG_DONTWAIT block */
	uint32_t brief_calls;
	uint32_t faster; /* blocking receives of the last trial that were faster than the poll before */
	uint64_t polled_ns;
} mcp_socket;

/* `port` 0: a unix socket with the path `host`. */
typedef struct mcp_socket_address {
	const char *host;
	uint16_t port;
} mcp_socket_address;

/* Keepalive probes: interval in seconds, and maximum number of unanswered probes. */
#define MCP_SOCKET_PROBE_S 10
#define MCP_SOCKET_PROBES 3

/* Maximum number of pieces of one send. */
#define MCP_SOCKET_PIECES_MAX 520

static inline bool mcp_socket_is_open(const mcp_socket *socket) {
	return socket->descriptor >= 0;
}

/* Connects a closed socket, with the environment's keepalive.
 * No receive may have a shorter timeout than `answer_timeout_ms`. The deadline is for all addresses of the host
 * together and does not bound the name lookup. */
mcp_socket_outcome mcp_socket_connect(mcp_socket *socket, const mcp_socket_address *address,
	mcp_deadline *deadline, uint32_t answer_timeout_ms);
/* Lets the system probe the peer after `idle_s` seconds of silence, and end the connection if no reply comes. 0: never.
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
/* Sends as many bytes as possible without waiting, and returns their number. Pass the rest to mcp_socket_send,
 * which waits or fails. */
size_t mcp_socket_try_to_send(mcp_socket *socket, mcp_bytes bytes);
/* Receives 1 to `size` (> 0) bytes. Waits only for the first bytes. */
mcp_socket_outcome mcp_socket_receive(mcp_socket *socket, char *into, size_t size,
	mcp_deadline *deadline, size_t *received);
/* True if neither bytes nor the end of the connection have arrived. Does not wait. */
bool mcp_socket_is_silent(mcp_socket *socket);
/* Receives without waiting. MCP_SOCKET_LATE: no bytes have arrived. MCP_SOCKET_BROKEN: the connection is closed. */
mcp_socket_outcome mcp_socket_try_to_receive(mcp_socket *socket, char *into, size_t size,
	size_t *received);
/* Shuts down sending. */
void mcp_socket_end(mcp_socket *socket);
/* Closes the socket and drops undelivered bytes. Never call this in the child of a fork. */
void mcp_socket_abort(mcp_socket *socket);
/* True if the last operation failed because this process or host has no free descriptor. */
bool mcp_socket_lacks_descriptors(const mcp_socket *socket);
/* Closes without a shutdown. In the child of a fork, only closes the child's descriptor. */
void mcp_socket_close(mcp_socket *socket);

/* Channel of a direct wire: a table of functions over one socket, plain or encrypted. Each call has a deadline. */

/* Each function has the contract of the socket function with the same name. It gets the channel's socket, which can be
 * the first member of a larger struct. */
typedef struct mcp_channel_operations {
	/* Connects and completes any handshake, within one deadline. */
	mcp_socket_outcome (*connect)(mcp_socket *socket, const mcp_socket_address *address,
		mcp_deadline *deadline, uint32_t answer_timeout_ms);
	mcp_socket_outcome (*send)(mcp_socket *socket, const mcp_bytes *pieces, size_t count,
		mcp_deadline *deadline);
	size_t (*try_to_send)(mcp_socket *socket, mcp_bytes bytes);
	mcp_socket_outcome (*receive)(mcp_socket *socket, char *into, size_t size,
		mcp_deadline *deadline, size_t *received);
	bool (*is_silent)(mcp_socket *socket);
	void (*close)(mcp_socket *socket);
	/* Closes the socket in the child of a fork; the parent's connection remains usable. */
	void (*disown)(mcp_socket *socket);
	/* Passes the open connection below the channel to the caller, and closes the channel. Returns a closed socket if
	 * that is impossible. */
	mcp_socket (*let_go)(mcp_socket *socket);
	/* Description of the last failure, to follow "the server "; valid until the next call. NULL: see the socket's
	 * error. NULL as a function: no descriptions. */
	const char *(*words)(const mcp_socket *socket);
	/* Frees the closed channel; NULL: nothing to free. */
	void (*free)(mcp_socket *socket);
	/* The socket's bytes are the unencrypted replies. */
	bool is_plain;
} mcp_channel_operations;

typedef struct mcp_channel {
	const mcp_channel_operations *operations;
	mcp_socket *socket;
} mcp_channel;

/* The channel of a plain socket; defined in direct/wire_direct_line.c. */
extern const mcp_channel_operations mcp_channel_socket;

static inline bool mcp_channel_is_open(const mcp_channel *carrier) {
	return mcp_socket_is_open(carrier->socket);
}

/* True if the last send failed before any byte was taken. */
static inline bool mcp_channel_took_nothing(const mcp_channel *carrier) {
	return carrier->socket->took_nothing;
}

/* Thin calls. */
static inline mcp_socket_outcome mcp_channel_connect(const mcp_channel *carrier,
	const mcp_socket_address *address, mcp_deadline *deadline, uint32_t answer_timeout_ms) {
	return carrier->operations->connect(carrier->socket, address, deadline, answer_timeout_ms);
}
static inline mcp_socket_outcome mcp_channel_send(const mcp_channel *carrier,
	const mcp_bytes *pieces, size_t count, mcp_deadline *deadline) {
	return carrier->operations->send(carrier->socket, pieces, count, deadline);
}
static inline size_t mcp_channel_try_to_send(const mcp_channel *carrier, mcp_bytes bytes) {
	return carrier->operations->try_to_send(carrier->socket, bytes);
}
static inline mcp_socket_outcome mcp_channel_receive(const mcp_channel *carrier, char *into,
	size_t size, mcp_deadline *deadline, size_t *received) {
	return carrier->operations->receive(carrier->socket, into, size, deadline, received);
}
static inline bool mcp_channel_is_silent(const mcp_channel *carrier) {
	return carrier->operations->is_silent(carrier->socket);
}
static inline void mcp_channel_close(const mcp_channel *carrier) {
	carrier->operations->close(carrier->socket);
}
static inline void mcp_channel_disown(const mcp_channel *carrier) {
	carrier->operations->disown(carrier->socket);
}
static inline mcp_socket mcp_channel_let_go(const mcp_channel *carrier) {
	return carrier->operations->let_go(carrier->socket);
}
static inline const char *mcp_channel_words(const mcp_channel *carrier) {
	return carrier->operations->words != NULL ? carrier->operations->words(carrier->socket) : NULL;
}
static inline void mcp_channel_free(const mcp_channel *carrier) {
	if (carrier->operations->free != NULL) {
		carrier->operations->free(carrier->socket);
	}
}

#endif
