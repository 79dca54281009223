/* From items to entries and back: judging what a read found, and composing what a write sends. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_CACHE_ENTRY_CACHE_ENVELOPE_H
#define MCP_PATTERNS_CACHE_ENTRY_CACHE_ENVELOPE_H

#include "../cache.h"

/* A record, and the memory of its header, which goes before the payload and must stay there until the record is sent.
 * The caller of the write has it: MCP_ENVELOPE_MAX_LENGTH, or mcp_envelope_room() of the envelope's tags. */
typedef struct mcp_cache_record {
	mcp_record record;
	char *header;
} mcp_cache_record;

/* Fills *record, whose header is set, to store `payload` under `envelope`, signed anew where the cache has signing keys,
 * by the envelope's own, with the physical TTL that the envelope asks for. */
void mcp_cache_compose(const mcp_cache *cache, const mcp_key *key, mcp_cache_record *record,
	const mcp_envelope *envelope, mcp_bytes payload, uint32_t flags);

/* Composes an envelope that was made just now: its making is the moment that the TTL counts from. */
void mcp_cache_compose_new(const mcp_cache *cache, const mcp_key *key, mcp_cache_record *record,
	const mcp_envelope *envelope, mcp_bytes payload, uint32_t flags);

/* Returns what memcached is told: to the hard end and some leases more; 0 if there is no hard end. */
uint64_t mcp_cache_physical_ttl_ms(const mcp_cache *cache, const mcp_envelope *envelope,
	uint64_t now_ms);

/* Composes what goes over the entry: its payload stays where the envelope has a value. `proof` NULL: it is no claim. */
void mcp_cache_compose_over(const mcp_cache *cache, const mcp_key *key, mcp_cache_record *record,
	const mcp_envelope *envelope, const mcp_cache_entry *entry, mcp_proof *proof);

/* Does compose and cas in one. */
mcp_status mcp_cache_swap(const mcp_cache *cache, const mcp_key *key, const mcp_envelope *envelope,
	const mcp_cache_entry *entry);
/* Does so for a claim, which ends nobody's wait; what the write proves comes into `proof`, where the store can. */
mcp_status mcp_cache_swap_proven(const mcp_cache *cache, const mcp_key *key,
	const mcp_envelope *envelope, const mcp_cache_entry *entry, mcp_proof *proof);
/* Zeroes it; for a record that is to be proven. NULL: the store never proves anything. */
mcp_proof *mcp_cache_wants(const mcp_cache *cache, mcp_proof *proof);

/* Says whether the entry is a guarded view's mark, or what looks like one, that no caller has been elected over. */
static inline bool mcp_cache_is_mark(const mcp_cache_entry *entry) {
	const mcp_envelope *envelope = &entry->envelope;
	return !entry->is_absent && !entry->is_unreadable && !envelope->has_value &&
		!envelope->is_tombstone && !envelope->has_claim &&
		envelope->newest_election == envelope->value_election;
}

/* Fills the entry from one answer: freshness, opening and verdict, counters left alone. */
void mcp_cache_judge(const mcp_cache *cache, const mcp_key *key, const mcp_reply *reply,
	mcp_cache_entry *entry);

/* Judges the whole batch, of one moment. True if some values have tags or a running number, which are to be asked
 * for, too. */
bool mcp_cache_judge_many(const mcp_cache *cache, const mcp_cache_batch *batch);

/* Reads plainly and judges: the running number is not looked at, nothing is counted. */
void mcp_cache_fetch(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry);

/* When a value ends: its soft and its hard end, and whether it fits into an item at all. */

/* Makes an envelope of a new epoch for a value that lives this long from now. */
mcp_envelope mcp_cache_new_envelope(const mcp_cache *cache, const mcp_key *key, uint64_t now_ms,
	mcp_lifetime lifetime);

/* Ends it at soft_ms and, for good, a grace later. */
void mcp_cache_set_ends(mcp_envelope *envelope, uint64_t soft_ms, uint64_t grace_ms);

/* Has a value end softly at cap_ms at the latest, with its own grace after that, and says in its envelope that nobody is to
 * put that off: it may be of before a change. */
void mcp_cache_cap(mcp_envelope *envelope, uint64_t cap_ms);
/* Returns when a value must end softly that is made of the entry's; 0: when it wants, also where a strict cache shows its
 * caller none. */
uint64_t mcp_cache_cap_of(const mcp_cache *cache, const mcp_cache_entry *entry);

/* Makes the lifetime by C7: the value that is there keeps its own grace, unless the call gives another. */
mcp_lifetime mcp_cache_lifetime_over(mcp_lifetime lifetime, const mcp_cache_entry *before);

/* Limits the lifetime of a value that keeps the tags of the entry's to the hard end of that, where another signing key than
 * the first names them: when the first is the last one, none of them is left that nobody can name (T9). */
mcp_lifetime mcp_cache_lifetime_within(const mcp_cache *cache, mcp_lifetime lifetime,
	const mcp_cache_entry *entry);

/* Says whether a value leaves room for the largest header: one that only just fitted could never be claimed. */
bool mcp_cache_fits(const mcp_cache *cache, const mcp_key *key, const mcp_cache_value *value);

#endif
