/* Sockets over POSIX. Sends and receives do not block, and poll waits. On a Unix socket, this is faster than a blocking
 * receive. On TCP, polling is slower (both measured), so the first receive blocks there. */
/* SPDX-License-Identifier: MIT */
#include "socket.h"

#ifndef _WIN32

#include "../../core/compiler.h"
#include "addresses.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0 /* SO_NOSIGPIPE is set instead */
#endif

/* Linux also wakes a blocked reader of a unix socket when the server reads the request. Between idle processors, this
 * saves time. On a busy processor, the reader sleeps again, which costs more than poll (measured). The number of sleeps
 * does not distinguish these cases. So the first calls of each TRIAL_PERIOD poll and block in turn, and the other calls
 * use the method that was usually faster. */
enum { TRIAL_CALLS = 256, TRIAL_PERIOD = 8192, FASTER_MIN = TRIAL_CALLS / 2 * 9 / 16 };
/* On a unix socket, receives after longer requests always poll, because the server handles such requests too slowly. */
#define BRIEF_MAX 256
/* The system's timeout of a receive can be late by 1/8 and by two ticks of 10 ms. So the timeout is half of the time:
 * an exact poll waits for the other half. With a timeout below this number, no receive blocks. */
#define BLOCKED_MIN_MS 40

static mcp_socket_outcome broken(mcp_socket *self, int error) {
	self->error = error;
	return MCP_SOCKET_BROKEN;
}

static bool would_block(int error) {
	return error == EAGAIN || error == EWOULDBLOCK;
}

static mcp_socket_outcome wait_for(mcp_socket *self, short events, mcp_deadline *deadline) {
	for (;;) {
		uint64_t left_ms = mcp_deadline_left_ms(deadline);
		struct pollfd one = {.fd = self->descriptor, .events = events};
		int ready = poll(&one, 1, left_ms < INT_MAX ? (int)left_ms : INT_MAX);
		if (ready > 0) {
			return MCP_SOCKET_DONE;
		}
		if (ready < 0 && errno != EINTR) {
			return broken(self, errno);
		}
		/* Poll once more after the timeout, without waiting, because this process might have been paused. */
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
		close(self->descriptor);
		self->descriptor = -1;
	}
}

bool mcp_socket_lacks_descriptors(const mcp_socket *self) {
	return self->error == EMFILE || self->error == ENFILE;
}

void mcp_socket_end(mcp_socket *self) {
	shutdown(self->descriptor, SHUT_WR);
}

void mcp_socket_abort(mcp_socket *self) {
	struct linger drop = {.l_onoff = 1, .l_linger = 0};
	setsockopt(self->descriptor, SOL_SOCKET, SO_LINGER, &drop, sizeof(drop));
	mcp_socket_close(self);
}

bool mcp_socket_is_silent(mcp_socket *self) {
	struct pollfd one = {.fd = self->descriptor, .events = POLLIN};
	return poll(&one, 1, 0) == 0;
}

/* Programs that this process starts do not inherit the descriptor. */
static bool open_descriptor(mcp_socket *self, int family) {
	int type = self->is_datagram ? SOCK_DGRAM : SOCK_STREAM;
#ifdef SOCK_CLOEXEC
	self->descriptor = socket(family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
#else
	self->descriptor = socket(family, type, 0);
	if (self->descriptor >= 0) {
		fcntl(self->descriptor, F_SETFD, FD_CLOEXEC);
		fcntl(self->descriptor, F_SETFL, O_NONBLOCK);
	}
#endif
#ifdef SO_NOSIGPIPE
	int is_on = 1;
	setsockopt(self->descriptor, SOL_SOCKET, SO_NOSIGPIPE, &is_on, sizeof(is_on));
#endif
	return self->descriptor >= 0;
}

static mcp_socket_outcome await_connection(mcp_socket *self, mcp_deadline *deadline) {
	mcp_socket_outcome outcome = wait_for(self, POLLOUT, deadline);
	if (outcome != MCP_SOCKET_DONE) {
		return outcome;
	}
	int error = 0;
	socklen_t length = sizeof(error);
	getsockopt(self->descriptor, SOL_SOCKET, SO_ERROR, &error, &length);
	return error == 0 ? MCP_SOCKET_DONE : broken(self, error);
}

static mcp_socket_outcome connect_to(mcp_socket *self, const struct sockaddr *address,
	socklen_t length, mcp_deadline *deadline) {
	if (!open_descriptor(self, address->sa_family)) {
		return broken(self, errno);
	}
	mcp_socket_outcome outcome = MCP_SOCKET_DONE;
	if (connect(self->descriptor, address, length) != 0) {
		bool is_under_way = errno == EINPROGRESS || errno == EINTR;
		outcome = is_under_way ? await_connection(self, deadline) : broken(self, errno);
	}
	if (outcome != MCP_SOCKET_DONE) {
		mcp_socket_close(self);
	}
	return outcome;
}

static mcp_socket_outcome connect_locally(mcp_socket *self, const char *path,
	mcp_deadline *deadline) {
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	size_t length = strlen(path);
	if (length >= sizeof(address.sun_path)) {
		return broken(self, ENAMETOOLONG);
	}
	memcpy(address.sun_path, path, length + 1);
	return connect_to(self, (const struct sockaddr *)&address, sizeof(address), deadline);
}

static void set_number(mcp_socket *self, int level, int option, int number) {
	setsockopt(self->descriptor, level, option, &number, sizeof(number));
}

/* Lets the first receive of a reply block. */
static void set_blocking(mcp_socket *self, uint32_t answer_timeout_ms) {
	uint32_t blocked_ms = answer_timeout_ms / 2;
	struct timeval timeout = {
		.tv_sec = (time_t)(blocked_ms / 1000),
		.tv_usec = (suseconds_t)(blocked_ms % 1000) * 1000,
	};
	self->brief_calls = 0;
	self->may_block = answer_timeout_ms >= BLOCKED_MIN_MS &&
		setsockopt(self->descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout)) == 0 &&
		fcntl(self->descriptor, F_SETFL, fcntl(self->descriptor, F_GETFL) & ~O_NONBLOCK) == 0;
}

