/* Many writes are sent in bounded batches, each a round trip, where the wire can. Each is sent at most once, whatever
 * becomes of its batch; what has no answer of its own is unknown. */
/* SPDX-License-Identifier: MIT */
#include "connection_batch.h"

#include "connection_write.h"

typedef mcp_connection connection;

/* A batch that is broken off leaves no more than this unknown, and one value. */
#define BATCH_BYTES_MAX ((size_t)256 * 1024)

static connection *of(mcp_store *store) {
	return (connection *)store;
}

/* What is sent together, and where each one's answer goes. */
typedef struct batch {
	size_t count;
	size_t bytes;
	mcp_status *statuses[MCP_WIRE_BATCH_MAX];
	union {
		mcp_wire_item sets[MCP_WIRE_BATCH_MAX];
		mcp_bytes deletes[MCP_WIRE_BATCH_MAX];
	} of;
} batch;

typedef mcp_status (*sender)(mcp_wire *wire, const batch *filled);

static mcp_status send_sets(mcp_wire *wire, const batch *filled) {
	return mcp_wire_send_sets(wire, filled->of.sets, filled->count);
}

static mcp_status send_deletes(mcp_wire *wire, const batch *filled) {
	return mcp_wire_send_deletes(wire, filled->of.deletes, filled->count);
}

static bool is_full(const batch *filled) {
	return filled->count == MCP_WIRE_BATCH_MAX || filled->bytes >= BATCH_BYTES_MAX;
}

static void answer_from(const batch *sent, size_t from, mcp_status status) {
	for (size_t i = from; i < sent->count; i++) {
		*sent->statuses[i] = status;
	}
}

/* What the rest of a call is told after the server has failed: that it is left alone is the same failure still, and not
 * another one to be noted. MCP_OK: it may be asked. */
static mcp_status ask_after(const connection *self, mcp_status before) {
	bool may_have_failed = mcp_status_is_failure(before);
	bool is_left_alone = may_have_failed &&
		!mcp_breaker_allows(&self->exchange.breaker, mcp_exchange_now_ms(&self->exchange));
	return is_left_alone ? MCP_UNREACHABLE : MCP_OK;
}

/* After these there are no more answers. */
static bool is_the_end(mcp_status status) {
	return status == MCP_TIMEOUT || status == MCP_UNKNOWN || mcp_status_is_useless(status);
}

static void hear(connection *self, const batch *sent) {
	for (size_t i = 0; i < sent->count; i++) {
		mcp_status status = mcp_wire_answer(self->wire, i + 1 == sent->count);
		*sent->statuses[i] = mcp_exchange_finish_write(&self->exchange, status);
		if (is_the_end(status)) {
			answer_from(sent, i + 1, MCP_UNKNOWN);
			return;
		}
	}
}

/* `before`: the answer to the last one of the batch before, MCP_OK of the first. Answers the same of this one. */
static mcp_status exchange(connection *self, const batch *filled, sender send, mcp_status before) {
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
		mcp_connection_start_over(self);
		status = send(self->wire, filled);
	}
	if (status == MCP_OK) {
		hear(self, filled);
	} else {
		answer_from(filled, 0, mcp_exchange_finish_write(&self->exchange, status));
	}
	return *filled->statuses[filled->count - 1];
}

/* Nothing, when the write must not be sent: then it has its answer. */
static void add_set(connection *self, batch *to, mcp_write *write) {
	size_t size;
	write->status = mcp_connection_judge(self, &write->key, &write->record, &size);
	if (write->status != MCP_OK) {
		return;
	}
	to->of.sets[to->count] = (mcp_wire_item){
		.key = write->key.wire,
		.head = write->record.head,
		.value = write->record.body,
		.flags = write->record.flags,
		.expiry = mcp_connection_expiry(self, write->record.ttl_ms),
	};
	to->statuses[to->count++] = &write->status;
	to->bytes += size;
}

/* A key that must not be sent is that in an outage, too. */
static mcp_status unless_bad(const mcp_key *key, mcp_status status) {
	return mcp_key_may_be_sent(key) ? status : MCP_BAD_KEY;
}

static void set_one_by_one(mcp_store *store, mcp_write *writes, size_t count) {
	mcp_status before = MCP_OK;
	for (size_t i = 0; i < count; i++) {
		mcp_status status = ask_after(of(store), before);
		writes[i].status = status == MCP_OK
			? mcp_connection_set(store, &writes[i].key, &writes[i].record)
			: unless_bad(&writes[i].key, status);
		before = status == MCP_OK ? writes[i].status : status;
	}
}

void mcp_connection_set_many(mcp_store *store, mcp_write *writes, size_t count) {
	connection *self = of(store);
	mcp_status before = MCP_OK;
	if (!mcp_wire_takes_batches(self->wire)) {
		set_one_by_one(store, writes, count);
		return;
	}
	for (size_t i = 0; i < count;) {
		batch next;
		next.count = next.bytes = 0;
		while (i < count && !is_full(&next)) {
			add_set(self, &next, &writes[i++]);
		}
		if (next.count > 0) {
			before = exchange(self, &next, send_sets, before);
		}
	}
}

static void add_delete(batch *to, const mcp_key *key, mcp_status *status) {
	if (!mcp_key_may_be_sent(key)) {
		*status = MCP_BAD_KEY;
		return;
	}
	to->of.deletes[to->count] = key->wire;
	to->statuses[to->count++] = status;
	to->bytes += key->wire.length;
}

static void delete_one_by_one(mcp_store *store, const mcp_key *keys, size_t count,
	mcp_status *statuses) {
	mcp_status before = MCP_OK;
	for (size_t i = 0; i < count; i++) {
		mcp_status status = ask_after(of(store), before);
		statuses[i] = status == MCP_OK ? mcp_connection_delete(store, &keys[i])
									   : unless_bad(&keys[i], status);
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
		next.count = next.bytes = 0;
		for (; i < count && !is_full(&next); i++) {
			add_delete(&next, &keys[i], &statuses[i]);
		}
		if (next.count > 0) {
			before = exchange(self, &next, send_deletes, before);
		}
	}
}
