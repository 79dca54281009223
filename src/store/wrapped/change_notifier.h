/* Store of one server that reports each write to the processes of this host.
 * It raises change counters (core/near/changes.h) and notifies waiters (core/waking/wakeups.h). Every write of a
 * process passes here, whichever class, pool or method it comes from. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_STORE_CHANGES_H
#define MCP_STORE_STORE_CHANGES_H

#include "../../core/near/changes.h"
#include "../store.h"

/* Change counters and wake-ups of the host, for one thread. Borrowed; must outlive the store. */
typedef struct mcp_notified_host {
	const mcp_changes *changes;
	const mcp_wakeups *bells;           /* NULL: no wake-ups */
	const mcp_environment *environment; /* for the wake-ups; NULL without them */
} mcp_notified_host;

/* Takes ownership of `inner`, even on failure. NULL: `inner` is NULL, or no memory. */
mcp_store *mcp_change_notifier_create(mcp_store *inner, const mcp_notified_host *host);

/* Returns the hash that identifies a key's counter. 0: keys of this space have no counter.
 * Keys that mcp_key_make builds with the same bytes, such as a Counter's and a Cache's, share a fingerprint. A
 * key derived from another one has that key's fingerprint and raises its counter. */
static inline uint64_t mcp_change_notifier_hash(const mcp_key *key) {
	return key->fingerprint;
}

#endif
