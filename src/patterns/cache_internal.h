/* What the files of the cache pattern share: judging an item, and writing an envelope back. Private
 * to src/patterns/cache_*.c. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_CACHE_INTERNAL_H
#define MCP_PATTERNS_CACHE_INTERNAL_H

#include "cache.h"
#include "cache_meter.h"

/* How often a protocol starts again when other writers keep coming first, before it gives up. Each
 * round means that another writer made progress. */
#define MCP_CACHE_ROUNDS_MAX 64

/* A claim keeps its envelope alive this many leases past the hard end (nothing is served then), so
 * that a rebuild of three leases still finds what it descends from when no other caller asks. */
#define MCP_CACHE_LEASES_KEPT 4

/* An envelope of a new epoch for a value that lives this long from now. */
mcp_envelope mcp_cache_new_envelope(const mcp_cache *cache, const mcp_key *key, uint64_t now_ms,
	mcp_lifetime lifetime);

/* Ends it at soft_ms and, for good, a grace later. */
void mcp_cache_set_ends(mcp_envelope *envelope, uint64_t soft_ms, uint64_t grace_ms);

/* C7: the value that is there keeps its own grace, unless the call gives another. */
mcp_lifetime mcp_cache_lifetime_over(mcp_lifetime lifetime, const mcp_cache_entry *before);

/* The header as it goes before the payload; lives on the stack of the caller of the write. */
typedef struct mcp_cache_record {
	char header[MCP_ENVELOPE_MAX_LENGTH];
	mcp_record record;
} mcp_cache_record;

/* Fills *record to store `payload` under `envelope`, signed anew where the cache has signing keys, with the physical
 * TTL that the envelope asks for. `record` must stay where it is until it is sent: it points into itself. */
void mcp_cache_compose(const mcp_cache *cache, const mcp_key *key, mcp_cache_record *record,
	const mcp_envelope *envelope, mcp_bytes payload, uint32_t flags);

/* The same for an envelope that was made just now: its making is the moment that the TTL counts from. */
void mcp_cache_compose_new(const mcp_cache *cache, const mcp_key *key, mcp_cache_record *record,
	const mcp_envelope *envelope, mcp_bytes payload, uint32_t flags);

/* Whether a value leaves room for the largest header: one that only just fitted could never be claimed. */
bool mcp_cache_fits(const mcp_cache *cache, const mcp_key *key, const mcp_cache_value *value);

/* What memcached is told: to the hard end and some leases more; 0 when there is no hard end. */
uint64_t mcp_cache_physical_ttl_ms(const mcp_cache *cache, const mcp_envelope *envelope,
	uint64_t now_ms);

/* Compose and cas in one. */
mcp_status mcp_cache_swap(const mcp_cache *cache, const mcp_key *key, const mcp_envelope *envelope,
	const mcp_cache_entry *entry);
/* The same, and what the write proves comes into `proof`, where the store can. */
mcp_status mcp_cache_swap_proven(const mcp_cache *cache, const mcp_key *key,
	const mcp_envelope *envelope, const mcp_cache_entry *entry, mcp_proof *proof);
/* Zeroes it; for a record that is to be proven. NULL: the store never proves anything. */
mcp_proof *mcp_cache_wants(const mcp_cache *cache, mcp_proof *proof);

/* Fills the entry from one answer: freshness, opening and verdict, counters left alone. */
void mcp_cache_judge(const mcp_cache *cache, const mcp_key *key, const mcp_reply *reply,
	mcp_cache_entry *entry);

/* The same for the whole batch, of one moment. True: some values have tags or a running number, which are to be asked
 * for, too. */
bool mcp_cache_judge_many(const mcp_cache *cache, const mcp_cache_batch *batch);

/* C19: where the cache reads such, fills the entry with another client's value as an old one; its freshness is still
 * to be weighed. False, and nothing filled, for what is none. */
bool mcp_cache_take_foreign(const mcp_cache *cache, const mcp_key *key, const mcp_item *item,
	mcp_cache_entry *entry);

