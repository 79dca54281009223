/* A read is sent once more when its connection broke, a write never. exchange.c decides whether anything is
 * sent and what its outcome means. */
/* SPDX-License-Identifier: MIT */
#include "connection.h"

#include "../core/expiry.h"
#include "inquiry.h"
#include "one_by_one.h"
#include "stat_lines.h"

#include <stdio.h>
#include <stdlib.h>

#define ADDRESS_MAX 1152

typedef struct connection {
	mcp_store store;
	mcp_wire *wire;
	mcp_exchange exchange;
	mcp_multi_get_room room;
	mcp_buffer value; /* head and body of the record being written */
	char address[ADDRESS_MAX];
} connection;

static connection *of(mcp_store *store) {
	return (connection *)store;
}

static mcp_status get(mcp_store *store, const mcp_key *key, mcp_item *item) {
	connection *self = of(store);
	mcp_status status = mcp_exchange_begin_with(&self->exchange, key);
	if (status != MCP_OK) {
		return status;
	}
	mcp_buffer_trim(&self->room.values);
	status = mcp_wire_get(self->wire, key->wire, item);
	if (mcp_exchange_should_retry(&self->exchange, status)) {
		status = mcp_wire_get(self->wire, key->wire, item);
	}
	self->exchange.peer.has_broken_off = false;
	if (status == MCP_OK) {
		self->exchange.moved = item->value.length;
		self->exchange.peer.gives_no_cas = item->cas == 0;
	}
	return mcp_exchange_finish_read(&self->exchange, status);
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

static mcp_status ask_all(connection *self, mcp_multi_get *many) {
	bool has_begun_again = false;
	size_t bytes_max = mcp_wire_ask_bytes_max(self->wire);
	size_t names;
	while ((names = mcp_multi_get_next(many, bytes_max)) > 0) {
		mcp_status status = mcp_bounded_read_ask(&self->exchange.reading, many, names);
		/* Each request is an answer of its own. */
		self->exchange.moved += MCP_DEADLINE_BYTES_PER_TIMEOUT;
		if (!has_begun_again && mcp_exchange_should_retry(&self->exchange, status)) {
			mcp_multi_get_again(many);
			has_begun_again = true;
		} else if (status != MCP_OK) {
			return status;
		}
	}
	return MCP_OK;
}

/* Of one server, so that the first item tells. */
static void look_for_cas(connection *self, const mcp_multi_get *many) {
	size_t i = 0;
	while (i < many->count && many->replies[i].status != MCP_OK) {
		i++;
	}
	if (i < many->count) {
		self->exchange.peer.gives_no_cas = many->replies[i].item.cas == 0;
	}
}

static void get_many(mcp_store *store, const mcp_key *keys, size_t count, mcp_reply *replies) {
	connection *self = of(store);
	if (count == 0) {
		return;
	}
	mcp_multi_get many;
	mcp_status status = mcp_multi_get_prepare(&many, &self->room, keys, count, replies)
		? mcp_exchange_begin(&self->exchange)
		: mcp_exchange_note_no_memory(&self->exchange);
	if (status != MCP_OK) {
		mcp_multi_get_fail(&many, status);
		return;
	}
	self->exchange.peer.has_broken_off = false;
	status = ask_all(self, &many);
	self->exchange.moved += many.values->length;
	status = mcp_exchange_finish_read(&self->exchange, status);
	if (status == MCP_OK) {
		look_for_cas(self, &many);
	} else {
		mcp_multi_get_fail(&many, status);
	}
	mcp_multi_get_end(&many);
}

/* As one piece of memory, where the wire needs it. False: there is none. */
static bool join(connection *self, const mcp_record *record, mcp_wire_item *item) {
	item->head = record->head;
	item->value = record->body;
	if (record->head.length == 0 || mcp_wire_sends_pieces(self->wire)) {
		return true;
	}
	mcp_buffer_clear(&self->value);
	if (!mcp_buffer_reserve(&self->value, record->head.length + record->body.length)) {
		return false;
	}
	mcp_buffer_append(&self->value, record->head);
	mcp_buffer_append(&self->value, record->body);
	item->head = mcp_bytes_none();
	item->value = mcp_bytes_of(self->value.data, self->value.length);
	return true;
}

static size_t item_max(mcp_store *store, const mcp_key *key, size_t wanted) {
	(void)key;
	return mcp_inquiry_item_max(&of(store)->exchange, wanted);
}

static int64_t expiry_of(const connection *self, uint64_t ttl_ms) {
	bool needs_wall = mcp_expiry_needs_wall(ttl_ms);
	return mcp_expiry_from_ttl(ttl_ms, needs_wall ? mcp_wall_ms(self->exchange.environment) : 0);
}

static mcp_status put(mcp_store *store, mcp_wire_verb verb, const mcp_key *key,
	const mcp_record *record, uint64_t cas_id) {
	connection *self = of(store);
	if (!mcp_key_may_be_sent(key)) {
		return MCP_BAD_KEY;
	}
	size_t size = mcp_store_size_of(key, record);
	if (size >= item_max(store, key, size)) {
		return MCP_TOO_LARGE;
	}
	if (verb == MCP_WIRE_CAS && self->exchange.peer.has_broken_off) {
		return MCP_EXISTS;
	}
	mcp_wire_item item = {
		.key = key->wire,
		.flags = record->flags,
		.expiry = expiry_of(self, record->ttl_ms),
		.cas = cas_id,
	};
	mcp_status status = join(self, record, &item) ? mcp_exchange_begin(&self->exchange)
												  : mcp_exchange_note_no_memory(&self->exchange);
	if (status != MCP_OK) {
		return status;
	}
	self->exchange.moved = size;
	status = mcp_exchange_finish_write(&self->exchange, mcp_wire_store(self->wire, verb, &item));
	mcp_buffer_trim(&self->value);
	return status;
}

static mcp_status add(mcp_store *store, const mcp_key *key, const mcp_record *record) {
	return put(store, MCP_WIRE_ADD, key, record, 0);
}

static mcp_status set(mcp_store *store, const mcp_key *key, const mcp_record *record) {
	return put(store, MCP_WIRE_SET, key, record, 0);
}

/* No item ever has the id 0, so whatever is there is not what the caller read. */
static mcp_status answer_without_id(const connection *self) {
	return self->exchange.peer.gives_no_cas ? MCP_NO_CAS : MCP_EXISTS;
}

static mcp_status cas(mcp_store *store, const mcp_key *key, const mcp_record *record,
	uint64_t cas_id) {
	return cas_id == 0 ? answer_without_id(of(store))
					   : put(store, MCP_WIRE_CAS, key, record, cas_id);
}

static mcp_status prepend(mcp_store *store, const mcp_key *key, mcp_bytes bytes) {
	mcp_record record = {.body = bytes};
	return put(store, MCP_WIRE_PREPEND, key, &record, 0);
}

static mcp_status append(mcp_store *store, const mcp_key *key, mcp_bytes bytes) {
	mcp_record record = {.body = bytes};
	return put(store, MCP_WIRE_APPEND, key, &record, 0);
}

static mcp_status delete_one(mcp_store *store, const mcp_key *key) {
	connection *self = of(store);
	mcp_status status = mcp_exchange_begin_with(&self->exchange, key);
	if (status != MCP_OK) {
		return status;
	}
	return mcp_exchange_finish_write(&self->exchange, mcp_wire_delete(self->wire, key->wire));
}

static mcp_status delete_if(mcp_store *store, const mcp_key *key, uint64_t cas_id) {
	connection *self = of(store);
	if (cas_id == 0) {
		return answer_without_id(self);
	}
	mcp_status status = mcp_exchange_begin_with(&self->exchange, key);
	if (status != MCP_OK) {
		return status;
	}
	mcp_wire_item item = {
		.key = key->wire,
		.value = mcp_bytes_of("", 0),
		.expiry = MCP_EXPIRY_PAST,
		.cas = cas_id,
	};
	return mcp_exchange_finish_write(&self->exchange,
		mcp_wire_store(self->wire, MCP_WIRE_CAS, &item));
}

typedef mcp_status (*arithmetic)(mcp_wire *wire, mcp_bytes key, uint64_t by, uint64_t *number);

static mcp_status calculate(connection *self, arithmetic verb, const mcp_key *key, uint64_t by,
	uint64_t *number) {
	mcp_status status = mcp_exchange_begin_with(&self->exchange, key);
	if (status != MCP_OK) {
		return status;
	}
	return mcp_exchange_finish_write(&self->exchange, verb(self->wire, key->wire, by, number));
}

static mcp_status increment(mcp_store *store, const mcp_key *key, uint64_t by, uint64_t *number) {
	return calculate(of(store), mcp_wire_increment, key, by, number);
}

static mcp_status decrement(mcp_store *store, const mcp_key *key, uint64_t by, uint64_t *number) {
	return calculate(of(store), mcp_wire_decrement, key, by, number);
}

static mcp_status touch(mcp_store *store, const mcp_key *key, uint64_t ttl_ms) {
	connection *self = of(store);
	mcp_status status = mcp_exchange_begin_with(&self->exchange, key);
	if (status != MCP_OK) {
		return status;
	}
	int64_t expiry = expiry_of(self, ttl_ms);
	return mcp_exchange_finish_write(&self->exchange,
		mcp_wire_touch(self->wire, key->wire, expiry));
}

static mcp_status stats(mcp_store *store, mcp_stat_visitor visit, void *context) {
	mcp_exchange *exchange = &of(store)->exchange;
	mcp_status status = mcp_inquiry_read_stats(exchange);
	if (status == MCP_OK) {
		mcp_stat_lines_visit(&exchange->peer.lines, visit, context);
	}
	return status;
}

static mcp_status started_us(mcp_store *store, const mcp_key *key, uint64_t *started) {
	(void)key;
	return mcp_inquiry_started_us(&of(store)->exchange, started);
}

static mcp_status flush(mcp_store *store) {
	connection *self = of(store);
	mcp_status status = mcp_exchange_begin(&self->exchange);
	return status == MCP_OK ? mcp_exchange_finish_write(&self->exchange, mcp_wire_flush(self->wire))
							: status;
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

static void insist(mcp_store *store, const mcp_key *key, mcp_insistence what_for) {
	(void)key;
	mcp_breaker_insist(&of(store)->exchange.breaker, (unsigned)what_for);
}

static bool is_left_alone(mcp_store *store) {
	const mcp_exchange *exchange = &of(store)->exchange;
	return !mcp_breaker_allows(&exchange->breaker, mcp_exchange_now_ms(exchange));
}

static uint64_t breaks(mcp_store *store) {
	return of(store)->exchange.peer.breaks;
}

static const mcp_store_failure *failure(mcp_store *store) {
	return &of(store)->exchange.failure;
}

static mcp_store *failed(mcp_store *store) {
	return failure(store)->at_ms != 0 ? store : NULL;
}

static void free_memory(connection *self) {
	mcp_multi_get_free(&self->room);
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
	.get_many = get_many,
	.add = add,
	.set = set,
	.cas = cas,
	.prepend = prepend,
	.append = append,
	.delete = delete_one,
	.delete_if = delete_if,
	.increment = increment,
	.decrement = decrement,
	.touch = touch,
	.set_many = mcp_one_by_one_set,
	.delete_many = mcp_one_by_one_delete,
	.stats = stats,
	.flush = flush,
	.ping = ping,
	.owner = owner,
	.started_us = started_us,
	.item_max = item_max,
	.gives_no_cas = gives_no_cas,
	.insist = insist,
	.is_left_alone = is_left_alone,
	.breaks = breaks,
	.failed = failed,
	.failure = failure,
	.free = free_store,
	.disown = disown,
};

static void name(connection *self, const mcp_wire_settings *settings) {
	if (settings->port == 0) {
		snprintf(self->address, sizeof(self->address), "unix://%s", settings->host);
	} else {
		bool is_ipv6 = strchr(settings->host, ':') != NULL;
		snprintf(self->address, sizeof(self->address), is_ipv6 ? "[%s]:%u" : "%s:%u",
			settings->host, (unsigned)settings->port);
	}
	self->store.address = self->address;
}

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
	self->exchange.reading = (mcp_bounded_read){wire, environment, settings->timeout_ms};
	name(self, settings);
	return &self->store;
}
