/* Many writes are sent in bounded batches, each a round trip, where the wire can. Each is sent at most once, whatever
 * becomes of its batch; what has no answer of its own is unknown. The first may be sent long before its answers are read,
 * so that other servers are sent theirs in the meantime. */
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

/* The requests that are sent together. */
typedef struct batch {
	mcp_connection_sent sent;
	size_t bytes;
	uint64_t breaks; /* when it was begun; for what compares cas ids alone */
	mcp_status
		if_gone; /* what all are answered that compare cas ids of a connection that has gone */
	mcp_wire_item items[MCP_WIRE_BATCH_MAX];
} batch;

static void empty(batch *self, mcp_wire_verb verb) {
	self->sent.verb = verb;
	self->sent.count = self->bytes = 0;
	self->if_gone = MCP_EXISTS;
}

static mcp_wire_item *add_item(batch *to, mcp_status *status, size_t bytes) {
	to->sent.statuses[to->sent.count] = status;
	to->sent.proven[to->sent.count] = NULL;
	to->bytes += bytes;
	return &to->items[to->sent.count++];
}

static mcp_status send(mcp_wire *wire, const batch *filled) {
	return mcp_wire_send_many(wire, filled->sent.verb, filled->items, filled->sent.count);
}

static bool is_full(const batch *filled) {
	return filled->sent.count == MCP_WIRE_BATCH_MAX || filled->bytes >= BATCH_BYTES_MAX;
}

static void answer_from(const mcp_connection_sent *sent, size_t from, mcp_status status) {
	for (size_t i = from; i < sent->count; i++) {
		*sent->statuses[i] = status;
	}
}

/* Asks for the rest of a call after the server has failed: that it is left alone is the same failure still, and not
 * another one to be noted. MCP_OK: it may be asked. */
static mcp_status ask_after(const connection *self, mcp_status before) {
	bool may_have_failed = mcp_status_is_failure(before);
	bool is_tripped = may_have_failed &&
		!mcp_breaker_allows(&self->exchange.breaker, mcp_exchange_now_ms(&self->exchange));
	return is_tripped ? MCP_UNREACHABLE : MCP_OK;
}

/* Says whether the next write may go over another connection. */
static bool may_have_closed(mcp_status status) {
	return mcp_status_is_failure(status) && status != MCP_UNSUPPORTED;
}

static bool calculates(mcp_wire_verb verb) {
	return verb == MCP_WIRE_INCREMENT || verb == MCP_WIRE_DECREMENT;
}

/* Hears the answer to one, and the proof behind it where it wants one. */
static mcp_status hear_one(connection *self, const mcp_connection_sent *sent, size_t i) {
	bool is_last = i + 1 == sent->count;
	uint64_t number;
	if (sent->proven[i] != NULL) {
		const mcp_write *write = sent->proven[i];
		mcp_wire_item item = mcp_connection_item_of(self, &write->key, &write->record);
		return mcp_wire_answer_proven(self->wire, is_last, &item);
	}
	mcp_status status = mcp_wire_answer(self->wire, is_last, &number);
	if (status == MCP_OK && calculates(sent->verb)) {
		*sent->numbers[i] = number;
	}
	return status;
}

/* Returns the last one's answer. Cas ids of before its connection ended are sent over no other. */
static mcp_status hear(connection *self, const mcp_connection_sent *sent) {
	for (size_t i = 0; i < sent->count; i++) {
		mcp_status status = hear_one(self, sent, i);
		*sent->statuses[i] = mcp_exchange_finish_write(&self->exchange, status);
		self->exchange.peer.has_broken_off |= may_have_closed(status);
		if (mcp_status_is_the_end(status)) {
			answer_from(sent, i + 1, *sent->statuses[i]);
			break;
		}
	}
	return *sent->statuses[sent->count - 1];
}

/* Sends it over a new connection where the old one has gone, unless it compares cas ids: those were the old one's. */
static mcp_status send_anew(connection *self, const batch *filled) {
	mcp_connection_start_over(self);
	if (filled->sent.verb == MCP_WIRE_CAS) {
		return filled->if_gone;
	}
	mcp_status status = send(self->wire, filled);
	return status == MCP_UNSUPPORTED ? MCP_UNREACHABLE : status;
}

/* Says whether it compares cas ids of a connection that has ended since it was begun, as one does on which a proxy was asked
 * how large an item may be. */
