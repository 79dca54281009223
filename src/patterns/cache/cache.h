/* Cache protocol with stale values: one caller rebuilds an expired key, and the others get the stale value. Protocol
 * only, on top of store.h: no computation, no decoding, no callbacks. remember() is a lookup, the caller's work, and
 * publish or abandon. Based on A. Smirnov, "Web, caching and memcached" (2008) and "Lock-free memcache API" (2011),
 * but with an election by compare-and-swap. The rules are in docs/spec/cache.md under the labels used here (C1, C2
 * ...). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_CACHE_H
#define MCP_PATTERNS_CACHE_H

#include "../../core/backoff.h"
#include "../../core/envelope/envelope.h"
#include "../../core/metrics/metrics.h"
#include "../../core/envelope/signature.h"
#include "../../store/store.h"
#include "../waiting.h"

/* windows.h defines `near` as nothing. */
#undef near

/* Unlimited grace period: the value is served until it is rebuilt. */
#define MCP_GRACE_FOREVER MCP_NEVER_MS

/* --- tags: names and captured tag versions --- */

/* Guesses from this thread's last reads. The next request verifies a guess, so a wrong guess costs only bytes. */

/* The guess that a key's value has a running number, or tags that the cache does not have. */
#define MCP_READ_GUESS_TAGS_MAX 6
typedef struct mcp_read_guess {
	uint64_t key; /* the key's fingerprint */
	unsigned tag_count;
	bool has_counter;
	uint64_t fingerprints[MCP_READ_GUESS_TAGS_MAX];
} mcp_read_guess;

/* The guess of a tag's version on a server. */
typedef struct mcp_tag_guess {
	uint64_t tag; /* the tag's fingerprint, mixed with the server */
	uint64_t number;
} mcp_tag_guess;

#define MCP_READ_GUESSES 128
#define MCP_TAG_GUESSES 32
typedef struct mcp_guesses {
	mcp_read_guess reads[MCP_READ_GUESSES];
	mcp_tag_guess tags[MCP_TAG_GUESSES];
	/* Store that cannot verify a guess in the round trip of the write. The next writes to it make no guesses. The
	 * pointer is not dereferenced. */
	const mcp_store *unbatched;
	unsigned unguessed_writes;
} mcp_guesses;

/* The tags of all values of a view or of a clearable cache. Each tag has one name per signing key (T9). Values are
 * stored with the names of the first key, and found with the names of any key. */
typedef struct mcp_cache_tags {
	unsigned count;     /* at most MCP_ENVELOPE_TAGS_MAX */
	unsigned key_count; /* 1 without signing */
	/* the first tag is the namespace tag; a value without it is a miss (N1) */
	bool has_namespace;
	/* `count` names of the first key, then `count` names of each other key; borrowed */
	const uint64_t *fingerprints;
	/* Buffer for `count` tag versions, borrowed. The entry of a lookup of one key points into it. Concurrent calls
	 * must not share it. */
	uint64_t *numbers;
	mcp_guesses *guesses; /* borrowed; NULL: none */
} mcp_cache_tags;

static inline size_t mcp_cache_tags_names(const mcp_cache_tags *tags) {
	return (size_t)tags->count * tags->key_count;
}

/* Bits of a tag version that count invalidations. A tag version has bit 62 set and bit 61 clear, so that it always
 * has 19 digits, and no carry reaches bit 63. Above the lowest 20 bits, 41 random bits identify the creation of the
 * tag. */
#define MCP_TAG_COUNT_BITS 20

/* Whether a number that was read is a tag version, which can be stored with a value. If not, the tag version is
 * missing. */
static inline bool mcp_tag_is_known(uint64_t number) {
	return (number & (uint64_t)1 << 62) != 0;
}

/* The tag versions of a value, in the format of the envelope. Plain data; valid after the call returns. */
typedef struct mcp_captured_tags {
	size_t length; /* 0: none */
	/* Index of the signing key that names some of the tags, if an update keeps them. 0: the first key names all
	 * tags. */
	uint32_t signer;
	char bytes[MCP_ENVELOPE_TAGS_MAX * MCP_TAG_LENGTH];
} mcp_captured_tags;

/* The tag versions that reads of one key have found: for each tag, the earliest valid version. Plain data;
 * valid after the call returns. */
