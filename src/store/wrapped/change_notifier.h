/* One server's store whose writes are told to the host: to its change counters (core/near/changes.h), and by its bells
 * (core/waking/wakeups.h) to those who wait for them. The one place that every write of a process passes, whichever class,
 * pool or method it comes from. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_STORE_CHANGES_H
#define MCP_STORE_STORE_CHANGES_H

#include "../../core/near/changes.h"
#include "../store.h"

/* The host, as one thread of a process tells it of changes. Borrowed, and must outlive the store. */
typedef struct mcp_told_host {
	const mcp_changes *changes;
	const mcp_wakeups *bells;           /* NULL: there are none */
	const mcp_environment *environment; /* rings them; NULL where there are none */
} mcp_told_host;

/* Takes `inner` over, whatever happens. NULL if `inner` is NULL or memory ran out. */
mcp_store *mcp_change_notifier_create(mcp_store *inner, const mcp_told_host *host);

/* Returns what a key's counter is found by. Where mcp_key_make made two keys that are sent as the same bytes, of a
 * Counter and of a Cache say, they have one fingerprint. A key that is made beside a key has that one's, and raises
 * its counter. 0: it is of a space that has none. */
static inline uint64_t mcp_change_notifier_hash(const mcp_key *key) {
	return key->fingerprint;
}

#endif
