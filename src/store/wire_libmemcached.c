/* One connection by libmemcached's text protocol. Knows what its return codes are worth, and leaves no
 * connection in doubt open. */
/* SPDX-License-Identifier: MIT */
#include "wire_libmemcached.h"

#include "../core/compiler.h"
#include "../core/words.h"
#include "wire_cause.h"
#include "wire_direct.h"
#include "wire_guard.h"
#include "wire_memory.h"
#include "wire_results.h"
#include "wire_statistics.h"

#include <libmemcached/memcached.h>
#include <stdlib.h>

/* Read to see whether the server answers; what it holds does not matter. */
#define PING_KEY "mcpatterns:ping"
/* libmemcached hands the socket up to 8196 bytes (its MEMCACHED_MAX_BUFFER) at once. With more, a
 * server that takes nothing costs a timeout for every key that is left, so a request stays below. */
#define ASK_BYTES_MAX 8000

/* Invariants: between two requests every reply has been read, or the connection is closed. The guard is up
 * exactly while a request is under way. */
typedef struct wire {
	mcp_wire base;
	const mcp_environment *environment;
	memcached_st *handle;
	mcp_wire_patience patience;
	mcp_reason reason; /* of the last failure */
	uint64_t wait_ms;  /* what each wait may take now */
	mcp_wire_guard guard;
	bool is_closed;           /* the next request connects */
	mcp_wire_result reply;    /* what is handed out as views, of one key ... */
	mcp_wire_results replies; /* ... and of many */
	mcp_wire_result rest;     /* for replies that no caller looks at or expects */
	/* A connection of our own for counting and statistics, whose answers libmemcached reads into its handle: a key in them
	 * that is too long overwrites the functions that it allocates by. NULL: it is not supported here. */
	mcp_wire *aside;
	mcp_wire_memory memory;
} wire;

static wire *of(mcp_wire *base) {
	return (wire *)base;
}

/* Has the next request and the one after it prepared, by a look that each takes anyhow. */
static void expect_to_connect(wire *self) {
	self->is_closed = true;
	mcp_wire_guard_forget(&self->guard);
}

/* Makes the socket of a request that connects drop what it has not delivered, whoever closes it: a write that was given
 * up must not leave this host when a network is whole again. libmemcached shows no socket, and gives one that option
 * where this flag is set as it is made; of a single request by the text protocol the flag changes nothing else. (Set as a
 * behaviour it would hang up.) The next request takes it back. */
static MCP_SELDOM void prepare(wire *self) {
	bool connects = self->is_closed;
	self->is_closed = false;
	self->handle->flags.no_block = connects;
	if (connects) {
		mcp_wire_guard_forget(&self->guard);
	}
}

/* With its guard up: then leave(), whatever happens. */
static wire *enter(mcp_wire *base) {
	wire *self = of(base);
	if (mcp_wire_guard_raise(&self->guard, mcp_deadly_signals(self->environment))) {
		prepare(self);
	}
	return self;
}

static mcp_status leave(wire *self, mcp_status status) {
	mcp_wire_guard_lower(&self->guard);
	return status;
}

/* Called for each item, mostly with what it was. */
static void wait_at_most(mcp_wire *base, uint64_t timeout_ms) {
	wire *self = of(base);
	if (self->wait_ms != timeout_ms) {
		self->wait_ms = timeout_ms;
		memcached_behavior_set(self->handle, MEMCACHED_BEHAVIOR_POLL_TIMEOUT, timeout_ms);
	}
}

/* libmemcached says "quit" first. Without any patience: towards a frozen server with full buffers that
 * would cost a second timeout. */
static void hang_up(wire *self) {
	wait_at_most(&self->base, 0);
	memcached_quit(self->handle);
	wait_at_most(&self->base, self->patience.timeout_ms);
	memcached_reset_last_disconnected_server(self->handle);
	self->base.item_max = 0;
	expect_to_connect(self);
}

/* A write tells why there is no connection. This one changes nothing where there is one by now. */
static memcached_return_t try_to_write(wire *self) {
	return memcached_delete(self->handle, PING_KEY, sizeof(PING_KEY) - 1, 0);
}

static MCP_SELDOM mcp_status reject_size(wire *self) {
	mcp_reason_say_too_large(&self->reason, self->memory.refused);
	self->memory.refused = 0;
	hang_up(self);
	return MCP_PROTOCOL;
}

/* The reasons first: disconnecting forgets them. */
static mcp_status give_up(wire *self, memcached_return_t code) {
	if (self->memory.refused > 0) {
		return reject_size(self);
	}
	mcp_status status = mcp_wire_cause_status(self->handle, code);
	if (mcp_wire_cause_is_hidden(self->handle, code)) {
		hang_up(self);
		code = try_to_write(self);
	}
	mcp_wire_cause_say(self->handle, code, status, self->patience, &self->reason);
	hang_up(self);
	return status;
}