#define MCP_READ_TAGS_MAX (2 * MCP_ENVELOPE_TAGS_MAX)
typedef struct mcp_read_tags {
	size_t length; /* 0: none */
	bool stand;    /* a read missed, so its caller might have been computing since then */
	char bytes[MCP_READ_TAGS_MAX * MCP_TAG_LENGTH];
} mcp_read_tags;

static inline void mcp_read_tags_clear(mcp_read_tags *noted) {
	noted->length = 0;
	noted->stand = false;
}

static inline mcp_bytes mcp_read_tags_view(const mcp_read_tags *noted) {
	return mcp_bytes_of(noted->bytes, noted->length);
}

static inline mcp_bytes mcp_captured_tags_view(const mcp_captured_tags *captured) {
	return mcp_bytes_of(captured->bytes, captured->length);
}

/* Owns nothing; built on the stack for each call. */
typedef struct mcp_cache {
	mcp_store *store;
	const mcp_environment *environment;
	mcp_cache_statistics *statistics;
	const mcp_meter *meter;               /* NULL: only the statistics are counted */
	uint32_t lease_ms;                    /* maximum lease of a claim; > 0 */
	const mcp_signing_keys *signing_keys; /* NULL: no value is signed or checked */
	/* the lease is 3 times the last compute time, but at least 1 s and at most lease_ms (C2) */
	bool lease_is_fitted;
	bool is_strict;     /* C16: only read, lookup and remember return stale values */
	bool is_guarded;    /* guarded cache: see mcp_cache_pull */
	bool reads_foreign; /* C19: another client's value, without an envelope, counts as stale */
	uint64_t foreign_grace_ms;  /* grace period of such a value, from the read; 0: it is a miss */
	const mcp_cache_tags *tags; /* tags of a view or a clearable cache; NULL: none */
	struct mcp_near *near;      /* near cache for get, peek, read and remember; NULL: none */
} mcp_cache;

typedef struct mcp_lifetime {
	uint64_t ttl_ms;   /* time until the value is stale; 0: never expires */
	uint64_t grace_ms; /* grace period after the TTL; 0: strict; MCP_GRACE_FOREVER: unlimited */
	/* touch, replace, update: keep the stored value's grace period, if there is a value (C7) */
	bool keeps_grace;
} mcp_lifetime;

typedef struct mcp_cache_value {
	mcp_bytes payload;
	uint32_t flags; /* see core/envelope/value_flags.h */
	uint32_t compute_ms;
	mcp_lifetime lifetime;
	mcp_bytes tags; /* tag versions captured before the computation, see cache_tags.h */
	/* set and add: `tags` are guesses, which the write verifies, in the same round trip if possible */
	bool tags_are_guessed;
	uint32_t signer; /* signer captured with the tags */
	uint64_t cap_ms; /* time from which the value is stale, see mcp_cache_cap; 0: no limit */
} mcp_cache_value;

/* Permission to store a rebuild under this epoch, unless the caller of a later election has stored first (C3). Plain
 * data; valid after the call returns. */
typedef struct mcp_claim {
	uint64_t epoch;
	uint64_t token;  /* 0: is_overdue, so there is no claim to release */
	uint64_t end_ms; /* end of the lease, by the wall clock */
	uint32_t election;
	/* this caller waited too long for another caller's claim, and may store only while the key has no value */
	bool is_overdue;
	/* is_overdue, but this caller may replace the key's value */
	bool is_over_value;
	uint32_t over_election; /* election number of that value */
	/* Proof of the election's write. While it is valid, an unchanged item is the claimed item. */
	mcp_proof proof;
} mcp_claim;

/* Identifies a value, such as a value that this caller cannot decode (C9). Other hosts might be able to decode that
 * value, so it is kept until a new value is stored. */
typedef struct mcp_value_id {
	bool is_set;
	uint64_t epoch;
	uint32_t election; /* election number of the value */
} mcp_value_id;

typedef enum mcp_verdict {
	MCP_VERDICT_MISS, /* no value to serve */
	MCP_VERDICT_FRESH,
	MCP_VERDICT_STALE,   /* a stale value that no caller is rebuilding */
	MCP_VERDICT_BUSY,    /* a stale value that another caller is rebuilding */
	MCP_VERDICT_ELECTED, /* this caller rebuilds; has_value: there is a stale value */
} mcp_verdict;

