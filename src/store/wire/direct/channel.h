/* Channel of a direct wire: a table of functions over one socket, plain or encrypted. Each call has a deadline. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_WIRE_DIRECT_CHANNEL_H
#define MCP_STORE_WIRE_DIRECT_CHANNEL_H

#include "../socket.h"

/* Each function has the contract of its namesake in socket.h. It gets the channel's socket, which may be the first
 * member of a larger struct. */
typedef struct mcp_channel_operations {
	/* Connects and completes any handshake, within one deadline. */
	mcp_socket_outcome (*connect)(mcp_socket *socket, const mcp_socket_address *address,
		mcp_deadline *deadline, uint32_t answer_timeout_ms);
	mcp_socket_outcome (*send)(mcp_socket *socket, const mcp_bytes *pieces, size_t count,
		mcp_deadline *deadline);
	size_t (*try_to_send)(mcp_socket *socket, mcp_bytes bytes);
	mcp_socket_outcome (*receive)(mcp_socket *socket, char *into, size_t room,
		mcp_deadline *deadline, size_t *received);
	bool (*is_silent)(mcp_socket *socket);
	void (*close)(mcp_socket *socket);
	/* Closes the socket in the child of a fork; the parent's connection stays usable. */
	void (*disown)(mcp_socket *socket);
	/* Passes the open connection below to the caller and closes the channel. Returns a closed socket if that is
	 * impossible. */
	mcp_socket (*let_go)(mcp_socket *socket);
	/* Description of the last failure, to follow "the server "; valid until the next call. NULL: see the socket's
	 * error. NULL as a function: never any. */
	const char *(*words)(const mcp_socket *socket);
	/* Frees the closed channel; NULL: nothing to free. */
	void (*free)(mcp_socket *socket);
	/* The bytes below are the unencrypted replies. */
	bool is_plain;
} mcp_channel_operations;

typedef struct mcp_channel {
	const mcp_channel_operations *operations;
	mcp_socket *socket;
} mcp_channel;

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
