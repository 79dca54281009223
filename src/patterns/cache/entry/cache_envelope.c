/* Converts items to entries and back: classifies the result of a read, and composes the record of a
 * write. */
/* SPDX-License-Identifier: MIT */
#include "cache_envelope.h"

#include "../../../core/compiler.h"
#include "../../../core/envelope/foreign.h"

#include <stddef.h>
#include <string.h>

/* --- expiry of a value, and whether it fits into an item --- */

static uint64_t later(uint64_t from_ms, uint64_t by_ms) {
	return by_ms >= MCP_NEVER_MS - from_ms ? MCP_NEVER_MS : from_ms + by_ms;
}

void mcp_cache_set_ends(mcp_envelope *envelope, uint64_t soft_ms, uint64_t grace_ms) {
	envelope->soft_ms = soft_ms;
	envelope->hard_ms = later(soft_ms, grace_ms);
	envelope->grace_ms = soft_ms == MCP_NEVER_MS ? grace_ms : 0;
}

void mcp_cache_cap(mcp_envelope *envelope, uint64_t cap_ms) {
	envelope->is_contested = true;
	if (envelope->soft_ms > cap_ms) {
		mcp_cache_set_ends(envelope, cap_ms, mcp_envelope_grace_ms(envelope));
	}
}

uint64_t mcp_cache_cap_of(const mcp_cache *cache, const mcp_cache_entry *entry) {
	bool is_shown = entry->has_value && (!cache->is_strict || entry->freshness == MCP_FRESH);
	return is_shown && entry->envelope.is_contested ? entry->envelope.soft_ms : 0;
}

mcp_lifetime mcp_cache_lifetime_over(mcp_lifetime lifetime, const mcp_cache_entry *before) {
	if (lifetime.keeps_grace && before->has_value) {
		lifetime.grace_ms = mcp_envelope_grace_ms(&before->envelope);
	}
	return lifetime;
}

static uint64_t at_most(uint64_t duration_ms, uint64_t longest_ms) {
	return duration_ms < longest_ms ? duration_ms : longest_ms;
}

mcp_lifetime mcp_cache_lifetime_within(const mcp_cache *cache, mcp_lifetime lifetime,
	const mcp_cache_entry *entry) {
	uint64_t now_ms = mcp_wall_ms(cache->environment);
	uint64_t hard_ms = entry->envelope.hard_ms;
	if (entry->envelope.signer == 0 || hard_ms == MCP_NEVER_MS) {
		return lifetime;
	}
	uint64_t left_ms = hard_ms > now_ms ? hard_ms - now_ms : 1;
	lifetime.ttl_ms = lifetime.ttl_ms == 0 ? left_ms : at_most(lifetime.ttl_ms, left_ms);
	lifetime.grace_ms = at_most(lifetime.grace_ms, left_ms - lifetime.ttl_ms);
	return lifetime;
}

/* Maximum lifetime of a value on another server during failover. When the value's own server recovers, the value on
 * the other server is no longer read. */
#define AWAY_MAX_MS 60000

static mcp_lifetime lifetime_away(mcp_lifetime lifetime) {
	uint64_t ttl_ms = lifetime.ttl_ms == 0 ? AWAY_MAX_MS : lifetime.ttl_ms;
	lifetime.ttl_ms = at_most(ttl_ms, AWAY_MAX_MS);
	lifetime.grace_ms = at_most(lifetime.grace_ms, AWAY_MAX_MS);
	return lifetime;
}

mcp_envelope mcp_cache_new_envelope(const mcp_cache *cache, const mcp_key *key, uint64_t now_ms,
	mcp_lifetime lifetime) {
	mcp_envelope envelope = {
		.key_fingerprint = key->fingerprint,
		.created_ms = now_ms,
		.epoch = mcp_epoch_u64(cache->environment, key->fingerprint),
	};
	if (mcp_store_is_away(cache->store, key)) {
		lifetime = lifetime_away(lifetime);
	}
	uint64_t soft_ms = lifetime.ttl_ms == 0 ? MCP_NEVER_MS : later(now_ms, lifetime.ttl_ms);
	mcp_cache_set_ends(&envelope, soft_ms, lifetime.grace_ms);
	return envelope;
}

bool mcp_cache_fits(const mcp_cache *cache, const mcp_key *key, const mcp_cache_value *value) {
	size_t tags = value->tags.length > 0 ? 1 + value->tags.length : 0;
	size_t header = MCP_ENVELOPE_UNTAGGED_MAX_LENGTH + tags;
	size_t size = key->wire.length + header + value->payload.length;
	return size < mcp_store_item_max(cache->store, key, size);
}

