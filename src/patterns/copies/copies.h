/* Keeps each value of a Cache on several servers: a store over a store, for the cache's protocol alone, since it
 * judges envelopes and orders a key's versions by them. The rules are in docs/spec/copies.md under the names used
 * here (D1 to D6); who keeps one copy never comes here. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_COPIES_H
#define MCP_PATTERNS_COPIES_H

#include "../../store/store.h"

#define MCP_COPIES_MAX 8

typedef struct mcp_copies mcp_copies;

/* Makes them for `count` copies of each key, 2 to MCP_COPIES_MAX. Asks nobody. NULL if there is no memory. */
mcp_copies *mcp_copies_create(unsigned count);
void mcp_copies_free(mcp_copies *copies);

/* Forgets what was found of keys, and where: another one is asked for, or the servers are other ones now. */
void mcp_copies_forget(mcp_copies *copies);
/* Prepares each call: what the copies are kept on, and how long a claim lives at most. All borrowed until the next one.
 * Afterwards mcp_copies_store and mcp_copies_environment are what a mcp_cache is to be given, one that does not read what
 * other clients store. A store of fewer servers than copies keeps as many as it has. */
void mcp_copies_prepare(mcp_copies *copies, mcp_store *beneath, const mcp_environment *environment,
	uint32_t lease_ms);

/* Returns the store. It promises beyond store.h, for envelopes alone:
 * - `get`: the first copy that has a value or a tombstone, in the order of candidates. One round trip for a value on
 *   copy 0, as many as copies for a miss; four more where copy 0 has lost a value, which is put back (D2).
 * - `set`, `delete`, and a `cas` or `add` that changes the version: MCP_OK when every copy has it, or has had
 *   since, this version or a newer one. Any failure: not on all of them, perhaps on some. Never MCP_UNKNOWN.
 *   2n + 1 round trips. A `delete` leaves tombstones (D3), or nothing where a server has no memory for one.
 * - `add` of a placeholder and a `cas` that changes a claim alone stay on the one copy that was read (D6).
 * - A `cas` that takes a claim, or stores what was computed under one: MCP_NOT_STORED when another copy has something
 *   newer than what was read, which has been put in its place. To be read again: there is no claim, and nothing is
 *   stored. One round trip for each other copy, which a claim costs and a result needs anyhow.
 * - `increment`, `decrement`, `prepend`, `append`, `touch`: copy 0 alone. */
mcp_store *mcp_copies_store(mcp_copies *copies);
/* Returns the one given, but for its epochs: stamps behind what was last read of the key (D1). A change
 * gets its stamp here, when all copies have been looked at. */
const mcp_environment *mcp_copies_environment(const mcp_copies *copies);

#endif
