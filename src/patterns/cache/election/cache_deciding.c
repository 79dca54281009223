/* Elects on cold keys too, by a placeholder, and says who waits for somebody else's value. */
/* SPDX-License-Identifier: MIT */
#include "cache_deciding.h"

#include "../entry/cache_ends.h"
#include "../entry/cache_meter.h"
#include "../entry/cache_tags.h"
#include "cache_placeholder.h"

static bool is_the_one(const mcp_value_id *value, const mcp_cache_entry *entry) {
	return value->is_set && entry->has_value && entry->envelope.epoch == value->epoch &&
		entry->envelope.value_election == value->election;
}

/* Hides a value that this caller cannot decode: it must not keep the key from being computed. */
static void apply_distrust(const mcp_value_id *distrust, mcp_cache_entry *entry) {
	if (is_the_one(distrust, entry)) {
		entry->is_distrusted = true;
		entry->has_value = false;
		entry->freshness = MCP_COLD;
		entry->verdict = MCP_VERDICT_MISS;
	}
}

/* Settles a claim without an answer. */
static bool settle(const mcp_cache *cache, const mcp_key *key, const mcp_waiting *wait,
	const mcp_claim *claim, mcp_cache_entry *entry) {
	if (!wait->may_settle) {
		return false;
	}
	bool is_ours = mcp_cache_settle_claim(cache, key, claim, entry);
	apply_distrust(&wait->distrust, entry);
	return is_ours;
}

/* Makes the tags so that the numbers are those of before the computation. Without them there is nothing to
 * store a result with. */
static bool has_made_tags(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry,
	mcp_next_action *otherwise) {
	mcp_status status = mcp_cache_make_tags(cache, key, entry);
	if (status == MCP_EXISTS) {
		*otherwise = MCP_REMEMBER_AGAIN;
	} else if (status != MCP_OK) {
		*entry = (mcp_cache_entry){.verdict = MCP_VERDICT_MISS, .trouble = status};
		*otherwise = MCP_REMEMBER_DONE;
	}
	return status == MCP_OK;
}

/* Looks again after a version that has turned out not to be the newest: what this caller forces, it forces over
 * that (C17). */
static mcp_next_action look_past(const mcp_waiting *wait) {
	if (wait->remember->outdated != NULL) {
		wait->remember->outdated->is_set = false;
	}
	return MCP_REMEMBER_AGAIN;
}

/* Leaves the claim to be sent with others'. The step is theirs to say then. */
static mcp_next_action stand_with_others(const mcp_waiting *wait, mcp_candidate_kind kind) {
	wait->candidate->kind = kind;
	return MCP_REMEMBER_WAIT;
}

/* Stands for election by C4. A distrusted value is claimed where it stands: hosts that can decode it go on being served,
 * and it is there still when the computation fails. */
static void stand_cold(const mcp_cache *cache, const mcp_key *key, const mcp_waiting *wait,
	const mcp_cache_entry *entry, mcp_candidacy *standing) {
	uint64_t now_ms = mcp_wall_ms(cache->environment);
	standing->envelope = entry->is_distrusted
		? entry->envelope
		: mcp_cache_placeholder(cache, key, entry, wait->remember->lifetime, now_ms);
	standing->claim = mcp_cache_claim(cache, &standing->envelope, entry->opening, now_ms);
	if (cache->meter != NULL) {
		mcp_cache_meter_claim(cache, key, entry);
	}
}

static mcp_status add_placeholder(const mcp_cache *cache, const mcp_key *key,
	mcp_candidacy *standing) {
	char header[MCP_ENVELOPE_UNTAGGED_MAX_LENGTH];
	mcp_cache_record record = {.header = header};
	mcp_cache_compose_placeholder(cache, key, &record, &standing->envelope, &standing->claim.proof);
	return mcp_store_add(cache->store, key, &record.record);
}

static mcp_next_action end_cold(const mcp_cache *cache, const mcp_key *key, const mcp_waiting *wait,
	mcp_candidacy *standing, mcp_status status, mcp_cache_entry *entry) {
	if (status == MCP_UNKNOWN && settle(cache, key, wait, &standing->claim, entry)) {
		status = MCP_OK;
		standing->envelope = entry->envelope;
	}
	if (status == MCP_OK) {
		entry->verdict = MCP_VERDICT_ELECTED;
		entry->envelope = standing->envelope;
		entry->claim = standing->claim;
		return MCP_REMEMBER_DONE;
	}
	if (mcp_status_is_failure(status)) {
		*entry = (mcp_cache_entry){.verdict = MCP_VERDICT_MISS, .trouble = status};
		return MCP_REMEMBER_DONE;
	}
	bool is_overtaken = status == MCP_NOT_STORED && !entry->is_absent;
	return is_overtaken ? look_past(wait) : MCP_REMEMBER_AGAIN;
}

