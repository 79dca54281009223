/* One round trip for each key, each with its own answer. */
/* SPDX-License-Identifier: MIT */
#include "one_by_one.h"

void mcp_one_by_one_set(mcp_store *store, mcp_write *writes, size_t count) {
	for (size_t i = 0; i < count; i++) {
		writes[i].status = mcp_store_set(store, &writes[i].key, &writes[i].record);
	}
}

void mcp_one_by_one_delete(mcp_store *store, const mcp_key *keys, size_t count,
	mcp_status *statuses) {
	for (size_t i = 0; i < count; i++) {
		statuses[i] = mcp_store_delete(store, &keys[i]);
	}
}
