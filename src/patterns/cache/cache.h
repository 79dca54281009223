/* The stale envelope: an expired hot key is rebuilt by one caller while the others go on getting the
 * old value. The protocol alone, over store.h: it computes nothing, decodes no value and calls nobody
 * back, so a whole `remember` is lookup, the caller's own work, then publish or abandon.
 *
 * After A. Smirnov, "Web, caching and memcached" (2008) and "Lock-free memcache API" (2011), with the
 * election by compare-and-swap. The rules are in docs/spec/cache.md under the names used here (C1, C2 ...). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_CACHE_H
#define MCP_PATTERNS_CACHE_H

#include "../../core/backoff.h"
#include "../../core/envelope/envelope.h"
#include "../../core/envelope/freshness.h"
#include "../../core/metrics/meter.h"
#include "../../core/envelope/signature.h"
#include "../../store/store.h"
#include "../waiting.h"

/* On Windows a word of old, which windows.h defines as nothing. */
#undef near

/* A grace without end: the value is served until it is rebuilt. */
#define MCP_GRACE_FOREVER MCP_NEVER_MS

/* --- the tags of values: which they are, and which numbers a value is stored with --- */

/* The tags that all values of a view have, and all of a clearable cache, each under the name that each signing key gives it
 * (T9): values are stored with the first key's, and found by any. */
typedef struct mcp_cache_tags {
	unsigned count;               /* MCP_ENVELOPE_TAGS_MAX at most */
	unsigned key_count;           /* 1 where nothing is signed */
	bool has_namespace;           /* the first one: what lacks it is no value (N1) */
	const uint64_t *fingerprints; /* count by the first key, and as many by each other; borrowed */
	/* Room for the numbers of `count`, borrowed: an entry's, when one key is looked at. No two calls that may be
	 * under way together have the same. */
	uint64_t *numbers;
} mcp_cache_tags;

static inline size_t mcp_cache_tags_names(const mcp_cache_tags *tags) {
	return (size_t)tags->count * tags->key_count;
}

/* Bit 62 is set and bit 61 clear, so that it always has 19 digits and no carry reaches bit 63; 41 random bits say
 * which making of the tag it is, and the lowest 20 count the invalidations since. */
#define MCP_TAG_COUNT_BITS 20

/* Says whether a number that was found can be stored with a value; otherwise the tag is absent. */
static inline bool mcp_tag_is_known(uint64_t number) {
	return (number & (uint64_t)1 << 62) != 0;
}

/* The numbers that a value is stored with, as they stand in an envelope. Plain data; outlives calls. */
typedef struct mcp_captured_tags {
	size_t length; /* 0: none */
	/* Which signing key names some of them, which an update has kept; 0: the first names all. */
	uint32_t signer;
	char bytes[MCP_ENVELOPE_TAGS_MAX * MCP_TAG_LENGTH];
} mcp_captured_tags;

