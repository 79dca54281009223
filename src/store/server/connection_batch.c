/* Many writes are sent in bounded batches, each a round trip, where the wire can. Each is sent at most once, whatever
 * becomes of its batch; what has no answer of its own is unknown. */
/* SPDX-License-Identifier: MIT */
#include "connection_batch.h"

#include "../one_by_one.h"
#include "connection_write.h"

typedef mcp_connection connection;

/* A batch that is broken off leaves no more than this unknown, and one value. */
#define BATCH_BYTES_MAX ((size_t)256 * 1024)

static connection *of(mcp_store *store) {
	return (connection *)store;
}

/* The requests that are sent together, and where each one's answer goes; `numbers` for calculations alone. */
typedef struct batch {
	mcp_wire_verb verb;
	size_t count;
	size_t bytes;
	mcp_status *statuses[MCP_WIRE_BATCH_MAX];
	uint64_t *numbers[MCP_WIRE_BATCH_MAX];
	mcp_wire_item items[MCP_WIRE_BATCH_MAX];
} batch;

static void empty(batch *self, mcp_wire_verb verb) {
	self->verb = verb;
	self->count = self->bytes = 0;
}

static mcp_wire_item *add_item(batch *to, mcp_status *status, size_t bytes) {
	to->statuses[to->count] = status;
	to->bytes += bytes;
	return &to->items[to->count++];
}

static mcp_status send(mcp_wire *wire, const batch *filled) {
	return mcp_wire_send_many(wire, filled->verb, filled->items, filled->count);
}

static bool is_full(const batch *filled) {
	return filled->count == MCP_WIRE_BATCH_MAX || filled->bytes >= BATCH_BYTES_MAX;
}

static void answer_from(const batch *sent, size_t from, mcp_status status) {
	for (size_t i = from; i < sent->count; i++) {
		*sent->statuses[i] = status;
	}
}

/* Asks for the rest of a call after the server has failed: that it is left alone is the same failure still, and not
 * another one to be noted. MCP_OK: it may be asked. */
static mcp_status ask_after(const connection *self, mcp_status before) {
	bool may_have_failed = mcp_status_is_failure(before);
	bool is_left_alone = may_have_failed &&
		!mcp_breaker_allows(&self->exchange.breaker, mcp_exchange_now_ms(&self->exchange));
	return is_left_alone ? MCP_UNREACHABLE : MCP_OK;
}

/* Says whether there are no more answers after these. */
static bool is_the_end(mcp_status status) {
	return status == MCP_TIMEOUT || status == MCP_BROKEN || mcp_status_is_useless(status);
}

static bool calculates(mcp_wire_verb verb) {
	return verb == MCP_WIRE_INCREMENT || verb == MCP_WIRE_DECREMENT;
}

static void hear(connection *self, const batch *sent) {
	for (size_t i = 0; i < sent->count; i++) {
		uint64_t number;
		mcp_status status = mcp_wire_answer(self->wire, i + 1 == sent->count, &number);
		*sent->statuses[i] = mcp_exchange_finish_write(&self->exchange, status);
		if (status == MCP_OK && calculates(sent->verb)) {
			*sent->numbers[i] = number;
		}
		if (is_the_end(status)) {
			answer_from(sent, i + 1, MCP_UNKNOWN);
			return;
		}
	}
}

/* Sends it over a new connection where the old one has gone, unless it compares cas ids: those were the old one's. */
static mcp_status send_anew(connection *self, const batch *filled) {
	mcp_connection_start_over(self);
	return filled->verb == MCP_WIRE_CAS ? MCP_EXISTS : send(self->wire, filled);
}

/* Exchanges a batch; `before` is the answer to the last one of the batch before, MCP_OK for the first. Returns
 * that of this one. */
static mcp_status exchange(connection *self, const batch *filled, mcp_status before) {
	mcp_status status = ask_after(self, before);
	if (status == MCP_OK) {
		status = mcp_exchange_begin(&self->exchange);
	}
	if (status != MCP_OK) {
		answer_from(filled, 0, status);
		return status;
	}
	self->exchange.moved = filled->bytes;
	status = send(self->wire, filled);
	if (status == MCP_UNSUPPORTED) {
		status = send_anew(self, filled);
	}
	if (status == MCP_OK) {
		hear(self, filled);
	} else if (status == MCP_EXISTS) {
		answer_from(filled, 0, status);
	} else {
		answer_from(filled, 0, mcp_exchange_finish_write(&self->exchange, status));
	}
	return *filled->statuses[filled->count - 1];
}

/* Answers of a key that must not be sent that it is one, in an outage, too. */
static mcp_status unless_bad(const mcp_key *key, mcp_status status) {
	return mcp_key_may_be_sent(key) ? status : MCP_BAD_KEY;
}