/* One plain read and its judgement: the running number is not looked at, nothing is counted. */
void mcp_cache_fetch(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry);

/* The same with the tags of the value and of the cache: whether it is fresh, and whether there is one, is as they
 * say. A second round trip where the value has tags that the cache has not. */
void mcp_cache_examine(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry);

/* The same with the running number, too: both together are one second round trip where there are any. */
void mcp_cache_observe(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry);

/* A read that counts, by way of what is near: that first, and what memcached answers is kept. */
typedef void (*mcp_cache_look_there)(const mcp_cache *cache, const mcp_key *key,
	mcp_cache_entry *entry);
void mcp_cache_near_read(const mcp_cache *cache, const mcp_key *key, mcp_cache_look_there there,
	mcp_cache_entry *entry);

/* C16: leaves nothing of an old value in the entry that a strict cache would serve. The envelope and its cas
 * id stay: what is stored next goes in its place. */
void mcp_cache_hide_old(const mcp_cache *cache, mcp_cache_entry *entry);

/* Shows the side key's number in an entry whose envelope was read after it, where it belongs to it.
 * Evicted, or of another epoch: the envelope's own number stays. */
void mcp_cache_show_number(mcp_cache_entry *entry, const mcp_reply *side);

/* Asks for the value and, behind it, for the tags; before it for the running number where `side` is given, or
 * `shows_number` and the value counts. Asks again when the value turns out to have other tags, or a number to show:
 * both at once. `*entry` is judged, `*side` is its number's answer. */
void mcp_cache_look_closely(const mcp_cache *cache, const mcp_key *key, bool shows_number,
	mcp_reply *side, mcp_cache_entry *entry);

/* The same for an entry that has been fetched, without the cache's tags, and lacks something. */
void mcp_cache_look_again(const mcp_cache *cache, const mcp_key *key, bool shows_number,
	mcp_cache_entry *entry);

/* What is read of many, where the cache has tags, or some of the values have. `is_again`: the entries have been read. */
void mcp_cache_read_many_closely(const mcp_cache *cache, const mcp_cache_batch *batch,
	bool is_again);

/* Before this caller is elected, or computes without an election: makes those of the cache's tags that are not
 * there. MCP_OK: the entry's numbers are what is to be stored with the result. MCP_EXISTS: others make them too, or an
 * answer did not come; look again, and never believe the number that was sent. Reads nothing. */
mcp_status mcp_cache_make_tags(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry);
/* Whether there is nothing to make. */
bool mcp_cache_knows_tags(const mcp_cache *cache, const mcp_cache_entry *entry);
/* What one of many has made, those behind it on the same server need not make. */
void mcp_cache_share_tags(const mcp_cache *cache, const mcp_cache_batch *batch, size_t index);

/* --- of cache_tags.c, for cache_tags_look.c and cache_tags_many.c --- */

/* The number that an answer holds: 0 where the tag is absent, or the answer did not come. */
uint64_t mcp_cache_tag_number(const mcp_reply *reply);

/* What one tag's number was found to be. */
typedef struct mcp_cache_tag_found {
	mcp_status status;
	uint64_t number;
	uint64_t changes; /* its change counter of before it was asked for; 0: nothing is near */
} mcp_cache_tag_found;

/* Before a tag is asked for: its change counter, where what is found may be kept near. */
uint64_t mcp_cache_near_tag_changes(const mcp_cache *cache, uint64_t fingerprint);

/* Whether the entry's value has all tags of the cache; their numbers are then as the value has them. */
bool mcp_cache_bears_tags(const mcp_cache *cache, mcp_cache_entry *entry);

/* Looks one up among what was asked for; NULL: it was not. */
typedef const mcp_cache_tag_found *(*mcp_cache_tag_finder)(const void *context,
	uint64_t fingerprint);

/* Judges the entry by what was found. False when a tag that it has to have, or has, was not asked for. */
bool mcp_cache_judge_tags(const mcp_cache *cache, mcp_cache_entry *entry, mcp_cache_tag_finder find,
	const void *context);

