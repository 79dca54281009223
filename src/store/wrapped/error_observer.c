/* Store that forwards every call and reports the failures. */
/* SPDX-License-Identifier: MIT */
#include "error_observer.h"

#include "../store.h"

#include <stdlib.h>

typedef struct observed {
	mcp_store store; /* borrows the store beneath */
	mcp_store_observer observer;
	void *context;
	size_t index;
} observed;

static observed *of(mcp_store *store) {
	return (observed *)store;
}

static mcp_status observe(mcp_store *store, mcp_status status) {
	if (mcp_status_is_failure(status)) {
		of(store)->observer(of(store)->context, of(store)->index, status,
			mcp_store_last_failure(store->beneath));
	}
	return status;
}

static mcp_status get(mcp_store *store, const mcp_key *key, mcp_item *item) {
	return observe(store, mcp_store_get(store->beneath, key, item));
}

/* An invalid proof is not a failure. */
static mcp_status look_at_write(mcp_store *store, mcp_status status) {
	return status == MCP_UNSUPPORTED ? status : observe(store, status);
}

static mcp_status change_one(mcp_store *store, mcp_op *op) {
	return look_at_write(store, mcp_store_change(store->beneath, op));
}

static void look_at_writes(mcp_store *store, mcp_op *const *ops, size_t count) {
	for (size_t i = 0; i < count; i++) {
		look_at_write(store, ops[i]->status);
	}
}

static void run(mcp_store *store, mcp_op *const *ops, size_t count) {
	mcp_store_run(store->beneath, ops, count);
	look_at_writes(store, ops, count);
}

static void submit(mcp_store *store, mcp_op *const *ops, size_t count) {
	mcp_store_submit(store->beneath, ops, count);
}

static void complete(mcp_store *store, mcp_op *const *ops, size_t count) {
	mcp_store_complete(store->beneath, ops, count);
	look_at_writes(store, ops, count);
}

static void carry_out(mcp_store *store, mcp_op *steps, size_t count) {
	mcp_store_steps(store->beneath, steps, count);
	for (size_t i = 0; i < count; i++) {
		look_at_write(store, steps[i].status);
	}
}

static mcp_status inquire(mcp_store *store, const char *kind, mcp_stat_visitor visit,
	void *context) {
	return observe(store, mcp_store_inquire(store->beneath, kind, visit, context));
}

static mcp_status started_us(mcp_store *store, const mcp_key *key, uint64_t *started) {
	return observe(store, mcp_store_started_us(store->beneath, key, started));
}

static void free_observed(mcp_store *store) {
	free(store);
}

static const mcp_store_operations operations = {
	.get = get,
	.change = change_one,
	.proves = true,
	.run = run,
	.submit = submit,
	.complete = complete,
	.steps = carry_out,
	.inquire = inquire,
	.started_us = started_us,
	.free = free_observed,
	.disown = free_observed,
};

void mcp_error_observer_aim(mcp_store *store, mcp_store *aim) {
	store->beneath = aim;
	store->address = aim->address;
}

mcp_store *mcp_error_observer_create(mcp_store_observer observer, void *context, size_t index) {
	observed *self = calloc(1, sizeof(*self));
	if (self == NULL) {
		return NULL;
	}
	self->store.operations = &operations;
	self->observer = observer;
	self->context = context;
	self->index = index;
	return &self->store;
}