/* Elects by C4: one caller wins the placeholder. */
static mcp_next_action elect_cold(const mcp_cache *cache, const mcp_key *key,
	const mcp_waiting *wait, mcp_cache_entry *entry) {
	mcp_next_action otherwise;
	if (wait->remember->is_unready) {
		return MCP_REMEMBER_TURN;
	}
	if (!has_made_tags(cache, key, entry, &otherwise)) {
		return otherwise;
	}
	if (wait->candidate != NULL) {
		stand_cold(cache, key, wait, entry, &wait->candidate->standing);
		return stand_with_others(wait, MCP_CANDIDATE_COLD);
	}
	mcp_candidacy own;
	stand_cold(cache, key, wait, entry, &own);
	mcp_status status = entry->is_absent
		? add_placeholder(cache, key, &own)
		: mcp_cache_swap_proven(cache, key, &own.envelope, entry, &own.claim.proof);
	return end_cold(cache, key, wait, &own, status, entry);
}

/* Lets the caller compute too, as the wait is over while a claim lives, or there is none to wait for; it stores
 * if there is still no value but the one that it does not answer with. */
static mcp_next_action compute_too(const mcp_cache *cache, const mcp_key *key,
	const mcp_waiting *wait, mcp_cache_entry *entry) {
	mcp_next_action otherwise;
	if (wait->remember->is_unready) {
		return MCP_REMEMBER_TURN;
	}
	if (!has_made_tags(cache, key, entry, &otherwise)) {
		return otherwise;
	}
	entry->verdict = MCP_VERDICT_ELECTED;
	entry->claim = (mcp_claim){
		.epoch = entry->envelope.epoch,
		.end_ms = entry->envelope.claim_end_ms,
		.election = entry->envelope.newest_election,
		.is_overdue = true,
		.is_over_value = entry->is_distrusted || entry->has_value,
		.over_election = entry->envelope.value_election,
	};
	return MCP_REMEMBER_DONE;
}

/* C6: a longer pause than that is not worth a caller's wait. */
#define PATIENCE_SHARE 4

static bool is_worth_waiting(const mcp_cache *cache, const mcp_waiting *wait,
	const mcp_cache_entry *entry) {
	uint64_t now_ms = mcp_wall_ms(cache->environment);
	uint64_t end_ms = entry->envelope.pause_end_ms;
	uint64_t left_ms = end_ms > now_ms ? end_ms - now_ms : 0;
	return left_ms < wait->remember->wait_ms / PATIENCE_SHARE;
}

/* Waits after a failure, when nobody claims the key; so when the wait is over one caller at a time still can be
 * had. */
static mcp_next_action step_paused(const mcp_cache *cache, const mcp_key *key,
	const mcp_waiting *wait, mcp_cache_entry *entry) {
	if (!is_worth_waiting(cache, wait, entry)) {
		entry->trouble = MCP_PAUSED;
		return MCP_REMEMBER_DONE;
	}
	return wait->is_over ? elect_cold(cache, key, wait, entry) : MCP_REMEMBER_WAIT;
}

static mcp_next_action step_cold(const mcp_cache *cache, const mcp_key *key,
	const mcp_waiting *wait, mcp_cache_entry *entry) {
	if (entry->is_absent || entry->is_unreadable || mcp_opening_is_open(entry->opening)) {
		return elect_cold(cache, key, wait, entry);
	}
	if (entry->opening == MCP_OPENING_PAUSED) {
		return step_paused(cache, key, wait, entry);
	}
	bool is_alone = wait->is_over || entry->opening == MCP_OPENING_MARKED;
	return is_alone ? compute_too(cache, key, wait, entry) : MCP_REMEMBER_WAIT;
}

/* Says who waits of those that are not elected over an old value. */
static mcp_next_action step_unelected(const mcp_cache *cache, const mcp_key *key,
	const mcp_waiting *wait, mcp_cache_entry *entry) {
	bool is_in_vain = entry->opening == MCP_OPENING_PAUSED && !is_worth_waiting(cache, wait, entry);
	if (wait->remember->serve_stale || wait->is_over || is_in_vain) {
		return MCP_REMEMBER_DONE;
	}
	bool is_alone = entry->opening == MCP_OPENING_MARKED;
	return is_alone ? compute_too(cache, key, wait, entry) : MCP_REMEMBER_WAIT;
}

/* Follows an election over an old value. */
static mcp_next_action follow_stale(const mcp_cache *cache, const mcp_key *key,
	const mcp_waiting *wait, bool is_newest, mcp_cache_entry *entry) {
	if (!is_newest) {
		return look_past(wait);
	}
	if (entry->verdict == MCP_VERDICT_ELECTED || entry->trouble != MCP_OK) {
		return MCP_REMEMBER_DONE;
	}
	bool is_gone = !entry->has_value; /* when the outcome was read back */
	return is_gone ? MCP_REMEMBER_AGAIN : step_unelected(cache, key, wait, entry);
}

