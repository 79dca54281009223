/* The plain writes: each starts a new epoch, so that nothing computed before it is stored after it. */
/* SPDX-License-Identifier: MIT */
#include "cache_write.h"

#include "../entry/cache_ends.h"
#include "../entry/cache_envelope.h"
#include "../look/cache_look.h"
#include "../entry/cache_meter.h"
#include "cache_number.h"
#include "../entry/cache_contention.h"
#include "cache_store_over.h"

/* Takes what was given up for not stored. */
static mcp_status after_write(const mcp_cache *cache, const mcp_key *key, mcp_status status) {
	mcp_cache_count_change(cache, key, status);
	return status == MCP_EXISTS ? MCP_NOT_STORED : status;
}

/* Finishes a write that reads the clock as often as it tries. */
static mcp_status finish_tries(const mcp_cache *cache, const mcp_key *key, mcp_status status) {
	mcp_cache_tally_stored(cache, key, status);
	return after_write(cache, key, status);
}

mcp_status mcp_cache_finish_write(const mcp_cache *cache, const mcp_key *key, mcp_status status,
	uint64_t at_ms) {
	mcp_cache_tally_stored_at(cache, key, status, at_ms);
	return after_write(cache, key, status);
}

mcp_status mcp_cache_set(const mcp_cache *cache, const mcp_key *key, const mcp_cache_value *value) {
	if (!mcp_cache_fits(cache, key, value)) {
		return MCP_TOO_LARGE;
	}
	mcp_envelope envelope = mcp_cache_envelope_of(cache, key, value);
	char header[MCP_ENVELOPE_MAX_LENGTH];
	mcp_cache_record record = {.header = header};
	mcp_cache_compose_new(cache, key, &record, &envelope, value->payload, value->flags);
	mcp_store_begin_change(cache->store, key);
	mcp_status status = mcp_store_set(cache->store, key, &record.record);
	return mcp_cache_finish_write(cache, key, status, envelope.created_ms);
}

/* Adds without a look, and looks only at a key that it finds taken. */
static mcp_status try_add(const mcp_cache *cache, const mcp_key *key, const mcp_cache_value *value,
	mcp_cache_entry *entry) {
	mcp_status status = mcp_cache_store_over(cache, key, value, entry);
	if (status != MCP_EXISTS) {
		return status;
	}
	mcp_cache_examine(cache, key, entry);
	if (entry->trouble != MCP_OK) {
		return entry->trouble;
	}
	mcp_cache_count_unreadable(cache, entry);
	return entry->freshness == MCP_FRESH ? MCP_NOT_STORED : MCP_EXISTS;
}

mcp_status mcp_cache_add(const mcp_cache *cache, const mcp_key *key, const mcp_cache_value *value) {
	if (!mcp_cache_fits(cache, key, value)) {
		return MCP_TOO_LARGE;
	}
	mcp_cache_entry entry = {.is_absent = true, .freshness = MCP_COLD};
	mcp_contention contention = {0};
	mcp_status status;
	mcp_store_begin_change(cache->store, key);
	do {
		status = try_add(cache, key, value, &entry);
	} while (mcp_cache_may_try_at_once(&contention, status));
	return finish_tries(cache, key, status);
}

static mcp_status try_replace(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_value *value) {
	mcp_cache_entry entry;
	mcp_cache_examine(cache, key, &entry);
	mcp_cache_hide_old(cache, &entry);
	if (entry.trouble != MCP_OK) {
		return entry.trouble;
	}
	if (!entry.has_value) {
		mcp_cache_count_unreadable(cache, &entry);
		return MCP_NOT_STORED;
	}
	mcp_cache_value kept = *value;
	kept.lifetime = mcp_cache_lifetime_over(value->lifetime, &entry);
	return mcp_cache_store_over(cache, key, &kept, &entry);
}

mcp_status mcp_cache_replace(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_value *value) {
	if (!mcp_cache_fits(cache, key, value)) {
		return MCP_TOO_LARGE;
	}
	mcp_contention contention = {0};
	mcp_status status;
	mcp_store_begin_change(cache->store, key);
	do {
		status = try_replace(cache, key, value);
	} while (mcp_cache_may_try_again(cache, &contention, status));
	return finish_tries(cache, key, status);
}

mcp_status mcp_cache_finish_delete(const mcp_cache *cache, const mcp_key *key, mcp_status status) {
	mcp_cache_count_errors(cache, key, status);
	return status == MCP_NOT_FOUND ? MCP_OK : status;
}

mcp_status mcp_cache_forget(const mcp_cache *cache, const mcp_key *key, bool *was_there) {
	mcp_store_begin_change(cache->store, key);
	mcp_status status = mcp_store_delete(cache->store, key);
	*was_there = status == MCP_OK;
	return mcp_cache_finish_delete(cache, key, status);
}

