/* Many keys are asked for in few requests, one after the other. The first may be sent long before its answer is read,
 * so that other servers are asked in the meantime. */
/* SPDX-License-Identifier: MIT */
#include "connection_many.h"

typedef mcp_connection connection;

static connection *of(mcp_store *store) {
	return (connection *)store;
}

/* Returns MCP_OK also if there is nothing to ask for. */
static mcp_status ask_next(connection *self) {
	bool is_any = mcp_multi_get_next(&self->many, mcp_wire_ask_bytes_max(self->wire));
	return is_any ? mcp_bounded_read_ask(&self->exchange.reading, &self->many) : MCP_OK;
}

/* Hears the answers, and sends the requests that are left. `status`: of the first one. */
static mcp_status hear_all(connection *self, mcp_status status) {
	mcp_multi_get *many = &self->many;
	bool has_begun_again = false;
	while (many->asked > 0) {
		if (status == MCP_OK) {
			status = mcp_bounded_read_hear(&self->exchange.reading, many);
		}
		/* Each request is an answer of its own. */
		self->exchange.moved += self->exchange.reading.received + MCP_DEADLINE_BYTES_PER_TIMEOUT;
		if (!has_begun_again && mcp_exchange_should_retry(&self->exchange, status)) {
			mcp_multi_get_again(many);
			has_begun_again = true;
		} else if (status != MCP_OK) {
			return status;
		}
		status = ask_next(self);
	}
	return MCP_OK;
}

/* Looks at the first item, which tells, as all are one server's. */
static void look_for_cas(connection *self) {
	const mcp_multi_get *many = &self->many;
	size_t i = 0;
	while (i < many->count && many->replies[i].status != MCP_OK) {
		i++;
	}
	if (i < many->count) {
		self->exchange.peer.gives_no_cas = many->replies[i].item.cas == 0;
	}
}

/* MCP_OK if it may be asked. */
static mcp_status begin(connection *self, const mcp_key *keys, size_t count, mcp_reply *replies) {
	bool has_room = mcp_multi_get_prepare(&self->many, &self->room, keys, count, replies);
	mcp_status status = has_room ? mcp_exchange_begin(&self->exchange)
								 : mcp_exchange_note_no_memory(&self->exchange);
	if (status != MCP_OK) {
		mcp_multi_get_fail(&self->many, status);
		return status;
	}
	self->exchange.peer.has_broken_off = false;
	return MCP_OK;
}

static void finish(connection *self, mcp_status asked) {
	mcp_multi_get *many = &self->many;
	mcp_status status = hear_all(self, asked);
	status = mcp_exchange_finish_read(&self->exchange, status);
	if (status == MCP_OK) {
		look_for_cas(self);
	} else {
		mcp_multi_get_fail(many, status);
	}
	mcp_multi_get_end(many, mcp_wire_items(self->wire));
}

void mcp_connection_get_many(mcp_store *store, const mcp_key *keys, size_t count,
	mcp_reply *replies) {
	connection *self = of(store);
	if (count > 0 && begin(self, keys, count, replies) == MCP_OK) {
		finish(self, ask_next(self));
	}
}

/* Says whether it does, which no wire does whose answers have their time from the call that asks. */
bool mcp_connection_asks_ahead(mcp_store *store) {
	return mcp_wire_may_be_resumed(of(store)->wire);
}

void mcp_connection_ask_many(mcp_store *store, const mcp_key *keys, size_t count,
	mcp_reply *replies) {
	connection *self = of(store);
	self->has_asked = count > 0 && begin(self, keys, count, replies) == MCP_OK;
	if (self->has_asked) {
		self->asked = ask_next(self);
		/* The time until the answer is read is what other servers take. */
		mcp_exchange_stop_timing(&self->exchange);
	}
}

void mcp_connection_hear_many(mcp_store *store, const mcp_key *keys, size_t count,
	mcp_reply *replies) {
	connection *self = of(store);
	(void)keys;
	(void)count;
	(void)replies;
	if (!self->has_asked) {
		return;
	}
	self->has_asked = false;
	if (self->asked == MCP_OK && self->many.asked > 0) {
		mcp_wire_resume(self->wire);
	}
	finish(self, self->asked);
}
