/* A read is sent once more when its connection broke, a write (connection_write.c) never; those of many keys stand in
 * connection_many.c. exchange.c decides whether anything is sent and what its outcome means. */
/* SPDX-License-Identifier: MIT */
#include "connection.h"

#include "../../core/compiler.h"
#include "connection_batch.h"
#include "connection_many.h"
#include "connection_steps.h"
#include "connection_write.h"
#include "inquiry.h"
#include "stat_lines.h"

#include <stdlib.h>

typedef mcp_connection connection;

static connection *of(mcp_store *store) {
	return (connection *)store;
}

static inline void note_item(connection *self, const mcp_item *item) {
	self->exchange.moved = item->value.length;
	self->exchange.peer.gives_no_cas = item->cas == 0;
}

/* Gets when there was no hit, or not at the first try. */
static MCP_APART mcp_status get_otherwise(connection *self, const mcp_key *key, mcp_status status,
	mcp_item *item) {
	if (mcp_exchange_should_retry(&self->exchange, status)) {
		status = mcp_wire_get(self->wire, key->wire, item);
	}
	self->exchange.peer.has_broken_off = false;
	if (status == MCP_OK) {
		note_item(self, item);
	}
	return mcp_exchange_finish_read(&self->exchange, status);
}

static mcp_status get(mcp_store *store, const mcp_key *key, mcp_item *item) {
	connection *self = of(store);
	mcp_status status = mcp_exchange_begin_with(&self->exchange, key);
	if (status != MCP_OK) {
		return status;
	}
	status = mcp_wire_get(self->wire, key->wire, item);
	if (status != MCP_OK) {
		return get_otherwise(self, key, status, item);
	}
	self->exchange.peer.has_broken_off = false;
	note_item(self, item);
	return mcp_exchange_finish_well(&self->exchange);
}

static mcp_status cas_of(mcp_store *store, const mcp_key *key, uint64_t *cas) {
	connection *self = of(store);
	mcp_status status = mcp_exchange_begin_with(&self->exchange, key);
	if (status != MCP_OK) {
		return status;
	}
	status = mcp_wire_cas_of(self->wire, key->wire, cas);
	if (mcp_exchange_should_retry(&self->exchange, status)) {
		status = mcp_wire_cas_of(self->wire, key->wire, cas);
	}
	return mcp_exchange_finish_read(&self->exchange, status);
}

/* Converts what memcached counts in whole seconds of its clock, which is stored as core/envelope/expiry.h has
 * it: with one more. */
static uint64_t ttl_of(uint64_t seconds) {
	if (seconds == MCP_WIRE_NO_END) {
		return MCP_STORE_NO_END;
	}
	return seconds > 1 ? (seconds - 1) * 1000 : 0;
}

static mcp_status prepare_meta(connection *self, const mcp_key *key) {
	if (!mcp_key_may_be_sent(key)) {
		return MCP_BAD_KEY;
	}
	mcp_status status = mcp_wire_has_learnt(self->wire) ? MCP_OK : mcp_connection_learn(self);
	return status == MCP_OK ? mcp_exchange_begin(&self->exchange) : status;
}

/* Asks, but not again over another connection, where cas ids from before may be those of other items. */
static mcp_status ttl_left(mcp_store *store, const mcp_key *key, uint64_t *left_ms) {
	connection *self = of(store);
	uint64_t seconds = 0;
	if (!mcp_wire_tells_what_is_left(self->wire)) {
		return MCP_UNSUPPORTED;
	}
	mcp_status status = prepare_meta(self, key);
	if (status != MCP_OK) {
		return status;
	}
	status = mcp_wire_seconds_left(self->wire, key->wire, &seconds);
	*left_ms = ttl_of(seconds);
	if (mcp_exchange_has_lost_connection(&self->exchange, status)) {
		mcp_connection_start_over(self);
		return MCP_UNSUPPORTED;
	}
	return status == MCP_UNSUPPORTED ? status : mcp_exchange_finish_read(&self->exchange, status);
}

static size_t item_max(mcp_store *store, const mcp_key *key, size_t wanted) {
	(void)key;
	return mcp_inquiry_item_max(&of(store)->exchange, wanted);
}

static mcp_status tell(mcp_store *store, const char *kind, mcp_stat_visitor visit, void *context) {
	mcp_exchange *exchange = &of(store)->exchange;
	mcp_status status = mcp_inquiry_read_stats(exchange, kind);
	if (status == MCP_OK) {
		mcp_stat_lines_visit(&exchange->peer.lines, visit, context);
	}
	return status;
}

