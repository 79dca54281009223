/* Sockets over Winsock, like socket.c over POSIX: no call blocks, and WSAPoll waits. The process must have
 * called WSAStartup, as PHP does before it loads extensions. */
/* SPDX-License-Identifier: MIT */
#include "socket.h"

#ifdef _WIN32

#include "addresses.h"

#include <errno.h>
#include <limits.h>
#include <mstcpip.h>

/* Winsock counts a buffer's bytes in 32 bits; the next call sends the rest. */
#define PART_MAX (1u << 30)

/* A handle has 32 significant bits, like the handles of all system objects, and -1 is invalid in both types. */
static SOCKET handle_of(const mcp_socket *self) {
	return (SOCKET)(INT_PTR)self->descriptor;
}

/* Translates the codes that reason.c describes; other codes keep Winsock's number. */
static int number_of(int code) {
	switch (code) {
		case WSAECONNREFUSED:
			return ECONNREFUSED;
		case WSAECONNRESET:
		case WSAECONNABORTED:
		case WSAENETRESET:
			return ECONNRESET;
		case WSAESHUTDOWN:
			return EPIPE;
		case WSAENOTCONN:
			return ENOTCONN;
		case WSAENETUNREACH:
			return ENETUNREACH;
		case WSAEHOSTUNREACH:
			return EHOSTUNREACH;
		case WSAETIMEDOUT:
			return ETIMEDOUT;
		case WSAEACCES:
			return EACCES;
		case WSAEMFILE:
			return EMFILE;
		case WSAENOBUFS:
			return ENOBUFS;
		case WSAEADDRNOTAVAIL:
			return EADDRNOTAVAIL;
		case WSAEAFNOSUPPORT:
			return EAFNOSUPPORT;
		default:
			return code;
	}
}

static mcp_socket_outcome broken(mcp_socket *self, int code) {
	self->error = number_of(code);
	return MCP_SOCKET_BROKEN;
}

static mcp_socket_outcome wait_for(mcp_socket *self, short events, mcp_deadline *deadline) {
	for (;;) {
		uint64_t left_ms = mcp_deadline_left_ms(deadline);
		WSAPOLLFD one = {.fd = handle_of(self), .events = events};
		int ready = WSAPoll(&one, 1, left_ms < INT_MAX ? (int)left_ms : INT_MAX);
		if (ready > 0) {
			return MCP_SOCKET_DONE;
		}
		if (ready < 0) {
			return broken(self, WSAGetLastError());
		}
		if (left_ms == 0) {
			return MCP_SOCKET_LATE;
		}
	}
}

mcp_socket_outcome mcp_socket_await(mcp_socket *self, mcp_socket_readiness readiness,
	mcp_deadline *deadline) {
	return wait_for(self, readiness == MCP_SOCKET_TO_SEND ? POLLOUT : POLLIN, deadline);
}

void mcp_socket_close(mcp_socket *self) {
	if (mcp_socket_is_open(self)) {
		closesocket(handle_of(self));
		self->descriptor = -1;
	}
}

bool mcp_socket_lacks_descriptors(const mcp_socket *self) {
	return self->error == EMFILE || self->error == ENFILE || self->error == ENOBUFS;
}

void mcp_socket_end(mcp_socket *self) {
	shutdown(handle_of(self), SD_SEND);
}

void mcp_socket_abort(mcp_socket *self) {
	struct linger drop = {.l_onoff = 1, .l_linger = 0};
	setsockopt(handle_of(self), SOL_SOCKET, SO_LINGER, (const char *)&drop, sizeof(drop));
	mcp_socket_close(self);
}

bool mcp_socket_is_silent(mcp_socket *self) {
	WSAPOLLFD one = {.fd = handle_of(self), .events = POLLIN};
	return WSAPoll(&one, 1, 0) == 0;
}