static mcp_next_action elect_stale(const mcp_cache *cache, const mcp_key *key,
	const mcp_waiting *wait, mcp_cache_entry *entry) {
	if (wait->remember->is_unready) {
		return MCP_REMEMBER_TURN;
	}
	if (mcp_cache_make_tags(cache, key, entry) == MCP_EXISTS) {
		return MCP_REMEMBER_AGAIN;
	}
	if (entry->trouble != MCP_OK) {
		return MCP_REMEMBER_DONE;
	}
	if (wait->candidate != NULL) {
		mcp_cache_enter_election(cache, key, entry, &wait->candidate->standing);
		return stand_with_others(wait, MCP_CANDIDATE_OLD);
	}
	bool is_newest = mcp_cache_elect(cache, key, entry, wait->may_settle);
	return follow_stale(cache, key, wait, is_newest, entry);
}

static mcp_next_action step_stale(const mcp_cache *cache, const mcp_key *key,
	const mcp_waiting *wait, mcp_cache_entry *entry) {
	return mcp_opening_is_open(entry->opening) ? elect_stale(cache, key, wait, entry)
											   : step_unelected(cache, key, wait, entry);
}

/* Draws once for a value: where it was found near the draw is over. */
static bool is_early(const mcp_cache *cache, const mcp_waiting *wait,
	const mcp_cache_entry *entry) {
	double beta = wait->remember->early;
	return beta > 0 &&
		(is_the_one(&wait->drawn, entry) ||
			mcp_freshness_is_early(&entry->envelope, entry->judged_ms, beta,
				mcp_random_u64(cache->environment)));
}

/* Follows an election before the value's end. */
static mcp_next_action follow_early(const mcp_cache *cache, const mcp_waiting *wait, bool is_newest,
	const mcp_cache_entry *entry) {
	if (!is_newest) {
		return look_past(wait);
	}
	mcp_cache_tally(cache, MCP_COUNT_EARLY, entry->verdict == MCP_VERDICT_ELECTED);
	bool is_gone = !entry->has_value && entry->trouble == MCP_OK; /* as above */
	return is_gone ? MCP_REMEMBER_AGAIN : MCP_REMEMBER_DONE;
}

static mcp_next_action step_fresh(const mcp_cache *cache, const mcp_key *key,
	const mcp_waiting *wait, mcp_cache_entry *entry) {
	if (!mcp_opening_is_open(entry->opening) || !is_early(cache, wait, entry)) {
		return MCP_REMEMBER_DONE;
	}
	if (wait->remember->is_unready) {
		return MCP_REMEMBER_TURN;
	}
	if (wait->candidate != NULL) {
		mcp_cache_enter_election(cache, key, entry, &wait->candidate->standing);
		return stand_with_others(wait, MCP_CANDIDATE_EARLY);
	}
	bool is_newest = mcp_cache_elect(cache, key, entry, wait->may_settle);
	return follow_early(cache, wait, is_newest, entry);
}

mcp_next_action mcp_cache_decide(const mcp_cache *cache, const mcp_key *key,
	const mcp_waiting *wait, mcp_cache_entry *entry) {
	if (entry->trouble != MCP_OK) {
		return MCP_REMEMBER_DONE;
	}
	apply_distrust(&wait->distrust, entry);
	const mcp_value_id *outdated = wait->remember->outdated;
	if (outdated != NULL && is_the_one(outdated, entry)) {
		return step_stale(cache, key, wait, entry); /* C17: however fresh it is */
	}
	switch (entry->freshness) {
		case MCP_FRESH:
			return step_fresh(cache, key, wait, entry);
		case MCP_STALE:
			return step_stale(cache, key, wait, entry);
		default:
			return step_cold(cache, key, wait, entry);
	}
}

mcp_next_action mcp_cache_follow(const mcp_cache *cache, const mcp_key *key,
	const mcp_waiting *wait, mcp_candidate *candidate, mcp_cache_entry *entry) {
	mcp_candidacy *standing = &candidate->standing;
	if (candidate->kind == MCP_CANDIDATE_COLD) {
		return end_cold(cache, key, wait, standing, candidate->status, entry);
	}
	bool is_newest =
		mcp_cache_end_election(cache, key, standing, candidate->status, wait->may_settle, entry);
	return candidate->kind == MCP_CANDIDATE_OLD ? follow_stale(cache, key, wait, is_newest, entry)
												: follow_early(cache, wait, is_newest, entry);
}