/* --- items of other clients, without an envelope: each counts as a stale value (C19) --- */

/* This lets a site migrate without a cold start. Only an election or a change writes such an item again, in an
 * envelope. */

/* Build an envelope that is already stale, because the age and TTL of the value are unknown. memcached still
 * applies the TTL set by the other client. */
static mcp_envelope envelope_for(const mcp_cache *cache, const mcp_key *key, const mcp_item *item,
	uint64_t now_ms) {
	mcp_envelope envelope = {
		.key_fingerprint = key->fingerprint,
		.created_ms = MCP_CREATED_UNKNOWN,
		.epoch = mcp_foreign_epoch(item->value, item->flags, item->cas),
		.has_value = true,
	};
	mcp_cache_set_ends(&envelope, now_ms, cache->foreign_grace_ms);
	return envelope;
}

/* Fill the entry with another client's value, if the cache reads such values (C19). The value is stale from
 * the time of the judgment on. Otherwise, returns false, and the entry is unchanged. */
static bool take_foreign(const mcp_cache *cache, const mcp_key *key, const mcp_item *item,
	mcp_cache_entry *entry) {
	mcp_foreign_value value;
	/* Without a grace period, the stale value cannot be served. */
	if (!cache->reads_foreign || cache->foreign_grace_ms == 0 ||
		!mcp_foreign_read(item->value, item->flags, &value)) {
		return false;
	}
	/* If there is no space for a header, no claim on the value can be stored. */
	if (!mcp_cache_fits(cache, key, &(mcp_cache_value){.payload = item->value})) {
		return false;
	}
	entry->stored = entry->payload = value.payload;
	entry->flags = value.flags;
	entry->envelope = envelope_for(cache, key, item, entry->judged_ms);
	return true;
}

/* Time for which memcached keeps an envelope after its grace period. A claim in it can have a longer lease than this
 * process uses. */
static uint64_t kept_ms(const mcp_cache *cache, const mcp_envelope *envelope) {
	if (!envelope->has_claim) {
		return cache->lease_ms;
	}
	bool is_longer = envelope->claim_lease_ms > cache->lease_ms;
	uint64_t lease_ms = is_longer ? envelope->claim_lease_ms : cache->lease_ms;
	return MCP_LEASES_KEPT * lease_ms;
}

uint64_t mcp_cache_physical_ttl_ms(const mcp_cache *cache, const mcp_envelope *envelope,
	uint64_t now_ms) {
	if (envelope->hard_ms == MCP_NEVER_MS) {
		return 0;
	}
	uint64_t served_ms = envelope->hard_ms > now_ms ? envelope->hard_ms - now_ms : 0;
	return served_ms + kept_ms(cache, envelope);
}

static mcp_signed_value signed_value(const mcp_key *key, const mcp_envelope *envelope,
	mcp_bytes payload, uint32_t flags) {
	return (mcp_signed_value){
		.purpose = MCP_SIGNED_VALUE,
		.wire_key = key->wire,
		.flags = flags & MCP_FLAG_VALUE_MASK,
		.has_counter = envelope->has_counter,
		.counter_epoch = envelope->has_counter ? envelope->counter_epoch : 0,
		.payload = payload,
	};
}

static size_t write_signed_header(const mcp_cache *cache, const mcp_key *key, char *header,
	const mcp_envelope *envelope, mcp_bytes payload, uint32_t flags) {
	mcp_envelope with_signature = *envelope;
	mcp_signed_value value = signed_value(key, envelope, payload, flags);
	with_signature.has_signature = true;
	mcp_signature_sign_by(&cache->signing_keys->keys[envelope->signer], &value,
		with_signature.signature);
	return mcp_envelope_encode(&with_signature, payload.length, header);
}

/* Write the header. A cache without signing keys writes the existing signature, which can still match the value. */
static size_t write_header(const mcp_cache *cache, const mcp_key *key, char *header,
	const mcp_envelope *envelope, mcp_bytes payload, uint32_t flags) {
	return cache->signing_keys != NULL && envelope->has_value
		? write_signed_header(cache, key, header, envelope, payload, flags)
		: mcp_envelope_encode(envelope, payload.length, header);
}

static inline void compose_record(const mcp_cache *cache, const mcp_key *key,
	mcp_cache_record *record, const mcp_envelope *envelope, mcp_bytes payload, uint32_t flags,
	uint64_t now_ms) {
	size_t length = write_header(cache, key, record->header, envelope, payload, flags);
	record->record = (mcp_record){
		.head = mcp_bytes_of(record->header, length),
		.body = payload,
		.flags = mcp_envelope_item_flags(flags),
		.ttl_ms = mcp_cache_physical_ttl_ms(cache, envelope, now_ms),
	};
}

