/* Wire over one connection of libmemcached's text protocol. */
/* SPDX-License-Identifier: MIT */
#include "wire_libmemcached.h"

#include "../../../core/compiler.h"
#include "../../../core/bytes.h"
#include "../direct/wire_direct.h"
#include "wire_libmemcached_line.h"

#include <stdlib.h>

/* libmemcached sends up to 8196 bytes (its MEMCACHED_MAX_BUFFER) in one call. Longer requests to an unresponsive
 * server cost a timeout per remaining key. */
#define ASK_BYTES_MAX 8000

static void wait_at_most(mcp_wire *base, uint64_t timeout_ms) {
	mcp_libmemcached_wait_at_most(mcp_libmemcached_of(base), timeout_ms);
}

/* Show the item before the end of the reply is fetched, because the end can be read into the same result. */
static mcp_status get_into(mcp_libmemcached *self, mcp_bytes key, mcp_wire_result *into,
	mcp_item *item) {
	mcp_wire_result_trim(into, self->handle);
	self->memory.is_for_many = false;
	memcached_return_t code = memcached_mget(self->handle, &key.data, &key.length, 1);
	if (code != MEMCACHED_SUCCESS) {
		return mcp_libmemcached_give_up(self, code);
	}
	if (mcp_wire_result_fetch(into, self->handle, &code) == NULL) {
		return code == MEMCACHED_END ? MCP_NOT_FOUND : mcp_libmemcached_give_up(self, code);
	}
	mcp_wire_result_show(&into->it, item);
	if (!mcp_bytes_equal(mcp_wire_result_key(&into->it), key) ||
		mcp_wire_result_fetch(&self->rest, self->handle, &code) != NULL) {
		return mcp_libmemcached_reject_answer(self);
	}
	return code == MEMCACHED_END ? MCP_OK : mcp_libmemcached_give_up(self, code);
}

static mcp_status get(mcp_wire *base, mcp_bytes key, mcp_item *item) {
	mcp_libmemcached *self = mcp_libmemcached_enter(base);
	mcp_wire_results_trim(&self->replies);
	return mcp_libmemcached_leave(self, get_into(self, key, &self->reply, item));
}

static mcp_status cas_of(mcp_wire *base, mcp_bytes key, uint64_t *cas) {
	mcp_libmemcached *self = mcp_libmemcached_enter(base);
	mcp_item item = {.cas = 0};
	mcp_status status = get_into(self, key, &self->rest, &item);
	*cas = item.cas;
	return mcp_libmemcached_leave(self, status);
}

/* Do not use memcached_version(), which sends a request once per connection and then returns the cached
 * version. */
static mcp_status ping(mcp_wire *base) {
	mcp_libmemcached *self = mcp_libmemcached_enter(base);
	mcp_item item;
	mcp_bytes key = mcp_bytes_of(MCP_LIBMEMCACHED_PING_KEY, sizeof(MCP_LIBMEMCACHED_PING_KEY) - 1);
	mcp_status status = get_into(self, key, &self->rest, &item);
	return mcp_libmemcached_leave(self, status == MCP_NOT_FOUND ? MCP_OK : status);
}

/* Lists the keys and their lengths. Returns the number of keys; 0: memory exhausted. */
static size_t list_keys(mcp_buffer *listed, mcp_op *const *ops, size_t count, const char **keys[],
	size_t *lengths[]) {
	size_t asked = 0;
	if (!mcp_buffer_use(listed, count * (sizeof(char *) + sizeof(size_t)))) {
		return 0;
	}
	*keys = (const char **)(void *)listed->data;
	*lengths = (size_t *)(void *)(*keys + count);
	for (size_t i = 0; i < count; i++) {
		if (ops[i]->status == MCP_NOT_FOUND) {
			(*keys)[asked] = ops[i]->key->wire.data;
			(*lengths)[asked++] = ops[i]->key->wire.length;
		}
	}
	return asked;
}

/* MCP_OK: the guard remains raised until `next` or `break_off` ends the call. All keys are requested with one group
 * key, because libmemcached would otherwise hash each key to find its only server. */
static mcp_status ask(mcp_wire *base, mcp_op *const *ops, size_t count, bool is_further) {
	mcp_libmemcached *self = mcp_libmemcached_enter(base);
	const char **keys;
	size_t *lengths;
	mcp_wire_result_trim(&self->reply, self->handle);
	size_t asked = list_keys(&self->value, ops, count, &keys, &lengths);
	if (asked == 0 || !mcp_wire_results_expect(&self->replies, asked, is_further)) {
		mcp_reason_say(&self->reason, "received no request: this process is out of memory");
		return mcp_libmemcached_leave(self, MCP_UNREACHABLE);
	}
	self->memory.is_for_many = true;
	memcached_return_t code = memcached_mget_by_key(self->handle, MCP_LIBMEMCACHED_PING_KEY,
		sizeof(MCP_LIBMEMCACHED_PING_KEY) - 1, keys, lengths, asked);
	if (code == MEMCACHED_SERVER_TEMPORARILY_DISABLED &&
		mcp_monotonic_ms(self->environment) - base->now_ms >= self->patience.connect_timeout_ms) {
		code = MEMCACHED_TIMEOUT; /* of the first key; the last one did not try to connect */
	}
	return code == MEMCACHED_SUCCESS
		? MCP_OK
		: mcp_libmemcached_leave(self, mcp_libmemcached_give_up(self, code));
}

