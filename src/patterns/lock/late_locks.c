/* Reads the keys of abandoned locks, and deletes items that were stored late, if their CAS value is unchanged. */
/* SPDX-License-Identifier: MIT */
#include "lock.h"

#include "../../core/vendor/xxh64.h"
#include <string.h>

/* A server that has responded for this time has executed all earlier requests, also those of other connections. */
#define SETTLED_AFTER_MS 3000

static uint64_t hash_of_server(const mcp_store *server) {
	return XXH64(server->address, strlen(server->address), 0);
}

static void drop(mcp_late_locks *self, unsigned index) {
	self->count--;
	memmove(&self->locks[index], &self->locks[index + 1],
		(self->count - index) * sizeof(self->locks[0]));
}

void mcp_late_locks_add(mcp_late_locks *self, mcp_store *store, const mcp_key *key,
	uint64_t stamp) {
	if (self == NULL) {
		return;
	}
	if (self->count == MCP_LATE_LOCKS_MAX) {
		drop(self, 0);
	}
	mcp_late_lock *late = &self->locks[self->count++];
	*late = (mcp_late_lock){
		.stamp = stamp,
		.server = hash_of_server(mcp_store_owner(store, key)),
		.length = key->wire.length,
	};
	memcpy(late->wire, key->wire.data, late->length);
}

void mcp_late_locks_forget(mcp_late_locks *self, uint64_t stamp) {
	for (unsigned i = self != NULL ? self->count : 0; i-- > 0;) {
		if (self->locks[i].stamp == stamp) {
			drop(self, i);
		}
	}
}

/* Delete the abandoned item. MCP_OK: deleted. MCP_NOT_FOUND: the item is not stored yet, or the key has another
 * holder. */
static mcp_status take_back(const mcp_late_lock *late, mcp_store *server) {
	mcp_bytes wire = mcp_bytes_of(late->wire, late->length);
	mcp_key key = {.wire = wire, .route = wire, .is_for_one = true};
	mcp_item item;
	mcp_status status = mcp_store_get(server, &key, &item);
	if (status != MCP_OK) {
		return status;
	}
	bool is_late = mcp_lock_terms_read(&item).stamp == late->stamp;
	return is_late ? mcp_store_delete_if(server, &key, item.cas) : MCP_NOT_FOUND;
}

void mcp_late_locks_release_found(mcp_late_locks *self, mcp_store *store, const mcp_key *key,
	const mcp_environment *environment) {
	uint64_t now_ms = mcp_monotonic_ms(environment);
	mcp_store *server = mcp_store_owner(store, key);
	uint64_t name = hash_of_server(server);
	for (unsigned i = self->count; i-- > 0;) {
		mcp_late_lock *late = &self->locks[i];
		if (late->server != name) {
			continue;
		}
		mcp_status status = take_back(late, server);
		if (mcp_status_is_failure(status)) {
			return;
		}
		if (late->answered_ms == 0) {
			late->answered_ms = now_ms;
		}
		if (status == MCP_OK || now_ms - late->answered_ms >= SETTLED_AFTER_MS) {
			drop(self, i);
		}
	}
}
