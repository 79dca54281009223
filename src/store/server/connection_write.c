/* Writes of a connection: each is sent once, and its status is as exact as possible.
 * Before the first write of a connection that wants a proof, the server is asked whether it supports proofs. */
/* SPDX-License-Identifier: MIT */
#include "connection_write.h"

#include "../../core/compiler.h"
#include "../../core/envelope/expiry.h"
#include "../one_by_one.h"
#include "inquiry.h"

typedef mcp_connection connection;

static connection *of(mcp_store *store) {
	return (connection *)store;
}

/* Joins head and value for a wire that sends no pieces. False: no memory. */
static MCP_APART bool join(connection *self, mcp_wire_item *item) {
	mcp_buffer_clear(&self->value);
	if (!mcp_buffer_reserve(&self->value, item->head.length + item->value.length)) {
		return false;
	}
	mcp_buffer_append(&self->value, item->head);
	mcp_buffer_append(&self->value, item->value);
	item->head = mcp_bytes_none();
	item->value = mcp_bytes_of(self->value.data, self->value.length);
	return true;
}

static inline bool needs_joining(const connection *self, const mcp_wire_item *item) {
	return item->head.length > 0 && !mcp_wire_sends_pieces(self->wire);
}

int64_t mcp_connection_expiry(const connection *self, uint64_t ttl_ms) {
	bool needs_wall = mcp_expiry_needs_wall(ttl_ms);
	return mcp_expiry_from_ttl(ttl_ms, needs_wall ? mcp_wall_ms(self->exchange.environment) : 0);
}

void mcp_connection_start_over(connection *self) {
	mcp_peer_forget(&self->exchange.peer);
	self->exchange.peer.has_broken_off = true;
}

/* A proxy that does not know the request ends the connection. That is harmless: the write is sent over the next one,
 * without a proof. */
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
	/* Nothing of the write was sent. */
	return status == MCP_OK || mcp_exchange_finish_read(&self->exchange, status) == MCP_OK
		? MCP_OK
		: MCP_UNREACHABLE;
}

MCP_INLINED mcp_status judge(connection *self, const mcp_key *key, const mcp_record *record,
	size_t *size) {
	if (!mcp_key_may_be_sent(key)) {
		return MCP_BAD_KEY;
	}
	*size = mcp_store_size_of(key, record);
	return *size < mcp_inquiry_item_max(&self->exchange, *size) ? MCP_OK : MCP_TOO_LARGE;
}

/* Returns MCP_OK, MCP_BAD_KEY or MCP_TOO_LARGE. */
static mcp_status mcp_connection_judge(connection *self, const mcp_key *key,
	const mcp_record *record, size_t *size) {
	return judge(self, key, record, size);
}

/* Judges key and size, and learns what a proof requires. */
static inline mcp_status prepare(connection *self, const mcp_key *key, const mcp_record *record,
	size_t *size) {
	mcp_status status = judge(self, key, record, size);
	if (status != MCP_OK) {
		return status;
	}
	bool is_to_learn = record->proof != NULL && !mcp_wire_has_learnt(self->wire);
	return is_to_learn ? mcp_connection_learn(self) : MCP_OK;
}

static inline bool is_ready(connection *self, mcp_wire_item *item) {
	return !needs_joining(self, item) || join(self, item);
}

static inline mcp_wire_item item_of(const connection *self, const mcp_key *key,
	const mcp_record *record) {
	return (mcp_wire_item){
		.key = key->wire,
		.head = record->head,
		.value = record->body,
		.flags = record->flags,
		.expiry = mcp_connection_expiry(self, record->ttl_ms),
		.proof = record->proof,
	};
}

static mcp_wire_item mcp_connection_item_of(const connection *self, const mcp_key *key,
	const mcp_record *record) {
	return item_of(self, key, record);
}

static inline mcp_status send_items(connection *self, mcp_wire_verb verb, const mcp_wire_item *item,
	size_t size) {
	self->exchange.moved = size;
	mcp_status status = mcp_wire_store(self->wire, verb, item);
	mcp_buffer_trim(&self->value);
	return status;
}

/* If the connection ended before anything was sent, the write has not failed. */
static mcp_status finish_otherwise(connection *self, mcp_status status) {
	if (status == MCP_UNSUPPORTED) {
		mcp_connection_start_over(self);
		return status;
	}
	return mcp_exchange_finish_write(&self->exchange, status);
}