static void add_record(connection *self, batch *to, mcp_write *write) {
	size_t size;
	write->status = mcp_connection_judge(self, &write->key, &write->record, &size);
	if (write->status == MCP_OK) {
		*add_item(to, &write->status, size) = (mcp_wire_item){
			.key = write->key.wire,
			.head = write->record.head,
			.value = write->record.body,
			.flags = write->record.flags,
			.expiry = mcp_connection_expiry(self, write->record.ttl_ms),
		};
	}
}

static void add_cas(connection *self, batch *to, mcp_write *write) {
	size_t before = to->count;
	write->status = mcp_connection_judge_id(self, &write->key, write->cas);
	if (write->status == MCP_OK) {
		add_record(self, to, write);
	}
	if (to->count > before) {
		to->items[before].cas = write->cas;
	}
}

static void add_calculation(connection *self, batch *to, mcp_write *write) {
	(void)self;
	write->status = unless_bad(&write->key, MCP_OK);
	if (write->status == MCP_OK) {
		to->numbers[to->count] = &write->number;
		*add_item(to, &write->status, write->key.wire.length) = (mcp_wire_item){
			.key = write->key.wire,
			.by = write->by,
		};
	}
}

static void add_delete_if(connection *self, batch *to, mcp_write *write) {
	write->status = mcp_connection_judge_id(self, &write->key, write->cas);
	if (write->status == MCP_OK) {
		*add_item(to, &write->status, write->key.wire.length) =
			mcp_connection_delete_if_item(&write->key, write->cas);
	}
}

/* How writes of one verb are sent together. */
typedef struct batch_kind {
	mcp_wire_verb verb;
	/* Adds nothing, when the write must not be sent: then it has its answer. */
	void (*add)(connection *self, batch *to, mcp_write *write);
} batch_kind;

static const batch_kind kinds[] = {
	[MCP_CHANGE_SET] = {MCP_WIRE_SET, add_record},
	[MCP_CHANGE_ADD] = {MCP_WIRE_ADD, add_record},
	[MCP_CHANGE_CAS] = {MCP_WIRE_CAS, add_cas},
	[MCP_CHANGE_INCREMENT] = {MCP_WIRE_INCREMENT, add_calculation},
	[MCP_CHANGE_DECREMENT] = {MCP_WIRE_DECREMENT, add_calculation},
	[MCP_CHANGE_DELETE_IF] = {MCP_WIRE_CAS, add_delete_if},
};

static void write_one_by_one(mcp_store *store, mcp_change_verb verb, mcp_write *writes,
	size_t count) {
	mcp_status before = MCP_OK;
	for (size_t i = 0; i < count; i++) {
		mcp_status status = ask_after(of(store), before);
		if (status == MCP_OK) {
			mcp_one_by_one_do(store, verb, &writes[i]);
		} else {
			writes[i].status = unless_bad(&writes[i].key, status);
		}
		before = status == MCP_OK ? writes[i].status : status;
	}
}

void mcp_connection_write_many(mcp_store *store, mcp_change_verb verb, mcp_write *writes,
	size_t count) {
	connection *self = of(store);
	mcp_status before = MCP_OK;
	if (!mcp_wire_takes_batches(self->wire)) {
		write_one_by_one(store, verb, writes, count);
		return;
	}
	for (size_t i = 0; i < count;) {
		batch next;
		empty(&next, kinds[verb].verb);
		while (i < count && !is_full(&next)) {
			kinds[verb].add(self, &next, &writes[i++]);
		}
		if (next.count > 0) {
			before = exchange(self, &next, before);
		}
	}
}

static void add_delete(batch *to, const mcp_key *key, mcp_status *status) {
	*status = unless_bad(key, MCP_OK);
	if (*status == MCP_OK) {
		*add_item(to, status, key->wire.length) = (mcp_wire_item){.key = key->wire};
	}
}

static void delete_one_by_one(mcp_store *store, const mcp_key *keys, size_t count,
	mcp_status *statuses) {
	mcp_status before = MCP_OK;
	for (size_t i = 0; i < count; i++) {
		mcp_status status = ask_after(of(store), before);
		statuses[i] =
			status == MCP_OK ? mcp_store_delete(store, &keys[i]) : unless_bad(&keys[i], status);
		before = status == MCP_OK ? statuses[i] : status;
	}
}

void mcp_connection_delete_many(mcp_store *store, const mcp_key *keys, size_t count,
	mcp_status *statuses) {
	connection *self = of(store);
	mcp_status before = MCP_OK;
	if (!mcp_wire_takes_batches(self->wire)) {
		delete_one_by_one(store, keys, count, statuses);
		return;
	}
	for (size_t i = 0; i < count;) {
		batch next;
		empty(&next, MCP_WIRE_DELETE);
		for (; i < count && !is_full(&next); i++) {
			add_delete(&next, &keys[i], &statuses[i]);
		}
		if (next.count > 0) {
			before = exchange(self, &next, before);
		}
	}
}
