/* A value out of this host's memory in the place of memcached's: behind it by no more than the Cache's `near`, and never
 * behind what this host has changed. The rules are in docs/spec/near.md under the names used here (P1, P2 ...). A near entry has no cas id, and takes
 * part in no election. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_CACHE_NEAR_H
#define MCP_PATTERNS_CACHE_NEAR_H

#include "../../../core/near/shm_cache.h"
#include "../cache.h"

/* A value with tags counts while none of them was changed either. The note's counter of the key is then the sum of its own and
 * of its tags' ones, each as of before it was asked for: none ever goes down, so the sum is as it was only while each is. This
 * bit is in no sum of untagged values', which therefore never counts as one. */
#define MCP_NEAR_TAGGED ((uint64_t)1 << 63)

/* The note made before a key is asked for, or made then of a value that was found near. */
typedef struct mcp_near_look {
	uint64_t hash;        /* finds the key's change counter */
	mcp_change_note note; /* P2: the value counts while this is so */
	uint64_t asked_ms;    /* P1: monotonic; the value's age begins here */
	bool may_be_kept;     /* the entry read with it is a value that may be answered again */
} mcp_near_look;

/* This host, as one cache's calls look at it. Borrows what it points to. */
typedef struct mcp_near_host {
	const mcp_environment *environment; /* its clocks */
	const mcp_changes *changes;
	const mcp_shm_cache *room;       /* NULL: only the caller's own memo */
	mcp_near_writer (*writer)(void); /* this process; asked for where something is kept */
	uint64_t whose;      /* the pool: its servers and how keys are placed on them, ... */
	uint64_t whose_else; /* ... by two hashes */
	uint32_t age_max_ms;
	char *copy; /* scratch of MCP_NEAR_SLOT_MAX bytes; a found entry's views lie in it */
} mcp_near_host;

/* The time by which a call that looks for many keys judges all of them: one reading of each clock, before the first.
 * Whatever is noted with it is taken for older than it is, never for newer. */
typedef struct mcp_near_moment {
	uint64_t monotonic_ms;
	uint64_t early_wall_ms;
} mcp_near_moment;

static inline mcp_near_moment mcp_near_moment_now(const mcp_environment *environment) {
	return (mcp_near_moment){mcp_monotonic_ms(environment), mcp_early_wall_ms(environment)};
}

/* Reads the clock where no moment is given; so does the next one. */
static inline uint64_t mcp_near_monotonic_ms(const mcp_environment *environment,
	const mcp_near_moment *now) {
	return now != NULL ? now->monotonic_ms : mcp_monotonic_ms(environment);
}
static inline uint64_t mcp_near_early_wall_ms(const mcp_environment *environment,
	const mcp_near_moment *now) {
	return now != NULL ? now->early_wall_ms : mcp_early_wall_ms(environment);
}

/* A call that may be answered near. */
typedef struct mcp_near {
	const mcp_near_host *host;
	mcp_near_look look; /* of the call's last read of one key */
	bool has_looked;    /* in the room, right now, in vain: `look` is of before */
} mcp_near;

/* The item that the room has of a key, with the bytes still there. */
typedef struct mcp_near_found {
	mcp_near_look look;
	mcp_near_item item; /* of the value, the length alone */
	mcp_near_place place;
	uint64_t judged_ms; /* found fresh: when */
} mcp_near_found;

static inline size_t mcp_near_found_length(const mcp_near_found *found) {
	return found->item.value.length - found->item.payload_at;
}

static inline mcp_near_facts mcp_near_facts_of(const mcp_envelope *envelope) {
	return (mcp_near_facts){envelope->created_ms, envelope->soft_ms, envelope->epoch,
		envelope->compute_ms, envelope->value_election};
}

/* Says whether what was noted then counts still, now that the change counters are as `note` has them (P1, P2). A note
 * later than now is not believed either. */
static inline bool mcp_near_look_counts_by(const mcp_near_look *look, uint32_t age_max_ms,
	uint64_t now_ms, mcp_change_note note) {
	return now_ms - look->asked_ms < age_max_ms && mcp_change_notes_equal(look->note, note);
}