static inline mcp_status finish(connection *self, mcp_status status) {
	return status == MCP_OK ? mcp_exchange_finish_well(&self->exchange)
							: finish_otherwise(self, status);
}

/* If a server without settings rejects a size, never send that size again: a rejected plain set deletes the stored
 * value. */
static mcp_status finish_put(connection *self, mcp_status status, size_t size) {
	if (status == MCP_TOO_LARGE && self->exchange.peer.has_no_settings) {
		self->exchange.peer.item_max = size;
	}
	return finish(self, status);
}

static mcp_wire_verb verb_of(const mcp_change *change) {
	static const mcp_wire_verb verbs[] = {
		[MCP_CHANGE_ADD] = MCP_WIRE_ADD,
		[MCP_CHANGE_SET] = MCP_WIRE_SET,
		[MCP_CHANGE_CAS] = MCP_WIRE_CAS,
		[MCP_CHANGE_PREPEND] = MCP_WIRE_PREPEND,
		[MCP_CHANGE_APPEND] = MCP_WIRE_APPEND,
	};
	return verbs[change->verb];
}

static mcp_status put(connection *self, const mcp_key *key, const mcp_change *change) {
	const mcp_record *record = change->record;
	mcp_wire_verb verb = verb_of(change);
	size_t size;
	mcp_status status = prepare(self, key, record, &size);
	if (status != MCP_OK) {
		return status;
	}
	if (verb == MCP_WIRE_CAS && self->exchange.peer.has_broken_off) {
		return MCP_EXISTS;
	}
	mcp_wire_item item = item_of(self, key, record);
	item.cas = change->cas;
	status = is_ready(self, &item) ? mcp_exchange_begin(&self->exchange)
								   : mcp_exchange_note_no_memory(&self->exchange);
	return status == MCP_OK ? finish_put(self, send_items(self, verb, &item, size), size) : status;
}

/* No item has CAS value 0, so the stored item is not the one that the caller read. */
static mcp_status answer_without_id(const connection *self) {
	return self->exchange.peer.gives_no_cas ? MCP_NO_CAS : MCP_EXISTS;
}

static mcp_status cas(connection *self, const mcp_key *key, const mcp_change *change) {
	return change->cas != 0 ? put(self, key, change) : answer_without_id(self);
}

static mcp_status delete_one(connection *self, const mcp_key *key, const mcp_change *change) {
	(void)change;
	mcp_status status = mcp_exchange_begin_with(&self->exchange, key);
	if (status != MCP_OK) {
		return status;
	}
	return finish(self, mcp_wire_delete(self->wire, key->wire));
}

/* Status of a cas or delete_if with this CAS value: MCP_OK if it may be sent. */
static mcp_status mcp_connection_judge_id(const mcp_connection *self, const mcp_key *key,
	uint64_t cas) {
	if (cas == 0) {
		return answer_without_id(self);
	}
	if (!mcp_key_may_be_sent(key)) {
		return MCP_BAD_KEY;
	}
	return self->exchange.peer.has_broken_off ? MCP_EXISTS : MCP_OK;
}

static mcp_wire_item mcp_connection_delete_if_item(const mcp_key *key, uint64_t cas) {
	return (mcp_wire_item){
		.key = key->wire,
		.head = mcp_bytes_of("", 0),
		.value = mcp_bytes_of("", 0),
		.expiry = MCP_EXPIRY_PAST,
		.cas = cas,
	};
}

static mcp_status delete_if(connection *self, const mcp_key *key, const mcp_change *change) {
	mcp_status status = mcp_connection_judge_id(self, key, change->cas);
	if (status == MCP_OK) {
		status = mcp_exchange_begin(&self->exchange);
	}
	if (status != MCP_OK) {
		return status;
	}
	mcp_wire_item item = mcp_connection_delete_if_item(key, change->cas);
	return finish(self, mcp_wire_store(self->wire, MCP_WIRE_CAS, &item));
}

/* MCP_UNSUPPORTED: the proof's connection is not open. */
static mcp_status begin_proven(connection *self, const mcp_proof *proof) {
	return mcp_wire_holds(self->wire, proof) ? mcp_exchange_begin(&self->exchange)
											 : MCP_UNSUPPORTED;
}

