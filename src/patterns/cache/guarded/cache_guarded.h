/* Guarded views: cache-aside that cannot go stale, for callers that know only get, set and delete, and read a database in
 * between. A look that finds nothing leaves a mark: a placeholder without a claim, which any client's delete takes away.
 * A value that is stored later goes in the place of what that look found, and of nothing else. The rules are in
 * docs/spec/guarded.md under the names used here (V1 to V4). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_CACHE_GUARDED_CACHE_GUARDED_H
#define MCP_PATTERNS_CACHE_GUARDED_CACHE_GUARDED_H

#include "../cache.h"
#include "../entry/cache_envelope.h"
#include "../write/cache_write.h"

/* The life of a mark: whoever stores later than that is refused. */
#define MCP_GUARDED_MARK_MS 60000

typedef enum mcp_read_stamp_state {
	MCP_READ_STAMP_NONE, /* there was no look, or none since an own delete */
	MCP_READ_STAMP_TORN, /* an answer did not come: nothing that is found later is what was noted */
	MCP_READ_STAMP_HELD, /* what stood there is noted */
} mcp_read_stamp_state;

/* A look's finding at one key, for what is stored after it. Zero-initialised: none. Plain data, kept by the caller from the
 * first look to the end of its work (a request), for each key of a server and a prefix, whichever object looked or
 * stores. Its fields are this folder's. */
typedef struct mcp_read_stamp {
	mcp_read_stamp_state state;
	bool is_of_value;  /* not of a placeholder or of an item that cannot be read */
	uint32_t election; /* the value's */
	uint64_t epoch;    /* what stands for it in an item that has none */
	uint64_t made_ms;  /* monotonic: when the first look was, or the own store */
	uint64_t
		cap_ms; /* soft end of a value in a contested place, which a next one keeps; 0: in no such place */
	mcp_proof proof; /* of what this process has written there itself, a mark, a claim or a value */
} mcp_read_stamp;

/* --- looking --- */

/* Notes what a look has found that led to `entry`, whatever of it the caller was answered with: for get, peek, read and
 * lookup, also where the value was near. A note that is there already stays: the first look since the last own store
 * counts, as what is stored next may have been read from the database as early as then. After MCP_GUARDED_MARK_MS it is
 * over, and a look begins anew: otherwise a process without ends of requests would be refused for ever.
 *
 * Sends nothing where something was found. Where nothing stands a mark is left by `add`: one round trip, and one more where
 * another caller's item came first, which is noted then. A look without an answer, or a mark that may still arrive, tears
 * the note. Ends views only where the entry has none. The entry stays as it is. */
void mcp_cache_guarded_note(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_entry *entry, mcp_read_stamp *note);

/* Does so for all entries of a read of many; `notes`: one for each of them, NULL: not to be noted. One round trip for each
 * server and hundred marks, where the store sends many in one go, and one more where others came first. Ends the views
 * of all entries. */
void mcp_cache_guarded_note_many(const mcp_cache *cache, const mcp_cache_batch *batch,
	mcp_read_stamp *const *notes);

/* --- storing --- */

/* Sets by V1 and V2. A caller that `get` has elected does so, too, in the place of mcp_cache_publish: what is stored has a
 * new epoch, and no claim is left behind. `holdoff_ms` is above 0. Without a note it is mcp_cache_set.
 *
 * MCP_OK: stored, or a value of these very bytes and tags stands there already. MCP_NOT_STORED: refused, as the key has
 * changed since the look, or may have; nothing that this caller could have outdated lives on there for longer than
 * holdoff_ms. Counted as changed, and no error. MCP_TOO_LARGE: it does not fit, and the key was deleted. A failure: not
 * stored, or not known.
 *
 * The note: of the value, when that was stored; torn after a failure; else what it was.
 *
 * Two round trips, one over what this process has written itself where the store proves that; a third where something
 * else stands there; one without a note. */
mcp_status mcp_cache_guarded_set(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_value *value, uint32_t holdoff_ms, mcp_read_stamp *note);

/* Adds: where a fresh value stands MCP_NOT_STORED, and nothing changes; else as set. Without a note mcp_cache_add. */
mcp_status mcp_cache_guarded_add(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_value *value, uint32_t holdoff_ms, mcp_read_stamp *note);

/* Replaces: where no value stands MCP_NOT_STORED, and what fills that place then ends within holdoff_ms, as the row may
 * have been changed for this call; else as set. Without a note mcp_cache_replace. */
mcp_status mcp_cache_guarded_replace(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_value *value, uint32_t holdoff_ms, mcp_read_stamp *note);

/* Sets each, as set would alone; `notes`: one for each. Those that can go together are read together and stored
 * together: two round trips for each server and hundred of them where the store sends many in one go, one for those
 * without a note. */
void mcp_cache_guarded_set_many(const mcp_cache *cache, mcp_cache_setting *settings,
	mcp_read_stamp *const *notes, size_t count, uint32_t holdoff_ms);

/* Takes the place of a set whose key's note had to be forgotten for want of room: deletes the key. MCP_NOT_STORED: so
 * done, and counted as changed. A failure: not deleted, or not known. */
mcp_status mcp_cache_guarded_discard(const mcp_cache *cache, const mcp_key *key);

/* Notes the value that was published under this claim, as an own one. */
void mcp_cache_guarded_note_published(const mcp_cache *cache, mcp_read_stamp *note,
	const mcp_claim *claim);

/* --- deleting --- */

/* Ends the note after an own mcp_cache_delete, _forget or _pull, or one of many, that came to `status`. Where that was a
 * failure the note is torn, if there was one: what was noted may be there still. */
void mcp_cache_guarded_note_delete(mcp_read_stamp *note, mcp_status status);

#endif