/* Programs that this process starts do not inherit the handle. Requests are sent without delay. */
static bool open_descriptor(mcp_socket *self, int family) {
	SOCKET handle = WSASocketW(family, self->is_datagram ? SOCK_DGRAM : SOCK_STREAM,
		self->is_datagram ? IPPROTO_UDP : IPPROTO_TCP, NULL, 0,
		WSA_FLAG_OVERLAPPED | WSA_FLAG_NO_HANDLE_INHERIT);
	if (handle == INVALID_SOCKET) {
		return false;
	}
	self->descriptor = (int)(INT_PTR)handle;
	u_long never_blocks = 1;
	BOOL is_on = TRUE;
	setsockopt(handle, IPPROTO_TCP, TCP_NODELAY, (const char *)&is_on, sizeof(is_on));
	return ioctlsocket(handle, FIONBIO, &never_blocks) == 0;
}

static int error_of_connection(const mcp_socket *self) {
	int code = 0, length = sizeof(code);
	getsockopt(handle_of(self), SOL_SOCKET, SO_ERROR, (char *)&code, &length);
	return code;
}

/* Use select: before Windows 10 version 2004, WSAPoll does not report failed connections. */
static mcp_socket_outcome await_connection(mcp_socket *self, mcp_deadline *deadline) {
	for (;;) {
		uint64_t left_ms = mcp_deadline_left_ms(deadline);
		struct timeval left = {(long)(left_ms / 1000), (long)(left_ms % 1000) * 1000};
		fd_set connected, failed;
		FD_ZERO(&connected);
		FD_ZERO(&failed);
		FD_SET(handle_of(self), &connected);
		FD_SET(handle_of(self), &failed);
		int ready = select(0, NULL, &connected, &failed, &left);
		if (ready < 0) {
			return broken(self, WSAGetLastError());
		}
		if (ready > 0) {
			int code = error_of_connection(self);
			bool has_failed = code != 0 || FD_ISSET(handle_of(self), &failed);
			return has_failed ? broken(self, code) : MCP_SOCKET_DONE;
		}
		if (left_ms == 0) {
			return MCP_SOCKET_LATE;
		}
	}
}

static mcp_socket_outcome begin_to_connect(mcp_socket *self, const struct addrinfo *one,
	mcp_deadline *deadline) {
	if (connect(handle_of(self), one->ai_addr, (int)one->ai_addrlen) == 0) {
		return MCP_SOCKET_DONE;
	}
	int code = WSAGetLastError();
	return code == WSAEWOULDBLOCK ? await_connection(self, deadline) : broken(self, code);
}

static mcp_socket_outcome connect_to_one(mcp_socket *self, const struct addrinfo *one,
	mcp_deadline *deadline) {
	if (!open_descriptor(self, one->ai_family)) {
		mcp_socket_outcome outcome = broken(self, WSAGetLastError());
		mcp_socket_close(self);
		return outcome;
	}
	mcp_socket_outcome outcome = begin_to_connect(self, one, deadline);
	if (outcome != MCP_SOCKET_DONE) {
		mcp_socket_close(self);
	}
	return outcome;
}

/* Windows sets the number of probes: 10 (SIO_KEEPALIVE_VALS). */
void mcp_socket_keep_alive(mcp_socket *self, uint32_t idle_s) {
	struct tcp_keepalive values = {1, idle_s * 1000, MCP_SOCKET_PROBE_S * 1000};
	DWORD length = 0;
	if (idle_s > 0) {
		WSAIoctl(handle_of(self), SIO_KEEPALIVE_VALS, &values, sizeof(values), NULL, 0, &length,
			NULL, NULL);
	}
}

/* Rejects unix sockets: no memcached for Windows supports them. */
mcp_socket_outcome mcp_socket_connect(mcp_socket *self, const mcp_socket_address *address,
	mcp_deadline *deadline, uint32_t answer_timeout_ms) {
	(void)answer_timeout_ms;
	self->is_local = false;
	if (address->port == 0) {
		return broken(self, WSAEAFNOSUPPORT);
	}
	mcp_socket_outcome outcome = mcp_addresses_try(self, address, deadline, connect_to_one);
	if (outcome == MCP_SOCKET_DONE) {
		mcp_socket_keep_alive(self, mcp_keepalive_s(deadline->environment));
	}
	return outcome;
}

