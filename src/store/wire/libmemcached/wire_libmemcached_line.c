/* Connection of libmemcached's wire: failures, closing and memory. Closes every connection whose state is uncertain. */
/* SPDX-License-Identifier: MIT */
#include "wire_libmemcached_line.h"

#include "../../../core/compiler.h"
#include "../../store.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* --- parsing libmemcached's error messages, which are the only copy of a server's error reply --- */

static bool has_no_connection(const memcached_st *handle) {
	return memcached_server_get_last_disconnect(handle) != NULL;
}

/* Prefers the last error to a general code. */
static memcached_return_t specific(const memcached_st *handle, memcached_return_t code) {
	bool is_general = code == MEMCACHED_FAILURE || code == MEMCACHED_SOME_ERRORS;
	return is_general ? memcached_last_error(handle) : code;
}

/* Only a failed connect sets the "last disconnected server". A unix socket with a full queue looks connected until the
 * first send. */
static mcp_status status_of_cause(const memcached_st *handle, memcached_return_t code) {
	if (has_no_connection(handle) || memcached_last_error_errno(handle) == ENOTCONN) {
		return MCP_UNREACHABLE;
	}
	switch (specific(handle, code)) {
		case MEMCACHED_TIMEOUT:
		case MEMCACHED_IN_PROGRESS:
			return MCP_TIMEOUT;
		case MEMCACHED_SUCCESS: /* a failure without a reason */
		case MEMCACHED_FAILURE:
		case MEMCACHED_CONNECTION_FAILURE:
		case MEMCACHED_WRITE_FAILURE:
		case MEMCACHED_READ_FAILURE:
		case MEMCACHED_ERRNO:
			return MCP_BROKEN;
		case MEMCACHED_ERROR:
		case MEMCACHED_CLIENT_ERROR:
		case MEMCACHED_SERVER_ERROR:
		case MEMCACHED_SERVER_MEMORY_ALLOCATION_FAILURE:
		case MEMCACHED_E2BIG:
			return MCP_REFUSED;
		default:
			return MCP_PROTOCOL;
	}
}

/* True if the peer of a unix socket closed the connection before taking any part of the request. */
static bool peer_took_nothing(const memcached_st *handle) {
	bool is_local = memcached_server_port(memcached_server_instance_by_position(handle, 0)) == 0;
	return is_local && memcached_last_error_errno(handle) == EPIPE;
}

/* True if there is no connection and the reason is unknown: a read does not report why it could not connect. */
static bool is_cause_hidden(const memcached_st *handle, memcached_return_t code) {
	code = specific(handle, code);
	return has_no_connection(handle) && memcached_last_error_errno(handle) == 0 &&
		code != MEMCACHED_TIMEOUT && code != MEMCACHED_IN_PROGRESS &&
		code != MEMCACHED_HOST_LOOKUP_FAILURE;
}

static bool has_at(mcp_bytes text, size_t at, const char *part) {
	size_t length = strlen(part);
	return text.length - at >= length && memcmp(text.data + at, part, length) == 0;
}

static mcp_bytes drop_head(mcp_bytes text, const char *head) {
	size_t length = has_at(text, 0, head) ? strlen(head) : 0;
	return mcp_bytes_of(text.data + length, text.length - length);
}

/* Search from the end: the reply itself can contain such text. */
static mcp_bytes drop_address(mcp_bytes text) {
	for (size_t at = text.length; at-- > 0;) {
		if (has_at(text, at, ",  host: ") || has_at(text, at, ",  socket: ")) {
			return mcp_bytes_of(text.data, at);
		}
	}
	return text;
}

/* Extracts "busy" from "(0x5578bedc2eb0) SERVER ERROR, busy,  host: 127.0.0.1:11211 -> ./src/response.cc:285". Empty:
 * the message has no reply. */
static mcp_bytes answer_of(const memcached_st *handle, memcached_return_t code) {
	const char *message = memcached_last_error_message(handle);
	const char *start = message != NULL ? strstr(message, ") ") : NULL;
	if (start == NULL || message[0] != '(') {
		return mcp_bytes_of("", 0);
	}
	start += strlen(") ");
	mcp_bytes text = mcp_bytes_text(start);
	text = drop_address(text);
	return drop_head(drop_head(text, memcached_strerror(NULL, code)), ", ");
}