void mcp_cache_compose(const mcp_cache *cache, const mcp_key *key, mcp_cache_record *record,
	const mcp_envelope *envelope, mcp_bytes payload, uint32_t flags) {
	compose_record(cache, key, record, envelope, payload, flags, mcp_wall_ms(cache->environment));
}

void mcp_cache_compose_new(const mcp_cache *cache, const mcp_key *key, mcp_cache_record *record,
	const mcp_envelope *envelope, mcp_bytes payload, uint32_t flags) {
	compose_record(cache, key, record, envelope, payload, flags, envelope->created_ms);
}

mcp_proof *mcp_cache_wants(const mcp_cache *cache, mcp_proof *proof) {
	*proof = (mcp_proof){0};
	return mcp_store_may_prove(cache->store) ? proof : NULL;
}

size_t mcp_cache_header_size_max(const mcp_bytes *tags, size_t stride, size_t count) {
	size_t most = mcp_envelope_size_max(mcp_bytes_none());
	for (size_t i = 0; i < count; i++) {
		const mcp_bytes *own = (const void *)((const char *)tags + i * stride);
		size_t size = mcp_envelope_size_max(*own);
		most = size > most ? size : most;
	}
	return most;
}

void mcp_cache_compose_over(const mcp_cache *cache, const mcp_key *key, mcp_cache_record *record,
	const mcp_envelope *envelope, const mcp_cache_entry *entry, mcp_proof *proof) {
	mcp_bytes payload = envelope->has_value ? entry->stored : mcp_bytes_none();
	mcp_cache_compose(cache, key, record, envelope, payload,
		envelope->has_value ? entry->flags : 0);
	record->record.proof = proof != NULL ? mcp_cache_wants(cache, proof) : NULL;
	record->record.is_claim = proof != NULL;
}

mcp_status mcp_cache_swap(const mcp_cache *cache, const mcp_key *key, const mcp_envelope *envelope,
	const mcp_cache_entry *entry) {
	return mcp_cache_swap_proven(cache, key, envelope, entry, NULL);
}

mcp_status mcp_cache_swap_proven(const mcp_cache *cache, const mcp_key *key,
	const mcp_envelope *envelope, const mcp_cache_entry *entry, mcp_proof *proof) {
	if (entry->cas == 0) {
		/* The read CAS value is no longer valid, or none was read, or the server returns none. */
		return mcp_store_gives_no_cas(cache->store, key) ? MCP_NO_CAS : MCP_EXISTS;
	}
	char header[MCP_ENVELOPE_MAX_LENGTH];
	mcp_cache_record record = {.header = header};
	mcp_cache_compose_over(cache, key, &record, envelope, entry, proof);
	return mcp_store_cas(cache->store, key, &record.record, entry->cas);
}

/* Treat a suspect item as expired now. Its grace period begins now (F2), or it has none if the item is from before a
 * previous outage (F7). The next write stores this for all readers. */
static MCP_SELDOM void doubt(const mcp_item *item, mcp_cache_entry *entry, uint64_t now_ms) {
	mcp_envelope *envelope = &entry->envelope;
	entry->is_suspect = true;
	if (envelope->has_value) {
		uint64_t soft_ms = envelope->soft_ms < now_ms ? envelope->soft_ms : now_ms;
		bool is_left_behind = envelope->created_ms < item->heard_ms;
		uint64_t grace_ms = is_left_behind ? 0 : mcp_envelope_grace_ms(envelope);
		mcp_cache_set_ends(envelope, soft_ms, grace_ms);
	}
}

/* Evaluate a valid envelope at time `now_ms`. */
MCP_INLINED void weigh(mcp_cache_entry *entry, uint64_t now_ms, uint32_t skew_ms) {
	entry->freshness = mcp_freshness_at(&entry->envelope, now_ms);
	entry->opening = mcp_opening_at(&entry->envelope, now_ms, skew_ms);
	entry->has_value = entry->freshness != MCP_COLD;
	if (entry->is_suspect && !entry->has_value) {
		entry->opening = MCP_OPENING_FREE; /* there is no caller to wait for */
	}
	if (entry->freshness == MCP_FRESH) {
		entry->verdict = MCP_VERDICT_FRESH;
	} else if (entry->freshness == MCP_STALE) {
		bool is_claimed = entry->opening == MCP_OPENING_CLAIMED;
		entry->verdict = is_claimed ? MCP_VERDICT_BUSY : MCP_VERDICT_STALE;
	}
}

