/* The wire sees a socket whose descriptor is another than the connection's: whoever goes past the carrier reads nothing,
 * and what it sends is lost. */
/* SPDX-License-Identifier: MIT */
#include "carrier_records.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	RECORD_MAX = 16384,
	PIECE_MAX = 1000, /* at most so many bytes of a record are handed out at once */
};

/* The face stands first: it is all that the wire knows of it. */
typedef struct records {
	mcp_socket face;
	int behind; /* the other end of what the face's descriptor is; keeps it silent */
	mcp_socket connection;
	size_t held, taken; /* of the record that was received last */
	char record[RECORD_MAX];
} records;

static records *of(mcp_socket *socket) {
	return (records *)socket;
}

static void close_all(mcp_socket *socket) {
	records *self = of(socket);
	mcp_socket_close(&self->connection);
	mcp_socket_close(&self->face);
	if (self->behind >= 0) {
		close(self->behind);
		self->behind = -1;
	}
	self->held = self->taken = 0;
}

static mcp_socket_outcome tell(records *self, mcp_socket_outcome outcome) {
	self->face.error = self->connection.error;
	self->face.is_local = false; /* an end is found by looking */
	self->face.took_nothing = self->connection.took_nothing;
	return outcome;
}

static mcp_socket_outcome connect_all(mcp_socket *socket, const mcp_socket_address *address,
	mcp_deadline *deadline, uint32_t answer_timeout_ms) {
	records *self = of(socket);
	mcp_socket_outcome outcome =
		mcp_socket_connect(&self->connection, address, deadline, answer_timeout_ms);
	int ends[2];
	if (outcome == MCP_SOCKET_DONE) {
		if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
			abort();
		}
		self->face.descriptor = ends[0];
		self->behind = ends[1];
	}
	return tell(self, outcome);
}

/* Sends piece by piece, as what is encrypted is copied first. A piece that has left is gone, whatever follows. */
static mcp_socket_outcome send_all(mcp_socket *socket, const mcp_bytes *pieces, size_t number,
	mcp_deadline *deadline) {
	records *self = of(socket);
	bool took_nothing = true;
	for (size_t i = 0; i < number; i++) {
		for (size_t at = 0; at < pieces[i].length; at += RECORD_MAX) {
			size_t left = pieces[i].length - at;
			mcp_bytes record =
				mcp_bytes_of(pieces[i].data + at, left < RECORD_MAX ? left : RECORD_MAX);
			mcp_socket_outcome outcome = mcp_socket_send(&self->connection, &record, 1, deadline);
			took_nothing &= self->connection.took_nothing;
			self->connection.took_nothing = took_nothing;
			if (outcome != MCP_SOCKET_DONE) {
				return tell(self, outcome);
			}
		}
	}
	return tell(self, MCP_SOCKET_DONE);
}

static size_t try_to_send(mcp_socket *socket, mcp_bytes bytes) {
	size_t sent = mcp_socket_try_to_send(&of(socket)->connection, bytes);
	tell(of(socket), MCP_SOCKET_DONE);
	return sent;
}

static mcp_socket_outcome receive(mcp_socket *socket, char *into, size_t room,
	mcp_deadline *deadline, size_t *received) {
	records *self = of(socket);
	*received = 0;
	if (self->taken == self->held) {
		self->taken = self->held = 0;
		mcp_socket_outcome outcome = mcp_socket_receive(&self->connection, self->record,
			sizeof(self->record), deadline, &self->held);
		if (outcome != MCP_SOCKET_DONE) {
			return tell(self, outcome);
		}
	}
	size_t part = self->held - self->taken;
	part = part < room ? part : room;
	*received = part < PIECE_MAX ? part : PIECE_MAX;
	memcpy(into, self->record + self->taken, *received);
	self->taken += *received;
	return MCP_SOCKET_DONE;
}

static bool is_silent(mcp_socket *socket) {
	records *self = of(socket);
	return self->taken == self->held && mcp_socket_is_silent(&self->connection);
}

static mcp_socket let_go(mcp_socket *socket) {
	mcp_socket bare = of(socket)->connection;
	of(socket)->connection.descriptor = -1;
	close_all(socket);
	return bare;
}

static void free_closed(mcp_socket *socket) {
	free(of(socket));
}

static const mcp_channel_operations operations = {
	.connect = connect_all,
	.send = send_all,
	.try_to_send = try_to_send,
	.receive = receive,
	.is_silent = is_silent,
	.close = close_all,
	.disown = close_all,
	.let_go = let_go,
	.free = free_closed,
};

mcp_channel carrier_records_create(void) {
	records *self = calloc(1, sizeof(*self));
	if (self == NULL) {
		abort();
	}
	self->face.descriptor = self->connection.descriptor = self->behind = -1;
	return (mcp_channel){&operations, &self->face};
}
