/* Batch writes as single writes: 1 round trip per key. */
/* SPDX-License-Identifier: MIT */
#include "one_by_one.h"

void mcp_one_by_one_do(mcp_store *store, mcp_change_verb verb, mcp_write *write) {
	bool is_to_be_proven = verb == MCP_CHANGE_CAS_PROVEN;
	mcp_change change = {
		.verb = verb,
		.record = &write->record,
		.cas = write->cas,
		.proof = is_to_be_proven ? &write->proof : NULL,
		.by = write->by,
		.number = &write->number,
	};
	write->status = is_to_be_proven && !mcp_store_may_take(store, &write->proof)
		? MCP_UNSUPPORTED
		: mcp_store_change(store, &write->key, &change);
}

static bool compares_ids(mcp_change_verb verb) {
	return verb == MCP_CHANGE_CAS || verb == MCP_CHANGE_DELETE_IF;
}

/* True if the connection of this write can no longer be used. */
static bool is_cut_off(mcp_status status) {
	return status == MCP_UNKNOWN || status == MCP_UNREACHABLE || status == MCP_TIMEOUT;
}

void mcp_one_by_one_write(mcp_store *store, mcp_change_verb verb, mcp_write *writes, size_t count) {
	bool are_ids_void = false;
	for (size_t i = 0; i < count; i++) {
		if (are_ids_void) {
			writes[i].status = MCP_EXISTS;
			continue;
		}
		mcp_one_by_one_do(store, verb, &writes[i]);
		are_ids_void = compares_ids(verb) && is_cut_off(writes[i].status);
	}
}

void mcp_one_by_one_delete(mcp_store *store, const mcp_key *keys, size_t count,
	mcp_status *statuses) {
	for (size_t i = 0; i < count; i++) {
		statuses[i] = mcp_store_delete(store, &keys[i]);
	}
}
