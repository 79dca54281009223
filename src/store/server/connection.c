/* Reads and steps of a connection. A read is retried once after a broken connection. A write (connection_write.c) is
 * sent again only if a closed connection took no byte of it. exchange.c decides what may be sent and what an outcome
 * means. */
/* SPDX-License-Identifier: MIT */
#include "connection.h"

#include "../../core/compiler.h"
#include "connection_write.h"
#include "exchange.h"
#include "stat_lines.h"

#include <assert.h>
#include <stdlib.h>

/* --- runs of gets --- */

/* A run is sent as a few requests, one after the other. The first request can be sent long before its reply is read, so
 * that other servers work in the meantime. */

typedef mcp_connection connection;

static connection *of(mcp_store *store) {
	return (connection *)store;
}

/* Sends the next request of the run. Returns MCP_OK even if no key is left. */
static mcp_status ask_next(connection *self) {
	bool is_any = mcp_multi_get_next(&self->many, mcp_wire_ask_bytes_max(self->wire));
	return is_any ? mcp_bounded_read_ask(&self->exchange.reading, &self->many) : MCP_OK;
}

/* Receives the replies and sends the remaining requests. `status`: status of the first request. */
static mcp_status hear_all(connection *self, mcp_status status) {
	mcp_multi_get *many = &self->many;
	bool has_begun_again = false;
	while (many->asked > 0) {
		if (status == MCP_OK) {
			status = mcp_bounded_read_hear(&self->exchange.reading, many);
		}
		/* Each request has its own timeout. */
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

static inline void note_cas(connection *self, const mcp_item *item) {
	self->exchange.peer.has_broken_off = false;
	self->exchange.peer.gives_no_cas = item->cas == 0;
}

/* Checking the first item is sufficient, because all items come from one server. */
static void look_for_cas(connection *self) {
	const mcp_multi_get *many = &self->many;
	size_t i = 0;
	while (i < many->count && many->ops[i]->status != MCP_OK) {
		i++;
	}
	if (i < many->count) {
		note_cas(self, &many->ops[i]->item);
	}
}

/* MCP_OK: the request may be sent. */
static mcp_status begin_multi_get(connection *self, mcp_op *const *ops, size_t count) {
	self->many = (mcp_multi_get){.ops = ops, .count = count};
	mcp_status status = mcp_exchange_begin(&self->exchange);
	if (status != MCP_OK) {
		mcp_multi_get_fail(&self->many, status);
	}
	return status;
}

static void finish_multi_get(connection *self, mcp_status asked) {
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

static void run(mcp_store *store, mcp_op *const *ops, size_t count) {
	connection *self = of(store);
	if (!mcp_ops_are_reads(ops, count)) {
		mcp_connection_run(store, ops, count);
	} else if (begin_multi_get(self, ops, count) == MCP_OK) {
		finish_multi_get(self, ask_next(self));
	}
}

/* Does not send ahead over a wire that measures a reply's time from the request. */
static void submit(mcp_store *store, mcp_op *const *ops, size_t count) {
	connection *self = of(store);
	if (!mcp_ops_are_reads(ops, count)) {
		mcp_connection_submit(store, ops, count);
		return;
	}
	self->has_asked =
		mcp_wire_may_be_resumed(self->wire) && begin_multi_get(self, ops, count) == MCP_OK;
	if (self->has_asked) {
		self->asked = ask_next(self);
		/* The time until the reply is read depends on other servers. */
		mcp_exchange_stop_timing(&self->exchange);
	}
}

static void complete(mcp_store *store, mcp_op *const *ops, size_t count) {
	connection *self = of(store);
	if (!mcp_ops_are_reads(ops, count)) {
		mcp_connection_complete(store, ops, count);
	} else if (!mcp_wire_may_be_resumed(self->wire)) {
		run(store, ops, count);
	} else if (self->has_asked) {
		self->has_asked = false;
		if (self->asked == MCP_OK && self->many.asked > 0) {
			mcp_wire_resume(self->wire);
		}
		finish_multi_get(self, self->asked);
	}
}

/* --- steps: one batch if the wire supports batches, otherwise single commands --- */

/* After a broken connection, the outcome of steps without a reply is unknown. Only unsent steps without a CAS value
 * are sent again. */

static_assert(MCP_STEPS_MAX <= MCP_WIRE_BATCH_MAX, "a wire takes them as one batch");

/* Returns the number of the open connection or, if it is closed, of the next connection: every loss is counted before a
 * reconnect. */
static uint64_t name(mcp_store *store) {
	connection *self = of(store);
	if (self->first_name == 0) {
		self->first_name = mcp_proof_name_connection(0, self->exchange.environment);
	}
	return self->first_name + self->exchange.peer.breaks;
}

/* Steps in progress. */
typedef struct talk {
	mcp_op *ops[MCP_STEPS_MAX];
	size_t count;
	uint64_t connection;
} talk;

static bool are_bound(const mcp_op *steps, size_t count) {
	bool are = false;
	for (size_t i = 0; i < count; i++) {
		are |= mcp_op_has_base(&steps[i]);
	}
	return are;
}

/* Fails the steps from `from` on; `status` is from the wire. */
static void fail_steps(connection *self, const talk *with, size_t from, mcp_status status) {
	mcp_status of_write = mcp_exchange_finish_write(&self->exchange, status);
	mcp_status of_read = status == MCP_BROKEN ? MCP_UNREACHABLE : status;
	for (size_t i = from; i < with->count; i++) {
		with->ops[i]->status = mcp_op_is_read(with->ops[i]) ? of_read : of_write;
	}
}

static void note_item_of_step(connection *self, talk *with, size_t i) {
	mcp_op *step = with->ops[i];
	const char *items = mcp_wire_items(self->wire);
	step->number = (uintptr_t)step->item.value.data - (uintptr_t)items;
	step->read.cas = step->item.cas;
	step->proof = mcp_wire_prove(self->wire, step->item.cas);
	step->was_renewed = step->verb == MCP_OP_GET_AND_TOUCH;
	note_cas(self, &step->item);
}

/* False: no further replies follow. After an unexpected reply, the earlier replies can belong to other requests, too:
 * an unrequested line can precede them. */
static bool hear_step(connection *self, talk *with, size_t i) {
	mcp_op *step = with->ops[i];
	mcp_status status = mcp_wire_answer(self->wire, step, i + 1 == with->count);
	if (mcp_status_is_the_end(status)) {
		fail_steps(self, with, status == MCP_PROTOCOL ? 0 : i, status);
		return false;
	}
	step->status = mcp_op_is_read(step) ? mcp_exchange_finish_read(&self->exchange, status)
										: mcp_connection_finish_write(self, step, status);
	step->read = (mcp_proof){0, with->connection};
	step->proof = (mcp_proof){0};
	if (status == MCP_OK && mcp_op_is_read(step)) {
		note_item_of_step(self, with, i);
	}
	return true;
}

/* Makes views of the items, whose memory might have moved. */
static void show_items(connection *self, const talk *with) {
	const char *items = mcp_wire_items(self->wire);
	for (size_t i = 0; i < with->count; i++) {
		mcp_op *step = with->ops[i];
		if (mcp_op_is_read(step) && step->status == MCP_OK) {
			step->item.value.data = (const char *)((uintptr_t)items + step->number);
		}
	}
}

/* Sends one batch. MCP_UNSUPPORTED: nothing was sent, and the connection is closed. */
static mcp_status exchange(connection *self, mcp_op *steps, size_t count) {
	talk with;
	with.count = count;
	with.connection = name(&self->store);
	for (size_t i = 0; i < count; i++) {
		with.ops[i] = &steps[i];
	}
	mcp_status status = mcp_exchange_begin(&self->exchange);
	if (status != MCP_OK) {
		mcp_steps_answer(steps, 0, count, status);
		return status;
	}
	status = mcp_wire_submit(self->wire, with.ops, count);
	if (status == MCP_UNSUPPORTED) {
		mcp_connection_start_over(self);
	} else if (status != MCP_OK) {
		fail_steps(self, &with, 0, status);
	}
	if (status != MCP_OK) {
		return status;
	}
	for (size_t i = 0; i < count && hear_step(self, &with, i); i++) {
	}
	show_items(self, &with);
	return MCP_OK;
}

static void carry_out_apart(const mcp_steps_way *way, mcp_op *steps, size_t count) {
	if (steps[0].is_at_once) {
		mcp_steps_answer(steps, 0, count, MCP_UNSUPPORTED);
	} else {
		mcp_steps_one_by_one(way, steps, count);
	}
}

/* Over a new connection, first learn what the server supports. */
static mcp_status carry_out(connection *self, mcp_op *steps, size_t count) {
	mcp_steps_way way = {&self->store, name, false};
	mcp_status status = MCP_OK;
	if (mcp_wire_takes_batches(self->wire) && !mcp_wire_has_learnt(self->wire)) {
		status = mcp_connection_learn(self);
	}
	if (status == MCP_OK && !self->wire->knows_meta) {
		carry_out_apart(&way, steps, count);
		return MCP_OK;
	}
	if (status == MCP_OK) {
		status = mcp_steps_judge(&way, steps, count);
	}
	if (status == MCP_OK) {
		return exchange(self, steps, count);
	}
	mcp_steps_answer(steps, 0, count, status);
	return MCP_OK;
}

/* Retry once if the idle connection had ended, unless a step depends on that connection. */
static void run_steps(mcp_store *store, mcp_op *steps, size_t count) {
	connection *self = of(store);
	mcp_status status = carry_out(self, steps, count);
	if (status == MCP_UNSUPPORTED && !are_bound(steps, count)) {
		status = carry_out(self, steps, count);
		mcp_steps_answer(steps, 0, status == MCP_UNSUPPORTED ? count : 0, MCP_UNREACHABLE);
	} else if (status == MCP_UNSUPPORTED) {
		mcp_steps_answer(steps, 0, count, status);
	}
}

static inline void note_item(connection *self, const mcp_item *item) {
	self->exchange.moved = item->value.length;
	note_cas(self, item);
}

/* Slow path of get: miss, failure or retry. */
static MCP_APART mcp_status get_otherwise(connection *self, const mcp_key *key, mcp_status status,
	mcp_item *item) {
	if (mcp_exchange_should_retry(&self->exchange, status)) {
		status = mcp_wire_get(self->wire, key->wire, item);
	}
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
	note_item(self, item);
	return mcp_exchange_finish_well(&self->exchange);
}

static mcp_status read_once(const connection *self, mcp_op *op) {
	return op->verb == MCP_OP_PING ? mcp_wire_ping(self->wire)
								   : mcp_wire_cas_of(self->wire, op->key->wire, &op->item.cas);
}

/* A get_cas or a ping. */
static mcp_status read_with_retry(connection *self, mcp_op *op) {
	mcp_status status = op->key != NULL ? mcp_exchange_begin_with(&self->exchange, op->key)
										: mcp_exchange_begin(&self->exchange);
	if (status != MCP_OK) {
		return status;
	}
	status = read_once(self, op);
	if (mcp_exchange_should_retry(&self->exchange, status)) {
		status = read_once(self, op);
	}
	return mcp_exchange_finish_read(&self->exchange, status);
}

/* Subtracts the second that mcp_expiry_from_ttl adds, because memcached counts whole seconds of its clock. */
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

/* Do not retry over a new connection, on which previous CAS values can belong to other items. */
static mcp_status ttl_left(connection *self, mcp_op *op) {
	uint64_t seconds = 0;
	if (!mcp_wire_tells_what_is_left(self->wire)) {
		return MCP_UNSUPPORTED;
	}
	mcp_status status = prepare_meta(self, op->key);
	if (status != MCP_OK) {
		return status;
	}
	status = mcp_wire_seconds_left(self->wire, op->key->wire, &seconds);
	op->number = ttl_of(seconds);
	if (mcp_exchange_has_lost_connection(&self->exchange, status)) {
		mcp_connection_start_over(self);
		return MCP_UNSUPPORTED;
	}
	return status == MCP_UNSUPPORTED ? status : mcp_exchange_finish_read(&self->exchange, status);
}

static MCP_APART mcp_status read_apart(connection *self, mcp_op *op) {
	return op->verb == MCP_OP_TTL_LEFT ? ttl_left(self, op) : read_with_retry(self, op);
}

static mcp_status change(mcp_store *store, mcp_op *op) {
	return mcp_op_is_read(op) ? read_apart(of(store), op) : mcp_connection_change(store, op);
}

static size_t item_max(mcp_store *store, const mcp_key *key, size_t wanted) {
	(void)key;
	return mcp_inquiry_item_max(&of(store)->exchange, wanted);
}

static mcp_status inquire(mcp_store *store, const char *kind, mcp_stat_visitor visit,
	void *context) {
	mcp_exchange *exchange = &of(store)->exchange;
	mcp_status status = mcp_inquiry_read_stats(exchange, kind);
	if (status == MCP_OK) {
		mcp_stat_lines_visit(&exchange->peer.lines, visit, context);
	}
	return status;
}

static mcp_status started_us(mcp_store *store, const mcp_key *key, uint64_t *started) {
	(void)key;
	return mcp_inquiry_started_us(&of(store)->exchange, started);
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
	return !mcp_exchange_allows(exchange, mcp_exchange_now_ms(exchange));
}

static uint64_t breaks(mcp_store *store) {
	return of(store)->exchange.peer.breaks;
}

/* True if any connection of this process has a late write on the server. */
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
	.change = change,
	.proves = true,
	.run = run,
	.submit = submit,
	.complete = complete,
	.steps = run_steps,
	.inquire = inquire,
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