#ifndef TCP_KEEPIDLE
#define TCP_KEEPIDLE TCP_KEEPALIVE /* macOS */
#endif

void mcp_socket_keep_alive(mcp_socket *self, uint32_t idle_s) {
	if (idle_s > 0) {
		set_number(self, IPPROTO_TCP, TCP_KEEPIDLE, (int)idle_s);
		set_number(self, IPPROTO_TCP, TCP_KEEPINTVL, MCP_SOCKET_PROBE_S);
		set_number(self, IPPROTO_TCP, TCP_KEEPCNT, MCP_SOCKET_PROBES);
		set_number(self, SOL_SOCKET, SO_KEEPALIVE, 1);
	}
}

static mcp_socket_outcome connect_to_one(mcp_socket *self, const struct addrinfo *one,
	mcp_deadline *deadline) {
	return connect_to(self, one->ai_addr, one->ai_addrlen, deadline);
}

mcp_socket_outcome mcp_socket_connect(mcp_socket *self, const mcp_socket_address *address,
	mcp_deadline *deadline, uint32_t answer_timeout_ms) {
	self->is_local = address->port == 0;
	mcp_socket_outcome outcome = self->is_local
		? connect_locally(self, address->host, deadline)
		: mcp_addresses_try(self, address, deadline, connect_to_one);
	if (outcome == MCP_SOCKET_DONE) {
		set_blocking(self, answer_timeout_ms);
	}
	if (outcome == MCP_SOCKET_DONE && !self->is_local) {
		set_number(self, IPPROTO_TCP, TCP_NODELAY, 1);
		mcp_socket_keep_alive(self, mcp_keepalive_s(deadline->environment));
	}
	return outcome;
}

/* Skips the sent bytes. True: bytes are left. */
static bool advance(struct msghdr *message, size_t sent) {
	while (message->msg_iovlen > 0 && sent >= message->msg_iov->iov_len) {
		sent -= message->msg_iov->iov_len;
		message->msg_iov++;
		message->msg_iovlen--;
	}
	if (message->msg_iovlen > 0) {
		message->msg_iov->iov_base = (char *)message->msg_iov->iov_base + sent;
		message->msg_iov->iov_len -= sent;
	}
	return message->msg_iovlen > 0;
}

/* Bytes that the system takes immediately say nothing about the server, so only waits extend the deadline. */
static mcp_socket_outcome send_all(mcp_socket *self, struct msghdr *message,
	mcp_deadline *deadline) {
	for (bool has_waited = false;; has_waited = true) {
		ssize_t sent = sendmsg(self->descriptor, message, MSG_DONTWAIT | MSG_NOSIGNAL);
		if (sent < 0 && errno != EINTR && !would_block(errno)) {
			return broken(self, errno);
		}
		if (sent >= 0) {
			self->took_nothing &= sent == 0;
			deadline->moved += has_waited ? (size_t)sent : 0;
			if (!advance(message, (size_t)sent)) {
				return MCP_SOCKET_DONE;
			}
		}
		mcp_socket_outcome outcome = wait_for(self, POLLOUT, deadline);
		if (outcome != MCP_SOCKET_DONE) {
			return outcome;
		}
	}
}