static mcp_status stats(mcp_store *store, mcp_stat_visitor visit, void *context) {
	return tell(store, NULL, visit, context);
}

static mcp_status settings(mcp_store *store, mcp_stat_visitor visit, void *context) {
	return tell(store, "settings", visit, context);
}

static mcp_status started_us(mcp_store *store, const mcp_key *key, uint64_t *started) {
	(void)key;
	return mcp_inquiry_started_us(&of(store)->exchange, started);
}

static mcp_status ping(mcp_store *store) {
	connection *self = of(store);
	mcp_status status = mcp_exchange_begin(&self->exchange);
	if (status != MCP_OK) {
		return status;
	}
	status = mcp_wire_ping(self->wire);
	if (mcp_exchange_should_retry(&self->exchange, status)) {
		status = mcp_wire_ping(self->wire);
	}
	return mcp_exchange_finish_read(&self->exchange, status);
}

static mcp_store *owner(mcp_store *store, const mcp_key *key) {
	(void)key;
	return store;
}

static bool gives_no_cas(mcp_store *store, const mcp_key *key) {
	(void)key;
	return of(store)->exchange.peer.gives_no_cas;
}

static void insist(mcp_store *store, const mcp_key *key, mcp_bypass what_for) {
	(void)key;
	mcp_breaker_insist(&of(store)->exchange.breaker, (unsigned)what_for);
}

static bool is_tripped(mcp_store *store) {
	const mcp_exchange *exchange = &of(store)->exchange;
	return !mcp_breaker_allows(&exchange->breaker, mcp_exchange_now_ms(exchange));
}

static uint64_t breaks(mcp_store *store) {
	return of(store)->exchange.peer.breaks;
}

/* Says whether one is out, by whichever connection of the process it was sent. */
static bool has_late_write(mcp_store *store) {
	connection *self = of(store);
	return self->late != NULL && self->late->count > 0 &&
		mcp_late_writes_are_out(self->late, self->address, mcp_exchange_now_ms(&self->exchange));
}

static const mcp_store_failure *failure(mcp_store *store) {
	return &of(store)->exchange.failure;
}

static mcp_store *failed(mcp_store *store) {
	return failure(store)->at_ms != 0 ? store : NULL;
}

static void free_memory(connection *self) {
	mcp_buffer_free(&self->room);
	mcp_buffer_free(&self->value);
	mcp_peer_free(&self->exchange.peer);
	free(self);
}

static void free_store(mcp_store *store) {
	connection *self = of(store);
	mcp_wire_free(self->wire);
	free_memory(self);
}

static void disown(mcp_store *store) {
	connection *self = of(store);
	mcp_wire_disown(self->wire);
	free_memory(self);
}

static const mcp_store_operations operations = {
	.get = get,
	.cas_of = cas_of,
	.get_many = mcp_connection_get_many,
	.asks_ahead = mcp_connection_asks_ahead,
	.ask_many = mcp_connection_ask_many,
	.hear_many = mcp_connection_hear_many,
	.change = mcp_connection_change,
	.proves = true,
	.ttl_left = ttl_left,
	.write_many = mcp_connection_write_many,
	.send_writes = mcp_connection_send_writes,
	.hear_writes = mcp_connection_hear_writes,
	.delete_many = mcp_connection_delete_many,
	.steps = mcp_connection_steps,
	.stats = stats,
	.settings = settings,
	.flush = mcp_connection_flush,
	.ping = ping,
	.owner = owner,
	.started_us = started_us,
	.item_max = item_max,
	.gives_no_cas = gives_no_cas,
	.insist = insist,
	.is_tripped = is_tripped,
	.breaks = breaks,
	.has_late_write = has_late_write,
	.failed = failed,
	.failure = failure,
	.free = free_store,
	.disown = disown,
};

mcp_store *mcp_connection_create(mcp_wire *wire, const mcp_wire_settings *settings,
	uint32_t retry_after_ms, const mcp_environment *environment) {
	if (wire == NULL) {
		return NULL;
	}
	connection *self = calloc(1, sizeof(*self));
	if (self == NULL) {
		mcp_wire_free(wire);
		return NULL;
	}
	self->store.operations = &operations;
	self->wire = wire;
	self->exchange.environment = environment;
	self->exchange.retry_after_ms = retry_after_ms;
	self->exchange.reading = (mcp_bounded_read){
		.wire = wire,
		.environment = environment,
		.timeout_ms = settings->timeout_ms,
	};
	self->late = settings->late;
	mcp_address_write(self->address, settings->host, settings->port);
	self->store.address = self->address;
	mcp_exchange_be_counted(&self->exchange, self->address);
	return &self->store;
}
