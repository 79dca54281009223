/* The way of a direct wire's bytes: a table of functions over one socket, each of which ends by a deadline. A plain socket
 * carries them as they are; another carrier may encrypt them on their way. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_WIRE_DIRECT_CHANNEL_H
#define MCP_STORE_WIRE_DIRECT_CHANNEL_H

#include "../socket.h"

/* The contract of each is what socket.h says of its function. Each is given the carrier's socket, which may be the
 * first member of something larger. */
typedef struct mcp_channel_operations {
	/* Connects, and whatever else comes before the first byte of a request can leave: all by one deadline. */
	mcp_socket_outcome (*connect)(mcp_socket *socket, const mcp_socket_address *address,
		mcp_deadline *deadline, uint32_t answer_timeout_ms);
	mcp_socket_outcome (*send)(mcp_socket *socket, const mcp_bytes *pieces, size_t count,
		mcp_deadline *deadline);
	size_t (*try_to_send)(mcp_socket *socket, mcp_bytes bytes);
	mcp_socket_outcome (*receive)(mcp_socket *socket, char *into, size_t room,
		mcp_deadline *deadline, size_t *received);
	bool (*is_silent)(mcp_socket *socket);
	void (*close)(mcp_socket *socket);
	/* Closes it in the child of a fork: the parent's connection goes on, and the other side is told nothing. */
	void (*disown)(mcp_socket *socket);
	/* Hands over the open connection beneath, and is closed itself then. Closed: it could not be kept. */
	mcp_socket (*let_go)(mcp_socket *socket);
	/* The reason why it failed last, in words that follow "the server "; lives until the next call. NULL: the socket's
	 * error says it. A table without this function never has any. */
	const char *(*words)(const mcp_socket *socket);
	/* Frees it when it is closed; NULL: there is nothing to free. */
	void (*free)(mcp_socket *socket);
	/* Whether answers can be read on the connection beneath as they were sent. */
	bool is_plain;
} mcp_channel_operations;

typedef struct mcp_channel {
	const mcp_channel_operations *operations;
	mcp_socket *socket;
} mcp_channel;

/* Carries by the socket alone. */
extern const mcp_channel_operations mcp_channel_socket;

static inline bool mcp_channel_is_open(const mcp_channel *carrier) {
	return mcp_socket_is_open(carrier->socket);
}

/* Says whether it broke before any of what was sent last was taken. */
static inline bool mcp_channel_took_nothing(const mcp_channel *carrier) {
	return carrier->socket->took_nothing;
}

/* Calls, thinly; so do the next ones. */
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
	size_t room, mcp_deadline *deadline, size_t *received) {
	return carrier->operations->receive(carrier->socket, into, room, deadline, received);
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