/* Of an answer that libmemcached takes for a good one. */
static mcp_status reject_answer(wire *self) {
	mcp_reason_say(&self->reason, "answered something else than it was asked");
	hang_up(self);
	return MCP_PROTOCOL;
}

/* The item before what ends the answer, which may be read into the same result. */
static mcp_status get_into(wire *self, mcp_bytes key, mcp_wire_result *into, mcp_item *item) {
	mcp_wire_result_trim(into, self->handle);
	self->memory.is_for_many = false;
	memcached_return_t code = memcached_mget(self->handle, &key.data, &key.length, 1);
	if (code != MEMCACHED_SUCCESS) {
		return give_up(self, code);
	}
	if (mcp_wire_result_fetch(into, self->handle, &code) == NULL) {
		return code == MEMCACHED_END ? MCP_NOT_FOUND : give_up(self, code);
	}
	mcp_wire_result_show(&into->it, item);
	if (!mcp_bytes_equal(mcp_wire_result_key(&into->it), key) ||
		mcp_wire_result_fetch(&self->rest, self->handle, &code) != NULL) {
		return reject_answer(self);
	}
	return code == MEMCACHED_END ? MCP_OK : give_up(self, code);
}

static mcp_status get(mcp_wire *base, mcp_bytes key, mcp_item *item) {
	wire *self = enter(base);
	mcp_wire_results_trim(&self->replies);
	return leave(self, get_into(self, key, &self->reply, item));
}

static mcp_status cas_of(mcp_wire *base, mcp_bytes key, uint64_t *cas) {
	wire *self = enter(base);
	mcp_item item = {.cas = 0};
	mcp_status status = get_into(self, key, &self->rest, &item);
	*cas = item.cas;
	return leave(self, status);
}

/* Not memcached_version(): it asks once per connection and then answers by itself. */
static mcp_status ping(mcp_wire *base) {
	wire *self = enter(base);
	mcp_item item;
	mcp_bytes key = mcp_bytes_of(PING_KEY, sizeof(PING_KEY) - 1);
	mcp_status status = get_into(self, key, &self->rest, &item);
	return leave(self, status == MCP_NOT_FOUND ? MCP_OK : status);
}

/* By a key for all, to which the one server belongs as well: libmemcached would look for it by each of them. */
static memcached_return_t ask_for(wire *self, const char *const *keys, const size_t *lengths,
	size_t count) {
	return memcached_mget_by_key(self->handle, PING_KEY, sizeof(PING_KEY) - 1, keys, lengths,
		count);
}

/* MCP_OK: the guard stays up until `next` or `break_off` has ended it. */
static mcp_status ask(mcp_wire *base, const char *const *keys, const size_t *lengths, size_t count,
	bool is_further) {
	wire *self = enter(base);
	mcp_wire_result_trim(&self->reply, self->handle);
	if (!mcp_wire_results_expect(&self->replies, count, is_further)) {
		mcp_reason_say(&self->reason, "was not asked: this process has no memory for it");
		return leave(self, MCP_UNREACHABLE);
	}
	self->memory.is_for_many = true;
	memcached_return_t code = ask_for(self, keys, lengths, count);
	return code == MEMCACHED_SUCCESS ? MCP_OK : leave(self, give_up(self, code));
}

static mcp_status next(mcp_wire *base, mcp_bytes *key, mcp_item *item) {
	wire *self = of(base);
	memcached_return_t code;
	const memcached_result_st *reply =
		mcp_wire_results_fetch_again(&self->replies, self->handle, &code);
	if (reply == NULL) {
		return leave(self, code == MEMCACHED_END ? MCP_NOT_FOUND : give_up(self, code));
	}
	if (mcp_wire_results_are_too_many(&self->replies)) {
		return leave(self, reject_answer(self));
	}
	*key = mcp_wire_result_key(reply);
	mcp_wire_result_show(reply, item);
	return MCP_OK;
}

/* Asked before `next`, so that nothing is put back here yet. */
static bool take(mcp_wire *base, mcp_bytes key, mcp_item *item) {
	wire *self = of(base);
	memcached_return_t code;
	const memcached_result_st *reply = mcp_wire_results_fetch(&self->replies, self->handle, &code);
	bool is_expected = reply != NULL && reply->key_length == key.length &&
		mcp_words_equal(reply->item_key, key.data, key.length);
	if (!is_expected) {
		mcp_wire_results_put_back(&self->replies, reply, code);
		return false;
	}
	mcp_wire_result_show(reply, item);
	return true;
}

