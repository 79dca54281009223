/* Store that passes every call on and reports the failures. */
/* SPDX-License-Identifier: MIT */
#include "error_observer.h"

#include "../ops.h"
#include "store_wrapper.h"

#include <stdlib.h>

typedef struct observed {
	mcp_store_wrapper wrapping;
	mcp_store_observer observer;
	void *context;
	size_t index;
} observed;

static observed *of(mcp_store *store) {
	return (observed *)store;
}

static mcp_store *inner(mcp_store *store) {
	return mcp_store_wrapper_inner(store);
}

static mcp_status look(mcp_store *store, mcp_status status) {
	if (mcp_status_is_failure(status)) {
		of(store)->observer(of(store)->context, of(store)->index, status,
			mcp_store_last_failure(inner(store)));
	}
	return status;
}

static mcp_status get(mcp_store *store, const mcp_key *key, mcp_item *item) {
	return look(store, mcp_store_get(inner(store), key, item));
}

static mcp_status cas_of(mcp_store *store, const mcp_key *key, uint64_t *cas) {
	return look(store, mcp_store_cas_of(inner(store), key, cas));
}

/* A void proof is not a failure. */
static mcp_status look_at_write(mcp_store *store, mcp_status status) {
	return status == MCP_UNSUPPORTED ? status : look(store, status);
}

static mcp_status change_one(mcp_store *store, mcp_op *op) {
	return look_at_write(store, mcp_store_change(inner(store), op));
}

static void look_at_writes(mcp_store *store, mcp_op *const *ops, size_t count) {
	for (size_t i = 0; i < count; i++) {
		look_at_write(store, ops[i]->status);
	}
}

static void run(mcp_store *store, mcp_op *const *ops, size_t count) {
	mcp_store_run(inner(store), ops, count);
	look_at_writes(store, ops, count);
}

static void complete(mcp_store *store, mcp_op *const *ops, size_t count) {
	mcp_store_complete(inner(store), ops, count);
	look_at_writes(store, ops, count);
}

static void carry_out(mcp_store *store, mcp_op *steps, size_t count) {
	mcp_store_steps(inner(store), steps, count);
	for (size_t i = 0; i < count; i++) {
		look_at_write(store, steps[i].status);
	}
}

static mcp_status stats(mcp_store *store, mcp_stat_visitor visit, void *context) {
	return look(store, mcp_store_stats(inner(store), visit, context));
}

static mcp_status settings(mcp_store *store, mcp_stat_visitor visit, void *context) {
	return look(store, mcp_store_settings(inner(store), visit, context));
}

static mcp_status flush(mcp_store *store) {
	return look(store, mcp_store_flush(inner(store)));
}

static mcp_status ping(mcp_store *store) {
	return look(store, mcp_store_ping(inner(store)));
}

static mcp_status started_us(mcp_store *store, const mcp_key *key, uint64_t *started) {
	return look(store, mcp_store_started_us(inner(store), key, started));
}

static void free_observed(mcp_store *store) {
	free(store);
}

static const mcp_store_operations operations = {
	.get = get,
	.cas_of = cas_of,
	.change = change_one,
	.proves = true,
	.run = run,
	.complete = complete,
	.steps = carry_out,
	.stats = stats,
	.settings = settings,
	.flush = flush,
	.ping = ping,
	.started_us = started_us,
	MCP_STORE_WRAPPING_OPERATIONS,
	.bell = mcp_store_wrapper_bell,
	.free = free_observed,
	.disown = free_observed,
};

void mcp_error_observer_aim(mcp_store *store, mcp_store *aim) {
	of(store)->wrapping.inner = aim;
	store->address = aim->address;
}

mcp_store *mcp_error_observer_create(mcp_store_observer observer, void *context, size_t index) {
	observed *self = calloc(1, sizeof(*self));
	if (self == NULL) {
		return NULL;
	}
	self->wrapping.store.operations = &operations;
	self->observer = observer;
	self->context = context;
	self->index = index;
	return &self->wrapping.store;
}
