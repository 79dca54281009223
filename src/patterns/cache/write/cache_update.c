/* Read, change, write without losing anybody else's change, and taking a value for one caller. */
/* SPDX-License-Identifier: MIT */
#include "../entry/cache_ends.h"
#include "../entry/cache_envelope.h"
#include "../look/cache_look.h"
#include "../entry/cache_meter.h"
#include "cache_number.h"
#include "../entry/cache_contention.h"
#include "cache_store_over.h"

#include "../../../core/decimal.h"
#include "../../../core/envelope/value_flags.h"

/* Says whether a pull deletes what is no value to its caller. */
static bool is_to_be_emptied(const mcp_cache *cache, const mcp_cache_entry *entry) {
	return cache->is_guarded ? !entry->is_absent : mcp_cache_is_mark(entry);
}

static mcp_status try_pull(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry) {
	mcp_cache_examine(cache, key, entry);
	mcp_cache_hide_old(cache, entry);
	mcp_status status = entry->trouble;
	if (entry->has_value && entry->envelope.has_counter) {
		status = mcp_cache_freeze(cache, key, entry);
	}
	if (status != MCP_OK) {
		return status;
	}
	if (!entry->has_value) {
		mcp_cache_count_unreadable(cache, entry);
	}
	if (!entry->has_value && !is_to_be_emptied(cache, entry)) {
		return MCP_NOT_FOUND;
	}
	return mcp_store_delete_if(cache->store, key, entry->cas);
}

mcp_status mcp_cache_pull(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry) {
	mcp_contention contention = {0};
	mcp_status status;
	mcp_store_begin_change(cache->store, key);
	do {
		status = try_pull(cache, key, entry);
	} while (mcp_cache_may_try_at_once(&contention, status));
	return mcp_cache_count_change(cache, key, status);
}

void mcp_cache_read_still(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry) {
	mcp_cache_examine(cache, key, entry);
	mcp_cache_hide_old(cache, entry);
	if (entry->has_value && entry->envelope.has_counter) {
		mcp_status status = mcp_cache_freeze(cache, key, entry);
		if (mcp_status_is_failure(status)) {
			*entry = (mcp_cache_entry){.freshness = MCP_COLD, .trouble = status};
		}
	}
	mcp_cache_count(cache, key, entry);
}

mcp_cache_seen mcp_cache_see(const mcp_cache_entry *entry) {
	mcp_cache_seen seen = {.has_value = entry->has_value};
	if (!entry->has_value) {
		return seen;
	}
	seen.is_still = entry->running == MCP_RUNNING_FROZEN;
	seen.epoch = entry->envelope.epoch;
	seen.value_election = entry->envelope.value_election;
	seen.is_integer = mcp_value_flags_are_integer(entry->flags) &&
		mcp_decimal_parse_i64(entry->payload, &seen.integer);
	return seen;
}

/* Compares epoch and election, which name a value. */
static bool is_value_seen(const mcp_cache_entry *entry, const mcp_cache_seen *seen) {
	if (!entry->has_value || !seen->has_value) {
		return entry->has_value == seen->has_value;
	}
	return entry->envelope.epoch == seen->epoch &&
		entry->envelope.value_election == seen->value_election;
}

/* Compares the number, too, which may have moved under the same ones. */
static bool is_as_seen(const mcp_cache_entry *entry, const mcp_cache_seen *seen) {
	mcp_cache_seen now = mcp_cache_see(entry);
	return is_value_seen(entry, seen) && now.is_integer == seen->is_integer &&
		now.integer == seen->integer;
}

/* Looks at the value that was seen, and has its number stand still; MCP_EXISTS if it is another one by now. A number
 * that stood still when it was seen does so now nearly always, and need not be marked again. */
static mcp_status see_again(const mcp_cache *cache, const mcp_key *key, const mcp_cache_seen *seen,
	mcp_cache_entry *entry) {
	if (seen->is_still) {
		mcp_cache_observe(cache, key, entry);
	} else {
		mcp_cache_examine(cache, key, entry);
	}
	mcp_cache_hide_old(cache, entry);
	mcp_status status = entry->trouble;
	if (status == MCP_OK && !is_value_seen(entry, seen)) {
		status = MCP_EXISTS;
	}
	if (status == MCP_OK && entry->has_value && entry->envelope.has_counter) {
		status = mcp_cache_freeze(cache, key, entry);
	}
	/* Freezing has read it again. */
	return status == MCP_OK && !is_as_seen(entry, seen) ? MCP_EXISTS : status;
}

mcp_status mcp_cache_update(const mcp_cache *cache, const mcp_key *key, const mcp_cache_seen *seen,
	const mcp_cache_value *value) {
	if (!mcp_cache_fits(cache, key, value)) {
		return MCP_TOO_LARGE;
	}
	mcp_store_begin_change(cache->store, key);
	/* The cas id of the first read is not used: ids start again when a server restarts, and the
	 * caller's computation may have taken long. */
	mcp_cache_entry entry;
	mcp_status status = see_again(cache, key, seen, &entry);
	if (status == MCP_OK) {
		mcp_cache_value kept = *value;
		kept.lifetime = mcp_cache_lifetime_over(value->lifetime, &entry);
		if (value->signer > 0) {
			kept.lifetime = mcp_cache_lifetime_within(cache, kept.lifetime, &entry);
		}
		kept.cap_ms = mcp_cache_cap_of(cache, &entry);
		status = mcp_cache_store_over(cache, key, &kept, &entry);
	}
	mcp_cache_tally_stored(cache, key, status);
	mcp_cache_count_errors(cache, key, status);
	return status;
}
