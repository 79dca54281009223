/* One server's store whose writes are told to the host's change counters (core/near/changes.h): the one place that every
 * write of a process passes, whichever class, pool or method it comes from. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_STORE_CHANGES_H
#define MCP_STORE_STORE_CHANGES_H

#include "../../core/near/changes.h"
#include "../store.h"

/* Takes `inner` over, whatever happens; `changes` is borrowed and must outlive the store. NULL if `inner` is NULL
 * or memory ran out. */
mcp_store *mcp_store_changes_create(mcp_store *inner, const mcp_changes *changes);

/* Returns what a key's counter is found by. Where mcp_key_make made two keys that are sent as the same bytes, of a
 * Counter and of a Cache say, they have one fingerprint. A key that is made beside a key has that one's, and raises
 * its counter. 0: it is of a space that has none. */
static inline uint64_t mcp_store_changes_hash(const mcp_key *key) {
	return key->fingerprint;
}

#endif
