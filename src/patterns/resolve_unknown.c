/* Reads back a write without a reply, even if the circuit breaker is open. An add that did not arrive is
 * sent once more, no more often: the server then replies to reads, but not to writes. */
/* SPDX-License-Identifier: MIT */
#include "resolve_unknown.h"

#define ATTEMPTS_MAX 2

static bool is_record(const mcp_item *item, const mcp_record *record) {
	size_t head = record->head.length;
	if (item->flags != record->flags || item->value.length < head) {
		return false;
	}
	mcp_bytes rest = mcp_bytes_of(item->value.data + head, item->value.length - head);
	return mcp_bytes_equal(mcp_bytes_of(item->value.data, head), record->head) &&
		mcp_bytes_equal(rest, record->body);
}

/* MCP_OK: stored. MCP_NOT_STORED: another record is stored. MCP_NOT_FOUND: neither. */
static mcp_status look_for_added(mcp_store *store, const mcp_key *key, const mcp_record *record) {
	mcp_item item;
	mcp_store_bypass_breaker(store, key, MCP_BYPASS_TO_RESOLVE);
	mcp_status status = mcp_store_get(store, key, &item);
	if (mcp_status_is_failure(status)) {
		return MCP_UNKNOWN;
	}
	if (status == MCP_OK && !is_record(&item, record)) {
		return MCP_NOT_STORED;
	}
	return status;
}

mcp_status mcp_resolve_add(mcp_store *store, const mcp_key *key, const mcp_record *record) {
	return mcp_resolve_added(store, key, record, mcp_store_add(store, key, record));
}

mcp_status mcp_resolve_added(mcp_store *store, const mcp_key *key, const mcp_record *record,
	mcp_status status) {
	for (int attempt = 1; status == MCP_UNKNOWN; attempt++) {
		status = look_for_added(store, key, record);
		if (status != MCP_NOT_FOUND) {
			return status;
		}
		if (attempt >= ATTEMPTS_MAX) {
			return MCP_UNKNOWN;
		}
		status = mcp_store_add(store, key, record);
		if (status != MCP_OK) {
			/* The first add may have arrived, whatever the result of the second. */
			status = MCP_UNKNOWN;
		}
	}
	return status;
}

/* Never resend, even if the previous CAS value is unchanged: CAS values start again after a restart, so that
 * it may belong to another item. */
mcp_status mcp_resolve_cas(mcp_store *store, const mcp_key *key, const mcp_record *record,
	uint64_t cas) {
	mcp_status status = mcp_store_cas(store, key, record, cas);
	if (status != MCP_UNKNOWN) {
		return status;
	}
	mcp_item item;
	mcp_store_bypass_breaker(store, key, MCP_BYPASS_TO_RESOLVE);
	status = mcp_store_get(store, key, &item);
	if (mcp_status_is_failure(status)) {
		return MCP_UNKNOWN;
	}
	if (status != MCP_OK) {
		return status;
	}
	return is_record(&item, record) && item.cas != cas ? MCP_OK : MCP_EXISTS;
}