/* The numbers that looks at one key have found, of each tag the earliest that still counts. Plain data; outlives calls. */
#define MCP_READ_TAGS_MAX (2 * MCP_ENVELOPE_TAGS_MAX)
typedef struct mcp_read_tags {
	size_t length; /* 0: none */
	bool stand;    /* a look has given no value: its caller may be computing since then */
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

/* Borrows everything; made on the stack for each call. */
typedef struct mcp_cache {
	mcp_store *store;
	const mcp_environment *environment;
	mcp_cache_statistics *statistics;
	const mcp_meter *meter; /* NULL: only the statistics count */
	uint32_t lease_ms;      /* the longest a claim lives; > 0 */
	const mcp_signing_keys
		*signing_keys; /* NULL: nothing is signed, and signatures are not looked at */
	bool
		lease_is_fitted; /* a claim lives three times the last compute time, 1 s to lease_ms (C2) */
	bool is_strict;      /* C16: only read, lookup and remember take an old value for one */
	bool is_guarded;     /* a guarded view: a pull leaves nothing that a look may have noted */
	bool reads_foreign;  /* C19: another client's value, without an envelope, is an old one, ... */
	uint64_t foreign_grace_ms;  /* ... with this grace from when it is read; 0: it is none */
	const mcp_cache_tags *tags; /* those of a view and of a clearable cache; NULL: neither */
	struct mcp_near
		*near; /* get, peek, read and remember may answer from it, see cache_near.h; NULL: none */
} mcp_cache;

/* How long a value lives. */
typedef struct mcp_lifetime {
	uint64_t ttl_ms;   /* until its soft end; 0: it never expires */
	uint64_t grace_ms; /* from its soft to its hard end; 0: strict; MCP_GRACE_FOREVER: no end */
	bool
		keeps_grace; /* touch, replace, update: that of the value that is there, where one is (C7) */
} mcp_lifetime;

/* A value to store. */
typedef struct mcp_cache_value {
	mcp_bytes payload;
	uint32_t flags; /* as core/envelope/value_flags.h */
	uint32_t compute_ms;
	mcp_lifetime lifetime;
	mcp_bytes tags;  /* as captured before it was computed, see cache_tags.h */
	uint32_t signer; /* as captured with them */
	uint64_t cap_ms; /* 0: none; otherwise it ends softly by then, see mcp_cache_cap */
} mcp_cache_value;

/* The right to store a rebuild: under this epoch, while no later election has stored (C3). Plain
 * data; outlives the call that took it. */
typedef struct mcp_claim {
	uint64_t epoch;
	uint64_t token;  /* 0: overdue, see below; such a claim cannot be given back */
	uint64_t end_ms; /* wall clock */
	uint32_t election;
	bool
		is_overdue; /* waited too long for somebody's claim: may store while there is no value yet */
	bool is_over_value;     /* overdue, and over a value that it does not answer with ... */
	uint32_t over_election; /* ... of this election: may store in the place of that one, too */
	/* The proof of the election's write: what it left is there still as long as it is unchanged. */
	mcp_proof proof;
} mcp_claim;

/* A value that a caller could not decode: for this caller there is none (C9). Others may be able to, so
 * an election over it leaves it where it is until the new one is stored. */
typedef struct mcp_value_id {
	bool is_set;
	uint64_t epoch;
	uint32_t election; /* the value's */
} mcp_value_id;

typedef enum mcp_verdict {
	MCP_VERDICT_MISS, /* nothing to serve */
	MCP_VERDICT_FRESH,
	MCP_VERDICT_STALE,   /* an old value, and nobody is rebuilding it */
	MCP_VERDICT_BUSY,    /* an old value, and somebody is */
	MCP_VERDICT_ELECTED, /* this caller rebuilds; the old value is there too when has_value */
} mcp_verdict;

/* The finding in the side key of a value that counts. */
typedef enum mcp_running {
	MCP_RUNNING_NONE,    /* nothing: not yet made, or evicted */
	MCP_RUNNING_ANOTHER, /* another value's number, or none at all */
	MCP_RUNNING_ON,
	MCP_RUNNING_FROZEN, /* its last number: somebody is about to change or take the value */
} mcp_running;

/* An entry: all that is known of a key. The payload is a view, see store.h. */
typedef struct mcp_cache_entry {
	mcp_verdict verdict;
	bool has_value;
	bool is_absent;          /* nothing at all is stored under the key */
	bool is_unreadable;      /* something is, but it is no value of this key; see `stored` */
	bool is_forged;          /* unreadable because its signature is not there, or not right */
	bool is_suspect;         /* stored before this process came to the server: no newer than old */
	bool is_distrusted;      /* a value is, but the caller said that it could not decode it */
	bool is_outdated_by_tag; /* it would be fresh but for its tags */
	mcp_opening opening;
	mcp_freshness freshness;
	mcp_bytes payload;   /* what to show: the running number where there is one */
	mcp_bytes stored;    /* the payload in the envelope; the whole item when unreadable */
	uint32_t flags;      /* of the payload; of the item when unreadable */
	uint64_t cas;        /* of the main item; dead after user code; 0: none, or dead already */
	mcp_running running; /* when the envelope has a counter */
	/* MCP_OK, or the failure that made it a miss; MCP_NO_CAS: what kept anybody from being elected */
	mcp_status trouble;
	/* Zero when absent or unreadable. From here on nothing is cleared before a read: it costs a hit too much. */
	mcp_envelope envelope;
	uint64_t judged_ms;   /* of what was found: when */
	uint64_t running_cas; /* of the side key, when `running` says of which; dead after user code */
	mcp_claim claim;      /* when ELECTED */
	/* Those of the cache's tags, in their order, of a look through a cache that has any; see mcp_tag_is_known. A view until
	 * the next look. NULL: none is known. */
	uint64_t *tag_numbers;
	uint64_t
		tag_changes; /* of a value with tags, see cache_near.h: their change counters of before they were asked for */
} mcp_cache_entry;

/* --- reading: one round trip, a second one when a running number is there --- */

/* Reads what is there, old values included. Elects nobody, writes nothing. */
void mcp_cache_read(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry);

/* A read of many keys: one round trip per server, one more for those with running numbers. `replies` is scratch
 * of 2 * count, `keys` differ from each other. Entries' views live together. */
typedef struct mcp_cache_batch {
	const mcp_key *keys;
	size_t count;
	mcp_cache_entry *entries;     /* count */
	mcp_reply *replies;           /* scratch, 2 * count */
	mcp_key *scratch_keys;        /* scratch, 2 * count */
	mcp_key_buffer *side_buffers; /* scratch, count */
	const struct mcp_value_id
		*drawn; /* count, for remember_many: see mcp_cache_near_is_drawn; NULL: none */
	uint64_t
		*tag_numbers; /* room for the entries', count for each of the cache's tags; NULL without */
} mcp_cache_batch;
void mcp_cache_read_many(const mcp_cache *cache, const mcp_cache_batch *batch);

/* Reads for callers who want the value and not its story (C16): a strict cache's entry is a MISS where its
 * value is old. */
void mcp_cache_peek(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry);
void mcp_cache_peek_many(const mcp_cache *cache, const mcp_cache_batch *batch);

/* Counts what the caller answers with. Done by all but read_many and peek_many, after which elections
 * may follow. */
void mcp_cache_count(const mcp_cache *cache, const mcp_key *key, const mcp_cache_entry *entry);
/* Counts a whole batch. */
void mcp_cache_count_many(const mcp_cache *cache, const mcp_cache_batch *batch);

/* Looks up by C1: past the soft end one caller is ELECTED (a second round trip), the others are BUSY and get
 * the old value. Writes nothing for an absent key. */
void mcp_cache_lookup(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry);

/* Looks up for callers who want the value and not its story: a strict cache peeks (C16). */
void mcp_cache_get(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry);

/* Elects on its own for one of the entries that read_many has just found STALE: it becomes ELECTED, or BUSY if
 * somebody else was faster. Never reads, so that the other entries' views stay. When no answer comes, the
 * entries behind it that live on the same server become BUSY in their turn. */
void mcp_cache_elect_among(const mcp_cache *cache, const mcp_cache_batch *batch, size_t index);

/* --- remember: lookup for a caller that will compute --- */

typedef struct mcp_remember {
	mcp_lifetime lifetime; /* of a placeholder */
	uint32_t wait_ms;      /* at most this long for somebody else's value */
	uint32_t
		holds_ms; /* how long others may have been waiting for a claim of the caller's; 0: it holds none */
	mcp_pauses *pauses; /* kept over an interruption; NULL: the wait begins with this call */
	bool serve_stale;   /* C5: false waits for the new value while an old one is there */
	double early;       /* XFetch's beta; 0: never early */
	/* A place for what this caller finds first, and is to be kept over an interruption. Not NULL: it stands for
	 * election however fresh the value is (C17). */
	mcp_value_id *outdated;
	mcp_value_id distrust; /* of mcp_cache_remember; of many each key has its own */
	mcp_value_id drawn;    /* of mcp_cache_remember: found near, and drawn to be rebuilt early */
	/* In mcp_cache_remember: the caller is not ready to compute, and its lifetime is not known; the entry has what the call
	 * before has found, or remember_fresh. */
	bool is_unready, has_found;
} mcp_remember;

/* Returns how long this caller waits at most (C4). One that holds a claim which others wait for waits as long as it has held
 * that, at least for the longest pause between two looks, and for a quarter of the wait at most: the caller that it waits for
 * may be one of them. */
uint32_t mcp_cache_wait_ms(const mcp_remember *remember);

/* Distrusts the entry's value, which could not be decoded: asked again with this, the key is computed by one
 * caller. */
mcp_value_id mcp_cache_value_id_of(const mcp_cache_entry *entry);

/* Comes back FRESH, STALE or BUSY with a value to return; ELECTED with a claim to compute under and then publish or
 * abandon; or MISS when the server is out of reach (compute, nothing to store under). On a cold key one caller is
 * elected by a placeholder and the others wait here (C4). Among those that force one is elected, too; what another
 * caller stores while they wait is as good as their own (C17). A MISS whose trouble is MCP_PAUSED: there is no
 * value, rebuilds failed, and the next one is longer off than a quarter of the wait (envelope.pause_end_ms); the
 * caller is not to compute (C6). A MISS whose trouble is MCP_INTERRUPTED is no answer, see waiting.h; nothing is
 * counted. False if it is the turn of a caller that is not ready; nothing is sent for it or counted. Ready, it goes on with the
 * same pauses: from the entry, if nothing was asked since and no user code has run; a fresh one is its `drawn` then. */
bool mcp_cache_remember(const mcp_cache *cache, const mcp_key *key, const mcp_remember *remember,
	mcp_cache_entry *entry);

/* Looks once, for one that is never early. True with a fresh value, counted; if not, mcp_cache_remember goes on. */
bool mcp_cache_remember_fresh(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry);

/* The outcome of one look at a key. */
typedef enum mcp_next_action {
	MCP_REMEMBER_DONE,  /* the entry is the answer, as of mcp_cache_remember */
	MCP_REMEMBER_WAIT,  /* somebody else is at it: look again after a pause */
	MCP_REMEMBER_AGAIN, /* a race was lost: look again at once */
	MCP_REMEMBER_TURN,  /* of mcp_cache_remember: it is the turn of a caller that is not ready */
} mcp_next_action;

/* Looks once at many keys (C12): a round trip per server, and two more at most for the claims of those that this caller is
 * elected for, one of the keys that have nothing and one of the others, for each hundred of a server; where the store sends many no better than one,
 * one for each. The caller computes what it was elected for first, so that two callers never wait for each other, then
 * waits and looks again at the rest: at those, too, whose value it could not decode. `distrusts`: one for each
 * key; NULL: none. `is_over`: the wait has ended. */
void mcp_cache_remember_many(const mcp_cache *cache, const mcp_cache_batch *batch,
	const mcp_remember *remember, const mcp_value_id *distrusts, bool is_over,
	mcp_next_action *steps);

/* Pauses once while waiting for somebody else's value. MCP_WAIT_OVER when the deadline (monotonic) has come. `key`
 * NULL: for those of many. */
mcp_wait mcp_cache_wait(const mcp_cache *cache, const mcp_key *key, mcp_pauses *pauses,
	uint64_t deadline_ms);
/* Lets the next pauses end when another process of this host changes the key. */
void mcp_cache_listen(const mcp_cache *cache, const mcp_key *key, mcp_pauses *pauses);

/* --- what follows an election --- */

/* Stores the result by C3. MCP_OK: stored. MCP_NOT_STORED: what it descended from is gone, or a later election
 * has stored. A failure: not stored, or unknown. Two round trips, one where nothing has changed since a proven
 * election. */
mcp_status mcp_cache_publish(const mcp_cache *cache, const mcp_key *key, const mcp_claim *claim,
	const mcp_cache_value *value);

/* One result of a publish_many. */
typedef struct mcp_cache_result {
	mcp_key key;
	const mcp_claim *claim;
	mcp_cache_value value;
	mcp_status status; /* what publish would answer */
} mcp_cache_result;

/* Publishes each, as far as the store sends many in one go: in one round trip for each server and MCP_CACHE_BATCH_MAX keys those
 * of proven elections, in two those of others. */
void mcp_cache_publish_many(const mcp_cache *cache, mcp_cache_result *results, size_t count);

/* Gives the claim back if it is still there. After a failed computation nobody is elected for a
 * short, growing pause of at most the lease (C6). Two round trips. */
mcp_status mcp_cache_abandon(const mcp_cache *cache, const mcp_key *key, const mcp_claim *claim,
	bool has_failed);

/* Marks the key of a result that cannot be stored (C6). Gives the claim back and marks the key for a lease, if the
 * claim is still there: until then no caller is elected, those who may be served an old value are, and all others
 * compute for themselves at once. Two round trips. */
mcp_status mcp_cache_mark(const mcp_cache *cache, const mcp_key *key, const mcp_claim *claim);

/* Asks whether the claim is still the key's newest and unsettled one. If so its time starts again (C11).
 * MCP_OK: yes; MCP_NOT_STORED: no, and there is nothing to give back. Anything else: not re-armed, and it may
 * still stand there, so a caller that does not compute gives it back. */
mcp_status mcp_cache_rearm(const mcp_cache *cache, const mcp_key *key, mcp_claim *claim);

/* --- writing --- */

/* Sets unconditionally, in one round trip: a new epoch, so nothing computed before it is stored after it. */
mcp_status mcp_cache_set(const mcp_cache *cache, const mcp_key *key, const mcp_cache_value *value);

/* One value of a set_many. */
typedef struct mcp_cache_setting {
	mcp_key key;
	mcp_cache_value value;
	mcp_status status; /* what set would answer */
} mcp_cache_setting;

/* set and delete of each, in one round trip for each server and MCP_CACHE_BATCH_MAX keys where the store sends many in
 * one go. Behind a store that has to be told of each change by itself, one after the other. Unlike those of single
 * calls, outcomes are unknown of all that one broken connection leaves without an answer. */
#define MCP_CACHE_BATCH_MAX 100
void mcp_cache_set_many(const mcp_cache *cache, mcp_cache_setting *settings, size_t count);
void mcp_cache_delete_many(const mcp_cache *cache, const mcp_key *keys, size_t count,
	mcp_status *statuses);

/* Adds by C15: MCP_OK for exactly one caller if no fresh value is there, else MCP_NOT_STORED. */
mcp_status mcp_cache_add(const mcp_cache *cache, const mcp_key *key, const mcp_cache_value *value);

/* MCP_OK if a value, fresh or old, was there to replace, else MCP_NOT_STORED. */
mcp_status mcp_cache_replace(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_value *value);

/* MCP_OK if the key is gone afterwards, absent included. */
mcp_status mcp_cache_delete(const mcp_cache *cache, const mcp_key *key);

/* Deletes, and says whether this call removed an item: a value, fresh or old; also a placeholder, or a value
 * past its hard end that the server still keeps, which only a second round trip could tell from a value. */
mcp_status mcp_cache_forget(const mcp_cache *cache, const mcp_key *key, bool *was_there);

/* Gives the value a new epoch and a soft end of now, with its own grace after it: the next caller rebuilds, the rest
 * get the old value. MCP_NOT_FOUND if no value is there; a placeholder, then, has a new epoch all the same. */
mcp_status mcp_cache_expire(const mcp_cache *cache, const mcp_key *key);

/* Gives a new lifetime to the value that is there, and to its running number. MCP_OK, MCP_NOT_FOUND, MCP_EXISTS
 * if others kept changing it, or a failure. */
mcp_status mcp_cache_touch(const mcp_cache *cache, const mcp_key *key, mcp_lifetime lifetime);

/* Takes the value for one caller: MCP_OK and the entry has it, MCP_NOT_FOUND, MCP_EXISTS when others kept
 * changing it, or a failure. MCP_OK and no value: what a guarded view's look may have noted was deleted, as its mark was,
 * and through a guarded view whatever is there. */
mcp_status mcp_cache_pull(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry);

/* Does what mcp_cache_peek does for an update that has lost to others: a running number is frozen first, so
 * that it stays as it is for some milliseconds, however many increments come. */
void mcp_cache_read_still(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry);

/* A version that an update was computed from; plain data, outlives views. Made right after mcp_cache_peek. */
typedef struct mcp_cache_seen {
	bool has_value;
	bool is_still; /* its running number was frozen */
	uint64_t epoch;
	uint32_t value_election;
	bool is_integer;
	int64_t integer;
} mcp_cache_seen;
mcp_cache_seen mcp_cache_see(const mcp_cache_entry *entry);

/* Stores `value` if what is there is still what was seen. MCP_OK; MCP_EXISTS: it changed, read again
 * and compute again; a failure. An unknown outcome is settled by reading back where that is possible. */
mcp_status mcp_cache_update(const mcp_cache *cache, const mcp_key *key, const mcp_cache_seen *seen,
	const mcp_cache_value *value);

/* --- the running number (I1 to I8) --- */

/* Counts: MCP_OK with the new number; MCP_NOT_FOUND: no value (nothing is left behind); MCP_NOT_A_NUMBER;
 * MCP_OUT_OF_RANGE; MCP_EXISTS: given up, not counted; a failure, of which MCP_UNKNOWN may have counted. A number
 * that is not negative stops at 0 when counted down. Two round trips; a few more for the first one. */
mcp_status mcp_cache_increment(const mcp_cache *cache, const mcp_key *key, int64_t by,
	int64_t *number);

/* Where there is no value to count on: what to count from, and how long that lives. */
typedef struct mcp_cache_initial {
	int64_t number;
	mcp_lifetime lifetime;
} mcp_cache_initial;

/* Counts by I8: where no value is one caller stores `initial` and `by` together, under a new epoch; the others
 * count on it. Never MCP_NOT_FOUND. A placeholder is no value: what is being computed under its claim will not
 * be stored, for that would end what has been counted. MCP_OUT_OF_RANGE also when the sum does not fit. A write
 * whose answer did not come is settled by its epoch where the server can be asked. */
mcp_status mcp_cache_increment_from(const mcp_cache *cache, const mcp_key *key, int64_t by,
	const mcp_cache_initial *initial, int64_t *number);

#endif