mcp_status mcp_cache_delete(const mcp_cache *cache, const mcp_key *key) {
	bool was_there;
	return mcp_cache_forget(cache, key, &was_there);
}

/* Makes an envelope whose grace begins now: a strict value ends altogether, and a tombstone when it would. */
static mcp_envelope expired(const mcp_cache *cache, const mcp_envelope *before) {
	uint64_t now_ms = mcp_wall_ms(cache->environment);
	mcp_envelope envelope = *before;
	if (now_ms < before->soft_ms && !before->is_tombstone) {
		mcp_cache_set_ends(&envelope, now_ms, mcp_envelope_grace_ms(before));
	}
	envelope.epoch = mcp_epoch_u64(cache->environment, before->key_fingerprint);
	envelope.newest_election = 0;
	envelope.value_election = 0;
	envelope.has_claim = false;
	envelope.has_failure = false;
	return envelope;
}

/* Expires; a placeholder gets a new epoch, too: what is being computed under the old one comes too late (C3). */
static mcp_status try_expire(const mcp_cache *cache, const mcp_key *key) {
	mcp_cache_entry entry;
	mcp_cache_examine(cache, key, &entry);
	if (entry.trouble != MCP_OK) {
		return entry.trouble;
	}
	bool is_gone = entry.envelope.is_tombstone && !entry.envelope.has_claim;
	if (entry.is_absent || entry.is_unreadable || is_gone) {
		mcp_cache_count_unreadable(cache, &entry);
		return MCP_NOT_FOUND;
	}
	mcp_envelope envelope = expired(cache, &entry.envelope);
	mcp_status status = mcp_cache_swap(cache, key, &envelope, &entry);
	if (status == MCP_UNKNOWN) {
		status = mcp_cache_settle_epoch(cache, key, envelope.epoch);
	}
	return status == MCP_OK && !entry.has_value ? MCP_NOT_FOUND : status;
}

mcp_status mcp_cache_expire(const mcp_cache *cache, const mcp_key *key) {
	mcp_contention contention = {0};
	mcp_status status;
	mcp_store_begin_change(cache->store, key);
	do {
		status = try_expire(cache, key);
	} while (mcp_cache_may_try_again(cache, &contention, status));
	return mcp_cache_count_change(cache, key, status);
}

/* Makes the ends that the value gets. */
static mcp_envelope limits_of(const mcp_cache *cache, const mcp_key *key, mcp_lifetime lifetime,
	const mcp_cache_entry *entry) {
	return mcp_cache_new_envelope(cache, key, mcp_wall_ms(cache->environment),
		mcp_cache_lifetime_within(cache, mcp_cache_lifetime_over(lifetime, entry), entry));
}

/* Says whether the side key would die before the envelope that counts on it, which must not be: its lifetime
 * was given to it when it was made, and for a longer one the number goes into the envelope. */
static bool outlives_number(const mcp_cache_entry *entry, const mcp_envelope *limits) {
	return entry->envelope.has_counter && limits->hard_ms > entry->envelope.hard_ms;
}

static mcp_status try_touch(const mcp_cache *cache, const mcp_key *key, mcp_lifetime lifetime) {
	mcp_cache_entry entry;
	mcp_cache_examine(cache, key, &entry);
	mcp_cache_hide_old(cache, &entry);
	if (entry.trouble != MCP_OK) {
		return entry.trouble;
	}
	if (!entry.has_value) {
		mcp_cache_count_unreadable(cache, &entry);
		return MCP_NOT_FOUND;
	}
	mcp_envelope limits = limits_of(cache, key, lifetime, &entry);
	if (outlives_number(&entry, &limits)) {
		mcp_status status = mcp_cache_freeze(cache, key, &entry);
		if (status != MCP_OK) {
			return status;
		}
		mcp_cache_fold(&entry);
		limits = limits_of(cache, key, lifetime, &entry);
	}
	mcp_envelope envelope = entry.envelope;
	if (entry.is_suspect) {
		mcp_cache_set_ends(&envelope, envelope.soft_ms, mcp_envelope_grace_ms(&limits));
	} else {
		uint64_t cap_ms = mcp_cache_cap_of(cache, &entry);
		envelope.soft_ms = limits.soft_ms;
		envelope.hard_ms = limits.hard_ms;
		envelope.grace_ms = limits.grace_ms;
		if (cap_ms != 0) {
			mcp_cache_cap(&envelope, cap_ms);
		}
	}
	return mcp_cache_swap(cache, key, &envelope, &entry);
}

mcp_status mcp_cache_touch(const mcp_cache *cache, const mcp_key *key, mcp_lifetime lifetime) {
	mcp_contention contention = {0};
	mcp_status status;
	mcp_store_begin_change(cache->store, key);
	do {
		status = try_touch(cache, key, lifetime);
	} while (mcp_cache_may_try_again(cache, &contention, status));
	return mcp_cache_count_change(cache, key, status);
}