/* State of the current value's running number, which is stored under a side key. */
typedef enum mcp_running {
	MCP_RUNNING_NONE,    /* not created yet, or evicted */
	MCP_RUNNING_ANOTHER, /* the number of another value, or not a number */
	MCP_RUNNING_ON,
	MCP_RUNNING_FROZEN, /* no longer incremented, because a caller is about to change or take the value */
} mcp_running;

/* The result of a lookup. The payload is a view, see store.h. */
typedef struct mcp_cache_entry {
	mcp_verdict verdict;
	bool has_value;
	bool is_absent;     /* no item is stored under the key */
	bool is_unreadable; /* the item is not a value of this key */
	bool is_forged;     /* unreadable because its signature is missing or wrong */
	bool is_suspect;    /* treated as stale: stored before this process connected to the server */
	bool is_distrusted; /* the caller has reported that it cannot decode the value */
	bool is_outdated_by_tag; /* stale only because of its tags */
	mcp_opening opening;
	mcp_freshness freshness;
	mcp_bytes payload; /* the payload to return; the running number, if it exists */
	mcp_bytes stored;  /* the payload in the envelope; the whole item if unreadable */
	uint32_t flags;    /* flags of the payload; of the item, if unreadable */
	/* CAS value of the key's item; 0: none; invalid after user code has run */
	uint64_t cas;
	mcp_running running; /* state of the running number, if the envelope has a counter */
	/* MCP_OK, or the failure that caused the miss. MCP_NO_CAS: no caller can be elected. */
	mcp_status trouble;
	/* Zero if the item is missing or unreadable. Fields from here on are not cleared before a read, because clearing
	 * would slow down hits. */
	mcp_envelope envelope;
	uint64_t judged_ms; /* time at which the verdict is correct */
	/* CAS value of the running number, if it was found; invalid after user code has run */
	uint64_t running_cas;
	mcp_claim claim; /* ELECTED: claim of this caller */
	/* Versions of the cache's tags, in the order of the tags; see mcp_tag_is_known. Valid until the next lookup.
	 * NULL: no version is known. */
	uint64_t *tag_numbers;
	/* sum of the tags' change counters, read before the item; see cache_near.h */
	uint64_t tag_changes;
} mcp_cache_entry;

/* --- reading: costs 1 round trip, 2 if the value has a running number or tags that the cache does not have --- */

/* Read the entry, also of a stale value. Elects no caller, and writes nothing. */
void mcp_cache_read(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry);

/* A read of many distinct keys. Cost: 1 round trip per server, 1 more for keys with a running number or tags that the
 * cache does not have. The views of all entries are valid together. */
typedef struct mcp_cache_batch {
	const mcp_key *keys;
	size_t count;
	mcp_cache_entry *entries;     /* results, `count` */
	mcp_op *replies;              /* scratch, 2 * count */
	mcp_key *scratch_keys;        /* scratch, 2 * count */
	mcp_key_buffer *side_buffers; /* scratch, count */
	/* `count` ids for remember_many, see mcp_cache_near_is_drawn; NULL: none */
	const struct mcp_value_id *drawn;
	/* buffer for the entries' tag versions: `count` per tag of the cache; NULL without tags */
	uint64_t *tag_numbers;
} mcp_cache_batch;
void mcp_cache_read_many(const mcp_cache *cache, const mcp_cache_batch *batch);

/* Read a value for a caller that does not get the entry details (C16). In a strict cache, a stale value is therefore
 * a MISS. */
void mcp_cache_peek(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry);
void mcp_cache_peek_many(const mcp_cache *cache, const mcp_cache_batch *batch);

/* Count the result that the caller returns. All other reads count it themselves, but read_many and peek_many do not,
 * because elections can follow them. */
void mcp_cache_count(const mcp_cache *cache, const mcp_key *key, const mcp_cache_entry *entry);
void mcp_cache_count_many(const mcp_cache *cache, const mcp_cache_batch *batch);

/* Read the entry, and elect one caller if the value is stale (C1). This caller gets ELECTED, after a second round
 * trip, and the others get BUSY with the stale value. Writes nothing if the key is missing. */
void mcp_cache_lookup(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry);

/* Like mcp_cache_lookup, for a caller that does not get the entry details. In a strict cache, like mcp_cache_peek
 * (C16). */
void mcp_cache_get(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry);

