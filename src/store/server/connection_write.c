/* Writes of a connection: each is executed at most once, and its status is as exact as possible. Before a
 * connection's first write that wants a proof, an inquiry determines whether the server supports proofs. */
/* SPDX-License-Identifier: MIT */
#include "connection_write.h"

#include "../../core/compiler.h"
#include "exchange.h"

typedef mcp_connection connection;

static connection *of(mcp_store *store) {
	return (connection *)store;
}

void mcp_connection_start_over(connection *self) {
	mcp_peer_forget(&self->exchange.peer);
	self->exchange.peer.has_broken_off = true;
}

/* A proxy that does not know the request ends the connection. This is harmless, because the write is sent over the next
 * connection, without a proof. */
MCP_SELDOM mcp_status mcp_connection_learn(connection *self) {
	mcp_status status = mcp_exchange_begin(&self->exchange);
	if (status != MCP_OK) {
		return status;
	}
	status = mcp_wire_learn(self->wire);
	if (status == MCP_UNSUPPORTED) {
		mcp_connection_start_over(self);
		status = mcp_wire_learn(self->wire);
	}
	if (mcp_exchange_has_lost_connection(&self->exchange, status) || status == MCP_UNSUPPORTED ||
		mcp_status_is_useless(status)) {
		mcp_connection_start_over(self);
		return MCP_OK;
	}
	/* The write was not sent. */
	return status == MCP_OK || mcp_exchange_finish_read(&self->exchange, status) == MCP_OK
		? MCP_OK
		: MCP_UNREACHABLE;
}

/* No item has CAS value 0, so the stored item is not the item that the caller read. */
static mcp_status answer_without_id(const connection *self, const mcp_op *op) {
	if (op->expects.connection != 0) {
		return MCP_UNSUPPORTED;
	}
	return self->exchange.peer.gives_no_cas ? MCP_NO_CAS : MCP_EXISTS;
}

/* Checks the write independently of the connection. *size: bytes that count for the timeout. */
MCP_INLINED mcp_status judge_op(connection *self, const mcp_op *op, size_t *size) {
	if (mcp_op_compares(op) && op->expects.cas == 0) {
		return answer_without_id(self, op);
	}
	if (!mcp_key_may_be_sent(op->key)) {
		return MCP_BAD_KEY;
	}
	if (!mcp_op_stores(op)) {
		*size = 0;
		return MCP_OK;
	}
	*size = mcp_store_size_of(op->key, op->record);
	return *size < mcp_inquiry_item_max(&self->exchange, *size) ? MCP_OK : MCP_TOO_LARGE;
}

/* Status if the expected item was read over another connection. */
static mcp_status status_if_gone(const mcp_op *op) {
	return op->expects.connection != 0 ? MCP_UNSUPPORTED : MCP_EXISTS;
}

/* Check this last, because the request for the item limit or for proofs can break the connection. */
static inline mcp_status judge_base(const connection *self, const mcp_op *op) {
	bool is_here = op->expects.connection != 0
		? mcp_proof_holds(&op->expects, mcp_wire_connection(self->wire))
		: !self->exchange.peer.has_broken_off;
	return is_here ? MCP_OK : status_if_gone(op);
}

static inline bool wants_proof(const mcp_op *op) {
	return mcp_op_stores(op) && op->record->proof != NULL;
}

/* True if the next write might need a new connection. */
static bool may_have_closed(mcp_status status) {
	return mcp_status_is_failure(status) && status != MCP_UNSUPPORTED;
}

/* If a server that reports no settings rejects a size, never send a value of that size again: a rejected plain set
 * deletes the stored value. */
mcp_status mcp_connection_finish_write(connection *self, const mcp_op *op, mcp_status status) {
	mcp_peer *peer = &self->exchange.peer;
	if (status == MCP_TOO_LARGE && peer->has_no_settings && mcp_op_stores(op)) {
		size_t size = mcp_store_size_of(op->key, op->record);
		bool is_lower = peer->item_max != 0 && peer->item_max < size;
		peer->item_max = is_lower ? peer->item_max : size;
	}
	return mcp_exchange_finish_write(&self->exchange, status);
}