static bool is_of_another(const connection *self, const batch *filled) {
	return filled->sent.verb == MCP_WIRE_CAS && self->exchange.peer.breaks != filled->breaks;
}

/* Sends a batch; `before` is the answer to the last one of the batch before, MCP_OK for the first. False if it was not
 * sent; then all of it is answered. */
static bool send_batch(connection *self, const batch *filled, mcp_status before) {
	mcp_status status = ask_after(self, before);
	if (status == MCP_OK) {
		status = mcp_exchange_begin(&self->exchange);
	}
	if (status != MCP_OK) {
		answer_from(&filled->sent, 0, status);
		return false;
	}
	if (is_of_another(self, filled)) {
		answer_from(&filled->sent, 0, filled->if_gone);
		return false;
	}
	self->exchange.moved = filled->bytes;
	status = send(self->wire, filled);
	if (status == MCP_UNSUPPORTED) {
		status = send_anew(self, filled);
	}
	if (status == MCP_OK) {
		return true;
	}
	bool is_over = status == filled->if_gone;
	self->exchange.peer.has_broken_off = true;
	answer_from(&filled->sent, 0,
		is_over ? status : mcp_exchange_finish_write(&self->exchange, status));
	return false;
}

/* Returns the last one's answer. */
static mcp_status exchange(connection *self, const batch *filled, mcp_status before) {
	bool is_sent = send_batch(self, filled, before);
	return is_sent ? hear(self, &filled->sent) : *filled->sent.statuses[filled->sent.count - 1];
}

/* Answers of a key that must not be sent that it is one, in an outage, too. */
static mcp_status unless_bad(const mcp_key *key, mcp_status status) {
	return mcp_key_may_be_sent(key) ? status : MCP_BAD_KEY;
}

static void add_record(connection *self, batch *to, mcp_write *write) {
	size_t size;
	write->status = mcp_connection_judge(self, &write->key, &write->record, &size);
	if (write->status == MCP_OK) {
		*add_item(to, &write->status, size) =
			mcp_connection_item_of(self, &write->key, &write->record);
	}
	if (write->status == MCP_OK && write->record.proof != NULL) {
		to->sent.proven[to->sent.count - 1] = write;
	}
}

static void add_cas(connection *self, batch *to, mcp_write *write) {
	size_t before = to->sent.count;
	write->status = mcp_connection_judge_id(self, &write->key, write->cas);
	if (write->status == MCP_OK) {
		add_record(self, to, write);
	}
	if (to->sent.count > before) {
		to->items[before].cas = write->cas;
	}
}

/* Adds it if its proof's own connection is open; else nothing is known of what stands there. */
static void add_cas_proven(connection *self, batch *to, mcp_write *write) {
	size_t before = to->sent.count;
	to->if_gone = MCP_UNSUPPORTED;
	write->status = MCP_UNSUPPORTED;
	if (mcp_wire_holds(self->wire, &write->proof)) {
		add_record(self, to, write);
	}
	if (to->sent.count > before) {
		to->items[before].cas = write->proof.cas;
	}
}

static void add_calculation(connection *self, batch *to, mcp_write *write) {
	(void)self;
	write->status = unless_bad(&write->key, MCP_OK);
	if (write->status == MCP_OK) {
		to->sent.numbers[to->sent.count] = &write->number;
		*add_item(to, &write->status, write->key.wire.length) = (mcp_wire_item){
			.key = write->key.wire,
			.by = write->by,
		};
	}
}

static void add_delete(batch *to, const mcp_key *key, mcp_status *status) {
	*status = unless_bad(key, MCP_OK);
	if (*status == MCP_OK) {
		*add_item(to, status, key->wire.length) = (mcp_wire_item){.key = key->wire};
	}
}

static void add_delete_of(connection *self, batch *to, mcp_write *write) {
	(void)self;
	add_delete(to, &write->key, &write->status);
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
	[MCP_CHANGE_CAS_PROVEN] = {MCP_WIRE_CAS, add_cas_proven},
	[MCP_CHANGE_INCREMENT] = {MCP_WIRE_INCREMENT, add_calculation},
	[MCP_CHANGE_DECREMENT] = {MCP_WIRE_DECREMENT, add_calculation},
	[MCP_CHANGE_DELETE] = {MCP_WIRE_DELETE, add_delete_of},
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
		/* Cas ids that were read over a connection that has gone are compared over no other. */
		of(store)->exchange.peer.has_broken_off |= may_have_closed(before);
	}
}

