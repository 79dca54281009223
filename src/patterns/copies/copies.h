/* Keeps each value of a Cache on several servers. A store on top of a store, only for the cache's
 * protocol: it decodes envelopes and orders a key's versions by them. Caches with one copy do not use it.
 * The rules are in docs/spec/copies.md under the labels used here (D1 to D6). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_COPIES_H
#define MCP_PATTERNS_COPIES_H

#include "../../store/store.h"

#define MCP_COPIES_MAX 8

typedef struct mcp_copies mcp_copies;

/* Create the state for `count` copies of each key, 2 to MCP_COPIES_MAX. No I/O. NULL if memory is
 * exhausted. */
mcp_copies *mcp_copies_create(unsigned count);
void mcp_copies_free(mcp_copies *copies);

/* Forget the versions that were read, because another key is next, or the servers have changed. */
void mcp_copies_forget(mcp_copies *copies);
/* Set the store for the copies and the maximum lease of a claim, before each call. All are borrowed until
 * the next call. Then give mcp_copies_store and mcp_copies_environment to an mcp_cache, which must not
 * read values from other clients. A store with fewer servers than copies keeps one copy per server. */
void mcp_copies_prepare(mcp_copies *copies, mcp_store *beneath, const mcp_environment *environment,
	uint32_t lease_ms);

/* The store. Beyond store.h, it guarantees for envelopes:
 * - `get`: the first copy with a value or tombstone, in the order of candidates. 1 round trip for a value on
 *   copy 0, one per copy for a miss, 4 more if copy 0 has lost a value, which is restored (D2).
 * - `set`, `delete`, and a `cas` or `add` that changes the version: MCP_OK if every copy has, or has had
 *   since, this version or a newer one. A failure: not on all copies, perhaps on some. Never MCP_UNKNOWN. 2n
 *   + 1 round trips. A `delete` leaves tombstones (D3), or no item if the server is out of memory.
 * - `add` of a placeholder, and a `cas` that changes only a claim: only on the copy that was read (D6).
 * - A `cas` that takes a claim, or stores its result: MCP_NOT_STORED if another copy has a newer version
 *   than the one read, which is then copied over it. Nothing was claimed or stored: read again. 1 round trip
 *   per other copy, which only a claim pays extra.
 * - `increment`, `decrement`, `prepend`, `append`, `touch`: copy 0 only. */
mcp_store *mcp_copies_store(mcp_copies *copies);
/* The given environment, except its epochs: these are stamps after the last read version of the key (D1). A
 * change gets its final stamp in the store, after all copies were read. */
const mcp_environment *mcp_copies_environment(const mcp_copies *copies);

#endif
