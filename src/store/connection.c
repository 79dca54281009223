/* A read is sent once more when its connection broke, a write never. Who could not be reached or did not
 * answer in time is left alone for a while: one call pays, the following ones fail at once. */
/* SPDX-License-Identifier: MIT */
#include "connection.h"

#include "../core/breaker.h"
#include "../core/expiry.h"
#include "bounded_read.h"
#include "peer.h"
#include "stat_lines.h"

#include <stdio.h>
#include <stdlib.h>

#define ADDRESS_MAX 1152
/* Smaller writes do not ask how large an item may be: who lowers memcached's limit seldom goes below. */
#define ITEM_MAX_MATTERS 8192

typedef struct connection {
	mcp_store store;
	const mcp_environment *environment;
	mcp_wire *wire;
	mcp_breaker breaker;
	uint32_t retry_after_ms;
	mcp_bounded_read reading;
	mcp_peer peer;
	uint64_t began_ms; /* the request under way */
	size_t moved;      /* its bytes and its answer's, as far as they count */
	mcp_multi_get_room room;
	mcp_buffer value; /* head and body of the record being written */
	char address[ADDRESS_MAX];
} connection;

static connection *of(mcp_store *store) {
	return (connection *)store;
}

static uint64_t now_ms(const connection *self) {
	return mcp_monotonic_ms(self->environment);
}

/* MCP_OK: a request is under way, and finish() must follow. */
static mcp_status begin(connection *self) {
	self->began_ms = now_ms(self);
	self->moved = 0;
	return mcp_breaker_allows(&self->breaker, self->began_ms) ? MCP_OK : MCP_UNREACHABLE;
}

static mcp_status begin_with(connection *self, const mcp_key *key) {
	return mcp_key_is_safe(key->wire) ? begin(self) : MCP_BAD_KEY;
}

/* A wire bounds each wait for bytes, not the answer: one that drips may take long and still come. */
static bool was_slow(const connection *self, uint64_t now) {
	return now - self->began_ms > mcp_bounded_read_allowed_ms(&self->reading, self->moved);
}

/* What the wire said becomes what a reader is told. */
static mcp_status finish(connection *self, mcp_status status) {
	uint64_t now = now_ms(self);
	bool is_failure = mcp_status_is_failure(status);
	if (is_failure) {
		mcp_peer_forget(&self->peer);
	} else {
		mcp_breaker_close(&self->breaker);
	}
	bool is_silent = status == MCP_UNREACHABLE || status == MCP_TIMEOUT;
	if (is_silent || (!is_failure && was_slow(self, now))) {
		mcp_breaker_trip(&self->breaker, now, self->retry_after_ms);
	}
	return status;
}

/* Broken twice, the second time on a new connection: as good as unreachable. */
static mcp_status finish_read(connection *self, mcp_status status) {
	return finish(self, status == MCP_UNKNOWN ? MCP_UNREACHABLE : status);
}

/* A write that was sent and has no proper answer may have happened, or may still happen. */
static mcp_status finish_write(connection *self, mcp_status status) {
	status = finish(self, status);
	return status == MCP_TIMEOUT || status == MCP_PROTOCOL ? MCP_UNKNOWN : status;
}

/* The connection broke: mostly the server closed it while nobody was looking. */
static bool should_retry(connection *self, mcp_status status) {
	if (status != MCP_UNKNOWN) {
		return false;
	}
	mcp_peer_forget(&self->peer);
	return true;
}

static mcp_status get(mcp_store *store, const mcp_key *key, mcp_item *item) {
	connection *self = of(store);
	mcp_status status = begin_with(self, key);
	if (status != MCP_OK) {
		return status;
	}
	mcp_buffer_trim(&self->room.values);
	status = mcp_wire_get(self->wire, key->wire, item);
	if (should_retry(self, status)) {
		status = mcp_wire_get(self->wire, key->wire, item);
	}
	self->peer.has_broken_off = false;
	if (status == MCP_OK) {
		self->moved = item->value.length;
		self->peer.gives_no_cas = item->cas == 0;
	}
	return finish_read(self, status);
}