/* Elect for one entry that read_many has found STALE. The entry becomes ELECTED, or BUSY if another caller was
 * elected first. Never reads, so the views of the other entries remain valid. After a request that was not answered,
 * later calls for the same server set BUSY. */
void mcp_cache_elect_among(const mcp_cache *cache, const mcp_cache_batch *batch, size_t index);

/* --- remember: lookup for a caller that will compute --- */

typedef struct mcp_remember {
	mcp_lifetime lifetime; /* lifetime of a placeholder */
	uint32_t wait_ms;      /* maximum wait for another caller's value */
	/* maximum time for which others might have waited for a claim of this caller; 0: no claim */
	uint32_t oldest_claim_ms;
	/* state kept across an interruption; NULL: the wait begins with this call */
	mcp_pauses *pauses;
	bool serve_stale; /* C5; false: wait for the new value, even if a stale value exists */
	double early;     /* XFetch's beta; 0: never early */
	/* Not NULL: one caller is elected even if the value is fresh (C17). Receives the id of the first value that is
	 * found, and must be kept across an interruption. */
	mcp_value_id *outdated;
	mcp_value_id distrust; /* for mcp_cache_remember: value that could not be decoded */
	/* for mcp_cache_remember: value found in the near cache and sampled for an early rebuild */
	mcp_value_id drawn;
	/* For mcp_cache_remember. is_unready: the caller is not ready to compute, and the lifetime is unknown. has_found:
	 * the entry is from the previous call or from remember_fresh. */
	bool is_unready, has_found;
} mcp_remember;

/* Return the maximum wait of this caller (C4). A caller that holds a claim waits only as long as it has held the
 * claim, because the caller that it waits for might be waiting for this claim. Its wait is at least the longest pause
 * between 2 lookups, and at most a quarter of wait_ms. */
uint32_t mcp_cache_wait_ms(const mcp_remember *remember);

/* Return the id of the entry's value. If the caller cannot decode the value, it passes this id as `distrust`, and one
 * caller is elected to rebuild the key. */
mcp_value_id mcp_cache_value_id_of(const mcp_cache_entry *entry);

/* Look up a key for a caller that will compute its value on a miss. Waits for other callers (C4, C5). Returns true
 * with entry->verdict:
 * - FRESH, STALE or BUSY: return the value.
 * - ELECTED: compute, then publish or abandon entry->claim.
 * - MISS with MCP_PAUSED: earlier rebuilds failed. Do not compute before envelope.pause_end_ms (C6).
 * - MISS with MCP_INTERRUPTED: call again, see waiting.h. Nothing was counted.
 * - MISS otherwise: the server is unavailable. Compute, but do not store.
 * Returns false if this caller should compute but remember->is_unready is set. No claim was sent, and nothing was
 * counted. Call again when ready, with the same pauses. Set has_found to reuse `entry`, unless the store was used or
 * user code has run since then. If this entry is fresh, set `drawn` to its id.
 * With remember->outdated (force), one caller is elected even if the value is fresh. The others accept a value that
 * was stored while they waited (C17). */
bool mcp_cache_remember(const mcp_cache *cache, const mcp_key *key, const mcp_remember *remember,
	mcp_cache_entry *entry);

/* Read once, without early refresh. If the value is fresh, counts a hit and returns true. Otherwise, continue with
 * mcp_cache_remember. */
bool mcp_cache_remember_fresh(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry);

typedef enum mcp_next_action {
	MCP_REMEMBER_DONE,  /* the entry is the result, as after mcp_cache_remember */
	MCP_REMEMBER_WAIT,  /* another caller is computing: look up again after a pause */
	MCP_REMEMBER_AGAIN, /* a race was lost: look up again immediately */
	/* Never returned: this caller must compute, without a claim or after an election. */
	MCP_REMEMBER_COMPUTE,
	MCP_REMEMBER_ELECT_COLD,
	MCP_REMEMBER_ELECT_STALE,
	MCP_REMEMBER_ELECT_EARLY,
} mcp_next_action;

/* Look up many keys once (C12). The caller first rebuilds the keys that it was elected for, so that 2 callers never
 * wait for each other. Then it waits, and looks up the remaining keys again, including keys whose values it could not
 * decode. `distrusts`: one per key; NULL: none. `is_over`: the deadline has passed. Cost: 1 round trip per server,
 * and at most 2 more per 100 claims of a server: one for missing keys, and one for all others. If the store cannot
 * batch, 1 per claim. */