static void say_refusal(const memcached_st *handle, memcached_return_t code, mcp_reason *reason) {
	switch (code) {
		case MEMCACHED_SERVER_ERROR:
			mcp_reason_say_answered(reason, "SERVER_ERROR ", answer_of(handle, code), "");
			return;
		case MEMCACHED_CLIENT_ERROR:
			mcp_reason_say_answered(reason, "CLIENT_ERROR ", answer_of(handle, code), "");
			return;
		case MEMCACHED_SERVER_MEMORY_ALLOCATION_FAILURE:
			mcp_reason_say(reason, "replied \"SERVER_ERROR out of memory\"");
			return;
		case MEMCACHED_E2BIG:
			mcp_reason_say(reason, "replied \"SERVER_ERROR object too large for cache\"");
			return;
		default:
			mcp_reason_say(reason, "replied \"ERROR\"");
	}
}

/* True for libmemcached's own message, which replaces the reply if a number exceeds 64 bits. */
static bool is_not_the_servers(mcp_bytes answer) {
	return has_at(answer, 0, "Numeric response was out of range");
}

static void say_nonsense(const memcached_st *handle, memcached_return_t code, mcp_reason *reason) {
	mcp_bytes answer = answer_of(handle, code);
	if (code == MEMCACHED_UNKNOWN_READ_FAILURE && !is_not_the_servers(answer)) {
		mcp_reason_say_answered(reason, "", answer, ", which is not the memcached protocol");
	} else if (code == MEMCACHED_MEMORY_ALLOCATION_FAILURE) {
		mcp_reason_say(reason, "announced more data than fits in memory");
	} else {
		mcp_reason_say(reason, "sent an unexpected reply");
	}
}

static void say_unreachable(const memcached_st *handle, memcached_return_t code,
	uint32_t connect_timeout_ms, mcp_reason *reason) {
	if (code == MEMCACHED_TIMEOUT || code == MEMCACHED_IN_PROGRESS) {
		mcp_reason_say_no_connection_within(reason, connect_timeout_ms);
	} else if (code == MEMCACHED_HOST_LOOKUP_FAILURE) {
		mcp_reason_say(reason, "could not be reached: its host is unknown");
	} else {
		mcp_reason_say_unreachable(reason, memcached_last_error_errno(handle));
	}
}

/* Describes the failure; `status` is from status_of_cause. */
static void say_cause(const memcached_st *handle, memcached_return_t code, mcp_status status,
	mcp_wire_patience patience, mcp_reason *reason) {
	code = specific(handle, code);
	switch (status) {
		case MCP_UNREACHABLE:
			say_unreachable(handle, code, patience.connect_timeout_ms, reason);
			return;
		case MCP_TIMEOUT:
			mcp_reason_say_no_answer_within(reason, patience.timeout_ms);
			return;
		case MCP_REFUSED:
			say_refusal(handle, code, reason);
			return;
		case MCP_BROKEN:
			mcp_reason_say_broken(reason, memcached_last_error_errno(handle));
			return;
		default:
			say_nonsense(handle, code, reason);
	}
}

/* A connection whose socket is hidden is reopened for a write after this idle time. Servers and networks do not close
 * connections that have been idle for less time. A faster restart is not detected. */
#define UNSEEN_IDLE_MS 1000

void mcp_libmemcached_expect_to_connect(mcp_libmemcached *self) {
	self->is_closed = true;
	self->descriptor = MCP_WIRE_DESCRIPTOR_NONE;
	mcp_wire_guard_forget(&self->guard);
}

/* Sets SO_LINGER on a new connection's socket, so that closing the socket drops undelivered bytes: an abandoned write
 * must not be sent after a network failure. The library sets that option on sockets that it opens while the flag
 * no_block is set. The flag has no other effect on single requests of the text protocol. Setting the behavior instead
 * would close the connection. */
MCP_SELDOM void mcp_libmemcached_prepare(mcp_libmemcached *self) {
	self->handle->flags.no_block |= self->is_closed;
	self->base.idle_ms = self->is_closed ? 0 : self->base.idle_ms;
	self->is_closed = false;
}