static mcp_status ask_all(connection *self, mcp_multi_get *many) {
	bool has_begun_again = false;
	size_t bytes_max = mcp_wire_ask_bytes_max(self->wire);
	size_t names;
	while ((names = mcp_multi_get_next(many, bytes_max)) > 0) {
		mcp_status status = mcp_bounded_read_ask(&self->reading, many, names);
		/* Each request is an answer of its own. */
		self->moved += MCP_BOUNDED_READ_BYTES_PER_TIMEOUT;
		if (!has_begun_again && should_retry(self, status)) {
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
		self->peer.gives_no_cas = many->replies[i].item.cas == 0;
	}
}

static void get_many(mcp_store *store, const mcp_key *keys, size_t count, mcp_reply *replies) {
	connection *self = of(store);
	if (count == 0) {
		return;
	}
	mcp_multi_get many;
	bool has_room = mcp_multi_get_prepare(&many, &self->room, keys, count, replies);
	if (!has_room || begin(self) != MCP_OK) {
		mcp_multi_get_fail(&many, MCP_UNREACHABLE);
		return;
	}
	self->peer.has_broken_off = false;
	mcp_status status = ask_all(self, &many);
	self->moved += many.values->length;
	status = finish_read(self, status);
	if (status == MCP_OK) {
		look_for_cas(self, &many);
	} else {
		mcp_multi_get_fail(&many, status);
	}
	mcp_multi_get_end(&many);
}

/* As one piece of memory. False: there is none. */
static bool join(connection *self, const mcp_record *record, mcp_bytes *value) {
	if (record->head.length == 0) {
		*value = record->body;
		return true;
	}
	mcp_buffer_clear(&self->value);
	if (!mcp_buffer_reserve(&self->value, record->head.length + record->body.length)) {
		return false;
	}
	mcp_buffer_append(&self->value, record->head);
	mcp_buffer_append(&self->value, record->body);
	*value = mcp_bytes_of(self->value.data, self->value.length);
	return true;
}

/* Not having been told is no failure of what the caller wants. */
static size_t item_max(mcp_store *store, const mcp_key *key, size_t wanted) {
	(void)key;
	connection *self = of(store);
	mcp_peer *peer = &self->peer;
	if (peer->item_max == 0 && wanted > ITEM_MAX_MATTERS && begin(self) == MCP_OK) {
		mcp_status status = mcp_peer_learn_item_max(peer, &self->reading);
		if (status != MCP_OK) {
			mcp_breaker_trip(&self->breaker, now_ms(self), self->retry_after_ms);
		}
	}
	return peer->item_max != 0 ? peer->item_max : MCP_STORE_ITEM_MAX;
}

static mcp_status put(mcp_store *store, mcp_wire_verb verb, const mcp_key *key,
	const mcp_record *record, uint64_t cas_id) {
	connection *self = of(store);
	if (!mcp_key_is_safe(key->wire)) {
		return MCP_BAD_KEY;
	}
	size_t size = mcp_store_size_of(key, record);
	if (size >= item_max(store, key, size)) {
		return MCP_TOO_LARGE;
	}
	if (verb == MCP_WIRE_CAS && self->peer.has_broken_off) {
		return MCP_EXISTS;
	}
	mcp_bytes value;
	if (!join(self, record, &value) || begin(self) != MCP_OK) {
		return MCP_UNREACHABLE;
	}
	mcp_wire_item item = {
		.key = key->wire,
		.value = value,
		.flags = record->flags,
		.expiry = mcp_expiry_from_ttl(record->ttl_ms, mcp_wall_ms(self->environment)),
		.cas = cas_id,
	};
	self->moved = size;
	mcp_status status = finish_write(self, mcp_wire_store(self->wire, verb, &item));
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
	return self->peer.gives_no_cas ? MCP_NO_CAS : MCP_EXISTS;
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

static mcp_status delete_one(mcp_store *store, const mcp_key *key) {
	connection *self = of(store);
	mcp_status status = begin_with(self, key);
	if (status != MCP_OK) {
		return status;
	}
	return finish_write(self, mcp_wire_delete(self->wire, key->wire));
}

static mcp_status delete_if(mcp_store *store, const mcp_key *key, uint64_t cas_id) {
	connection *self = of(store);
	if (cas_id == 0) {
		return answer_without_id(self);
	}
	mcp_status status = begin_with(self, key);
	if (status != MCP_OK) {
		return status;
	}
	mcp_wire_item item = {
		.key = key->wire,
		.value = mcp_bytes_of("", 0),
		.expiry = MCP_EXPIRY_PAST,
		.cas = cas_id,
	};
	return finish_write(self, mcp_wire_store(self->wire, MCP_WIRE_CAS, &item));
}

typedef mcp_status (*arithmetic)(mcp_wire *wire, mcp_bytes key, uint64_t by, uint64_t *number);

static mcp_status calculate(connection *self, arithmetic verb, const mcp_key *key, uint64_t by,
	uint64_t *number) {
	mcp_status status = begin_with(self, key);
	if (status != MCP_OK) {
		return status;
	}
	return finish_write(self, verb(self->wire, key->wire, by, number));
}

static mcp_status increment(mcp_store *store, const mcp_key *key, uint64_t by, uint64_t *number) {
	return calculate(of(store), mcp_wire_increment, key, by, number);
}

static mcp_status decrement(mcp_store *store, const mcp_key *key, uint64_t by, uint64_t *number) {
	return calculate(of(store), mcp_wire_decrement, key, by, number);
}

static mcp_status touch(mcp_store *store, const mcp_key *key, uint64_t ttl_ms) {
	connection *self = of(store);
	mcp_status status = begin_with(self, key);
	if (status != MCP_OK) {
		return status;
	}
	int64_t expiry = mcp_expiry_from_ttl(ttl_ms, mcp_wall_ms(self->environment));
	return finish_write(self, mcp_wire_touch(self->wire, key->wire, expiry));
}

static void set_many(mcp_store *store, mcp_write *writes, size_t count) {
	for (size_t i = 0; i < count; i++) {
		writes[i].status = set(store, &writes[i].key, &writes[i].record);
	}
}

static void delete_many(mcp_store *store, const mcp_key *keys, size_t count, mcp_status *statuses) {
	for (size_t i = 0; i < count; i++) {
		statuses[i] = delete_one(store, &keys[i]);
	}
}

/* Fills self->peer.lines. */
static mcp_status read_stats(connection *self) {
	mcp_status status = begin(self);
	if (status != MCP_OK) {
		return status;
	}
	status = mcp_peer_read_stats(&self->peer, &self->reading, NULL);
	self->moved = self->peer.lines.length;
	status = finish_read(self, status);
	return status == MCP_REFUSED ? MCP_UNSUPPORTED : status;
}

static mcp_status stats(mcp_store *store, mcp_stat_visitor visit, void *context) {
	connection *self = of(store);
	mcp_status status = read_stats(self);
	if (status == MCP_OK) {
		mcp_stat_lines_visit(&self->peer.lines, visit, context);
	}
	return status;
}

static mcp_status started_us(mcp_store *store, const mcp_key *key, uint64_t *started) {
	(void)key;
	connection *self = of(store);
	mcp_peer *peer = &self->peer;
	if (peer->started_us == 0) {
		mcp_status status = read_stats(self);
		if (status != MCP_OK) {
			return status;
		}
		if (!mcp_stat_lines_started_us(&peer->lines, &peer->started_us)) {
			return MCP_UNSUPPORTED;
		}
	}
	*started = peer->started_us;
	return MCP_OK;
}

static mcp_status flush(mcp_store *store) {
	connection *self = of(store);
	mcp_status status = begin(self);
	return status == MCP_OK ? finish_write(self, mcp_wire_flush(self->wire)) : status;
}

static mcp_status ping(mcp_store *store) {
	connection *self = of(store);
	mcp_status status = begin(self);
	if (status != MCP_OK) {
		return status;
	}
	status = mcp_wire_ping(self->wire);
	if (should_retry(self, status)) {
		status = mcp_wire_ping(self->wire);
	}
	return finish_read(self, status);
}

static mcp_store *owner(mcp_store *store, const mcp_key *key) {
	(void)key;
	return store;
}

static bool gives_no_cas(mcp_store *store, const mcp_key *key) {
	(void)key;
	return of(store)->peer.gives_no_cas;
}

static void insist(mcp_store *store, const mcp_key *key, mcp_insistence what_for) {
	(void)key;
	mcp_breaker_insist(&of(store)->breaker, (unsigned)what_for);
}

static void free_memory(connection *self) {
	mcp_multi_get_free(&self->room);
	mcp_buffer_free(&self->value);
	mcp_peer_free(&self->peer);
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
	.get_many = get_many,
	.add = add,
	.set = set,
	.cas = cas,
	.prepend = prepend,
	.delete = delete_one,
	.delete_if = delete_if,
	.increment = increment,
	.decrement = decrement,
	.touch = touch,
	.set_many = set_many,
	.delete_many = delete_many,
	.stats = stats,
	.flush = flush,
	.ping = ping,
	.owner = owner,
	.started_us = started_us,
	.item_max = item_max,
	.gives_no_cas = gives_no_cas,
	.insist = insist,
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
	self->environment = environment;
	self->retry_after_ms = retry_after_ms;
	self->reading = (mcp_bounded_read){wire, environment, settings->timeout_ms};
	name(self, settings);
	return &self->store;
}
