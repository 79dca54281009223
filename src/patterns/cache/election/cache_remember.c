/* The lookup of a caller that will compute: it elects on cold keys too, by a placeholder, and waits
 * for somebody else's value (C4, C5, C10). */
/* SPDX-License-Identifier: MIT */
#include "../entry/cache_ends.h"
#include "../entry/cache_envelope.h"
#include "../look/cache_look.h"
#include "cache_lookup.h"
#include "../entry/cache_meter.h"
#include "../look/cache_near.h"
#include "../entry/cache_contention.h"
#include "../entry/cache_tags.h"
#include "../look/cache_tags_many.h"

typedef struct waiting {
	const mcp_remember *remember;
	const mcp_near_draw *draw; /* for what is near; NULL: nothing is to be looked for there */
	mcp_distrust distrust;
	mcp_distrust drawn; /* the value that this caller rebuilds early, as fresh as it is */
	bool is_over;       /* the deadline has passed */
	bool may_settle;    /* an unknown outcome may be read back: no other entry's views are in use */
} waiting;

/* Adds a placeholder: an envelope with a claim and no value. */
static mcp_status add_placeholder(const mcp_cache *cache, const mcp_key *key,
	const mcp_envelope *envelope, mcp_proof *proof) {
	mcp_cache_record record;
	mcp_cache_compose(cache, key, &record, envelope, mcp_bytes_none(), 0);
	record.record.proof = mcp_cache_wants(cache, proof);
	record.record.is_claim = true;
	return mcp_store_add(cache->store, key, &record.record);
}

/* Makes a placeholder in the place of what is there now: the same epoch and election numbers if that is an
 * envelope, so that a rebuild still running under it may be stored. */
static mcp_envelope placeholder(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_entry *entry, mcp_lifetime lifetime, uint64_t now_ms) {
	mcp_envelope envelope = mcp_cache_new_envelope(cache, key, now_ms, lifetime);
	bool is_without_past = entry->is_absent || entry->is_unreadable ||
		entry->envelope.is_tombstone || (entry->is_suspect && entry->freshness == MCP_COLD);
	if (is_without_past) {
		return envelope;
	}
	const mcp_envelope *before = &entry->envelope;
	envelope.epoch = before->epoch;
	envelope.newest_election = before->newest_election;
	envelope.value_election = before->value_election;
	envelope.compute_ms = before->compute_ms;
	envelope.claim_lease_ms = before->has_claim ? before->claim_lease_ms : 0;
	envelope.has_failure = before->has_failure;
	envelope.failures = before->failures;
	envelope.pause_end_ms = before->pause_end_ms;
	envelope.is_contested = before->is_contested;
	return envelope;
}

static bool is_the_one(const mcp_distrust *value, const mcp_cache_entry *entry) {
	return value->is_set && entry->has_value && entry->envelope.epoch == value->epoch &&
		entry->envelope.value_election == value->election;
}

/* Hides a value that this caller cannot decode: it must not keep the key from being computed. */
static void apply_distrust(const mcp_distrust *distrust, mcp_cache_entry *entry) {
	if (is_the_one(distrust, entry)) {
		entry->is_distrusted = true;
		entry->has_value = false;
		entry->freshness = MCP_COLD;
		entry->verdict = MCP_VERDICT_MISS;
	}
}