/* If the connection ended before anything was sent, the write has not failed. */
static mcp_status finish_otherwise(connection *self, const mcp_op *op, mcp_status status) {
	if (status == MCP_UNSUPPORTED) {
		mcp_connection_start_over(self);
		return status;
	}
	/* CAS values that were read before are invalid. */
	self->exchange.peer.has_broken_off |= may_have_closed(status);
	return mcp_connection_finish_write(self, op, status);
}

static inline mcp_status send_judged(connection *self, mcp_op *op, size_t size) {
	mcp_status status = mcp_exchange_begin(&self->exchange);
	if (status != MCP_OK) {
		return status;
	}
	self->exchange.moved = size;
	status = mcp_wire_write(self->wire, op);
	return status == MCP_OK ? mcp_exchange_finish_well(&self->exchange)
							: finish_otherwise(self, op, status);
}

/* True if the op neither stores a value nor compares, so that only the op's key is checked; a flush has no key. */
static inline bool is_plain(const mcp_op *op) {
	return op->verb >= MCP_OP_DELETE && op->verb != MCP_OP_DELETE_IF;
}

MCP_INLINED mcp_status send_op(connection *self, mcp_op *op) {
	size_t size;
	if (is_plain(op)) {
		bool may_be_sent = op->key == NULL || mcp_key_may_be_sent(op->key);
		return may_be_sent ? send_judged(self, op, 0) : MCP_BAD_KEY;
	}
	mcp_status status = judge_op(self, op, &size);
	if (status == MCP_OK && wants_proof(op) && !mcp_wire_has_learnt(self->wire)) {
		status = mcp_connection_learn(self);
	}
	if (status == MCP_OK && mcp_op_compares(op)) {
		status = judge_base(self, op);
		mcp_status allowed = status == MCP_EXISTS ? mcp_exchange_begin(&self->exchange) : MCP_OK;
		status = allowed == MCP_OK ? status : allowed;
	}
	return status == MCP_OK ? send_judged(self, op, size) : status;
}

/* Resends a write of which an ended connection has not taken any byte. If the write compares a CAS value of that
 * connection, its status is MCP_EXISTS, or MCP_UNSUPPORTED with a proof. */
static MCP_SELDOM mcp_status send_once_more(connection *self, mcp_op *op) {
	if (op->expects.connection != 0) {
		return MCP_UNSUPPORTED;
	}
	mcp_status status = send_op(self, op);
	return status == MCP_UNSUPPORTED ? finish_otherwise(self, op, MCP_UNREACHABLE) : status;
}

mcp_status mcp_connection_change(mcp_store *store, mcp_op *op) {
	mcp_status status = send_op(of(store), op);
	return status == MCP_UNSUPPORTED ? send_once_more(of(store), op) : status;
}

/* --- runs of writes: bounded batches of 1 round trip, if the wire supports batches --- */

/* The status of a write without a reply is MCP_UNKNOWN, and the write is not repeated. The first batch can be sent
 * ahead, so that other servers work in the meantime. */

/* Bounds the writes of unknown outcome after a broken batch. The write that reaches this size ends the batch, so a
 * batch can exceed this size by one value. */
#define BATCH_BYTES_MAX ((size_t)256 * 1024)

/* Requests of one batch: all of them compare CAS values, or none does. */
typedef struct batch {
	mcp_connection_sent sent;
	size_t bytes;
	bool compares;
	uint64_t breaks; /* number of breaks when the batch was begun; for CAS values only */
} batch;

static size_t size_of(const mcp_op *op) {
	return mcp_op_stores(op) ? mcp_store_size_of(op->key, op->record) : op->key->wire.length;
}

/* If the replies might exceed the buffers, the requests must fit in the buffers. */
static bool may_grow(const batch *filled, const mcp_op *next) {
	size_t most = MCP_WIRE_LONG_BATCH_BYTES_MAX;
	return filled->sent.count < MCP_STORE_AHEAD_ANY ||
		(filled->sent.count < MCP_WIRE_BATCH_MAX && !wants_proof(next) && filled->bytes < most &&
			size_of(next) <= most - filled->bytes);
}

