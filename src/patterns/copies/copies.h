/* Keeps each value of a Cache on several servers. This is a store on top of a store, only for the cache's protocol:
 * it decodes envelopes, and orders the versions of a key by them. Caches with one copy do not use it. The rules are
 * in docs/spec/copies.md under the labels used here (D1 to D6). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_COPIES_H
#define MCP_PATTERNS_COPIES_H

#include "../../store/store.h"

#define MCP_COPIES_MAX 8

typedef struct mcp_copies mcp_copies;

/* Create the state for `count` copies of each key, 2 to MCP_COPIES_MAX. No I/O. Returns NULL if memory is
 * exhausted. */
mcp_copies *mcp_copies_create(unsigned count);
void mcp_copies_free(mcp_copies *copies);

/* Forget the versions that were read. Call it before a call on another key, or after the servers have changed. */
void mcp_copies_forget(mcp_copies *copies);
/* Set the store for the copies, the environment and the maximum lease of a claim, before each call. They are borrowed
 * until the next call. Then give mcp_copies_store and mcp_copies_environment to an mcp_cache, which must not read
 * values from other clients. If there are fewer servers than copies, each server has one copy. */
void mcp_copies_prepare(mcp_copies *copies, mcp_store *beneath, const mcp_environment *environment,
	uint32_t lease_ms);

/* Return the store. Beyond store.h, it guarantees for envelopes:
 * - `get`: returns the first copy with a value or tombstone, in the order of candidates. Cost: 1 round trip for a value
 *   on copy 0, 1 per copy for a miss. 4 more if copy 0 has lost a value, which is then restored (D2).
 * - `set`, `delete`, and a `cas` or `add` that changes the version: MCP_OK if every copy has this version or a newer
 *   one, or has had it since. A failure: the version is not on all copies, but might be on some. Never MCP_UNKNOWN.
 *   2n + 1 round trips for n copies. A `delete` leaves tombstones (D3), or no item if the server is out of memory.
 * - `add` of a placeholder, and a `cas` that changes only a claim: write only to the copy that was read (D6).
 * - A `cas` that takes a claim, or stores its result: MCP_NOT_STORED if another copy has a newer version than the
 *   copy that was read. The newer version is then copied over that copy, and nothing was claimed or stored, so read
 *   again. A claim costs 1 more round trip per other copy.
 * - `increment`, `decrement`, `prepend`, `append`, `touch`: change only copy 0. */
mcp_store *mcp_copies_store(mcp_copies *copies);
/* Return the given environment with other epochs, which are stamps after the last version of the key that was read
 * (D1). A change gets its final stamp in the store, after all copies were read. */
const mcp_environment *mcp_copies_environment(const mcp_copies *copies);

#endif
