/* One round trip for each key, each with its own answer. */
/* SPDX-License-Identifier: MIT */
#include "one_by_one.h"

void mcp_one_by_one_do(mcp_store *store, mcp_change_verb verb, mcp_write *write) {
	mcp_change change = {
		.verb = verb,
		.record = &write->record,
		.cas = write->cas,
		.by = write->by,
		.number = &write->number,
	};
	write->status = mcp_store_change(store, &write->key, &change);
}

void mcp_one_by_one_write(mcp_store *store, mcp_change_verb verb, mcp_write *writes, size_t count) {
	for (size_t i = 0; i < count; i++) {
		mcp_one_by_one_do(store, verb, &writes[i]);
	}
}

void mcp_one_by_one_delete(mcp_store *store, const mcp_key *keys, size_t count,
	mcp_status *statuses) {
	for (size_t i = 0; i < count; i++) {
		statuses[i] = mcp_store_delete(store, &keys[i]);
	}
}
