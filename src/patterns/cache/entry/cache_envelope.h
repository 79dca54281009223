/* Converts items to entries and back: classifies the result of a read, and composes the record of a write. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_CACHE_ENTRY_CACHE_ENVELOPE_H
#define MCP_PATTERNS_CACHE_ENTRY_CACHE_ENVELOPE_H

#include "../cache.h"

/* A record and the buffer for its header, which must stay valid until the record is sent. The caller provides a
 * buffer of MCP_ENVELOPE_MAX_LENGTH bytes, or of mcp_envelope_size_max() for the envelope's tags. */
typedef struct mcp_cache_record {
	mcp_record record;
	char *header;
} mcp_cache_record;

/* Fill *record, whose header is set, to store `payload` under `envelope` with the TTL for memcached. If the cache has
 * signing keys, sign the value with the envelope's signer. */
void mcp_cache_compose(const mcp_cache *cache, const mcp_key *key, mcp_cache_record *record,
	const mcp_envelope *envelope, mcp_bytes payload, uint32_t flags);

/* Build the record of a new envelope, whose TTL starts now. */
void mcp_cache_compose_new(const mcp_cache *cache, const mcp_key *key, mcp_cache_record *record,
	const mcp_envelope *envelope, mcp_bytes payload, uint32_t flags);

/* Return the TTL for memcached, which ends a few leases after the grace period; 0: never expires. */
uint64_t mcp_cache_physical_ttl_ms(const mcp_cache *cache, const mcp_envelope *envelope,
	uint64_t now_ms);

/* Maximum header length of values with these tags, which are `stride` bytes apart. */
size_t mcp_cache_header_size_max(const mcp_bytes *tags, size_t stride, size_t count);

/* Compose a record that replaces the entry's item. If the envelope has a value, the payload is kept. `proof` NULL:
 * the write is not a claim. */
void mcp_cache_compose_over(const mcp_cache *cache, const mcp_key *key, mcp_cache_record *record,
	const mcp_envelope *envelope, const mcp_cache_entry *entry, mcp_proof *proof);

/* Compose a record over the entry, and send it with cas. */
mcp_status mcp_cache_swap(const mcp_cache *cache, const mcp_key *key, const mcp_envelope *envelope,
	const mcp_cache_entry *entry);
/* Like mcp_cache_swap, for a claim, which wakes no waiters. Fills in `proof` if the store can do so. */
mcp_status mcp_cache_swap_proven(const mcp_cache *cache, const mcp_key *key,
	const mcp_envelope *envelope, const mcp_cache_entry *entry, mcp_proof *proof);
/* Clear the proof, and return it for a record. NULL: the store never fills in proofs. */
mcp_proof *mcp_cache_wants(const mcp_cache *cache, mcp_proof *proof);

/* Whether the entry is a guarded cache's marker or equals one, and no caller was elected since. */
static inline bool mcp_cache_is_marker(const mcp_cache_entry *entry) {
	const mcp_envelope *envelope = &entry->envelope;
	return !entry->is_absent && !entry->is_unreadable && !envelope->has_value &&
		!envelope->is_tombstone && !envelope->has_claim &&
		envelope->newest_election == envelope->value_election;
}

/* Fill the entry from one reply, with freshness, opening and verdict. Counts nothing. */
void mcp_cache_judge(const mcp_cache *cache, const mcp_key *key, const mcp_op *reply,
	mcp_cache_entry *entry);

/* Classify the entries of a batch at one point in time. Returns true if a value has tags or a running number, which
 * must also be read. */
bool mcp_cache_judge_many(const mcp_cache *cache, const mcp_cache_batch *batch);

/* Read and classify an item, without the running number. Counts nothing. */
void mcp_cache_fetch(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry);

/* Expiry of a value, and whether it fits into an item. */

/* Build an envelope with a new epoch and this lifetime. */
mcp_envelope mcp_cache_new_envelope(const mcp_cache *cache, const mcp_key *key, uint64_t now_ms,
	mcp_lifetime lifetime);

/* Let the value become stale at soft_ms, and let its grace period end grace_ms later. */
void mcp_cache_set_ends(mcp_envelope *envelope, uint64_t soft_ms, uint64_t grace_ms);

/* Let a value become stale at cap_ms at the latest, with its own grace period. Marks the envelope as contested: the
 * value might be older than a change, so later writes must not extend its TTL. */
void mcp_cache_cap(mcp_envelope *envelope, uint64_t cap_ms);
/* Return the latest time at which a value that is based on the entry's value must become stale. 0: no limit, or a
 * strict cache that does not show the value. */
uint64_t mcp_cache_cap_of(const mcp_cache *cache, const mcp_cache_entry *entry);

/* Return the lifetime for a write over `before` (C7): the stored value keeps its grace period, unless the call sets
 * one. */
mcp_lifetime mcp_cache_lifetime_over(mcp_lifetime lifetime, const mcp_cache_entry *before);

/* If another signing key than the first names the entry's tags, a value that keeps these tags ends at the latest with
 * the entry's grace period. When this key is later removed, no value has tags that no key can name (T9). */
mcp_lifetime mcp_cache_lifetime_within(const mcp_cache *cache, mcp_lifetime lifetime,
	const mcp_cache_entry *entry);

/* Whether the value fits into an item with the largest header, which a claim needs. */
bool mcp_cache_fits(const mcp_cache *cache, const mcp_key *key, const mcp_cache_value *value);

#endif