/* Settles a claim without an answer. */
static bool settle(const mcp_cache *cache, const mcp_key *key, const waiting *wait,
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
	mcp_remember_step *otherwise) {
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
static mcp_remember_step look_past(const waiting *wait) {
	if (wait->remember->outdated != NULL) {
		wait->remember->outdated->is_set = false;
	}
	return MCP_REMEMBER_AGAIN;
}

/* Elects by C4: one caller wins the placeholder. A distrusted value is claimed where it stands: hosts that can
 * decode it go on being served, and it is there still when the computation fails. */
static mcp_remember_step elect_cold(const mcp_cache *cache, const mcp_key *key, const waiting *wait,
	mcp_cache_entry *entry) {
	mcp_remember_step otherwise;
	if (!has_made_tags(cache, key, entry, &otherwise)) {
		return otherwise;
	}
	uint64_t now_ms = mcp_wall_ms(cache->environment);
	mcp_envelope envelope = entry->is_distrusted
		? entry->envelope
		: placeholder(cache, key, entry, wait->remember->lifetime, now_ms);
	mcp_claim claim = mcp_cache_claim(cache, &envelope, entry->opening, now_ms);
	if (cache->meter != NULL) {
		mcp_cache_meter_claim(cache, key, entry);
	}
	mcp_status status = entry->is_absent
		? add_placeholder(cache, key, &envelope, &claim.proof)
		: mcp_cache_swap_proven(cache, key, &envelope, entry, &claim.proof);
	if (status == MCP_UNKNOWN && settle(cache, key, wait, &claim, entry)) {
		status = MCP_OK;
		envelope = entry->envelope;
	}
	if (status == MCP_OK) {
		entry->verdict = MCP_VERDICT_ELECTED;
		entry->envelope = envelope;
		entry->claim = claim;
		return MCP_REMEMBER_DONE;
	}
	if (mcp_status_is_failure(status)) {
		*entry = (mcp_cache_entry){.verdict = MCP_VERDICT_MISS, .trouble = status};
		return MCP_REMEMBER_DONE;
	}
	bool is_overtaken = status == MCP_NOT_STORED && !entry->is_absent;
	return is_overtaken ? look_past(wait) : MCP_REMEMBER_AGAIN;
}

/* Lets the caller compute too, as the wait is over while a claim lives, or there is none to wait for; it stores
 * if there is still no value but the one that it does not answer with. */
static mcp_remember_step compute_too(const mcp_cache *cache, const mcp_key *key,
	mcp_cache_entry *entry) {
	mcp_remember_step otherwise;
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

static bool is_worth_waiting(const mcp_cache *cache, const waiting *wait,
	const mcp_cache_entry *entry) {
	uint64_t now_ms = mcp_wall_ms(cache->environment);
	uint64_t end_ms = entry->envelope.pause_end_ms;
	uint64_t left_ms = end_ms > now_ms ? end_ms - now_ms : 0;
	return left_ms < wait->remember->wait_ms / PATIENCE_SHARE;
}

/* Waits after a failure, when nobody claims the key; so when the wait is over one caller at a time still can be
 * had. */
static mcp_remember_step step_paused(const mcp_cache *cache, const mcp_key *key,
	const waiting *wait, mcp_cache_entry *entry) {
	if (!is_worth_waiting(cache, wait, entry)) {
		entry->trouble = MCP_PAUSED;
		return MCP_REMEMBER_DONE;
	}
	return wait->is_over ? elect_cold(cache, key, wait, entry) : MCP_REMEMBER_WAIT;
}

static mcp_remember_step step_cold(const mcp_cache *cache, const mcp_key *key, const waiting *wait,
	mcp_cache_entry *entry) {
	if (entry->is_absent || entry->is_unreadable || mcp_opening_is_open(entry->opening)) {
		return elect_cold(cache, key, wait, entry);
	}
	if (entry->opening == MCP_OPENING_PAUSED) {
		return step_paused(cache, key, wait, entry);
	}
	bool is_alone = wait->is_over || entry->opening == MCP_OPENING_MARKED;
	return is_alone ? compute_too(cache, key, entry) : MCP_REMEMBER_WAIT;
}

static mcp_remember_step step_stale(const mcp_cache *cache, const mcp_key *key, const waiting *wait,
	mcp_cache_entry *entry) {
	if (mcp_opening_is_open(entry->opening)) {
		if (mcp_cache_make_tags(cache, key, entry) == MCP_EXISTS) {
			return MCP_REMEMBER_AGAIN;
		}
		if (entry->trouble == MCP_OK && !mcp_cache_elect(cache, key, entry, wait->may_settle)) {
			return look_past(wait);
		}
		if (entry->verdict == MCP_VERDICT_ELECTED || entry->trouble != MCP_OK) {
			return MCP_REMEMBER_DONE;
		}
		if (!entry->has_value) {
			return MCP_REMEMBER_AGAIN; /* gone when the outcome was read back */
		}
	}
	bool is_in_vain = entry->opening == MCP_OPENING_PAUSED && !is_worth_waiting(cache, wait, entry);
	if (wait->remember->serve_stale || wait->is_over || is_in_vain) {
		return MCP_REMEMBER_DONE;
	}
	bool is_alone = entry->opening == MCP_OPENING_MARKED;
	return is_alone ? compute_too(cache, key, entry) : MCP_REMEMBER_WAIT;
}

/* Draws once for a value: where it was found near the draw is over. */
static bool is_early(const mcp_cache *cache, const waiting *wait, const mcp_cache_entry *entry) {
	double beta = wait->remember->early;
	return beta > 0 &&
		(is_the_one(&wait->drawn, entry) ||
			mcp_freshness_is_early(&entry->envelope, mcp_wall_ms(cache->environment), beta,
				mcp_random_u64(cache->environment)));
}

static mcp_remember_step step_fresh(const mcp_cache *cache, const mcp_key *key, const waiting *wait,
	mcp_cache_entry *entry) {
	if (mcp_opening_is_open(entry->opening) && is_early(cache, wait, entry)) {
		if (!mcp_cache_elect(cache, key, entry, wait->may_settle)) {
			return look_past(wait);
		}
		mcp_cache_tally(cache, MCP_COUNT_EARLY, entry->verdict == MCP_VERDICT_ELECTED);
		if (!entry->has_value && entry->trouble == MCP_OK) {
			return MCP_REMEMBER_AGAIN; /* gone when the outcome was read back */
		}
	}
	return MCP_REMEMBER_DONE;
}

static mcp_remember_step decide(const mcp_cache *cache, const mcp_key *key, const waiting *wait,
	mcp_cache_entry *entry) {
	if (entry->trouble != MCP_OK) {
		return MCP_REMEMBER_DONE;
	}
	apply_distrust(&wait->distrust, entry);
	const mcp_distrust *outdated = wait->remember->outdated;
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

/* Takes what a caller that forces comes upon for an old value (C17). If there is none, no value is ever the one. */
static void outdate(const mcp_remember *remember, const mcp_cache_entry *entry) {
	if (remember->outdated != NULL && !remember->outdated->is_set) {
		*remember->outdated = mcp_cache_distrust(entry);
	}
}

static mcp_remember_step look(const mcp_cache *cache, const mcp_key *key, const waiting *wait,
	mcp_cache_entry *entry) {
	mcp_cache_observe(cache, key, entry);
	outdate(wait->remember, entry);
	return decide(cache, key, wait, entry);
}

void mcp_cache_listen(const mcp_cache *cache, const mcp_key *key, mcp_pauses *pauses) {
	mcp_waiting_listen(pauses, mcp_store_bell(cache->store, key));
}

mcp_wait mcp_cache_wait(const mcp_cache *cache, const mcp_key *key, mcp_pauses *pauses,
	uint64_t deadline_ms) {
	bool is_begun = pauses->was_cut;
	bool is_first = !mcp_pauses_have_waited(pauses);
	uint64_t from_ms = mcp_monotonic_ms(cache->environment);
	mcp_wait next = mcp_waiting_pause(cache->environment, pauses, deadline_ms);
	cache->statistics->counts[MCP_COUNT_WAITED] += next != MCP_WAIT_OVER && !is_begun;
	if (cache->meter != NULL && next != MCP_WAIT_OVER) {
		mcp_cache_meter_pause(cache, key, is_first, mcp_monotonic_ms(cache->environment) - from_ms);
	}
	if (next == MCP_WAIT_AGAIN && mcp_monotonic_ms(cache->environment) >= deadline_ms) {
		return MCP_WAIT_OVER;
	}
	return next;
}

/* Finds out whether the wait is over before the first look: it was none, or its time has passed in calls that
 * were interrupted. False with the entry if it is interrupted again. */
static bool begin_waiting(const mcp_cache *cache, const mcp_remember *remember, mcp_pauses *pauses,
	waiting *wait, mcp_cache_entry *entry) {
	bool goes_on = pauses->has_begun;
	if (mcp_waiting_begin(cache->environment, pauses) == MCP_WAIT_INTERRUPTED) {
		*entry = (mcp_cache_entry){.trouble = MCP_INTERRUPTED};
		return false;
	}
	uint64_t deadline_ms = pauses->begun_ms + remember->wait_ms;
	wait->is_over =
		goes_on ? mcp_monotonic_ms(cache->environment) >= deadline_ms : remember->wait_ms == 0;
	return true;
}

/* Looks near first, where whoever has rung may have left it; what memcached is asked for then is noted anew. */
static bool is_left_near(const mcp_cache *cache, const mcp_key *key, const waiting *wait,
	mcp_cache_entry *entry) {
	return wait->draw != NULL &&
		mcp_cache_near_take(cache, key, wait->draw, &cache->near->look, entry);
}

/* Looks until there is an answer. True if it was found near, and is counted. */
static bool look_on(const mcp_cache *cache, const mcp_key *key, mcp_pauses *pauses, waiting *wait,
	mcp_cache_entry *entry) {
	uint64_t deadline_ms = pauses->begun_ms + wait->remember->wait_ms;
	mcp_remember_step next = look(cache, key, wait, entry);
	for (int lost = 0; next != MCP_REMEMBER_DONE;) {
		if (next == MCP_REMEMBER_WAIT) {
			mcp_cache_listen(cache, key, pauses);
			mcp_wait waited = mcp_cache_wait(cache, key, pauses, deadline_ms);
			if (waited == MCP_WAIT_INTERRUPTED) {
				*entry = (mcp_cache_entry){.trouble = MCP_INTERRUPTED};
				return false;
			}
			wait->is_over = waited == MCP_WAIT_OVER;
			if (is_left_near(cache, key, wait, entry)) {
				return true;
			}
		} else if (++lost >= MCP_CACHE_ROUNDS_MAX) {
			/* The key comes and goes faster than it can be claimed: compute without a claim. */
			*entry = (mcp_cache_entry){.verdict = MCP_VERDICT_MISS, .trouble = MCP_OK};
			break;
		}
		next = look(cache, key, wait, entry);
	}
	mcp_cache_count(cache, key, entry);
	return false;
}

/* Tells the others who wait of another's value; last, when it may be found near. */
static void tell(const mcp_cache *cache, const mcp_pauses *pauses, const mcp_cache_entry *entry) {
	if (pauses->is_listening && entry->has_value && entry->verdict != MCP_VERDICT_ELECTED) {
		mcp_waiting_tell(cache->environment, pauses);
	}
}

static void ask(const mcp_cache *cache, const mcp_key *key, waiting *wait, mcp_cache_entry *entry) {
	const mcp_remember *remember = wait->remember;
	mcp_pauses own = {.has_begun = false};
	mcp_pauses *pauses = remember->pauses != NULL ? remember->pauses : &own;
	if (!begin_waiting(cache, remember, pauses, wait, entry) ||
		look_on(cache, key, pauses, wait, entry)) {
		return;
	}
	if (wait->draw != NULL) {
		mcp_cache_near_keep(cache, key, &cache->near->look, entry);
	}
	tell(cache, pauses, entry);
}

static void ask_near(const mcp_cache *cache, const mcp_key *key, waiting *wait,
	mcp_cache_entry *entry) {
	mcp_near_look *look = &cache->near->look;
	mcp_near_draw draw = {wait->remember, &wait->drawn};
	if (!cache->near->has_looked && mcp_cache_near_take(cache, key, &draw, look, entry)) {
		return;
	}
	wait->draw = &draw;
	ask(cache, key, wait, entry);
}

void mcp_cache_remember(const mcp_cache *cache, const mcp_key *key, const mcp_remember *remember,
	mcp_cache_entry *entry) {
	waiting wait = {
		.remember = remember,
		.distrust = remember->distrust,
		.drawn = remember->drawn,
		.may_settle = true,
	};
	bool may_be_near =
		remember->outdated == NULL && !remember->distrust.is_set && !remember->drawn.is_set;
	if (cache->near != NULL && may_be_near) {
		ask_near(cache, key, &wait, entry);
	} else {
		ask(cache, key, &wait, entry);
	}
}

void mcp_cache_remember_many(const mcp_cache *cache, const mcp_cache_batch *batch,
	const mcp_remember *remember, const mcp_distrust *distrusts, bool is_over,
	mcp_remember_step *steps) {
	waiting wait = {.remember = remember, .is_over = is_over, .may_settle = false};
	mcp_cache_read_many(cache, batch);
	for (size_t i = 0; i < batch->count; i++) {
		mcp_cache_entry *entry = &batch->entries[i];
		wait.distrust = distrusts != NULL ? distrusts[i] : (mcp_distrust){.is_set = false};
		wait.drawn = batch->drawn != NULL ? batch->drawn[i] : (mcp_distrust){.is_set = false};
		bool lacks_tags = entry->trouble == MCP_OK && !mcp_cache_knows_tags(cache, entry);
		steps[i] = decide(cache, &batch->keys[i], &wait, entry);
		if (lacks_tags && entry->trouble == MCP_OK) {
			mcp_cache_share_tags(cache, batch, i);
		}
		mcp_cache_forget_ids(cache, batch, i);
		if (steps[i] == MCP_REMEMBER_DONE) {
			mcp_cache_count(cache, &batch->keys[i], entry);
		}
	}
}