static mcp_status next(mcp_wire *base, mcp_bytes *key, mcp_item *item) {
	mcp_libmemcached *self = mcp_libmemcached_of(base);
	memcached_return_t code;
	const memcached_result_st *reply =
		mcp_wire_results_fetch_again(&self->replies, self->handle, &code);
	if (reply == NULL) {
		return mcp_libmemcached_leave(self,
			code == MEMCACHED_END ? MCP_NOT_FOUND : mcp_libmemcached_give_up(self, code));
	}
	if (mcp_wire_results_are_too_many(&self->replies)) {
		return mcp_libmemcached_leave(self, mcp_libmemcached_reject_answer(self));
	}
	*key = mcp_wire_result_key(reply);
	mcp_wire_result_show(reply, item);
	return MCP_OK;
}

/* Called before `next`, so no result has been put back yet. */
static bool take(mcp_wire *base, mcp_bytes key, mcp_item *item) {
	mcp_libmemcached *self = mcp_libmemcached_of(base);
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

/* NULL: each item has its own memory. */
static const char *items(const mcp_wire *base) {
	(void)base;
	return NULL;
}

static void break_off(mcp_wire *base) {
	mcp_libmemcached_leave(mcp_libmemcached_of(base),
		mcp_libmemcached_reject_answer(mcp_libmemcached_of(base)));
}

static mcp_status answer_of(mcp_libmemcached *self, memcached_return_t code) {
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
			return mcp_libmemcached_give_up(self, code);
	}
}

/* Joins head and body, which libmemcached takes as one value. False: memory exhausted. */
static MCP_APART bool join(mcp_libmemcached *self, const mcp_record *record, mcp_bytes *joined) {
	mcp_buffer_clear(&self->value);
	if (!mcp_buffer_reserve(&self->value, record->head.length + record->body.length)) {
		mcp_reason_say(&self->reason, "was not asked: this process has no memory for it");
		return false;
	}
	mcp_buffer_append(&self->value, record->head);
	mcp_buffer_append(&self->value, record->body);
	*joined = mcp_bytes_of(self->value.data, self->value.length);
	return true;
}

typedef memcached_return_t (*writer)(memcached_st *handle, const char *key, size_t key_length,
	const char *value, size_t length, time_t expiry, uint32_t flags);

static memcached_return_t put(mcp_libmemcached *self, const mcp_op *op, mcp_bytes value) {
	static const writer writers[] = {
		[MCP_OP_ADD] = memcached_add,
		[MCP_OP_SET] = memcached_set,
		[MCP_OP_PREPEND] = memcached_prepend,
		[MCP_OP_APPEND] = memcached_append,
	};
	mcp_bytes key = op->key->wire;
	time_t expiry = (time_t)mcp_wire_expiry(op, self->environment);
	uint32_t flags = mcp_wire_record(op)->flags;
	if (mcp_op_compares(op)) {
		return memcached_cas(self->handle, key.data, key.length, value.data, value.length, expiry,
			flags, op->expects.cas);
	}
	return writers[op->verb](self->handle, key.data, key.length, value.data, value.length, expiry,
		flags);
}

static mcp_status store(mcp_libmemcached *self, const mcp_op *op) {
	const mcp_record *record = mcp_wire_record(op);
	mcp_bytes value = record->body.data != NULL ? record->body : mcp_bytes_of("", 0);
	if (record->head.length > 0 && !join(self, record, &value)) {
		return MCP_UNREACHABLE;
	}
	mcp_status status = answer_of(self, put(self, op, value));
	mcp_buffer_trim(&self->value);
	return status;
}

static mcp_status write_entered(mcp_libmemcached *self, const mcp_op *op) {
	mcp_bytes key = op->key->wire;
	switch (op->verb) {
		case MCP_OP_DELETE:
			return answer_of(self, memcached_delete(self->handle, key.data, key.length, 0));
		case MCP_OP_TOUCH:
			return answer_of(self,
				memcached_touch(self->handle, key.data, key.length,
					(time_t)mcp_wire_expiry(op, self->environment)));
		default:
			return store(self, op);
	}
}

/* Takes over a failure of the second connection, and closes this connection, because the caller must find that this
 * connection failed. */
