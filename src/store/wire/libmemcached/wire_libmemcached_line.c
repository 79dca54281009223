/* Leaves no connection in doubt open: whatever failed is told, and the connection is closed. */
/* SPDX-License-Identifier: MIT */
#include "wire_libmemcached_line.h"

#include "../../../core/compiler.h"

/* A connection that cannot be looked at is made anew for a write after so long: no server, and nothing between, ends one
 * that has been idle for less. A restart in less is not seen then. */
#define UNSEEN_IDLE_MS 1000

void mcp_libmemcached_expect_to_connect(mcp_libmemcached *self) {
	self->is_closed = true;
	self->descriptor = MCP_WIRE_DESCRIPTOR_NONE;
	mcp_wire_guard_forget(&self->guard);
}

/* Makes the socket of a request that connects drop what it has not delivered, whoever closes it: a write that was given
 * up must not leave this host when a network is whole again. libmemcached gives a socket that option where this flag is
 * set as it is made; of a single request by the text protocol the flag changes nothing else. (Set as a behaviour it would
 * hang up.) */
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

/* Hangs up; libmemcached says "quit" first. Without any patience: towards a frozen server with full buffers
 * that would cost a second timeout. */
void mcp_libmemcached_hang_up(mcp_libmemcached *self) {
	mcp_libmemcached_wait_at_most(self, 0);
	memcached_quit(self->handle);
	mcp_libmemcached_wait_at_most(self, self->patience.timeout_ms);
	memcached_reset_last_disconnected_server(self->handle);
	self->base.item_max = 0;
	mcp_libmemcached_expect_to_connect(self);
}

/* Tries a write, which tells why there is no connection. This one changes nothing if there is one by now. */
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

/* Says whether a new connection may have been turned away, by an answer or by an end. */
static bool may_be_full(memcached_return_t code, mcp_status status) {
	return code == MEMCACHED_ERROR || status == MCP_BROKEN;
}

/* Asks over the connection aside, whose answers are kept as they are, whether the server turns new connections away, and
 * takes over its words. */
static bool is_full(mcp_libmemcached *self) {
	mcp_wire_break_off(self->aside);
	bool is = mcp_wire_ping(self->aside) == MCP_UNREACHABLE &&
		mcp_reason_is_of_a_full_server(mcp_wire_reason(self->aside));
	if (is) {
		self->reason = *mcp_wire_reason(self->aside);
	}
	mcp_wire_break_off(self->aside); /* a server that is short of connections needs it */
	return is;
}

/* Hangs up on a new connection that failed. MCP_UNREACHABLE: the server has turned it away. An end without a word may be
 * of another kind, whatever the server says of its connections now. */
static MCP_SELDOM mcp_status give_up_new(mcp_libmemcached *self, memcached_return_t code,
	mcp_status status) {
	bool took_nothing = mcp_wire_cause_took_nothing(self->handle);
	mcp_libmemcached_hang_up(self);
	bool is_turned_away = may_be_full(code, status) && is_full(self) && code == MEMCACHED_ERROR;
	return is_turned_away || took_nothing ? MCP_UNREACHABLE : status;
}

/* Reads the reasons first: disconnecting forgets them. */
mcp_status mcp_libmemcached_give_up(mcp_libmemcached *self, memcached_return_t code) {
	if (self->memory.refused > 0) {
		return reject_size(self);
	}
	bool was_new = mcp_libmemcached_is_new(self);
	mcp_status status = mcp_wire_cause_status(self->handle, code);
	if (mcp_wire_cause_is_hidden(self->handle, code)) {
		mcp_libmemcached_hang_up(self);
		code = try_to_write(self);
	}
	mcp_wire_cause_say(self->handle, code, status, self->patience, &self->reason);
	if (was_new) {
		return give_up_new(self, code, status);
	}
	mcp_libmemcached_hang_up(self);
	return status;
}

mcp_status mcp_libmemcached_reject_answer(mcp_libmemcached *self) {
	mcp_reason_say(&self->reason, "answered something else than it was asked");
	mcp_libmemcached_hang_up(self);
	return MCP_PROTOCOL;
}