/* Each has memory of its own. */
static const char *items(const mcp_wire *base) {
	(void)base;
	return NULL;
}

static void break_off(mcp_wire *base) {
	leave(of(base), reject_answer(of(base)));
}

static mcp_status answer_of(wire *self, memcached_return_t code) {
	switch (code) {
		case MEMCACHED_SUCCESS:
			return MCP_OK;
		case MEMCACHED_NOTFOUND:
			return MCP_NOT_FOUND;
		case MEMCACHED_NOTSTORED:
			return MCP_NOT_STORED;
		case MEMCACHED_DATA_EXISTS:
			return MCP_EXISTS;
		case MEMCACHED_E2BIG:
			return MCP_TOO_LARGE;
		default:
			return give_up(self, code);
	}
}

typedef memcached_return_t (*writer)(memcached_st *handle, const char *key, size_t key_length,
	const char *value, size_t length, time_t expiry, uint32_t flags);

static memcached_return_t put(wire *self, mcp_wire_verb verb, const mcp_wire_item *item) {
	static const writer writers[] = {
		[MCP_WIRE_ADD] = memcached_add,
		[MCP_WIRE_SET] = memcached_set,
		[MCP_WIRE_PREPEND] = memcached_prepend,
		[MCP_WIRE_APPEND] = memcached_append,
	};
	mcp_bytes key = item->key;
	mcp_bytes value = item->value;
	time_t expiry = (time_t)item->expiry;
	if (verb == MCP_WIRE_CAS) {
		return memcached_cas(self->handle, key.data, key.length, value.data, value.length, expiry,
			item->flags, item->cas);
	}
	return writers[verb](self->handle, key.data, key.length, value.data, value.length, expiry,
		item->flags);
}

static mcp_status store(mcp_wire *base, mcp_wire_verb verb, const mcp_wire_item *item) {
	wire *self = enter(base);
	return leave(self, answer_of(self, put(self, verb, item)));
}

static mcp_status delete_one(mcp_wire *base, mcp_bytes key) {
	wire *self = enter(base);
	return leave(self, answer_of(self, memcached_delete(self->handle, key.data, key.length, 0)));
}

static mcp_status touch(mcp_wire *base, mcp_bytes key, int64_t expiry) {
	wire *self = enter(base);
	memcached_return_t code = memcached_touch(self->handle, key.data, key.length, (time_t)expiry);
	return leave(self, answer_of(self, code));
}

/* memcached_increment() itself takes 32 bits only. The one "client error" of a well-formed request is
 * that the item is not a number. */
static mcp_status number_of(wire *self, memcached_return_t code) {
	return code == MEMCACHED_CLIENT_ERROR ? MCP_NOT_A_NUMBER : answer_of(self, code);
}

/* Of what was asked on the connection aside: who asked it on this one is to find it as it would be then. */
static mcp_status take_over(wire *self, mcp_status status) {
	if (!mcp_status_is_failure(status)) {
		return status;
	}
	self->reason = *mcp_wire_reason(self->aside);
	if (mcp_status_is_unanswered(status)) {
		enter(&self->base);
		hang_up(self);
		leave(self, status);
	}
	return status;
}

static mcp_status increment(mcp_wire *base, mcp_bytes key, uint64_t by, uint64_t *number) {
	wire *self = of(base);
	if (self->aside != NULL) {
		return take_over(self, mcp_wire_increment(self->aside, key, by, number));
	}
	enter(base);
	memcached_return_t code = memcached_increment_by_key(self->handle, key.data, key.length,
		key.data, key.length, by, number);
	return leave(self, number_of(self, code));
}

static mcp_status decrement(mcp_wire *base, mcp_bytes key, uint64_t by, uint64_t *number) {
	wire *self = of(base);
	if (self->aside != NULL) {
		return take_over(self, mcp_wire_decrement(self->aside, key, by, number));
	}
	enter(base);
	memcached_return_t code = memcached_decrement_by_key(self->handle, key.data, key.length,
		key.data, key.length, by, number);
	return leave(self, number_of(self, code));
}

static mcp_status flush(mcp_wire *base) {
	wire *self = enter(base);
	return leave(self, answer_of(self, memcached_flush(self->handle, 0)));
}

/* Where there is no connection aside. */
static mcp_status stats_of_handle(wire *self, const char *kind, mcp_wire_line line, void *context) {
	memcached_return_t code = mcp_wire_statistics_read(self->handle, kind, line, context);
	if (code == MEMCACHED_SUCCESS) {
		return MCP_OK;
	}
	return code == MEMCACHED_INVALID_ARGUMENTS ? MCP_REFUSED : give_up(self, code);
}

