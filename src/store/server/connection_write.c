/* Writes are sent once, and what became of them is said as well as it is known. A write that wants a proof has the
 * server asked first, once for each connection, whether it can prove one. */
/* SPDX-License-Identifier: MIT */
#include "connection_write.h"

#include "../../core/compiler.h"
#include "../../core/envelope/expiry.h"
#include "inquiry.h"

typedef mcp_connection connection;

static connection *of(mcp_store *store) {
	return (connection *)store;
}

/* Joins head and value as one piece of memory: each write of a cache over a wire that takes no pieces. False if
 * there is no memory. */
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

/* Learns what the wire asks. Behind a proxy that does not know the question it is the end of the connection, and
 * no more: the write goes over the next one, unproven. */
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

mcp_status mcp_connection_judge(connection *self, const mcp_key *key, const mcp_record *record,
	size_t *size) {
	return judge(self, key, record, size);
}

/* Prepares: a key and a size that may be sent, and whatever is to be known before. */
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

mcp_wire_item mcp_connection_item_of(const connection *self, const mcp_key *key,
	const mcp_record *record) {
	return item_of(self, key, record);
}

static inline mcp_status send(connection *self, mcp_wire_verb verb, const mcp_wire_item *item,
	size_t size) {
	self->exchange.moved = size;
	mcp_status status = mcp_wire_store(self->wire, verb, item);
	mcp_buffer_trim(&self->value);
	return status;
}

/* Finishes; where the connection had ended before anything was sent, nothing has failed. */
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

/* Finishes; a server that tells no settings has told by a refusal how large an item may not be. Nothing of that size is
 * sent again, as a plain set that is refused takes away what was there. */
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
	return status == MCP_OK ? finish_put(self, send(self, verb, &item, size), size) : status;
}

/* Answers without asking: no item ever has the id 0, so whatever is there is not what the caller read. */
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

mcp_status mcp_connection_judge_id(const mcp_connection *self, const mcp_key *key, uint64_t cas) {
	if (cas == 0) {
		return answer_without_id(self);
	}
	if (!mcp_key_may_be_sent(key)) {
		return MCP_BAD_KEY;
	}
	return self->exchange.peer.has_broken_off ? MCP_EXISTS : MCP_OK;
}

mcp_wire_item mcp_connection_delete_if_item(const mcp_key *key, uint64_t cas) {
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

/* MCP_OK if the proof's own connection is open, as far as is known, and may be used. */
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
	return is_ready(self, &item) ? finish(self, send(self, MCP_WIRE_CAS, &item, size))
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

/* Sends over a new connection what the old one took nothing of. What compares cas ids of the old one is answered instead,
 * by MCP_EXISTS, or where it goes by a proof so. */
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