static inline bool mcp_near_look_is_tagged(const mcp_near_look *look) {
	return (look->note.of_key & MCP_NEAR_TAGGED) != 0;
}

/* Says it of a value with these tags; false for one without. */
bool mcp_cache_near_counts_tagged(const mcp_near_host *host, const mcp_near_look *look,
	mcp_bytes tags, uint64_t now_ms);

static inline bool mcp_near_look_counts(const mcp_changes *changes, uint32_t age_max_ms,
	const mcp_near_look *look, uint64_t now_ms) {
	return mcp_near_look_counts_by(look, age_max_ms, now_ms, mcp_changes_look(changes, look->hash));
}

/* Notes in *look what a value must be kept with that is asked for from now on. */
void mcp_cache_near_begin(const mcp_near_host *host, const mcp_key *key, mcp_near_look *look);

/* Begins likewise, and looks the key up near. True if the entry is a fresh value; nothing is counted, and *look
 * is what was noted when that was asked for. */
bool mcp_cache_near_find(const mcp_cache *cache, const mcp_key *key, mcp_near_look *look,
	mcp_cache_entry *entry);

/* Finds it by what the keeper knew of the value, which stays where it is: nothing of it counts before it was taken.
 * Not for a cache with signing keys or tags, which judges the whole. `now` NULL: reads the clocks that it needs. If not,
 * *look is what mcp_cache_near_begin notes, and found->look is of a value with tags, which mcp_cache_near_find may find,
 * or not tagged. */
bool mcp_cache_near_open(const mcp_near_host *host, const mcp_key *key, const mcp_near_moment *now,
	mcp_near_look *look, mcp_near_found *found);
/* Copies the payload. False if it is being overwritten; then nothing was found. */
static inline bool mcp_cache_near_copy(const mcp_near_found *found, char *to) {
	return mcp_near_place_copy(&found->place, found->item.payload_at, mcp_near_found_length(found),
		to);
}

/* A read that counts, by way of what is near: that first, and what memcached answers is kept. */
typedef void (*mcp_cache_look_there)(const mcp_cache *cache, const mcp_key *key,
	mcp_cache_entry *entry);
void mcp_cache_near_read(const mcp_cache *cache, const mcp_key *key, mcp_cache_look_there there,
	mcp_cache_entry *entry);

/* Returns a tag's change counter before it is asked for, where what is found may be kept near. */
uint64_t mcp_cache_near_tag_changes(const mcp_cache *cache, uint64_t fingerprint);

/* Keeps near what memcached answered, if it is a value that may be (P3). */
void mcp_cache_near_keep(const mcp_cache *cache, const mcp_key *key, mcp_near_look *look,
	const mcp_cache_entry *entry);

/* Keeps near what a write stores, once it is stored and before other processes of the host are woken, who find it near
 * then. Plain data; it is prepared before the write is sent, borrows what it is given, and stands in the record. */
typedef struct mcp_near_storing {
	mcp_before_ring work;
	const mcp_near_host *host;
	const mcp_key *key;
	const mcp_envelope *envelope;
	const mcp_record *record;
	mcp_near_look look;
} mcp_near_storing;
void mcp_cache_near_store(const mcp_near_host *host, const mcp_key *key,
	const mcp_envelope *envelope, mcp_record *record, mcp_near_storing *storing);

/* Draws for a value found near whether this caller is to rebuild it early. Then memcached is asked, and if that value
 * stands there still, `drawn` makes it this caller's turn. */
typedef struct mcp_near_draw {
	const mcp_remember *remember;
	mcp_value_id *drawn;
} mcp_near_draw;
bool mcp_cache_near_is_drawn(const mcp_cache *cache, const mcp_near_draw *draw,
	const mcp_cache_entry *entry);

/* Finds the key near and counts it, unless this caller is drawn; `draw` NULL: it never is. False if memcached is to be
 * asked: *look is for that. */
bool mcp_cache_near_take(const mcp_cache *cache, const mcp_key *key, const mcp_near_draw *draw,
	mcp_near_look *look, mcp_cache_entry *entry);

/* Counts an answer out of the room, found fresh then. */
void mcp_cache_near_count(const mcp_cache *cache, const mcp_key *key, uint32_t compute_ms,
	uint64_t judged_ms);

#endif