static mcp_status take_over(mcp_libmemcached *self, mcp_status status) {
	if (!mcp_status_is_failure(status)) {
		return status;
	}
	self->reason = *mcp_wire_reason(self->aside);
	if (mcp_status_is_unanswered(status)) {
		mcp_libmemcached_enter(&self->base);
		mcp_libmemcached_hang_up(self);
		mcp_libmemcached_leave(self, status);
	}
	return status;
}

/* True for ops that use the second connection. A flush uses it, too, because libmemcached does not keep a rejection or
 * its text. */
static bool goes_aside(const mcp_op *op) {
	return op->verb == MCP_OP_INCREMENT || op->verb == MCP_OP_DECREMENT || op->verb == MCP_OP_FLUSH;
}

static MCP_APART mcp_status write_here(mcp_wire *base, const mcp_op *op) {
	mcp_libmemcached *self = mcp_libmemcached_enter_to_write(base);
	if (self == NULL) {
		return MCP_UNSUPPORTED;
	}
	return mcp_libmemcached_leave(self, write_entered(self, op));
}

static mcp_status write_op(mcp_wire *base, mcp_op *op) {
	mcp_libmemcached *self = mcp_libmemcached_of(base);
	return goes_aside(op) ? take_over(self, mcp_wire_write(self->aside, op)) : write_here(base, op);
}

/* Read statistics over a new connection, so that they never come from a server that has been replaced. */
static mcp_status stats(mcp_wire *base, const char *kind, mcp_wire_line line, void *context) {
	mcp_libmemcached *self = mcp_libmemcached_of(base);
	mcp_wire_break_off(self->aside);
	return take_over(self, mcp_wire_stats(self->aside, kind, line, context));
}

static const mcp_reason *reason(const mcp_wire *base) {
	return &((const mcp_libmemcached *)base)->reason;
}

/* Needs the handle, which can be the parent's. */
static void free_results(mcp_libmemcached *self) {
	memcached_result_free(&self->reply.it);
	mcp_wire_results_free(&self->replies);
	memcached_result_free(&self->rest.it);
}

/* Free the handle before the wire, because the handle uses the wire's memory (wire_libmemcached_line.h). */
static void free_wire(mcp_wire *base) {
	mcp_libmemcached *self = mcp_libmemcached_of(base);
	mcp_libmemcached_wait_at_most(self, 0);
	free_results(self);
	memcached_free(self->handle);
	if (self->aside != NULL) {
		mcp_wire_free(self->aside);
	}
	mcp_wire_guard_free(&self->guard);
	mcp_buffer_free(&self->value);
	free(self);
}

static void disown(mcp_wire *base) {
	mcp_libmemcached *self = mcp_libmemcached_of(base);
	free_results(self);
	mcp_wire_disown(self->aside);
	mcp_wire_guard_free(&self->guard);
	mcp_buffer_free(&self->value);
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
	.write = write_op,
	.stats = stats,
	.reason = reason,
	.free = free_wire,
	.disown = disown,
};

static bool set_up(mcp_libmemcached *self, const mcp_wire_settings *settings) {
	memcached_st *handle = self->handle;
	memcached_behavior_set(handle, MEMCACHED_BEHAVIOR_TCP_NODELAY, 1);
	memcached_behavior_set(handle, MEMCACHED_BEHAVIOR_SUPPORT_CAS, 1);
	memcached_behavior_set(handle, MEMCACHED_BEHAVIOR_CONNECT_TIMEOUT,
		settings->connect_timeout_ms);
	mcp_libmemcached_wait_at_most(self, settings->timeout_ms);
	/* libmemcached's own back-off is for the rest of one call: a request of many keys would otherwise connect for each
	 * key. Each failure then closes the handle, which ends the back-off. */
	memcached_behavior_set(handle, MEMCACHED_BEHAVIOR_SERVER_FAILURE_LIMIT, UINT32_MAX);
	memcached_behavior_set(handle, MEMCACHED_BEHAVIOR_SERVER_TIMEOUT_LIMIT, 1);
	memcached_result_create(handle, &self->reply.it);
	memcached_result_create(handle, &self->rest.it);
	memcached_return_t code = settings->port == 0
		? memcached_server_add_unix_socket(handle, settings->host)
		: memcached_server_add(handle, settings->host, settings->port);
	return code == MEMCACHED_SUCCESS && mcp_wire_memory_watch(&self->memory, handle);
}

static bool create_aside(mcp_libmemcached *self, const mcp_wire_settings *settings) {
	self->aside = mcp_wire_direct_create(settings, self->environment);
	self->base.asks_aside = true;
	return self->aside != NULL;
}

mcp_wire *mcp_wire_libmemcached_create(const mcp_wire_settings *settings,
	const mcp_environment *environment) {
	mcp_libmemcached *self = calloc(1, sizeof(*self));
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
	mcp_libmemcached_expect_to_connect(self);
	self->handle = memcached_create(NULL);
	if (self->handle == NULL || !create_aside(self, settings) || !set_up(self, settings)) {
		free_wire(&self->base);
		return NULL;
	}
	return &self->base;
}
