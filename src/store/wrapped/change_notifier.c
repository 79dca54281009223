/* Store that raises the key's change counter after each write and wakes the waiters. It raises the counter for every
 * status except MCP_UNSUPPORTED, but keys of locks and keys without a fingerprint have no counter. A write without a
 * reply might have been executed, and a write without effect might have shown that a copy is stale. Reads pass
 * through. */
/* SPDX-License-Identifier: MIT */
#include "change_notifier.h"

#include "../../core/compiler.h"
#include "../../core/vendor/xxh64.h"
#include "../../core/waking/wakeups.h"
#include "../store.h"

#include <stdlib.h>
#include <string.h>

typedef struct notifier {
	mcp_store store; /* owns the store beneath */
	mcp_notified_host host;
	uint64_t server; /* hash of the server's address, because a key has a wake-up slot per server */
} notifier;

static notifier *of(mcp_store *store) {
	return (notifier *)store;
}

#define BIT(verb) (1u << (verb))

/* No process waits for increments, decrements, prepends, appends or new TTLs. */
MCP_INLINED bool may_end_a_wait(const mcp_op *op, mcp_status status) {
	const unsigned ending = BIT(MCP_OP_ADD) | BIT(MCP_OP_SET) | BIT(MCP_OP_CAS) |
		BIT(MCP_OP_DELETE) | BIT(MCP_OP_DELETE_IF);
	return (status == MCP_OK || status == MCP_UNKNOWN) && (BIT(op->verb) & ending) != 0 &&
		(op->record == NULL || !op->record->is_claim);
}

static mcp_wakeup_slot bell(mcp_store *store, const mcp_key *key) {
	const notifier *self = of(store);
	bool has_none = self->host.bells == NULL || key->fingerprint == 0;
	return has_none ? (mcp_wakeup_slot){.bell = NULL}
					: mcp_wakeups_find(self->host.bells, key->fingerprint ^ self->server);
}

/* Notify after the counter has been raised and the work has been done: a woken process can then find the result in the
 * near cache. */
static MCP_APART void ring(const notifier *self, const mcp_op *op, mcp_status status,
	mcp_wakeup_slot place, uint64_t raised_from) {
	mcp_before_ring *before = op->record != NULL ? op->record->before_ring : NULL;
	if (before != NULL && status == MCP_OK) {
		before->run(before, raised_from);
	}
	mcp_ring(self->host.environment, place, op->key->is_for_one);
}

/* For a lock's key, only notify: the near cache never holds locks. MCP_UNSUPPORTED: nothing was sent, so nothing
 * changed. */
MCP_INLINED void tell(mcp_store *store, const mcp_op *op, mcp_status status) {
	const notifier *self = of(store);
	uint64_t hash = op->key->fingerprint;
	if (hash == 0 || status == MCP_UNSUPPORTED) {
		return;
	}
	uint64_t raised_from = op->key->is_for_one ? 0 : mcp_changes_raise(self->host.changes, hash);
	if (!may_end_a_wait(op, status) || self->host.bells == NULL) {
		return;
	}
	mcp_wakeup_slot place = mcp_wakeups_find(self->host.bells, hash ^ self->server);
	if (mcp_ring_is_awaited(self->host.environment, place.bell)) {
		ring(self, op, status, place, raised_from);
	}
}

static mcp_status get(mcp_store *store, const mcp_key *key, mcp_item *item) {
	return mcp_store_get(store->beneath, key, item);
}

static mcp_status change_one(mcp_store *store, mcp_op *op) {
	mcp_status status = mcp_store_change(store->beneath, op);
	if (op->verb < MCP_OP_FLUSH) {
		tell(store, op, status);
	} else if (op->verb == MCP_OP_FLUSH) {
		mcp_changes_raise_all(of(store)->host.changes);
	}
	return status;
}

static MCP_APART void tell_writes(mcp_store *store, mcp_op *const *ops, size_t count) {
	for (size_t i = 0; i < count && !mcp_op_is_read(ops[i]); i++) {
		tell(store, ops[i], ops[i]->status);
	}
}

/* A run of reads only saves no registers. */
MCP_INLINED void tell_all(mcp_store *store, mcp_op *const *ops, size_t count) {
	if (!mcp_ops_are_reads(ops, count)) {
		tell_writes(store, ops, count);
	}
}

static void run(mcp_store *store, mcp_op *const *ops, size_t count) {
	mcp_store_run(store->beneath, ops, count);
	tell_all(store, ops, count);
}

static void submit(mcp_store *store, mcp_op *const *ops, size_t count) {
	mcp_store_submit(store->beneath, ops, count);
}

static void complete(mcp_store *store, mcp_op *const *ops, size_t count) {
	mcp_store_complete(store->beneath, ops, count);
	tell_all(store, ops, count);
}

static void carry_out(mcp_store *store, mcp_op *steps, size_t count) {
	mcp_store_steps(store->beneath, steps, count);
	for (size_t i = 0; i < count && !mcp_op_is_read(&steps[i]); i++) {
		tell(store, &steps[i], steps[i].status);
	}
}

static void free_notifier(mcp_store *store) {
	mcp_store_free(store->beneath);
	free(store);
}

static void disown(mcp_store *store) {
	mcp_store_disown(store->beneath);
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
	.bell = bell,
	.free = free_notifier,
	.disown = disown,
};

mcp_store *mcp_change_notifier_create(mcp_store *wrapped, const mcp_notified_host *host) {
	if (wrapped == NULL) {
		return NULL;
	}
	notifier *self = calloc(1, sizeof(*self));
	if (self == NULL) {
		mcp_store_free(wrapped);
		return NULL;
	}
	self->store.operations = &operations;
	self->store.address = wrapped->address;
	self->store.beneath = wrapped;
	self->host = *host;
	/* An unseeded hash is safe: the application chooses its servers. */
	self->server = XXH64(wrapped->address, strlen(wrapped->address), 0);
	return &self->store;
}