static mcp_status cas_proven(connection *self, const mcp_key *key, const mcp_change *change) {
	const mcp_record *record = change->record;
	const mcp_proof *proof = change->proof;
	size_t size;
	mcp_status status = prepare(self, key, record, &size);
	if (status == MCP_OK) {
		status = begin_proven(self, proof);
	}
	if (status != MCP_OK) {
		return status;
	}
	mcp_wire_item item = item_of(self, key, record);
	item.cas = proof->cas;
	item.connection = proof->connection;
	return is_ready(self, &item) ? finish(self, send_items(self, MCP_WIRE_CAS, &item, size))
								 : mcp_exchange_note_no_memory(&self->exchange);
}

static mcp_status delete_proven(connection *self, const mcp_key *key, const mcp_change *change) {
	if (!mcp_key_may_be_sent(key)) {
		return MCP_BAD_KEY;
	}
	mcp_status status = begin_proven(self, change->proof);
	if (status != MCP_OK) {
		return status;
	}
	return finish(self, mcp_wire_delete_proven(self->wire, key->wire, change->proof));
}

static mcp_status increment(connection *self, const mcp_key *key, const mcp_change *change) {
	mcp_status status = mcp_exchange_begin_with(&self->exchange, key);
	if (status != MCP_OK) {
		return status;
	}
	status = mcp_wire_increment(self->wire, key->wire, change->by, change->number);
	return finish(self, status);
}

static mcp_status decrement(connection *self, const mcp_key *key, const mcp_change *change) {
	mcp_status status = mcp_exchange_begin_with(&self->exchange, key);
	if (status != MCP_OK) {
		return status;
	}
	status = mcp_wire_decrement(self->wire, key->wire, change->by, change->number);
	return finish(self, status);
}

static mcp_status touch(connection *self, const mcp_key *key, const mcp_change *change) {
	mcp_status status = mcp_exchange_begin_with(&self->exchange, key);
	if (status != MCP_OK) {
		return status;
	}
	int64_t expiry = mcp_connection_expiry(self, change->record->ttl_ms);
	return finish(self, mcp_wire_touch(self->wire, key->wire, expiry));
}

static mcp_status flush(connection *self, const mcp_key *key, const mcp_change *change) {
	(void)key;
	(void)change;
	mcp_status status = mcp_exchange_begin(&self->exchange);
	return status == MCP_OK ? finish(self, mcp_wire_flush(self->wire)) : status;
}

typedef mcp_status (*sender)(connection *self, const mcp_key *key, const mcp_change *change);

/* Resends a write of which an ended connection took nothing. If the write compares CAS values of that connection, it is
 * MCP_EXISTS, or MCP_UNSUPPORTED with a proof. */
static MCP_SELDOM mcp_status send_once_more(connection *self, sender again, const mcp_key *key,
	const mcp_change *change) {
	if (change != NULL && change->proof != NULL) {
		return MCP_UNSUPPORTED;
	}
	mcp_status status = again(self, key, change);
	return status == MCP_UNSUPPORTED ? finish(self, MCP_UNREACHABLE) : status;
}

mcp_status mcp_connection_change(mcp_store *store, const mcp_key *key, const mcp_change *change) {
	static const sender senders[] = {
		[MCP_CHANGE_ADD] = put,
		[MCP_CHANGE_SET] = put,
		[MCP_CHANGE_CAS] = cas,
		[MCP_CHANGE_CAS_PROVEN] = cas_proven,
		[MCP_CHANGE_PREPEND] = put,
		[MCP_CHANGE_APPEND] = put,
		[MCP_CHANGE_DELETE] = delete_one,
		[MCP_CHANGE_DELETE_IF] = delete_if,
		[MCP_CHANGE_DELETE_PROVEN] = delete_proven,
		[MCP_CHANGE_INCREMENT] = increment,
		[MCP_CHANGE_DECREMENT] = decrement,
		[MCP_CHANGE_TOUCH] = touch,
	};
	mcp_status status = senders[change->verb](of(store), key, change);
	return status == MCP_UNSUPPORTED ? send_once_more(of(store), senders[change->verb], key, change)
									 : status;
}