mcp_socket_outcome mcp_socket_send(mcp_socket *self, const mcp_bytes *pieces, size_t number,
	mcp_deadline *deadline) {
	struct iovec parts[MCP_SOCKET_PIECES_MAX];
	size_t used = 0;
	for (size_t i = 0; i < number; i++) {
		if (pieces[i].length > 0) {
			parts[used++] = (struct iovec){(void *)(uintptr_t)pieces[i].data, pieces[i].length};
		}
	}
	struct msghdr message = {.msg_iov = parts, .msg_iovlen = used};
	self->took_nothing = true;
	self->is_brief = false;
	return send_all(self, &message, deadline);
}

size_t mcp_socket_try_to_send(mcp_socket *self, mcp_bytes bytes) {
	self->is_brief = bytes.length <= BRIEF_MAX;
	ssize_t sent = send(self->descriptor, bytes.data, bytes.length, MSG_DONTWAIT | MSG_NOSIGNAL);
	self->took_nothing = sent <= 0;
	return sent > 0 ? (size_t)sent : 0;
}

static bool is_to_be_awaited(ssize_t received) {
	return received < 0 && (errno == EINTR || would_block(errno));
}

static mcp_socket_outcome fail_to_receive(mcp_socket *self, ssize_t received) {
	return broken(self, received < 0 ? errno : 0);
}

mcp_socket_outcome mcp_socket_try_to_receive(mcp_socket *self, char *into, size_t size,
	size_t *received) {
	ssize_t length = recv(self->descriptor, into, size, MSG_DONTWAIT);
	*received = length > 0 ? (size_t)length : 0;
	if (length > 0) {
		return MCP_SOCKET_DONE;
	}
	return is_to_be_awaited(length) ? MCP_SOCKET_LATE : fail_to_receive(self, length);
}

static MCP_APART mcp_socket_outcome receive_later(mcp_socket *self, char *into, size_t size,
	mcp_deadline *deadline, size_t *received) {
	for (;;) {
		mcp_socket_outcome outcome = wait_for(self, POLLIN, deadline);
		if (outcome != MCP_SOCKET_DONE) {
			return outcome;
		}
		ssize_t length = recv(self->descriptor, into, size, MSG_DONTWAIT);
		if (length > 0) {
			*received = (size_t)length;
			deadline->moved += (size_t)length;
			return MCP_SOCKET_DONE;
		}
		if (!is_to_be_awaited(length)) {
			return fail_to_receive(self, length);
		}
	}
}

/* The first wait of a request gets the request's whole time, so no clock is read. If the wait ends without a reply,
 * receive_later handles the rest. */
static inline ssize_t poll_at_first(mcp_socket *self, char *into, size_t size,
	const mcp_deadline *deadline) {
	struct pollfd one = {.fd = self->descriptor, .events = POLLIN};
	int wait_ms = deadline->timeout_ms < INT_MAX ? (int)deadline->timeout_ms : INT_MAX;
	if (poll(&one, 1, wait_ms) > 0) {
		return recv(self->descriptor, into, size, MSG_DONTWAIT);
	}
	errno = EAGAIN;
	return -1;
}

static MCP_APART ssize_t receive_in_trial(mcp_socket *self, char *into, size_t size,
	const mcp_deadline *deadline, uint32_t call) {
	uint64_t began_ns = mcp_monotonic_ns(deadline->environment);
	bool blocks = call % 2 == 1;
	ssize_t length =
		blocks ? recv(self->descriptor, into, size, 0) : poll_at_first(self, into, size, deadline);
	uint64_t took_ns = mcp_monotonic_ns(deadline->environment) - began_ns;
	self->faster = (call == 0 ? 0 : self->faster) + (blocks && took_ns < self->polled_ns);
	self->polled_ns = took_ns;
	return length;
}

static inline ssize_t receive_first(mcp_socket *self, char *into, size_t size,
	const mcp_deadline *deadline) {
	if (!self->may_block || (self->is_local && !self->is_brief)) {
		return poll_at_first(self, into, size, deadline);
	}
	if (self->is_local) {
		uint32_t call = self->brief_calls++ % TRIAL_PERIOD;
		if (call < TRIAL_CALLS) {
			return receive_in_trial(self, into, size, deadline, call);
		}
		if (self->faster < FASTER_MIN) {
			return poll_at_first(self, into, size, deadline);
		}
	}
	return recv(self->descriptor, into, size, 0);
}

mcp_socket_outcome mcp_socket_receive(mcp_socket *self, char *into, size_t size,
	mcp_deadline *deadline, size_t *received) {
	*received = 0;
	if (deadline->is_fresh) {
		deadline->is_fresh = false;
		ssize_t length = receive_first(self, into, size, deadline);
		if (length > 0) {
			*received = (size_t)length;
			deadline->moved += (size_t)length;
			return MCP_SOCKET_DONE;
		}
		if (!is_to_be_awaited(length)) {
			return fail_to_receive(self, length);
		}
	}
	return receive_later(self, into, size, deadline, received);
}

#endif