/* Before a value that counts is changed or taken: after MCP_OK no increment counts on the number that
 * the entry shows, until the envelope is changed. MCP_EXISTS: look again. One round trip; three more where
 * others have counted meanwhile, and then the entry has been read again: it has a value, but perhaps
 * another one. A process that freezes and dies leaves a number that is shown all the same;
 * increments go on from it after some pauses. */
mcp_status mcp_cache_freeze(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry);

/* Puts the shown number into the entry's envelope, and ends the counter; nothing is sent. */
void mcp_cache_fold(mcp_cache_entry *entry);

/* Counts what a method came upon that is no value: mcp_cache_count does it for those that read to answer, and this for
 * those that change. */
void mcp_cache_count_unreadable(const mcp_cache *cache, const mcp_cache_entry *entry);

/* --- of cache_write.c, for cache_write_many.c --- */

/* Of a value that is stored at `now_ms`. */
mcp_envelope mcp_cache_envelope_at(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_value *value, uint64_t now_ms);
/* Counts what a write came to that began at `at_ms`. Given up is not stored. */
mcp_status mcp_cache_finish_write(const mcp_cache *cache, const mcp_key *key, mcp_status status,
	uint64_t at_ms);
/* The same of a delete. Absent is gone. */
mcp_status mcp_cache_finish_delete(const mcp_cache *cache, const mcp_key *key, mcp_status status);

/* Counts what failed of a change: its own call, and keys that had to be dropped for it. */
void mcp_cache_count_errors(const mcp_cache *cache, const mcp_key *key, mcp_status status);
/* Counts a change that failed or was given up, and passes its status on. */
mcp_status mcp_cache_count_change(const mcp_cache *cache, const mcp_key *key, mcp_status status);

/* A random token that is never 0. */
uint64_t mcp_cache_token(const mcp_cache *cache);

/* Writes a new claim into the envelope (its election number, its end, doubled after a takeover). */
mcp_claim mcp_cache_claim(const mcp_cache *cache, mcp_envelope *envelope, mcp_opening opening,
	uint64_t now_ms);

/* The election on its own, for an entry just found STALE (or FRESH, for an early refresh): becomes
 * ELECTED, or BUSY when somebody else was faster. Never reads, so that other entries' views stay,
 * except that `settle` allows a read-back when the answer did not come. False: BUSY too, but what was read is not the
 * newest version; look again. */
bool mcp_cache_elect(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry,
	bool settle);

/* After the election of one of many: if that broke the connection, the cas ids that were read before
 * of the entries behind it on the same server are forgotten. */
void mcp_cache_forget_ids(const mcp_cache *cache, const mcp_cache_batch *batch, size_t index);

/* After a cas or add of `claim` whose answer did not come: reads the key again; true when the claim
 * is there. *entry is judged anew either way. */
bool mcp_cache_settle_claim(const mcp_cache *cache, const mcp_key *key, const mcp_claim *claim,
	mcp_cache_entry *entry);

/* Stores under a new epoch in the place of what `before` was just found to be: by add where nothing
 * is, else by cas. MCP_OK, MCP_EXISTS when somebody was faster, or a failure; an unknown outcome has
 * been settled by reading the epoch back where that was possible. */
mcp_status mcp_cache_store_over(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_value *value, const mcp_cache_entry *before);

/* Other writers of the key, met by one change that starts again when they come first. Zero-initialised:
 * none so far. */
typedef struct mcp_rivals {
	int met;
	mcp_backoff backoff;
} mcp_rivals;

/* Whether a change that came to `status` is to be tried once more: MCP_EXISTS is a lost race. Sleeps
 * before it says yes, so that rivals spread out. */
bool mcp_cache_may_try_again(const mcp_cache *cache, mcp_rivals *rivals, mcp_status status);

/* The same without a pause. */
bool mcp_cache_may_try_at_once(mcp_rivals *rivals, mcp_status status);

#endif