mcp_status mcp_connection_flush(mcp_store *store) {
	mcp_status status = flush(of(store), NULL, NULL);
	return status == MCP_UNSUPPORTED ? send_once_more(of(store), flush, NULL, NULL) : status;
}

/* Writes in bounded batches of 1 round trip, if the wire supports batches. Each write is sent at most once; without a
 * reply it is unknown. The first batch can be sent ahead, so that other servers work in the meantime. */

/* Bounds the writes of unknown outcome after a broken batch: this amount plus one value. */
#define BATCH_BYTES_MAX ((size_t)256 * 1024)

/* Requests of one batch. */
typedef struct batch {
	mcp_connection_sent sent;
	size_t bytes;
	uint64_t breaks;    /* count when the batch was begun; for CAS values only */
	mcp_status if_gone; /* status of writes whose CAS values belong to an ended connection */
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

static mcp_status submit(mcp_wire *wire, const batch *filled) {
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

/* An open breaker after a failure in this call is the same failure, so do not note it again. MCP_OK: the rest may be
 * sent. */
static mcp_status ask_after(const connection *self, mcp_status before) {
	bool may_have_failed = mcp_status_is_failure(before);
	bool is_tripped = may_have_failed &&
		!mcp_breaker_allows(&self->exchange.breaker, mcp_exchange_now_ms(&self->exchange));
	return is_tripped ? MCP_UNREACHABLE : MCP_OK;
}

/* True if the next write may need a new connection. */
static bool may_have_closed(mcp_status status) {
	return mcp_status_is_failure(status) && status != MCP_UNSUPPORTED;
}

static bool calculates(mcp_wire_verb verb) {
	return verb == MCP_WIRE_INCREMENT || verb == MCP_WIRE_DECREMENT;
}

/* Reads the reply to one write, and its proof if wanted. */
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

/* Returns the last write's status. After a lost connection, CAS values from before are not sent. */
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

/* Resends the batch over a new connection, unless it compares CAS values of the ended one. */
static mcp_status send_anew(connection *self, const batch *filled) {
	mcp_connection_start_over(self);
	if (filled->sent.verb == MCP_WIRE_CAS) {
		return filled->if_gone;
	}
	mcp_status status = submit(self->wire, filled);
	return status == MCP_UNSUPPORTED ? MCP_UNREACHABLE : status;
}

/* True if the batch compares CAS values of an ended connection. A proxy can end it when asked for its item limit. */
static bool is_of_another(const connection *self, const batch *filled) {
	return filled->sent.verb == MCP_WIRE_CAS && self->exchange.peer.breaks != filled->breaks;
}

/* `before`: last status of the previous batch, MCP_OK for the first. False: the batch was not sent and all its writes
 * have a status. */
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
	status = submit(self->wire, filled);
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

/* Returns the last write's status. */
static mcp_status exchange(connection *self, const batch *filled, mcp_status before) {
	bool is_sent = send_batch(self, filled, before);
	return is_sent ? hear(self, &filled->sent) : *filled->sent.statuses[filled->sent.count - 1];
}

/* A bad key is MCP_BAD_KEY during an outage too. */
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

/* Add the write only if its proof's connection is open: otherwise the stored item is unknown. */
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

/* Batch settings of one verb. */
typedef struct batch_kind {
	mcp_wire_verb verb;
	/* Adds nothing if the write must not be sent, and sets its status. */
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
		/* CAS values that were read over an ended connection must not be compared over another one. */
		of(store)->exchange.peer.has_broken_off |= may_have_closed(before);
	}
}

/* Drops the requests for proofs if they are unsupported or the replies might not fit. */
static void judge_wishes(const connection *self, batch *filled) {
	bool are_fulfilled =
		filled->bytes <= MCP_WIRE_PROVEN_BYTES_MAX && mcp_wire_takes_steps(self->wire);
	for (size_t i = 0; i < filled->sent.count && !are_fulfilled; i++) {
		filled->sent.proven[i] = NULL;
		filled->items[i].proof = NULL;
	}
}

/* Fills a batch with the writes from `from` on. Returns the index of the next one. */
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

/* Learns whether the server supports proofs, if a write wants one. Returns the status that the first batch must
 * consider. */
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

/* NULL: no memory, or the wire has no batches, so nothing is sent ahead. `room` is free: no get_many is in progress. */
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
		/* The time until the replies are read depends on other servers. */
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
