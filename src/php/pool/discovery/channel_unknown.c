/* Never connects, so no other function is called with an open socket. */
/* SPDX-License-Identifier: MIT */
#include "channel_unknown.h"

#include "discovery.h"

/* malloc'ed. The wire knows only its socket, which must be the first member. */
typedef struct unknown_socket {
	mcp_socket socket;
	bool is_tls;
	char address[MCP_SERVER_ADDRESS_MAX + 1];
	char words[MCP_REASON_MAX];
} unknown_socket;

static unknown_socket *of(mcp_socket *socket) {
	return (unknown_socket *)socket;
}

/* Result of this process's last discovery request. */
static void find_words(unknown_socket *self) {
	const char *trouble = php_mcp_discoveries_trouble(self->address, self->is_tls);
	snprintf(self->words, sizeof(self->words), "%s",
		trouble != NULL ? trouble : "has not sent its list of servers yet");
}

static mcp_socket_outcome refuse(mcp_socket *socket, const mcp_socket_address *address,
	mcp_deadline *deadline, uint32_t answer_timeout_ms) {
	(void)address;
	(void)deadline;
	(void)answer_timeout_ms;
	find_words(of(socket));
	socket->error = 0;
	return MCP_SOCKET_BROKEN;
}

static mcp_socket_outcome send_nothing(mcp_socket *socket, const mcp_bytes *pieces, size_t count,
	mcp_deadline *deadline) {
	(void)pieces;
	(void)count;
	(void)deadline;
	socket->took_nothing = true;
	return MCP_SOCKET_BROKEN;
}

static size_t try_to_send_nothing(mcp_socket *socket, mcp_bytes bytes) {
	(void)socket;
	(void)bytes;
	return 0;
}

static mcp_socket_outcome receive_nothing(mcp_socket *socket, char *into, size_t room,
	mcp_deadline *deadline, size_t *received) {
	(void)socket;
	(void)into;
	(void)room;
	(void)deadline;
	*received = 0;
	return MCP_SOCKET_BROKEN;
}

static bool is_silent(mcp_socket *socket) {
	(void)socket;
	return false;
}

static void close_nothing(mcp_socket *socket) {
	(void)socket;
}

static mcp_socket let_go_of_nothing(mcp_socket *socket) {
	return *socket;
}

static const char *words(const mcp_socket *socket) {
	return ((const unknown_socket *)socket)->words;
}

static void free_socket(mcp_socket *socket) {
	pefree(socket, 1);
}

static const mcp_channel_operations operations = {
	.connect = refuse,
	.send = send_nothing,
	.try_to_send = try_to_send_nothing,
	.receive = receive_nothing,
	.is_silent = is_silent,
	.close = close_nothing,
	.disown = close_nothing,
	.let_go = let_go_of_nothing,
	.words = words,
	.free = free_socket,
	.is_plain = true,
};

mcp_channel php_mcp_channel_unknown_create(const mcp_server *endpoint) {
	unknown_socket *self = pecalloc(1, sizeof(*self), 1);
	self->socket.descriptor = -1;
	self->is_tls = endpoint->is_tls;
	snprintf(self->address, sizeof(self->address), "%s", endpoint->address);
	return (mcp_channel){&operations, &self->socket};
}
