/* A read is sent once more when its connection broke, a write never. Who could not be reached or did not
 * answer in time is left alone for a while: one call pays, the following ones fail at once. */
/* SPDX-License-Identifier: MIT */
#include "server.h"

#include "../core/breaker.h"
#include "../core/expiry.h"
#include "guard.h"
#include "reading.h"
#include "stat_lines.h"

#include <stdio.h>
#include <stdlib.h>

#define ADDRESS_MAX 1152

/* Invariant: the guard is up exactly while a request is under way. */
typedef struct server {
	mcp_store store;
	const mcp_environment *environment;
	mcp_wire *wire;
	mcp_breaker breaker;
	mcp_guard guard;
	uint32_t retry_after_ms;
	mcp_reading reading;
	uint64_t started_us; /* of who is at the other end; 0: not asked yet on this connection */
	mcp_asking_room room;
	mcp_buffer value; /* head and body of the record being written */
	mcp_buffer lines; /* the last "stats" */
	char address[ADDRESS_MAX];
} server;

static server *of(mcp_store *store) {
	return (server *)store;
}

static uint64_t now_ms(const server *self) {
	return mcp_monotonic_ms(self->environment);
}

/* MCP_OK: the guard is up, and finish() must follow. The clock is not looked at while all is well. */
static mcp_status begin(server *self) {
	if (self->breaker.open_until_ms != 0 && !mcp_breaker_allows(&self->breaker, now_ms(self))) {
		return MCP_UNREACHABLE;
	}
	mcp_guard_raise(&self->guard);
	return MCP_OK;
}

static mcp_status begin_with(server *self, const mcp_key *key) {
	return mcp_key_is_safe(key->wire) ? begin(self) : MCP_BAD_KEY;
}

/* What the wire said becomes what a reader is told. */
static mcp_status finish(server *self, mcp_status status) {
	mcp_guard_lower(&self->guard);
	if (!mcp_status_is_failure(status)) {
		mcp_breaker_close(&self->breaker);
		return status;
	}
	self->started_us = 0;
	if (status == MCP_UNREACHABLE || status == MCP_TIMEOUT) {
		mcp_breaker_trip(&self->breaker, now_ms(self), self->retry_after_ms);
	}
	return status;
}

/* Broken twice, the second time on a new connection: as good as unreachable. */
static mcp_status finish_read(server *self, mcp_status status) {
	return finish(self, status == MCP_UNKNOWN ? MCP_UNREACHABLE : status);
}

/* A write that was sent and has no proper answer may have happened, or may still happen. */
static mcp_status finish_write(server *self, mcp_status status) {
	status = finish(self, status);
	return status == MCP_TIMEOUT || status == MCP_PROTOCOL ? MCP_UNKNOWN : status;
}

/* The connection broke: mostly the server closed it while nobody was looking. */
static bool should_retry(server *self, mcp_status status) {
	if (status != MCP_UNKNOWN) {
		return false;
	}
	self->started_us = 0;
	return true;
}

static mcp_status get(mcp_store *store, const mcp_key *key, mcp_item *item) {
	server *self = of(store);
	mcp_status status = begin_with(self, key);
	if (status != MCP_OK) {
		return status;
	}
	status = mcp_wire_get(self->wire, key->wire, item);
	if (should_retry(self, status)) {
		status = mcp_wire_get(self->wire, key->wire, item);
	}
	return finish_read(self, status);
}

static mcp_status ask_all(server *self, mcp_asking *asking) {
	bool has_begun_again = false;
	size_t names;
	while ((names = mcp_asking_next(asking)) > 0) {
		mcp_status status = mcp_reading_ask(&self->reading, asking, names);
		if (!has_begun_again && should_retry(self, status)) {
			mcp_asking_again(asking);
			has_begun_again = true;
		} else if (status != MCP_OK) {
			return status;
		}
	}
	return MCP_OK;
}

static void get_many(mcp_store *store, const mcp_key *keys, size_t count, mcp_reply *replies) {
	server *self = of(store);
	if (count == 0) {
		return;
	}
	mcp_asking asking;
	bool has_room = mcp_asking_begin(&asking, &self->room, keys, count, replies);
	if (!has_room || begin(self) != MCP_OK) {
		mcp_asking_fail(&asking, MCP_UNREACHABLE);
		return;
	}
	mcp_status status = finish_read(self, ask_all(self, &asking));
	if (status != MCP_OK) {
		mcp_asking_fail(&asking, status);
	}
	mcp_asking_end(&asking);
}

