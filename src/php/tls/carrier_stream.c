/* Implements the TLS channel. Waits on the socket below, so deadlines hold even if records arrive slowly. Small
 * pieces are sent in one record. */
/* SPDX-License-Identifier: MIT */
#include "carrier_stream.h"

#include "php.h"
#include "tls_stream.h"

#ifdef PHP_WIN32

/* Unsupported: PHP's streams over Winsock sockets are untested here, so tls:// is rejected. */
mcp_channel php_mcp_channel_stream_create(const char *name, const mcp_tls_options *options) {
	(void)name;
	(void)options;
	return (mcp_channel){0};
}

#else

#include <fcntl.h>
#include <unistd.h>

/* Maximum size of a record (RFC 8446, section 5.1). */
#define RECORD_MAX 16384

/* malloc'ed. The wire knows only its socket, which must be the first member. */
typedef struct stream_socket {
	mcp_socket socket;
	mcp_tls_stream tls;
	const mcp_tls_options *options;
	/* the last read filled its buffer: more may be available without the socket being readable */
	bool may_have_more;
	bool has_early; /* a byte read by is_silent() */
	char early;
	char record[RECORD_MAX];
	char name[]; /* NUL-terminated */
} stream_socket;

static stream_socket *of(mcp_socket *socket) {
	return (stream_socket *)socket;
}

static mcp_socket_outcome broken(stream_socket *self) {
	self->socket.error = 0;
	return MCP_SOCKET_BROKEN;
}

static void close_all(mcp_socket *socket) {
	stream_socket *self = of(socket);
	php_mcp_tls_stream_close(&self->tls);
	socket->descriptor = -1;
	self->may_have_more = false;
	self->has_early = false;
}

static void disown(mcp_socket *socket) {
	php_mcp_tls_stream_disown(&of(socket)->tls);
	close_all(socket);
}

/* Wait again after a record without data. The deadline is checked here, because a peer that keeps sending such
 * records keeps the socket ready. */
static mcp_socket_outcome await_more(stream_socket *self, mcp_socket_readiness readiness,
	mcp_deadline *deadline) {
	return mcp_deadline_left_ms(deadline) > 0 ? mcp_socket_await(&self->socket, readiness, deadline)
											  : MCP_SOCKET_LATE;
}

static mcp_socket_outcome shake_hands(stream_socket *self, mcp_deadline *deadline) {
	for (;;) {
		mcp_tls_outcome shaken = php_mcp_tls_stream_shake_hands(&self->tls);
		if (shaken != MCP_TLS_WOULD_WAIT) {
			return shaken == MCP_TLS_DONE ? MCP_SOCKET_DONE : broken(self);
		}
		/* TLS's own messages fit any socket buffer: only the reply is waited for. */
		mcp_socket_outcome outcome = await_more(self, MCP_SOCKET_TO_RECEIVE, deadline);
		if (outcome != MCP_SOCKET_DONE) {
			return outcome;
		}
	}
}

static mcp_socket_outcome connect_all(mcp_socket *socket, const mcp_socket_address *address,
	mcp_deadline *deadline, uint32_t answer_timeout_ms) {
	stream_socket *self = of(socket);
	self->tls.words = NULL;
	mcp_socket_outcome outcome = mcp_socket_connect(socket, address, deadline, answer_timeout_ms);
	if (outcome != MCP_SOCKET_DONE) {
		return outcome;
	}
	fcntl(socket->descriptor, F_SETFL, fcntl(socket->descriptor, F_GETFL) | O_NONBLOCK);
	if (!php_mcp_tls_stream_open(&self->tls, socket->descriptor, self->name, self->options)) {
		mcp_socket_close(socket);
		return broken(self);
	}
	outcome = shake_hands(self, deadline);
	if (outcome != MCP_SOCKET_DONE) {
		const char *words = self->tls.words != NULL
			? self->tls.words
			: "closed the connection during the TLS handshake";
		close_all(socket);
		self->tls.words = outcome == MCP_SOCKET_BROKEN ? words : NULL;
	}
	return outcome;
}

/* Fail in a send: the peer's last message before it closed gives a better reason. */
static mcp_socket_outcome broken_in_send(stream_socket *self) {
	size_t length;
	char byte;
	const char *sent = self->tls.words;
	if (php_mcp_tls_stream_read(&self->tls, &byte, 1, &length) != MCP_TLS_BROKEN ||
		self->tls.words == NULL) {
		self->tls.words = sent;
	}
	return broken(self);
}

/* Send what fits without waiting; *sent > 0 if any. A partly sent record counts as sent, because it may still
 * arrive. */
static mcp_tls_outcome write_now(stream_socket *self, const char *bytes, size_t count,
	size_t *sent) {
	*sent = 0;
	mcp_tls_outcome outcome = php_mcp_tls_stream_write(&self->tls, bytes, count, sent);
	self->socket.took_nothing &= outcome == MCP_TLS_BROKEN;
	return outcome;
}

