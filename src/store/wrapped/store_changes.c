/* Raises the key's counter when a write has come back, whatever it answered: a write without an answer may have
 * happened, and one that found nothing to do may have found out that a copy is old. Reads go straight through. */
/* SPDX-License-Identifier: MIT */
#include "store_changes.h"

#include "../steps.h"
#include "store_wrapping.h"

#include <stdlib.h>

typedef struct told {
	mcp_store_wrapping wrapping; /* its inner store is owned */
	const mcp_changes *changes;
} told;

static told *of(mcp_store *store) {
	return (told *)store;
}

static mcp_store *inner(mcp_store *store) {
	return mcp_store_wrapping_inner(store);
}

/* Tells of a change, but not of a lock's, say: no copy of one is ever kept near. */
static mcp_status tell(mcp_store *store, const mcp_key *key, mcp_status status) {
	if (mcp_store_changes_hash(key) != 0) {
		mcp_changes_raise(of(store)->changes, mcp_store_changes_hash(key));
	}
	return status;
}

static mcp_status get(mcp_store *store, const mcp_key *key, mcp_item *item) {
	return mcp_store_get(inner(store), key, item);
}

static mcp_status cas_of(mcp_store *store, const mcp_key *key, uint64_t *cas) {
	return mcp_store_cas_of(inner(store), key, cas);
}

static void get_many(mcp_store *store, const mcp_key *keys, size_t count, mcp_reply *replies) {
	mcp_store_get_many(inner(store), keys, count, replies);
}

static void hear_many(mcp_store *store, const mcp_key *keys, size_t count, mcp_reply *replies) {
	mcp_store_hear_many(inner(store), keys, count, replies);
}

/* Tells of it unless the proof holds no more: then nothing was sent. */
static mcp_status change_one(mcp_store *store, const mcp_key *key, const mcp_change *change) {
	mcp_status status = mcp_store_change(inner(store), key, change);
	return status == MCP_UNSUPPORTED ? status : tell(store, key, status);
}

static void tell_all(mcp_store *store, const mcp_write *writes, size_t count) {
	for (size_t i = 0; i < count; i++) {
		tell(store, &writes[i].key, writes[i].status);
	}
}

static void write_many(mcp_store *store, mcp_change_verb verb, mcp_write *writes, size_t count) {
	mcp_store_write_many(inner(store), verb, writes, count);
	tell_all(store, writes, count);
}

static void hear_writes(mcp_store *store, mcp_change_verb verb, mcp_write *writes, size_t count) {
	mcp_store_hear_writes(inner(store), verb, writes, count);
	tell_all(store, writes, count);
}

static void delete_many(mcp_store *store, const mcp_key *keys, size_t count, mcp_status *statuses) {
	mcp_store_delete_many(inner(store), keys, count, statuses);
	for (size_t i = 0; i < count; i++) {
		tell(store, &keys[i], statuses[i]);
	}
}

/* Tells of the writes, also where nothing was sent. */
static void carry_out(mcp_store *store, mcp_store_step *steps, size_t count) {
	mcp_store_steps(inner(store), steps, count);
	for (size_t i = 0; i < count && !mcp_store_step_is_read(&steps[i]); i++) {
		tell(store, steps[i].key, steps[i].status);
	}
}

static mcp_status stats(mcp_store *store, mcp_stat_visitor visit, void *context) {
	return mcp_store_stats(inner(store), visit, context);
}

static mcp_status flush(mcp_store *store) {
	mcp_status status = mcp_store_flush(inner(store));
	mcp_changes_raise_all(of(store)->changes);
	return status;
}

static mcp_status ping(mcp_store *store) {
	return mcp_store_ping(inner(store));
}

static mcp_status started_us(mcp_store *store, const mcp_key *key, uint64_t *started) {
	return mcp_store_started_us(inner(store), key, started);
}

static void free_told(mcp_store *store) {
	mcp_store_free(inner(store));
	free(store);
}

static void disown(mcp_store *store) {
	mcp_store_disown(inner(store));
	free(store);
}

static const mcp_store_operations operations = {
	.get = get,
	.cas_of = cas_of,
	.get_many = get_many,
	.hear_many = hear_many,
	.change = change_one,
	.proves = true,
	.write_many = write_many,
	.hear_writes = hear_writes,
	.delete_many = delete_many,
	.steps = carry_out,
	.stats = stats,
	.flush = flush,
	.ping = ping,
	.started_us = started_us,
	MCP_STORE_WRAPPING_OPERATIONS,
	.free = free_told,
	.disown = disown,
};

mcp_store *mcp_store_changes_create(mcp_store *wrapped, const mcp_changes *changes) {
	if (wrapped == NULL) {
		return NULL;
	}
	told *self = calloc(1, sizeof(*self));
	if (self == NULL) {
		mcp_store_free(wrapped);
		return NULL;
	}
	self->wrapping.store.operations = &operations;
	self->wrapping.store.address = wrapped->address;
	self->wrapping.inner = wrapped;
	self->changes = changes;
	return &self->wrapping.store;
}
