/* Near cache: values from this host's shared memory instead of memcached. A value is outdated for at most the Cache's
 * `near`, and never after a change by this host. An entry from the near cache has no CAS value, and takes no part in
 * elections. The rules are in docs/spec/near.md under the labels used here (P1, P2 ...). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_CACHE_NEAR_H
#define MCP_PATTERNS_CACHE_NEAR_H

#include "../../../core/near/shm_cache.h"
#include "../cache.h"

/* Bit that marks the snapshot of a value with tags. Its key counter is then the sum of the change counters of the key
 * and the tags, each taken before its item was read. Counters never decrease, so an equal sum means that all counters
 * are unchanged. The snapshot of a value without tags never has this bit. */
#define MCP_NEAR_TAGGED ((uint64_t)1 << 63)

/* State recorded before a key is requested, or with a value that the near cache returned. */
typedef struct mcp_near_read {
	uint64_t hash;                /* hash of the key, which selects its change counter */
	mcp_change_snapshot snapshot; /* P2: the value is valid while this snapshot is unchanged */
	uint64_t asked_ms;            /* P1: monotonic time at which the value's age is 0 */
	bool may_be_kept;             /* the entry may be kept, and returned again */
} mcp_near_read;

/* This host's near cache, as used by one cache. Owns nothing that it points to. */
typedef struct mcp_near_host {
	const mcp_environment *environment; /* clocks of the process */
	const mcp_changes *changes;
	const mcp_shm_cache *shm_cache;  /* NULL: only the caller's object cache */
	mcp_near_writer (*writer)(void); /* returns this process; called when a value is kept */
	uint64_t whose;                  /* hash of the pool (servers and key distribution) */
	uint64_t whose_else;             /* second hash of the pool */
	uint32_t age_max_ms;
	char *copy; /* buffer of MCP_NEAR_ITEM_MAX bytes for a found entry's views */
} mcp_near_host;

/* One reading of each clock, before the first key of a batch. Values that are recorded with it can seem older than
 * they are, but never newer. */
typedef struct mcp_near_moment {
	uint64_t monotonic_ms;
	uint64_t early_wall_ms;
} mcp_near_moment;

static inline mcp_near_moment mcp_near_moment_now(const mcp_environment *environment) {
	return (mcp_near_moment){mcp_monotonic_ms(environment), mcp_early_wall_ms(environment)};
}

/* `now` NULL: read the clock. */
static inline uint64_t mcp_near_monotonic_ms(const mcp_environment *environment,
	const mcp_near_moment *now) {
	return now != NULL ? now->monotonic_ms : mcp_monotonic_ms(environment);
}
static inline uint64_t mcp_near_early_wall_ms(const mcp_environment *environment,
	const mcp_near_moment *now) {
	return now != NULL ? now->early_wall_ms : mcp_early_wall_ms(environment);
}

typedef struct mcp_near {
	const mcp_near_host *host;
	mcp_near_read near_read; /* state of the call's last read of one key */
	bool has_looked;         /* the near cache was just read: a miss; `near_read` is from before */
} mcp_near;

/* An item that was found in the near cache, and is not yet copied. */
typedef struct mcp_near_found {
	mcp_near_read near_read;
	mcp_near_item item; /* only the length of its value is set */
	mcp_near_place place;
	uint64_t judged_ms; /* time at which it is known to be fresh */
} mcp_near_found;

static inline size_t mcp_near_found_length(const mcp_near_found *found) {
	return found->item.value.length - found->item.payload_at;
}

static inline mcp_near_facts mcp_near_facts_of(const mcp_envelope *envelope) {
	return (mcp_near_facts){envelope->created_ms, envelope->soft_ms, envelope->epoch,
		envelope->compute_ms, envelope->value_election};
}

/* Whether a recorded value is still valid according to its age and to the change counters in `snapshot` (P1, P2). A
 * value with a time in the future is invalid. */
static inline bool mcp_near_read_is_valid_by(const mcp_near_read *near_read, uint32_t age_max_ms,
	uint64_t now_ms, mcp_change_snapshot snapshot) {
	return now_ms - near_read->asked_ms < age_max_ms &&
		mcp_change_snapshots_equal(near_read->snapshot, snapshot);
}

static inline bool mcp_near_read_is_tagged(const mcp_near_read *near_read) {
	return (near_read->snapshot.of_key & MCP_NEAR_TAGGED) != 0;
}

/* Like mcp_near_read_is_valid, for a value with these tags. Returns false for a value without tags. */
bool mcp_cache_near_tagged_is_valid(const mcp_near_host *host, const mcp_near_read *near_read,
	mcp_bytes tags, uint64_t now_ms);

