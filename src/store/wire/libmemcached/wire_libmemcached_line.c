/* Leaves no connection in doubt open: whatever failed is told, and the connection is closed. */
/* SPDX-License-Identifier: MIT */
#include "wire_libmemcached_line.h"

#include "../../../core/compiler.h"

void mcp_libmemcached_expect_to_connect(mcp_libmemcached *self) {
	self->is_closed = true;
	mcp_wire_guard_forget(&self->guard);
}

/* Makes the socket of a request that connects drop what it has not delivered, whoever closes it: a write that was given
 * up must not leave this host when a network is whole again. libmemcached shows no socket, and gives one that option
 * where this flag is set as it is made; of a single request by the text protocol the flag changes nothing else. (Set as a
 * behaviour it would hang up.) The next request takes it back. */
MCP_SELDOM void mcp_libmemcached_prepare(mcp_libmemcached *self) {
	bool connects = self->is_closed;
	self->is_closed = false;
	self->handle->flags.no_block = connects;
	if (connects) {
		mcp_wire_guard_forget(&self->guard);
	}
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

/* Reads the reasons first: disconnecting forgets them. */
mcp_status mcp_libmemcached_give_up(mcp_libmemcached *self, memcached_return_t code) {
	if (self->memory.refused > 0) {
		return reject_size(self);
	}
	mcp_status status = mcp_wire_cause_status(self->handle, code);
	if (mcp_wire_cause_is_hidden(self->handle, code)) {
		mcp_libmemcached_hang_up(self);
		code = try_to_write(self);
	}
	mcp_wire_cause_say(self->handle, code, status, self->patience, &self->reason);
	mcp_libmemcached_hang_up(self);
	return status;
}

mcp_status mcp_libmemcached_reject_answer(mcp_libmemcached *self) {
	mcp_reason_say(&self->reason, "answered something else than it was asked");
	mcp_libmemcached_hang_up(self);
	return MCP_PROTOCOL;
}