MCP_SELDOM void mcp_libmemcached_note_connection(mcp_libmemcached *self) {
	self->handle->flags.no_block = false;
	self->descriptor = mcp_wire_descriptor_find(self->handle);
	mcp_socket socket = {.descriptor = self->descriptor};
	if (mcp_socket_is_open(&socket)) {
		mcp_socket_keep_alive(&socket, mcp_keepalive_s(self->environment));
	}
}

bool mcp_libmemcached_has_ended(mcp_libmemcached *self) {
	if (self->descriptor == MCP_WIRE_DESCRIPTOR_NONE) {
		return false;
	}
	mcp_socket socket = {.descriptor = self->descriptor};
	bool has = mcp_socket_is_open(&socket) ? !mcp_socket_is_silent(&socket)
										   : self->base.idle_ms >= UNSEEN_IDLE_MS;
	if (has) {
		mcp_reason_say_broken(&self->reason, 0);
		mcp_libmemcached_hang_up(self);
	}
	return has;
}

/* libmemcached sends "quit" first. Do not wait until this is sent: a frozen server with full buffers would cost a
 * second timeout. */
void mcp_libmemcached_hang_up(mcp_libmemcached *self) {
	mcp_libmemcached_wait_at_most(self, 0);
	memcached_quit(self->handle);
	mcp_libmemcached_wait_at_most(self, self->patience.timeout_ms);
	memcached_reset_last_disconnected_server(self->handle);
	self->base.item_max = 0;
	mcp_libmemcached_expect_to_connect(self);
}

/* A failed write reports why there is no connection. The write has no effect if there is a connection now. */
static memcached_return_t try_to_write(mcp_libmemcached *self) {
	return memcached_delete(self->handle, MCP_LIBMEMCACHED_PING_KEY,
		sizeof(MCP_LIBMEMCACHED_PING_KEY) - 1, 0);
}

static MCP_SELDOM mcp_status reject_size(mcp_libmemcached *self) {
	mcp_reason_say_too_large(&self->reason, self->memory.refused);
	self->memory.refused = 0;
	mcp_libmemcached_hang_up(self);
	return MCP_ANSWER_TOO_LARGE;
}

/* True if the server might have rejected a new connection, with a reply or by closing the connection. */
static bool may_be_full(memcached_return_t code, mcp_status status) {
	return code == MEMCACHED_ERROR || status == MCP_BROKEN;
}

/* Tests over the second connection, which keeps replies unchanged, whether the server rejects new connections. If so,
 * takes over the reason. */
static bool is_full(mcp_libmemcached *self) {
	mcp_wire_break_off(self->aside);
	bool is = mcp_wire_ping(self->aside) == MCP_UNREACHABLE &&
		mcp_reason_is_of_a_full_server(mcp_wire_reason(self->aside));
	if (is) {
		self->reason = *mcp_wire_reason(self->aside);
	}
	mcp_wire_break_off(self->aside); /* a server without free connections needs this connection */
	return is;
}

/* Closes a new connection that failed. MCP_UNREACHABLE: the server rejected the connection. A close without a reply can
 * have other reasons, even if the server rejects connections now. */
static MCP_SELDOM mcp_status give_up_new(mcp_libmemcached *self, memcached_return_t code,
	mcp_status status) {
	bool took_nothing = peer_took_nothing(self->handle);
	mcp_libmemcached_hang_up(self);
	bool is_turned_away = may_be_full(code, status) && is_full(self) && code == MEMCACHED_ERROR;
	return is_turned_away || took_nothing ? MCP_UNREACHABLE : status;
}

/* Read the reasons first: closing discards them. */
mcp_status mcp_libmemcached_give_up(mcp_libmemcached *self, memcached_return_t code) {
	if (self->memory.refused > 0) {
		return reject_size(self);
	}
	bool was_new = mcp_libmemcached_is_new(self);
	mcp_status status = status_of_cause(self->handle, code);
	if (is_cause_hidden(self->handle, code)) {
		mcp_libmemcached_hang_up(self);
		code = try_to_write(self);
	}
	say_cause(self->handle, code, status, self->patience, &self->reason);
	if (was_new) {
		return give_up_new(self, code, status);
	}
	mcp_libmemcached_hang_up(self);
	return status;
}