static inline bool mcp_near_read_is_valid(const mcp_changes *changes, uint32_t age_max_ms,
	const mcp_near_read *near_read, uint64_t now_ms) {
	return mcp_near_read_is_valid_by(near_read, age_max_ms, now_ms,
		mcp_changes_snapshot(changes, near_read->hash));
}

/* Record the state in *near_read before a value is requested. The value must be kept with this state. */
void mcp_cache_near_begin(const mcp_near_host *host, const mcp_key *key, mcp_near_read *near_read);

/* Record the state, and look up the key in the near cache. Returns true if the entry is a fresh value. *near_read is
 * then the state with which the value was kept. Counts nothing. */
bool mcp_cache_near_find(const mcp_cache *cache, const mcp_key *key, mcp_near_read *near_read,
	mcp_cache_entry *entry);

/* Look up an item from its stored facts, without a copy of the value. The value is valid only after it has been
 * copied. Not for a cache with signing keys or tags, which must check the whole item. `now` NULL: read the clocks. If
 * this returns false, *near_read is as after mcp_cache_near_begin. If mcp_near_read_is_tagged is then true for
 * found->near_read, the item has tags, and mcp_cache_near_find might return it. */
bool mcp_cache_near_open(const mcp_near_host *host, const mcp_key *key, const mcp_near_moment *now,
	mcp_near_read *near_read, mcp_near_found *found);
/* Copy the payload. Returns false if the payload is being overwritten, which is a miss. */
static inline bool mcp_cache_near_copy(const mcp_near_found *found, char *to) {
	return mcp_near_place_copy(&found->place, found->item.payload_at, mcp_near_found_length(found),
		to);
}

/* Read from the near cache first, then, with `there`, from memcached, whose value is kept. Counts the result. */
typedef void (*mcp_cache_read_there)(const mcp_cache *cache, const mcp_key *key,
	mcp_cache_entry *entry);
void mcp_cache_near_read(const mcp_cache *cache, const mcp_key *key, mcp_cache_read_there there,
	mcp_cache_entry *entry);
/* Does this with a near cache, otherwise only reads memcached. */
static inline void mcp_cache_read_nearest(const mcp_cache *cache, const mcp_key *key,
	mcp_cache_read_there there, mcp_cache_entry *entry) {
	if (cache->near != NULL) {
		mcp_cache_near_read(cache, key, there, entry);
	} else {
		there(cache, key, entry);
	}
}

/* Return the tag's change counter; 0 without a near cache. Call it before the tag is read. */
uint64_t mcp_cache_near_tag_changes(const mcp_cache *cache, uint64_t fingerprint);

/* Keep a value from memcached in the near cache, if permitted (P3). */
void mcp_cache_near_keep(const mcp_cache *cache, const mcp_key *key, mcp_near_read *near_read,
	const mcp_cache_entry *entry);

/* Keeps a written value in the near cache, after it has been stored and before other processes of the host are woken
 * up, so that they find it there. Plain data, prepared before the write is sent. Owns nothing. The record points to
 * it. */
typedef struct mcp_near_storing {
	mcp_before_ring work;
	const mcp_near_host *host;
	const mcp_key *key;
	const mcp_envelope *envelope;
	const mcp_record *record;
	mcp_near_read near_read;
} mcp_near_storing;
void mcp_cache_near_store(const mcp_near_host *host, const mcp_key *key,
	const mcp_envelope *envelope, mcp_record *record, mcp_near_storing *storing);

/* XFetch for a near-cache hit. If this caller is sampled, it reads memcached, and is elected if the value that
 * `drawn` identifies is still stored. */
typedef struct mcp_near_draw {
	const mcp_remember *remember;
	mcp_value_id *drawn;
} mcp_near_draw;
bool mcp_cache_near_is_drawn(const mcp_cache *cache, const mcp_near_draw *draw,
	const mcp_cache_entry *entry);

/* Look up the key in the near cache and count a hit, unless this caller is sampled for an early rebuild. `draw` NULL:
 * never sampled. Returns false if memcached must be read. *near_read is then the state for this read. */
bool mcp_cache_near_take(const mcp_cache *cache, const mcp_key *key, const mcp_near_draw *draw,
	mcp_near_read *near_read, mcp_cache_entry *entry);

/* Count a fresh hit of the near cache. */
void mcp_cache_near_count(const mcp_cache *cache, const mcp_key *key, uint32_t compute_ms,
	uint64_t judged_ms);

#endif