/* On a connection made for it, so that it is not one to a server that has been replaced. */
static mcp_status stats_aside(wire *self, const char *kind, mcp_wire_line line, void *context) {
	mcp_wire_break_off(self->aside);
	return take_over(self, mcp_wire_stats(self->aside, kind, line, context));
}

static mcp_status stats(mcp_wire *base, const char *kind, mcp_wire_line line, void *context) {
	wire *self = of(base);
	if (self->aside != NULL) {
		return stats_aside(self, kind, line, context);
	}
	enter(base);
	return leave(self, stats_of_handle(self, kind, line, context));
}

static const mcp_reason *reason(const mcp_wire *base) {
	return &((const wire *)base)->reason;
}

/* What hangs on the handle, which may be the parent's. */
static void free_results(wire *self) {
	memcached_result_free(&self->reply.it);
	mcp_wire_results_free(&self->replies);
	memcached_result_free(&self->rest.it);
}

/* The handle before the wire, whose memory it uses (wire_memory.h). */
static void free_wire(mcp_wire *base) {
	wire *self = of(base);
	wait_at_most(base, 0);
	free_results(self);
	memcached_free(self->handle);
	if (self->aside != NULL) {
		mcp_wire_free(self->aside);
	}
	mcp_wire_guard_free(&self->guard);
	free(self);
}

static void disown(mcp_wire *base) {
	wire *self = of(base);
	free_results(self);
	if (self->aside != NULL) {
		mcp_wire_disown(self->aside);
	}
	mcp_wire_guard_free(&self->guard);
	free(self);
}

static const mcp_wire_operations operations = {
	.ask_bytes_max = ASK_BYTES_MAX,
	.wait_at_most = wait_at_most,
	.get = get,
	.cas_of = cas_of,
	.ping = ping,
	.ask = ask,
	.next = next,
	.take = take,
	.items = items,
	.break_off = break_off,
	.store = store,
	.delete = delete_one,
	.touch = touch,
	.increment = increment,
	.decrement = decrement,
	.flush = flush,
	.stats = stats,
	.reason = reason,
	.free = free_wire,
	.disown = disown,
};

static bool set_up(wire *self, const mcp_wire_settings *settings) {
	memcached_st *handle = self->handle;
	memcached_behavior_set(handle, MEMCACHED_BEHAVIOR_TCP_NODELAY, 1);
	memcached_behavior_set(handle, MEMCACHED_BEHAVIOR_SUPPORT_CAS, 1);
	memcached_behavior_set(handle, MEMCACHED_BEHAVIOR_CONNECT_TIMEOUT,
		settings->connect_timeout_ms);
	wait_at_most(&self->base, settings->timeout_ms);
	/* Its own back-off runs on the wall clock: a step back of an hour would last an hour. */
	memcached_behavior_set(handle, MEMCACHED_BEHAVIOR_SERVER_FAILURE_LIMIT, UINT32_MAX);
	memcached_behavior_set(handle, MEMCACHED_BEHAVIOR_SERVER_TIMEOUT_LIMIT, UINT32_MAX);
	memcached_result_create(handle, &self->reply.it);
	memcached_result_create(handle, &self->rest.it);
	memcached_return_t code = settings->port == 0
		? memcached_server_add_unix_socket(handle, settings->host)
		: memcached_server_add(handle, settings->host, settings->port);
	return code == MEMCACHED_SUCCESS && mcp_wire_memory_watch(&self->memory, handle);
}

static bool create_aside(wire *self, const mcp_wire_settings *settings) {
	if (mcp_wire_direct_is_supported()) {
		self->aside = mcp_wire_direct_create(settings, self->environment);
	}
	self->base.asks_aside = self->aside != NULL;
	return self->aside != NULL || !mcp_wire_direct_is_supported();
}

mcp_wire *mcp_wire_libmemcached_create(const mcp_wire_settings *settings,
	const mcp_environment *environment) {
	wire *self = calloc(1, sizeof(*self));
	if (self == NULL || !mcp_wire_guard_create(&self->guard)) {
		free(self);
		return NULL;
	}
	self->base = (mcp_wire){.operations = &operations, .has_learnt = true};
	self->environment = environment;
	self->patience = (mcp_wire_patience){settings->connect_timeout_ms, settings->timeout_ms};
	self->memory = (mcp_wire_memory){
		.environment = environment,
		.item_max = &self->base.item_max,
		.replies = &self->replies,
		.reply = &self->reply,
		.rest = &self->rest,
	};
	expect_to_connect(self);
	self->handle = memcached_create(NULL);
	if (self->handle == NULL || !create_aside(self, settings) || !set_up(self, settings)) {
		free_wire(&self->base);
		return NULL;
	}
	return &self->base;
}
