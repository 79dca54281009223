/* Guarded caches: cache-aside without outdated values, for callers that use only get, set and delete around a read of
 * a database. A miss stores a marker: a placeholder without a claim, which a delete by any client removes. A later
 * store replaces exactly the item that the read found. The rules are in docs/spec/guarded.md under the labels used
 * here (V1 to V4). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_CACHE_GUARDED_CACHE_GUARDED_H
#define MCP_PATTERNS_CACHE_GUARDED_CACHE_GUARDED_H

#include "../cache.h"
#include "../entry/cache_envelope.h"
#include "../write/cache_write.h"

/* Lifetime of a marker. A store after this time is refused. */
#define MCP_GUARDED_MARKER_MS 60000

typedef enum mcp_read_stamp_state {
	MCP_READ_STAMP_NONE, /* no read yet, or no read since this process deleted the key */
	MCP_READ_STAMP_TORN, /* a reply was lost: the item that the read found is unknown, and never matches */
	MCP_READ_STAMP_HELD, /* the stamp identifies the item that the read found */
} mcp_read_stamp_state;

/* Read stamp of one key, for the next store. Zero-initialized: none. Plain data. The caller keeps it from the first
 * read to the end of its work (a request). All objects with the same servers and prefix share the stamp of a key. The
 * fields are private to this folder. */
typedef struct mcp_read_stamp {
	mcp_read_stamp_state state;
	bool is_of_value;  /* the item was a value, not a placeholder or an unreadable item */
	uint32_t election; /* election of the value */
	uint64_t epoch;    /* epoch of the item, or a substitute */
	uint64_t made_ms;  /* monotonic time of the first read, or of this process's store */
	/* latest end of the TTL for the next value, taken over from a contested item; 0: not contested */
	uint64_t cap_ms;
	mcp_proof proof; /* CAS value of the marker, claim or value that this process has written */
} mcp_read_stamp;

/* --- reading --- */

/* Record what the read of `entry` found, whatever the caller returned. Call it after get, peek, read and lookup, also
 * for near values. An existing stamp is kept. The first read since the process's last store counts, because the next
 * stored value might be based on a read of the database at that time. After MCP_GUARDED_MARKER_MS, the stamp expires
 * and a new stamp starts, because the stores of a long-lived process would otherwise be refused forever. Sends
 * nothing if the read found an item. If the key is missing, stores a marker with `add`, which is 1 round trip. If
 * another caller's item came first, that item is recorded, which is 1 round trip more. A read without a reply, or a
 * marker that can arrive later, makes the stamp TORN. Invalidates views only if the entry has none. Does not change
 * the entry. */
void mcp_cache_guarded_stamp(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_entry *entry, mcp_read_stamp *stamp);

/* mcp_cache_guarded_stamp for all entries of a batch. `stamps`: one per entry; NULL: not recorded. Cost: 1 round trip
 * per server and per 100 markers, if the store can batch, 1 more if other items were first. Invalidates the views of
 * all entries. */
void mcp_cache_guarded_stamp_many(const mcp_cache *cache, const mcp_cache_batch *batch,
	mcp_read_stamp *const *stamps);

/* --- storing --- */

/* Store the value (V1, V2). A caller that `get` has elected also uses this instead of mcp_cache_publish. The value
 * then gets a new epoch, and no claim remains. `holdoff_ms` > 0. Without a stamp, this is mcp_cache_set. MCP_OK:
 * stored, or a value with these exact bytes and tags already exists. MCP_NOT_STORED: refused, because the key has
 * changed, or might have changed, since the read. A stored value that this caller might have outdated then lives for
 * at most holdoff_ms. The refusal counts as changed, not as an error. MCP_TOO_LARGE: the value does not fit, and the
 * key was deleted. Otherwise, the value is not stored, or the outcome is unknown. The stamp is then that of the
 * stored value, TORN after a failure, and otherwise unchanged. Cost: 2 round trips, 1 over an item that this process
 * wrote and whose proof is known, 3 if another item exists, 1 without a stamp. */
mcp_status mcp_cache_guarded_set(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_value *value, uint32_t holdoff_ms, mcp_read_stamp *stamp);

/* Like mcp_cache_guarded_set, but returns MCP_NOT_STORED, and changes nothing, if a fresh value exists. Without a
 * stamp, this is mcp_cache_add. */
mcp_status mcp_cache_guarded_add(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_value *value, uint32_t holdoff_ms, mcp_read_stamp *stamp);

/* Like mcp_cache_guarded_set, but returns MCP_NOT_STORED if no value exists. The next value then expires within
 * holdoff_ms, because the caller might have changed the row in the database before this call. Without a stamp, this
 * is mcp_cache_replace. */
mcp_status mcp_cache_guarded_replace(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_value *value, uint32_t holdoff_ms, mcp_read_stamp *stamp);

/* mcp_cache_guarded_set for many keys. `stamps`: one per key. Items are read and values are stored in batches. Cost:
 * 2 round trips per server and per 100 values if the store can batch. Values without a stamp, and values over an item
 * whose proof is known, need only 1. */
void mcp_cache_guarded_set_many(const mcp_cache *cache, mcp_cache_setting *settings,
	mcp_read_stamp *const *stamps, size_t count, uint32_t holdoff_ms);

/* Delete the key instead of storing a value, if the key's stamp was dropped for lack of space. MCP_NOT_STORED:
 * deleted, and counted as changed. A failure: not deleted, or the outcome is unknown. */
mcp_status mcp_cache_guarded_discard(const mcp_cache *cache, const mcp_key *key);

/* Record the value that this process has published under this claim. */
void mcp_cache_guarded_stamp_published(const mcp_cache *cache, mcp_read_stamp *stamp,
	const mcp_claim *claim);

/* --- deleting --- */

/* Clear the stamp after this process has called mcp_cache_delete, _forget or _pull, for one key or many, with this
 * status. After a failure, an existing stamp becomes TORN, because the recorded item might still exist. */
void mcp_cache_guarded_stamp_deleted(mcp_read_stamp *stamp, mcp_status status);

#endif