/* Reset the entry to a miss, but not its envelope. The decoding sets all of the envelope, and clearing it first would
 * slow down hits. */
static void clear(mcp_cache_entry *entry) {
	memset(entry, 0, offsetof(mcp_cache_entry, envelope));
	entry->verdict = MCP_VERDICT_MISS;
	entry->freshness = MCP_COLD;
}

static MCP_APART void judge_nothing(mcp_status status, mcp_cache_entry *entry) {
	entry->is_absent = status == MCP_NOT_FOUND;
	entry->trouble = entry->is_absent ? MCP_OK : status;
	entry->envelope = (mcp_envelope){.has_value = false};
}

static MCP_APART bool is_signed(const mcp_cache *cache, const mcp_key *key,
	mcp_cache_entry *entry) {
	mcp_envelope *envelope = &entry->envelope;
	mcp_signed_value value = signed_value(key, envelope, entry->stored, entry->flags);
	if (!envelope->has_signature) {
		return false;
	}
	size_t signer = mcp_signature_find(cache->signing_keys, &value, envelope->signature);
	envelope->signer = envelope->tags.length > 0 ? (uint32_t)signer : 0;
	return signer < cache->signing_keys->count;
}

/* Check the signature of a value. Only values are signed. */
static inline bool is_believed(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry) {
	bool is_to_be_signed = cache->signing_keys != NULL && entry->envelope.has_value;
	return !is_to_be_signed || is_signed(cache, key, entry);
}

static MCP_SELDOM void judge_unreadable(const mcp_item *item, mcp_cache_entry *entry) {
	entry->is_unreadable = true;
	entry->stored = item->value;
	entry->flags = item->flags;
	entry->envelope = (mcp_envelope){.has_value = false};
}

/* `batch_ms`: time at which a batch is evaluated; NULL: read the clock, but only for an item. */
MCP_INLINED void judge(const mcp_cache *cache, const mcp_key *key, const mcp_op *reply,
	const uint64_t *batch_ms, mcp_cache_entry *entry) {
	clear(entry);
	if (reply->status != MCP_OK) {
		judge_nothing(reply->status, entry);
		return;
	}
	entry->cas = reply->item.cas;
	entry->judged_ms = batch_ms != NULL ? *batch_ms : mcp_wall_ms(cache->environment);
	if (mcp_envelope_decode(reply->item.value, reply->item.flags, key->fingerprint,
			&entry->envelope, &entry->stored)) {
		entry->flags = mcp_envelope_value_flags(reply->item.flags);
		entry->payload = entry->stored;
	} else if (!take_foreign(cache, key, &reply->item, entry)) {
		judge_unreadable(&reply->item, entry);
		return;
	}
	if (!is_believed(cache, key, entry)) {
		judge_unreadable(&reply->item, entry);
		entry->is_forged = true;
		return;
	}
	if (reply->item.is_suspect) {
		doubt(&reply->item, entry, entry->judged_ms);
	}
	/* Assume a clock skew of at most one lease. A greater skew only causes needless elections. */
	weigh(entry, entry->judged_ms, cache->lease_ms);
}

void mcp_cache_judge(const mcp_cache *cache, const mcp_key *key, const mcp_op *reply,
	mcp_cache_entry *entry) {
	judge(cache, key, reply, NULL, entry);
}

bool mcp_cache_judge_many(const mcp_cache *cache, const mcp_cache_batch *batch) {
	uint64_t now_ms = mcp_wall_ms(cache->environment);
	const mcp_key *key = batch->keys;
	const mcp_op *reply = batch->replies;
	const mcp_cache_entry *end = batch->entries + batch->count;
	bool has_more = false;
	for (mcp_cache_entry *entry = batch->entries; entry < end; entry++) {
		judge(cache, key++, reply++, &now_ms, entry);
		has_more |= entry->envelope.has_counter || entry->envelope.tags.length > 0;
	}
	return has_more;
}

void mcp_cache_fetch(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry) {
	mcp_op reply;
	reply.status = mcp_store_get(cache->store, key, &reply.item);
	judge(cache, key, &reply, NULL, entry);
}

mcp_value_id mcp_cache_value_id_of(const mcp_cache_entry *entry) {
	return (mcp_value_id){
		.is_set = true,
		.epoch = entry->envelope.epoch,
		.election = entry->envelope.value_election,
	};
}