mcp_status mcp_libmemcached_reject_answer(mcp_libmemcached *self) {
	mcp_reason_say(&self->reason, "sent an unexpected reply");
	mcp_libmemcached_hang_up(self);
	return MCP_PROTOCOL;
}

/* Trust the descriptor in the instance only if it is a socket that is connected to this server. */

#ifdef _WIN32

int mcp_wire_descriptor_find(const memcached_st *handle) {
	(void)handle;
	return MCP_WIRE_DESCRIPTOR_HIDDEN;
}

#else

#include <netinet/in.h>
#include <sys/socket.h>

/* Beginning of memcached_instance_st (libmemcached 1.1.4, src/libmemcached/instance.hpp), which has 18 KiB. */
typedef struct instance_head {
	bool options[5];
	short events, revents;
	uint32_t responses;
	in_port_t port;
	int descriptor;
} instance_head;

typedef union peer_address {
	struct sockaddr any;
	struct sockaddr_in ipv4;
	struct sockaddr_in6 ipv6;
	struct sockaddr_storage room;
} peer_address;

/* Do not compare unix paths: the server's bound name can differ. */
static bool is_at(const peer_address *peer, in_port_t port) {
	switch (peer->any.sa_family) {
		case AF_INET:
			return ntohs(peer->ipv4.sin_port) == port;
		case AF_INET6:
			return ntohs(peer->ipv6.sin6_port) == port;
		case AF_UNIX:
			return port == 0;
		default:
			return false;
	}
}

int mcp_wire_descriptor_find(const memcached_st *handle) {
	const memcached_instance_st *instance = memcached_server_instance_by_position(handle, 0);
	instance_head head;
	peer_address peer = {.room = {0}};
	socklen_t length = sizeof(peer);
	memcpy(&head, instance, sizeof(head));
	bool is_known = head.port == memcached_server_port(instance) &&
		getpeername(head.descriptor, &peer.any, &length) == 0 && is_at(&peer, head.port);
	return is_known ? head.descriptor : MCP_WIRE_DESCRIPTOR_HIDDEN;
}

#endif

/* libmemcached allocates a value after it has read the value's line, and before it reads the value's bytes. An overlong
 * key can overwrite a result's options, so that libmemcached would free the result, which is inside our memory. */

static void *allocate(const memcached_st *handle, const size_t size, void *context) {
	(void)handle;
	(void)context;
	return malloc(size);
}

static void *allocate_zeroed(const memcached_st *handle, size_t count, const size_t size,
	void *context) {
	(void)handle;
	(void)context;
	return calloc(count, size);
}

static void give_back(const memcached_st *handle, void *memory, void *context) {
	(void)handle;
	const mcp_wire_memory *self = context;
	bool is_a_result = memory == &self->reply->it || memory == &self->rest->it ||
		mcp_wire_results_has(self->replies, memory);
	if (!is_a_result) {
		free(memory);
	}
}

/* libmemcached allocates values, with their line end, in multiples of 1,024 bytes (its MEMCACHED_BLOCK_SIZE), and one
 * block more if a value fits exactly. */
#define ROUNDING_MAX (1024 + 2)

/* Ignores the rounding, because a valid call can have thousands of values. */
static size_t bytes_of_others(const mcp_wire_results *replies) {
	size_t taken = mcp_wire_results_other_bytes(replies);
	size_t rounding = mcp_item_size_limit_product(replies->used, ROUNDING_MAX);
	return taken > rounding ? taken - rounding : 0;
}

/* Called for values only. */
static void *grow(const memcached_st *handle, void *value, const size_t size, void *context) {
	(void)handle;
	mcp_wire_memory *self = context;
	size_t others = self->is_for_many ? bytes_of_others(self->replies) : 0;
	mcp_expected_answer answer = {
		.keys = self->is_for_many ? self->replies->limit : 1,
		.item_max = *self->item_max,
		.next = size,
		.whole = mcp_item_size_limit_sum(others, size),
	};
	if (mcp_answer_is_too_large(self->environment, &answer)) {
		self->refused = size;
		return NULL;
	}
	return realloc(value, size);
}

bool mcp_wire_memory_watch(mcp_wire_memory *memory, memcached_st *handle) {
	return memcached_set_memory_allocators(handle, allocate, give_back, grow, allocate_zeroed,
			   memory) == MEMCACHED_SUCCESS;
}