static bool is_full(const batch *filled, const mcp_op *next) {
	return filled->bytes >= BATCH_BYTES_MAX || !may_grow(filled, next) ||
		(filled->sent.count > 0 && filled->compares != mcp_op_compares(next));
}

static void answer_from(const mcp_connection_sent *sent, size_t from, mcp_status status) {
	mcp_ops_answer(sent->ops + from, sent->count - from, status);
}

static mcp_status last_status(const mcp_connection_sent *sent) {
	return sent->ops[sent->count - 1]->status;
}

/* A failure in this call might have opened the breaker. Do not count the open breaker as another failure. MCP_OK: the
 * remaining writes may be sent. */
static mcp_status ask_after(const connection *self, mcp_status before) {
	bool may_have_failed = mcp_status_is_failure(before);
	bool is_tripped = may_have_failed &&
		!mcp_exchange_allows(&self->exchange, mcp_exchange_now_ms(&self->exchange));
	return is_tripped ? MCP_UNREACHABLE : MCP_OK;
}

/* Returns the last write's status. After a lost connection, CAS values read before the loss are not sent. */
static mcp_status hear_batch(connection *self, const mcp_connection_sent *sent) {
	for (size_t i = 0; i < sent->count; i++) {
		mcp_op *op = sent->ops[i];
		mcp_status status = mcp_wire_answer(self->wire, op, i + 1 == sent->count);
		op->status = mcp_connection_finish_write(self, op, status);
		self->exchange.peer.has_broken_off |= may_have_closed(status);
		if (mcp_status_is_the_end(status)) {
			answer_from(sent, i + 1, op->status);
			break;
		}
	}
	return last_status(sent);
}

static void answer_gone(const mcp_connection_sent *sent) {
	for (size_t i = 0; i < sent->count; i++) {
		sent->ops[i]->status = status_if_gone(sent->ops[i]);
	}
}

/* Sends the batch, over a new connection if the previous connection ended. *is_gone: the batch was not sent, because it
 * compares CAS values of the previous connection. */
static mcp_status submit(connection *self, const batch *filled, bool *is_gone) {
	const mcp_connection_sent *sent = &filled->sent;
	mcp_status status = mcp_wire_submit(self->wire, sent->ops, sent->count);
	if (status != MCP_UNSUPPORTED) {
		return status;
	}
	mcp_connection_start_over(self);
	*is_gone = filled->compares;
	if (!*is_gone) {
		status = mcp_wire_submit(self->wire, sent->ops, sent->count);
	}
	return status == MCP_UNSUPPORTED ? MCP_UNREACHABLE : status;
}

/* `before`: last status of the previous batch, MCP_OK for the first batch. False: the batch was not sent and all its
 * writes have a status. */
static bool send_batch(connection *self, const batch *filled, mcp_status before) {
	mcp_status status = ask_after(self, before);
	if (status == MCP_OK) {
		status = mcp_exchange_begin(&self->exchange);
	}
	if (status != MCP_OK) {
		answer_from(&filled->sent, 0, status);
		return false;
	}
	/* A proxy can end the connection when it is asked for its item limit. */
	bool is_gone = filled->compares && self->exchange.peer.breaks != filled->breaks;
	self->exchange.moved = filled->bytes;
	status = is_gone ? MCP_UNREACHABLE : submit(self, filled, &is_gone);
	if (status == MCP_OK) {
		return true;
	}
	self->exchange.peer.has_broken_off = true;
	if (is_gone) {
		answer_gone(&filled->sent);
	} else {
		answer_from(&filled->sent, 0, mcp_exchange_finish_write(&self->exchange, status));
	}
	return false;
}

/* Returns the last write's status. */
static mcp_status exchange(connection *self, const batch *filled, mcp_status before) {
	return send_batch(self, filled, before) ? hear_batch(self, &filled->sent)
											: last_status(&filled->sent);
}

/* The status of a bad key is MCP_BAD_KEY even during an outage. */
static mcp_status unless_bad(const mcp_key *key, mcp_status status) {
	return mcp_key_may_be_sent(key) ? status : MCP_BAD_KEY;
}