void mcp_cache_remember_many(const mcp_cache *cache, const mcp_cache_batch *batch,
	const mcp_remember *remember, const mcp_value_id *distrusts, bool is_over,
	mcp_next_action *steps);

/* Pause once while another caller computes. MCP_WAIT_OVER: the monotonic deadline has passed. `key` NULL: a batch. */
mcp_wait mcp_cache_wait(const mcp_cache *cache, const mcp_key *key, mcp_pauses *pauses,
	uint64_t deadline_ms);
/* Let the next pauses end early when another process of this host changes the key. */
void mcp_cache_listen(const mcp_cache *cache, const mcp_key *key, mcp_pauses *pauses);

/* --- after an election --- */

/* Store the result (C3). MCP_OK. MCP_NOT_STORED: the epoch has changed, or the caller of a later election stored
 * first. Otherwise, the result is not stored, or the outcome is unknown. Cost: 2 round trips, 1 if the election was
 * verified and the item is unchanged. */
mcp_status mcp_cache_publish(const mcp_cache *cache, const mcp_key *key, const mcp_claim *claim,
	const mcp_cache_value *value);

typedef struct mcp_cache_result {
	mcp_key key;
	const mcp_claim *claim;
	mcp_cache_value value;
	mcp_status status; /* status as returned by publish */
} mcp_cache_result;

/* Publish each result. Cost: 1 round trip per server and per MCP_STORE_AHEAD_ANY keys for verified elections, 2 for
 * others, if the store can batch. */
void mcp_cache_publish_many(const mcp_cache *cache, mcp_cache_result *results, size_t count);

/* Release the claim if it still exists. After a failed computation, no caller is elected during a pause, which grows
 * with each failure up to the lease (C6). Cost: 2 round trips. */
mcp_status mcp_cache_abandon(const mcp_cache *cache, const mcp_key *key, const mcp_claim *claim,
	bool has_failed);

/* Mark the key as uncacheable, because its result cannot be stored (C6). Releases the claim if it still exists. For
 * one lease, no caller is elected. Callers that accept a stale value get it, and all others compute immediately.
 * Cost: 2 round trips. */
mcp_status mcp_cache_mark_uncacheable(const mcp_cache *cache, const mcp_key *key,
	const mcp_claim *claim);

/* Renew the claim's lease if it is still the newest claim on the key (C11). MCP_OK: renewed. MCP_NOT_STORED: the
 * claim was superseded, so there is nothing to release. Otherwise, the claim was not renewed, but might still exist.
 * Release it if you do not compute. */
mcp_status mcp_cache_rearm(const mcp_cache *cache, const mcp_key *key, mcp_claim *claim);

/* Store unconditionally under a new epoch, so that no computation that began earlier can be stored later. Cost: 1
 * round trip. */
mcp_status mcp_cache_set(const mcp_cache *cache, const mcp_key *key, const mcp_cache_value *value);

typedef struct mcp_cache_setting {
	mcp_key key;
	mcp_cache_value value;
	mcp_status status; /* as returned by set; MCP_NOT_STORED before the call: left out */
} mcp_cache_setting;

/* mcp_cache_set and mcp_cache_delete for many keys. Cost: 1 round trip per server and per batch of the store
 * (store.h), if the store can batch. If the store must see every change, keys are sent one by one. A broken
 * connection makes the outcome of all its pending keys unknown, not only of one key. */
#define MCP_CACHE_BATCH_MAX MCP_STORE_AHEAD_MAX
void mcp_cache_set_many(const mcp_cache *cache, mcp_cache_setting *settings, size_t count);
void mcp_cache_delete_many(const mcp_cache *cache, const mcp_key *keys, size_t count,
	mcp_status *statuses);

/* Store if no fresh value exists (C15). Exactly one of several callers gets MCP_OK, and the others get
 * MCP_NOT_STORED. */
mcp_status mcp_cache_add(const mcp_cache *cache, const mcp_key *key, const mcp_cache_value *value);

/* Store if a fresh or stale value exists. Otherwise, returns MCP_NOT_STORED. */
mcp_status mcp_cache_replace(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_value *value);

/* Delete the key. MCP_OK also if it did not exist. */
mcp_status mcp_cache_delete(const mcp_cache *cache, const mcp_key *key);