/* Drops the wishes for proofs where they could not be fulfilled, or the answers might find no room. */
static void judge_wishes(const connection *self, batch *filled) {
	bool are_fulfilled =
		filled->bytes <= MCP_WIRE_PROVEN_BYTES_MAX && mcp_wire_takes_steps(self->wire);
	for (size_t i = 0; i < filled->sent.count && !are_fulfilled; i++) {
		filled->sent.proven[i] = NULL;
		filled->items[i].proof = NULL;
	}
}

/* Fills a batch with the writes from this one on. Returns where the next one begins. */
static size_t fill(connection *self, batch *next, mcp_change_verb verb, mcp_write *writes,
	size_t from, size_t count) {
	empty(next, kinds[verb].verb);
	next->breaks = self->exchange.peer.breaks;
	while (from < count && !is_full(next)) {
		kinds[verb].add(self, next, &writes[from++]);
	}
	judge_wishes(self, next);
	return from;
}

/* Has the server asked, where a proof is wanted and it was not, whether it can prove writes. Returns what came of it, which
 * the first batch hears of. */
static mcp_status learn(connection *self, const mcp_write *writes, size_t count) {
	bool is_to_learn = false;
	for (size_t i = 0; i < count && !is_to_learn; i++) {
		is_to_learn = writes[i].record.proof != NULL;
	}
	return is_to_learn && !mcp_wire_has_learnt(self->wire) ? mcp_connection_learn(self) : MCP_OK;
}

static void write_from(connection *self, mcp_change_verb verb, mcp_write *writes, size_t from,
	size_t count, mcp_status before) {
	while (from < count) {
		batch next;
		from = fill(self, &next, verb, writes, from, count);
		if (next.sent.count > 0) {
			before = exchange(self, &next, before);
		}
	}
}

void mcp_connection_write_many(mcp_store *store, mcp_change_verb verb, mcp_write *writes,
	size_t count) {
	connection *self = of(store);
	if (mcp_wire_takes_batches(self->wire)) {
		write_from(self, verb, writes, 0, count, learn(self, writes, count));
	} else {
		write_one_by_one(store, verb, writes, count);
	}
}

/* NULL if there is no memory, or the wire takes no batches: then nothing is sent ahead. The room is a get_many's, which
 * does not run meanwhile. */
static mcp_connection_sent *room_for_sent(connection *self) {
	mcp_buffer_clear(&self->room);
	bool has_room = mcp_wire_takes_batches(self->wire) &&
		mcp_buffer_reserve(&self->room, sizeof(mcp_connection_sent));
	return has_room ? (mcp_connection_sent *)(void *)self->room.data : NULL;
}

void mcp_connection_send_writes(mcp_store *store, mcp_change_verb verb, mcp_write *writes,
	size_t count) {
	connection *self = of(store);
	batch first;
	self->writing = (mcp_connection_writing){.before = MCP_OK};
	mcp_connection_sent *room = room_for_sent(self);
	if (room == NULL) {
		return;
	}
	mcp_status before = learn(self, writes, count);
	self->writing.begun = fill(self, &first, verb, writes, 0, count);
	if (first.sent.count > 0 && send_batch(self, &first, before)) {
		*room = first.sent;
		self->writing.sent = room;
		/* The time until the answers are read is what other servers take. */
		mcp_exchange_stop_timing(&self->exchange);
	} else if (first.sent.count > 0) {
		self->writing.before = *first.sent.statuses[first.sent.count - 1];
	}
}

void mcp_connection_hear_writes(mcp_store *store, mcp_change_verb verb, mcp_write *writes,
	size_t count) {
	connection *self = of(store);
	mcp_connection_writing *writing = &self->writing;
	if (writing->sent != NULL) {
		mcp_wire_resume(self->wire);
		writing->before = hear(self, writing->sent);
	}
	if (mcp_wire_takes_batches(self->wire)) {
		write_from(self, verb, writes, writing->begun, count, writing->before);
	} else {
		write_one_by_one(store, verb, writes, count);
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
		if (next.sent.count > 0) {
			before = exchange(self, &next, before);
		}
	}
}