static mcp_socket_outcome send_bytes(stream_socket *self, const char *bytes, size_t count,
	mcp_deadline *deadline) {
	bool has_waited = false;
	while (count > 0) {
		size_t sent;
		mcp_tls_outcome written = write_now(self, bytes, count, &sent);
		if (written == MCP_TLS_BROKEN) {
			return broken_in_send(self);
		}
		deadline->moved += has_waited ? sent : 0;
		bytes += sent;
		count -= sent;
		if (written == MCP_TLS_WOULD_WAIT) {
			has_waited = true;
			mcp_socket_outcome outcome = await_more(self, MCP_SOCKET_TO_SEND, deadline);
			if (outcome != MCP_SOCKET_DONE) {
				return outcome;
			}
		}
	}
	return MCP_SOCKET_DONE;
}

static mcp_socket_outcome send_all(mcp_socket *socket, const mcp_bytes *pieces, size_t number,
	mcp_deadline *deadline) {
	stream_socket *self = of(socket);
	size_t filled = 0;
	socket->took_nothing = true;
	for (size_t i = 0; i < number; i++) {
		for (size_t at = 0; at < pieces[i].length;) {
			size_t part = MIN(pieces[i].length - at, RECORD_MAX - filled);
			memcpy(self->record + filled, pieces[i].data + at, part);
			at += part;
			filled += part;
			if (filled < RECORD_MAX) {
				continue;
			}
			mcp_socket_outcome outcome = send_bytes(self, self->record, filled, deadline);
			if (outcome != MCP_SOCKET_DONE) {
				return outcome;
			}
			filled = 0;
		}
	}
	return send_bytes(self, self->record, filled, deadline);
}

static size_t try_to_send(mcp_socket *socket, mcp_bytes bytes) {
	size_t sent;
	socket->took_nothing = true;
	write_now(of(socket), bytes.data, bytes.length, &sent);
	return sent;
}

/* --- receiving --- */

static mcp_tls_outcome read_now(stream_socket *self, char *into, size_t room, size_t *received) {
	*received = 0;
	mcp_tls_outcome outcome = php_mcp_tls_stream_read(&self->tls, into, room, received);
	self->may_have_more = outcome == MCP_TLS_DONE && *received == room;
	return outcome;
}

static mcp_socket_outcome receive(mcp_socket *socket, char *into, size_t room,
	mcp_deadline *deadline, size_t *received) {
	stream_socket *self = of(socket);
	*received = 0;
	if (self->has_early) {
		self->has_early = false;
		into[0] = self->early;
		*received = 1;
		return MCP_SOCKET_DONE;
	}
	mcp_socket_outcome outcome = self->may_have_more
		? MCP_SOCKET_DONE
		: mcp_socket_await(socket, MCP_SOCKET_TO_RECEIVE, deadline);
	while (outcome == MCP_SOCKET_DONE) {
		mcp_tls_outcome read = read_now(self, into, room, received);
		if (read == MCP_TLS_DONE) {
			deadline->moved += *received;
			break;
		}
		outcome = read == MCP_TLS_BROKEN ? broken(self)
										 : await_more(self, MCP_SOCKET_TO_RECEIVE, deadline);
	}
	return outcome;
}

/* Check by reading: TLS's own messages (a session ticket) are not data. A byte that is read is kept. */
static bool is_silent(mcp_socket *socket) {
	stream_socket *self = of(socket);
	size_t received;
	if (self->has_early) {
		return false;
	}
	if (!self->may_have_more && mcp_socket_is_silent(socket)) {
		return true;
	}
	mcp_tls_outcome outcome = read_now(self, &self->early, 1, &received);
	self->has_early = outcome == MCP_TLS_DONE;
	return outcome == MCP_TLS_WOULD_WAIT;
}

/* Returns a duplicate descriptor. Closing sends TLS's close message: no more data follows. */
static mcp_socket let_go(mcp_socket *socket) {
	mcp_socket bare = *socket;
	bare.descriptor = fcntl(socket->descriptor, F_DUPFD_CLOEXEC, 0);
	close_all(socket);
	return bare;
}

static const char *words(const mcp_socket *socket) {
	return ((const stream_socket *)socket)->tls.words;
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
	.disown = disown,
	.let_go = let_go,
	.words = words,
	.free = free_closed,
};

mcp_channel php_mcp_channel_stream_create(const char *name, const mcp_tls_options *options) {
	size_t length = strlen(name) + 1;
	stream_socket *self = pecalloc(1, sizeof(*self) + length, 1);
	self->socket.descriptor = -1;
	self->options = options;
	memcpy(self->name, name, length);
	return (mcp_channel){&operations, &self->socket};
}

#endif