static void run_one_by_one(connection *self, mcp_op *const *ops, size_t count) {
	mcp_status before = MCP_OK;
	for (size_t i = 0; i < count; i++) {
		mcp_status status = ask_after(self, before);
		ops[i]->status = status == MCP_OK ? mcp_connection_change(&self->store, ops[i])
										  : unless_bad(ops[i]->key, status);
		before = status == MCP_OK ? ops[i]->status : status;
		/* CAS values that were read over an ended connection must not be compared over another connection. */
		self->exchange.peer.has_broken_off |= may_have_closed(before);
	}
}

/* Adds the write. If the write must not be sent, only sets the write's status. */
static void add_to_batch(connection *self, batch *to, mcp_op *op) {
	size_t size;
	op->status = judge_op(self, op, &size);
	if (op->status == MCP_OK && mcp_op_compares(op)) {
		op->status = judge_base(self, op);
	}
	if (op->status == MCP_OK) {
		to->bytes += size > 0 ? size : op->key->wire.length;
		to->compares = mcp_op_compares(op);
		to->sent.ops[to->sent.count++] = op;
	}
}

/* Requests proofs if they are supported and the replies fit. */
static void judge_wishes(const connection *self, batch *filled) {
	bool are_fulfilled = filled->bytes <= MCP_WIRE_PROVEN_BYTES_MAX && self->wire->knows_meta;
	for (size_t i = 0; i < filled->sent.count; i++) {
		filled->sent.ops[i]->is_proven = are_fulfilled && wants_proof(filled->sent.ops[i]);
	}
}

/* Fills a batch with the writes from `from` on. Returns the index of the next write. */
static size_t fill(connection *self, batch *next, mcp_op *const *ops, size_t from, size_t count) {
	next->sent.count = next->bytes = 0;
	next->compares = false;
	next->breaks = self->exchange.peer.breaks;
	while (from < count && !is_full(next, ops[from])) {
		add_to_batch(self, next, ops[from++]);
	}
	judge_wishes(self, next);
	return from;
}

/* Learns whether the server supports proofs, if a write wants one. Returns the status that the first batch must
 * consider. */
static mcp_status learn(connection *self, mcp_op *const *ops, size_t count) {
	bool is_to_learn = false;
	for (size_t i = 0; i < count && !is_to_learn; i++) {
		is_to_learn = wants_proof(ops[i]);
	}
	return is_to_learn && !mcp_wire_has_learnt(self->wire) ? mcp_connection_learn(self) : MCP_OK;
}

static void run_from(connection *self, mcp_op *const *ops, size_t from, size_t count,
	mcp_status before) {
	while (from < count) {
		batch next;
		from = fill(self, &next, ops, from, count);
		if (next.sent.count > 0) {
			before = exchange(self, &next, before);
		}
	}
}

void mcp_connection_run(mcp_store *store, mcp_op *const *ops, size_t count) {
	connection *self = of(store);
	if (mcp_wire_takes_batches(self->wire)) {
		run_from(self, ops, 0, count, learn(self, ops, count));
	} else {
		run_one_by_one(self, ops, count);
	}
}

void mcp_connection_submit(mcp_store *store, mcp_op *const *ops, size_t count) {
	connection *self = of(store);
	batch first;
	self->writing.begun = self->writing.sent.count = 0;
	self->writing.before = MCP_OK;
	if (!mcp_wire_takes_batches(self->wire)) {
		return;
	}
	mcp_status before = learn(self, ops, count);
	self->writing.begun = fill(self, &first, ops, 0, count);
	if (first.sent.count > 0 && send_batch(self, &first, before)) {
		self->writing.sent = first.sent;
		/* The time until the replies are read depends on other servers. */
		mcp_exchange_stop_timing(&self->exchange);
	} else if (first.sent.count > 0) {
		self->writing.before = last_status(&first.sent);
	}
}

void mcp_connection_complete(mcp_store *store, mcp_op *const *ops, size_t count) {
	connection *self = of(store);
	mcp_connection_writing *writing = &self->writing;
	if (writing->sent.count > 0) {
		mcp_wire_resume(self->wire);
		writing->before = hear_batch(self, &writing->sent);
	}
	if (mcp_wire_takes_batches(self->wire)) {
		run_from(self, ops, writing->begun, count, writing->before);
	} else {
		run_one_by_one(self, ops, count);
	}
}
