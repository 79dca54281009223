/* Guarded views: cache-aside without outdated values, for callers that use only get, set and delete around a
 * database read. A miss leaves a marker: a placeholder without a claim, which any client's delete removes. A
 * later store replaces exactly the item that the read found. The rules are in docs/spec/guarded.md under the
 * labels used here (V1 to V4). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_CACHE_GUARDED_CACHE_GUARDED_H
#define MCP_PATTERNS_CACHE_GUARDED_CACHE_GUARDED_H

#include "../cache.h"
#include "../entry/cache_envelope.h"
#include "../write/cache_write.h"

/* Lifetime of a marker. Stores after it are refused. */
#define MCP_GUARDED_MARKER_MS 60000

typedef enum mcp_read_stamp_state {
	MCP_READ_STAMP_NONE, /* no read yet, or no read since an own delete */
	MCP_READ_STAMP_TORN, /* a reply was lost: no item found later counts as the item that was read */
	MCP_READ_STAMP_HELD, /* the item that the read found is recorded */
} mcp_read_stamp_state;

/* Read stamp of one key, for the next store. Zero-initialized: none.
 * Plain data, kept by the caller from the first read to the end of its work (a request), per key of a server
 * and prefix, for all objects. Its fields are private to this folder. */
typedef struct mcp_read_stamp {
	mcp_read_stamp_state state;
	bool is_of_value;  /* the item was a value, not a placeholder or unreadable */
	uint32_t election; /* election of the value */
	uint64_t epoch;    /* epoch of the item, or a substitute */
	uint64_t made_ms;  /* monotonic time of the first read or of the own store */
	/* latest end of the TTL for a value over a contested item, inherited by the next value; 0: not contested */
	uint64_t cap_ms;
	mcp_proof proof; /* CAS value of the marker, claim or value that this process has written */
} mcp_read_stamp;

/* --- reading --- */

/* Record what the read of `entry` found, whatever the caller returned: for get, peek, read and lookup, also from the
 * near cache. An existing stamp is kept: the first read since the last own store counts, because the next stored value
 * can be based on that read of the database. After MCP_GUARDED_MARKER_MS, the stamp expires and a new stamp starts.
 * Otherwise a long-lived process would be refused forever. Sends nothing if the entry was found. If the key is missing,
 * leaves a marker by `add`: 1 round trip, 1 more if another caller's item was first, which is then recorded. A read
 * without a reply, or a marker that can arrive later, makes the stamp TORN. Invalidates views only if the entry has
 * none. Does not change the entry. */
void mcp_cache_guarded_stamp(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_entry *entry, mcp_read_stamp *stamp);

/* mcp_cache_guarded_stamp for all entries of a batch. `stamps`: one per entry; NULL: not recorded. Cost: 1 round trip
 * per server and per 100 markers, if the store can batch, 1 more if other items were first. Invalidates the views of
 * all entries. */
void mcp_cache_guarded_stamp_many(const mcp_cache *cache, const mcp_cache_batch *batch,
	mcp_read_stamp *const *stamps);

/* --- storing --- */

/* Store by V1 and V2. A caller that `get` has elected also uses this instead of mcp_cache_publish: the value gets a new
 * epoch, and no claim remains. `holdoff_ms` > 0. Without a stamp, it acts like mcp_cache_set. MCP_OK: stored, or a
 * value with these exact bytes and tags already exists. MCP_NOT_STORED: refused, because the key has changed since the
 * read, or can have changed. A value that this caller can have outdated lives for at most holdoff_ms. Counted as
 * changed, not as an error. MCP_TOO_LARGE: the value does not fit, and the key was deleted. Other: not stored or
 * outcome unknown. Stamp afterwards: that of the stored value; TORN after a failure; otherwise unchanged. Cost: 2 round
 * trips; 1 over an item that this process wrote, if the store has a proof; 3 if another item exists; 1 without a
 * stamp. */
mcp_status mcp_cache_guarded_set(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_value *value, uint32_t holdoff_ms, mcp_read_stamp *stamp);

/* Like mcp_cache_guarded_set, but MCP_NOT_STORED without a change if a fresh value exists. Without a stamp, it acts
 * like mcp_cache_add. */
mcp_status mcp_cache_guarded_add(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_value *value, uint32_t holdoff_ms, mcp_read_stamp *stamp);

/* Like mcp_cache_guarded_set, but MCP_NOT_STORED if no value exists. The next value then expires within holdoff_ms,
 * because the row can have been changed for this call. Without a stamp, it acts like mcp_cache_replace. */
mcp_status mcp_cache_guarded_replace(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_value *value, uint32_t holdoff_ms, mcp_read_stamp *stamp);

/* mcp_cache_guarded_set for many keys. `stamps`: one per key. Values are read and stored in batches. Cost: 2 round
 * trips per server and per 100 values if the store can batch, 1 for values without a stamp or over an item whose proof
 * is known. */
void mcp_cache_guarded_set_many(const mcp_cache *cache, mcp_cache_setting *settings,
	mcp_read_stamp *const *stamps, size_t count, uint32_t holdoff_ms);

/* Delete the key instead of a set, if the key's stamp was dropped for lack of space. MCP_NOT_STORED: deleted and
 * counted as changed. A failure: not deleted or outcome unknown. */
mcp_status mcp_cache_guarded_discard(const mcp_cache *cache, const mcp_key *key);

/* Record the value that was published under this claim as a value of this process. */
void mcp_cache_guarded_stamp_published(const mcp_cache *cache, mcp_read_stamp *stamp,
	const mcp_claim *claim);

/* --- deleting --- */

/* Clear the stamp after an own mcp_cache_delete, _forget or _pull, single or batched, with this status. After a
 * failure, an existing stamp becomes TORN, because the recorded item can still exist. */
void mcp_cache_guarded_stamp_deleted(mcp_read_stamp *stamp, mcp_status status);

#endif