/* As one piece of memory. False: there is none. */
static bool join(server *self, const mcp_record *record, mcp_bytes *value) {
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

static mcp_status put(mcp_store *store, mcp_wire_verb verb, const mcp_key *key,
	const mcp_record *record, uint64_t cas_id) {
	server *self = of(store);
	if (!mcp_key_is_safe(key->wire)) {
		return MCP_BAD_KEY;
	}
	if (mcp_store_is_too_large(key, record)) {
		return MCP_TOO_LARGE;
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
	return finish_write(self, mcp_wire_store(self->wire, verb, &item));
}

static mcp_status add(mcp_store *store, const mcp_key *key, const mcp_record *record) {
	return put(store, MCP_WIRE_ADD, key, record, 0);
}

static mcp_status set(mcp_store *store, const mcp_key *key, const mcp_record *record) {
	return put(store, MCP_WIRE_SET, key, record, 0);
}

/* No item ever has the id 0, so whatever is there is not what the caller read. */
static mcp_status cas(mcp_store *store, const mcp_key *key, const mcp_record *record,
	uint64_t cas_id) {
	return cas_id == 0 ? MCP_EXISTS : put(store, MCP_WIRE_CAS, key, record, cas_id);
}

static mcp_status delete_one(mcp_store *store, const mcp_key *key) {
	server *self = of(store);
	mcp_status status = begin_with(self, key);
	if (status != MCP_OK) {
		return status;
	}
	return finish_write(self, mcp_wire_delete(self->wire, key->wire));
}

static mcp_status delete_if(mcp_store *store, const mcp_key *key, uint64_t cas_id) {
	server *self = of(store);
	if (cas_id == 0) {
		return MCP_EXISTS;
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

static mcp_status calculate(server *self, arithmetic verb, const mcp_key *key, uint64_t by,
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
	server *self = of(store);
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

/* Fills self->lines. Proxies refuse "stats", or close the connection on it while answering others. */
static mcp_status read_stats(server *self) {
	mcp_status status = begin(self);
	if (status != MCP_OK) {
		return status;
	}
	status = mcp_reading_stats(&self->reading, &self->lines);
	if (should_retry(self, status)) {
		status = mcp_reading_stats(&self->reading, &self->lines);
		if (status == MCP_UNKNOWN && mcp_wire_ping(self->wire) == MCP_OK) {
			status = MCP_REFUSED;
		}
	}
	status = finish_read(self, status);
	return status == MCP_REFUSED ? MCP_UNSUPPORTED : status;
}

static mcp_status stats(mcp_store *store, mcp_stat_visitor visit, void *context) {
	server *self = of(store);
	mcp_status status = read_stats(self);
	if (status == MCP_OK) {
		mcp_stat_lines_visit(&self->lines, visit, context);
	}
	return status;
}

static mcp_status started_us(mcp_store *store, const mcp_key *key, uint64_t *started) {
	(void)key;
	server *self = of(store);
	if (self->started_us == 0) {
		mcp_status status = read_stats(self);
		if (status != MCP_OK) {
			return status;
		}
		if (!mcp_stat_lines_started_us(&self->lines, &self->started_us)) {
			return MCP_UNSUPPORTED;
		}
	}
	*started = self->started_us;
	return MCP_OK;
}

static mcp_status flush(mcp_store *store) {
	server *self = of(store);
	mcp_status status = begin(self);
	return status == MCP_OK ? finish_write(self, mcp_wire_flush(self->wire)) : status;
}

static mcp_status ping(mcp_store *store) {
	server *self = of(store);
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

static void insist(mcp_store *store, const mcp_key *key, mcp_insistence what_for) {
	(void)key;
	mcp_breaker_insist(&of(store)->breaker, (unsigned)what_for);
}

static void free_memory(server *self) {
	mcp_guard_free(&self->guard);
	mcp_asking_free(&self->room);
	mcp_buffer_free(&self->value);
	mcp_buffer_free(&self->lines);
	free(self);
}

static void free_store(mcp_store *store) {
	server *self = of(store);
	mcp_wire_free(self->wire);
	free_memory(self);
}

static void abandon(mcp_store *store) {
	server *self = of(store);
	mcp_wire_abandon(self->wire);
	free_memory(self);
}

static const mcp_store_operations operations = {
	.get = get,
	.get_many = get_many,
	.add = add,
	.set = set,
	.cas = cas,
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
	.insist = insist,
	.free = free_store,
	.abandon = abandon,
};

static void name(server *self, const mcp_server_settings *settings) {
	if (settings->port == 0) {
		snprintf(self->address, sizeof(self->address), "unix://%s", settings->host);
	} else {
		bool is_ipv6 = strchr(settings->host, ':') != NULL;
		snprintf(self->address, sizeof(self->address), is_ipv6 ? "[%s]:%u" : "%s:%u",
			settings->host, (unsigned)settings->port);
	}
	self->store.address = self->address;
}

mcp_store *mcp_server_create(mcp_wire *wire, const mcp_server_settings *settings,
	const mcp_environment *environment) {
	if (wire == NULL) {
		return NULL;
	}
	server *self = calloc(1, sizeof(*self));
	if (self == NULL || !mcp_guard_create(&self->guard)) {
		mcp_wire_free(wire);
		free(self);
		return NULL;
	}
	self->store.operations = &operations;
	self->wire = wire;
	self->environment = environment;
	self->retry_after_ms = settings->retry_after_ms;
	self->reading = (mcp_reading){wire, environment, settings->timeout_ms};
	name(self, settings);
	return &self->store;
}