/* Delete, and report whether an item was removed. A placeholder, or a value after its grace period, also counts as an
 * item, because only a second round trip could distinguish it from a value that can be served. */
mcp_status mcp_cache_forget(const mcp_cache *cache, const mcp_key *key, bool *was_there);

/* Give the value a new epoch, and make it stale immediately, with its own grace period. The next caller rebuilds it,
 * and the others get the stale value. MCP_NOT_FOUND: no value exists. A placeholder gets a new epoch even then. */
mcp_status mcp_cache_expire(const mcp_cache *cache, const mcp_key *key);

/* mcp_cache_expire for up to MCP_CACHE_BATCH_MAX distinct keys, each with its own status. Cost: per server, 1 round
 * trip for reads, 1 for writes, and 1 more for reads of tags and running numbers. Each lost race costs 2. If the
 * store must see every change, the cost is that of single calls. */
void mcp_cache_expire_many(const mcp_cache *cache, const mcp_key *keys, size_t count,
	mcp_status *statuses);

/* Give the stored value and its running number a new lifetime. MCP_OK. MCP_NOT_FOUND. MCP_EXISTS: contention. Or a
 * failure. */
mcp_status mcp_cache_touch(const mcp_cache *cache, const mcp_key *key, mcp_lifetime lifetime);

/* Read and delete the value, so that exactly one caller gets it. MCP_OK: the entry has the value, or an item without
 * a value was deleted. Such an item can be a marker whose read stamp a caller of a guarded cache holds. Therefore, a
 * guarded cache deletes any item. MCP_NOT_FOUND. MCP_EXISTS: contention. Or a failure. */
mcp_status mcp_cache_pull(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry);

/* Like mcp_cache_peek, before an update. Fills in `proof` if the store can send steps and the value has neither tags
 * nor a running number. Otherwise, clears `proof`. */
void mcp_cache_peek_to_update(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry,
	mcp_proof *proof);

/* Like mcp_cache_peek, before an update that has already lost a race. First freezes a running number, so that
 * concurrent increments do not change it for a few milliseconds. */
void mcp_cache_read_still(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry);

/* The version from which an update is computed. Plain data, which outlives views. Create it immediately after the
 * read. */
typedef struct mcp_cache_seen {
	/* proof from mcp_cache_peek_to_update, set by the caller; if it is set, mcp_cache_update does not read the
	 * item */
	mcp_proof proof;
	bool is_absent, has_value;
	bool is_still; /* the running number was frozen */
	bool is_integer;
	int64_t integer;
	mcp_envelope envelope; /* without tags */
} mcp_cache_seen;
mcp_cache_seen mcp_cache_see(const mcp_cache_entry *entry);

/* Store `value` if the stored version is still `seen`. MCP_OK. MCP_EXISTS: the version has changed, so read and
 * compute again. Or a failure. After an unknown outcome, reads the item back if possible. */
mcp_status mcp_cache_update(const mcp_cache *cache, const mcp_key *key, const mcp_cache_seen *seen,
	const mcp_cache_value *value);

/* --- the running number (I1 to I8) --- */

/* Add `by` to the number. MCP_OK with the new number. MCP_NOT_FOUND: there is no value, and nothing is created.
 * MCP_NOT_A_NUMBER. MCP_OUT_OF_RANGE. MCP_EXISTS: contention, not counted. MCP_UNKNOWN: the change might have been
 * counted. Or another failure. A decrement of a nonnegative number stops at 0. Cost: 2 round trips, a few more for
 * the first increment of a value. */
mcp_status mcp_cache_increment(const mcp_cache *cache, const mcp_key *key, int64_t by,
	int64_t *number);

/* Initial number and lifetime for a missing value. */
typedef struct mcp_cache_initial {
	int64_t number;
	mcp_lifetime lifetime;
} mcp_cache_initial;

/* Like mcp_cache_increment, but creates a missing number (I8). If no value exists, one caller stores `initial` plus
 * `by` under a new epoch, and the other callers increment this number. Never returns MCP_NOT_FOUND. A placeholder is
 * not a value. A computation under its claim is not stored, because it would discard the count. MCP_OUT_OF_RANGE also
 * if the sum does not fit. A write that was not answered is verified by its epoch, if the server can be reached. */
mcp_status mcp_cache_increment_from(const mcp_cache *cache, const mcp_key *key, int64_t by,
	const mcp_cache_initial *initial, int64_t *number);

#endif