static bool would_block(int code) {
	return code == WSAEWOULDBLOCK;
}

/* Skips the sent bytes and returns the number of remaining pieces. */
static size_t advance(mcp_bytes **pieces, size_t count, size_t sent) {
	while (count > 0 && sent >= (*pieces)->length) {
		sent -= (*pieces)->length;
		(*pieces)++;
		count--;
	}
	if (count > 0) {
		**pieces = mcp_bytes_of((*pieces)->data + sent, (*pieces)->length - sent);
	}
	return count;
}

/* False: nothing was sent, see `*code`. */
static bool send_now(const mcp_socket *self, const mcp_bytes *pieces, size_t count, size_t *sent,
	int *code) {
	WSABUF parts[MCP_SOCKET_PIECES_MAX];
	size_t used = 0;
	bool is_whole = true;
	for (; used < count && is_whole; used++) {
		is_whole = pieces[used].length <= PART_MAX;
		parts[used].len = is_whole ? (ULONG)pieces[used].length : PART_MAX;
		parts[used].buf = (char *)(uintptr_t)pieces[used].data;
	}
	DWORD taken = 0;
	int status = WSASend(handle_of(self), parts, (DWORD)used, &taken, 0, NULL, NULL);
	*code = status == 0 ? 0 : WSAGetLastError();
	*sent = taken;
	return status == 0;
}

/* Bytes that the system takes immediately say nothing about the server, so only waits extend the
 * deadline. */
static mcp_socket_outcome send_all(mcp_socket *self, mcp_bytes *pieces, size_t count,
	mcp_deadline *deadline) {
	for (bool has_waited = false; count > 0; has_waited = true) {
		size_t sent;
		int code;
		if (send_now(self, pieces, count, &sent, &code)) {
			self->took_nothing &= sent == 0;
			deadline->moved += has_waited ? sent : 0;
			count = advance(&pieces, count, sent);
		} else if (!would_block(code)) {
			return broken(self, code);
		}
		mcp_socket_outcome outcome =
			count > 0 ? wait_for(self, POLLOUT, deadline) : MCP_SOCKET_DONE;
		if (outcome != MCP_SOCKET_DONE) {
			return outcome;
		}
	}
	return MCP_SOCKET_DONE;
}

mcp_socket_outcome mcp_socket_send(mcp_socket *self, const mcp_bytes *pieces, size_t number,
	mcp_deadline *deadline) {
	mcp_bytes left[MCP_SOCKET_PIECES_MAX];
	size_t used = 0;
	for (size_t i = 0; i < number; i++) {
		if (pieces[i].length > 0) {
			left[used++] = pieces[i];
		}
	}
	self->took_nothing = true;
	return send_all(self, left, used, deadline);
}

size_t mcp_socket_try_to_send(mcp_socket *self, mcp_bytes bytes) {
	size_t sent;
	int code;
	self->took_nothing = !send_now(self, &bytes, 1, &sent, &code) || sent == 0;
	return self->took_nothing ? 0 : sent;
}

mcp_socket_outcome mcp_socket_try_to_receive(mcp_socket *self, char *into, size_t size,
	size_t *received) {
	int length = recv(handle_of(self), into, size < INT_MAX ? (int)size : INT_MAX, 0);
	int code = length < 0 ? WSAGetLastError() : 0;
	*received = length > 0 ? (size_t)length : 0;
	if (length > 0) {
		return MCP_SOCKET_DONE;
	}
	return length < 0 && would_block(code) ? MCP_SOCKET_LATE : broken(self, code);
}

mcp_socket_outcome mcp_socket_receive(mcp_socket *self, char *into, size_t size,
	mcp_deadline *deadline, size_t *received) {
	*received = 0;
	for (;;) {
		mcp_socket_outcome outcome = wait_for(self, POLLIN, deadline);
		if (outcome != MCP_SOCKET_DONE) {
			return outcome;
		}
		outcome = mcp_socket_try_to_receive(self, into, size, received);
		if (outcome != MCP_SOCKET_LATE) {
			deadline->moved += *received;
			return outcome;
		}
	}
}

#endif
