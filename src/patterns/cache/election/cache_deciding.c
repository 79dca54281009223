/* Elects one caller for an expired or a cold key, the latter by a placeholder, and decides who waits for another caller's
 * value. The claims of many keys are sent together. */
/* SPDX-License-Identifier: MIT */
#include "cache_deciding.h"

#include "../../../core/compiler.h"
#include "../entry/cache_meter.h"
#include "../entry/cache_envelope.h"
#include "../entry/cache_tags.h"
#include "../look/cache_look.h"
#include "../look/cache_near.h"

#include <stdlib.h>

/* Reading, and the election among those who find a value past its soft end (C1, C2). */

/* A claim of a known compute time lives this many times as long ... */
#define LEASE_PER_COMPUTE 3
/* ... and at least this. */
#define LEASE_MIN_MS 1000

static uint64_t new_token(const mcp_cache *cache) {
	uint64_t token;
	do {
		token = mcp_random_u64(cache->environment);
	} while (token == 0);
	return token;
}

static uint32_t lease_ms_for(const mcp_cache *cache, const mcp_envelope *envelope,
	mcp_opening opening) {
	uint64_t lease_ms = cache->lease_ms;
	if (cache->lease_is_fitted && envelope->compute_ms > 0) {
		lease_ms = (uint64_t)LEASE_PER_COMPUTE * envelope->compute_ms;
		lease_ms = lease_ms < LEASE_MIN_MS ? LEASE_MIN_MS : lease_ms;
	}
	if (opening == MCP_OPENING_EXPIRED && lease_ms < (uint64_t)envelope->claim_lease_ms * 2) {
		lease_ms = (uint64_t)envelope->claim_lease_ms * 2;
	}
	return lease_ms > cache->lease_ms ? cache->lease_ms : (uint32_t)lease_ms;
}

/* Writes a new claim into the envelope (its election number, its end, doubled after a takeover). */
static mcp_claim mcp_cache_claim(const mcp_cache *cache, mcp_envelope *envelope,
	mcp_opening opening, uint64_t now_ms) {
	envelope->claim_lease_ms = lease_ms_for(cache, envelope, opening);
	envelope->has_claim = true;
	envelope->claim_token = new_token(cache);
	envelope->claim_end_ms = now_ms + envelope->claim_lease_ms;
	envelope->newest_election++;
	return (mcp_claim){
		.epoch = envelope->epoch,
		.token = envelope->claim_token,
		.end_ms = envelope->claim_end_ms,
		.election = envelope->newest_election,
	};
}

/* Reads the key again after a cas or add of `claim` whose answer did not come; true if the claim is there.
 * *entry is judged anew either way. */
static bool mcp_cache_settle_claim(const mcp_cache *cache, const mcp_key *key,
	const mcp_claim *claim, mcp_cache_entry *entry) {
	mcp_cache_observe(cache, key, entry);
	return entry->trouble == MCP_OK && !entry->is_absent && !entry->is_unreadable &&
		entry->envelope.has_claim && entry->envelope.claim_token == claim->token;
}

/* Says whether the next call goes over another connection, if over any. */
static bool is_cut_off(mcp_status status) {
	return status == MCP_UNKNOWN || status == MCP_UNREACHABLE || status == MCP_TIMEOUT;
}

static uint64_t breaks_of(const mcp_cache *cache, const mcp_key *key) {
	return mcp_store_breaks(mcp_store_owner(cache->store, key));
}

/* Says whether the claim was kept back: before it was sent its server was asked something that ended the connection, as
 * proxies do on what they do not know, and with that the cas id of what was read. Nobody else was faster. */
static bool was_kept_back(const mcp_cache *cache, const mcp_key *key, const mcp_candidacy *standing,
	mcp_status status) {
	return status == MCP_EXISTS && breaks_of(cache, key) != standing->breaks;
}

/* Stands for election over what was found. */
static void mcp_cache_enter_election(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_entry *entry, mcp_candidacy *standing) {
	uint64_t now_ms = mcp_wall_ms(cache->environment);
	standing->breaks = breaks_of(cache, key);
	standing->envelope = entry->envelope;
	standing->claim = mcp_cache_claim(cache, &standing->envelope, entry->opening, now_ms);
	if (cache->meter != NULL) {
		mcp_cache_meter_claim(cache, key, entry);
	}
}

/* Ends the election by what its cas was answered, as mcp_cache_elect does. */
static bool mcp_cache_end_election(const mcp_cache *cache, const mcp_key *key,
	mcp_candidacy *standing, mcp_status status, bool settle, mcp_cache_entry *entry) {
	bool is_elected = status == MCP_OK;
	if (status == MCP_UNKNOWN && settle) {
		is_elected = mcp_cache_settle_claim(cache, key, &standing->claim, entry);
		standing->envelope = entry->envelope;
	} else if (is_cut_off(status)) {
		entry->cas = 0;
	} else if (status == MCP_NO_CAS) {
		entry->trouble = status;
	}
	if (is_elected) {
		entry->verdict = MCP_VERDICT_ELECTED;
		entry->claim = standing->claim;
		entry->envelope = standing->envelope;
	} else {
		mcp_cache_note(cache, key,
			mcp_status_is_failure(status) ? MCP_TRACE_FAILED : MCP_TRACE_BUSY);
	}
	if (!is_elected && entry->verdict == MCP_VERDICT_STALE) {
		/* Somebody was faster: the old value read before that is still an answer. */
		entry->verdict = MCP_VERDICT_BUSY;
	}
	return status != MCP_NOT_STORED && !was_kept_back(cache, key, standing, status);
}

/* Elects on its own for an entry just found STALE (or FRESH, for an early refresh): it becomes ELECTED, or BUSY if
 * somebody else was faster. Never reads, so that other entries' views stay, except that `settle` allows a read-back
 * when the answer did not come. False if it is BUSY, too, but what was read is not the newest version, or the claim was not
 * sent, as the connection that it was read over has gone; look again. */
static bool mcp_cache_elect(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry,
	bool settle) {
	mcp_candidacy standing;
	mcp_cache_enter_election(cache, key, entry, &standing);
	mcp_status status =
		mcp_cache_swap_proven(cache, key, &standing.envelope, entry, &standing.claim.proof);
	return mcp_cache_end_election(cache, key, &standing, status, settle, entry);
}

/* Forgets cas ids that a broken connection has made worthless. A connection breaks when its server is
 * restarted, and then they begin again: one that was read over the connection of before could be another
 * item's, and a newer value would be written over. */
void mcp_cache_forget_ids(const mcp_cache *cache, const mcp_cache_batch *batch, size_t index) {
	const mcp_cache_entry *entry = &batch->entries[index];
	bool has_failed = is_cut_off(entry->trouble) ||
		(entry->trouble == MCP_OK && !entry->is_absent && entry->cas == 0);
	if (!has_failed) {
		return;
	}
	const mcp_store *broken = mcp_store_owner(cache->store, &batch->keys[index]);
	for (size_t i = 0; i < batch->count; i++) {
		mcp_cache_entry *other = &batch->entries[i];
		if (other->cas != 0 && mcp_store_owner(cache->store, &batch->keys[i]) == broken) {
			other->cas = 0;
		}
	}
}

void mcp_cache_elect_among(const mcp_cache *cache, const mcp_cache_batch *batch, size_t index) {
	mcp_cache_entry *entry = &batch->entries[index];
	bool has_made = !mcp_cache_knows_tags(cache, entry);
	if (mcp_cache_make_tags(cache, &batch->keys[index], entry) == MCP_OK) {
		mcp_cache_elect(cache, &batch->keys[index], entry, false);
	} else {
		entry->verdict = MCP_VERDICT_BUSY;
	}
	if (has_made && entry->trouble == MCP_OK) {
		mcp_cache_share_tags(cache, batch, index);
	}
	mcp_cache_forget_ids(cache, batch, index);
}

/* Stands for election whenever the value that is found is old and nobody's. */
static MCP_SELDOM void stand_for_election(const mcp_cache *cache, const mcp_key *key,
	mcp_cache_entry *entry) {
	mcp_contention contention = {0};
	while (entry->verdict == MCP_VERDICT_STALE && mcp_opening_is_open(entry->opening)) {
		mcp_status ready = mcp_cache_make_tags(cache, key, entry);
		if (ready == MCP_OK && !mcp_cache_elect(cache, key, entry, true)) {
			ready = MCP_EXISTS;
		}
		if (!mcp_cache_may_try_at_once(&contention, ready)) {
			return;
		}
		mcp_cache_observe(cache, key, entry);
	}
}

void mcp_cache_lookup(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry) {
	mcp_cache_observe(cache, key, entry);
	if (entry->verdict == MCP_VERDICT_STALE) {
		stand_for_election(cache, key, entry);
	}
	mcp_cache_count(cache, key, entry);
}

void mcp_cache_get(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry) {
	if (cache->is_strict) {
		mcp_cache_peek(cache, key, entry);
	} else if (cache->near != NULL) {
		mcp_cache_near_read(cache, key, mcp_cache_lookup, entry);
	} else {
		mcp_cache_lookup(cache, key, entry);
	}
}

/* An envelope with a claim and no value (C4). */

/* Composes one, with a claim, to be added where nothing is. */
static void mcp_cache_compose_placeholder(const mcp_cache *cache, const mcp_key *key,
	mcp_cache_record *record, const mcp_envelope *envelope, mcp_proof *proof) {
	mcp_cache_compose(cache, key, record, envelope, mcp_bytes_none(), 0);
	record->record.proof = mcp_cache_wants(cache, proof);
	record->record.is_claim = true;
}

/* Makes a placeholder in the place of what is there now: the same epoch and election numbers if that is an
 * envelope, so that a rebuild still running under it may be stored. A tombstone stays one. It has no claim yet. */
static mcp_envelope mcp_cache_placeholder(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_entry *entry, mcp_lifetime lifetime, uint64_t now_ms) {
	/* A tombstone goes on telling of older copies until there is a result. */
	if (entry->envelope.is_tombstone) {
		return entry->envelope;
	}
	mcp_envelope envelope = mcp_cache_new_envelope(cache, key, now_ms, lifetime);
	bool is_without_past = entry->is_absent || entry->is_unreadable ||
		(entry->is_suspect && entry->freshness == MCP_COLD);
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

/* Composes the claims, and sends them by as few writes of many as there are ways to write them. */

/* So many stand at once, at most: their claims have some hundred bytes each. */
#define CANDIDATES_MAX ((size_t)1000)

/* A claim over a value has the value's tags. */
static size_t header_room(const mcp_cache_batch *batch) {
	size_t most = mcp_envelope_room(mcp_bytes_none());
	for (size_t i = 0; i < batch->count; i++) {
		size_t room = mcp_envelope_room(batch->entries[i].envelope.tags);
		most = room > most ? room : most;
	}
	return most;
}

void mcp_candidates_prepare(mcp_election_batch *candidates, const mcp_cache *cache,
	const mcp_cache_batch *batch) {
	*candidates = (mcp_election_batch){.count = 0};
	if (batch->count < 2 || !mcp_store_may_prove(cache->store)) {
		return;
	}
	size_t room = batch->count < CANDIDATES_MAX ? batch->count : CANDIDATES_MAX;
	size_t header = header_room(batch);
	candidates->of = malloc(room * sizeof(*candidates->of));
	candidates->writes = malloc(room * sizeof(*candidates->writes));
	candidates->headers = malloc(room * header);
	if (candidates->of == NULL || candidates->writes == NULL || candidates->headers == NULL) {
		return;
	}
	candidates->room = room;
	for (size_t i = 0; i < room; i++) {
		candidates->of[i].record.header = candidates->headers + i * header;
	}
}

void mcp_candidates_release(mcp_election_batch *candidates) {
	free(candidates->of);
	free(candidates->writes);
	free(candidates->headers);
}

/* Composes the claim of one. False if it must not be sent: then it has its answer. */
static bool compose(mcp_candidate *candidate, const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_entry *entry) {
	mcp_candidacy *standing = &candidate->standing;
	if (entry->is_absent) {
		mcp_cache_compose_placeholder(cache, key, &candidate->record, &standing->envelope,
			&standing->claim.proof);
		return true;
	}
	mcp_cache_compose_over(cache, key, &candidate->record, &standing->envelope, entry,
		&standing->claim.proof);
	if (entry->cas != 0) {
		return true;
	}
	candidate->status = mcp_store_gives_no_cas(cache->store, key) ? MCP_NO_CAS : MCP_EXISTS;
	return false;
}

/* Sends the claims over nothing, or those over what was found. */
static void send(mcp_election_batch *candidates, const mcp_cache *cache,
	const mcp_cache_batch *batch, bool over_nothing) {
	mcp_write *writes = candidates->writes;
	size_t count = 0;
	for (size_t i = 0; i < candidates->count; i++) {
		mcp_candidate *candidate = &candidates->of[i];
		const mcp_key *key = &batch->keys[candidate->place];
		const mcp_cache_entry *entry = &batch->entries[candidate->place];
		if (entry->is_absent == over_nothing && compose(candidate, cache, key, entry)) {
			writes[count++] = (mcp_write){
				.key = *key,
				.record = candidate->record.record,
				.cas = entry->cas,
				.by = i,
			};
		}
	}
	if (count > 0) {
		mcp_change_verb verb = over_nothing ? MCP_CHANGE_ADD : MCP_CHANGE_CAS;
		mcp_store_write_many(cache->store, verb, writes, count);
	}
	for (size_t i = 0; i < count; i++) {
		candidates->of[writes[i].by].status = writes[i].status;
	}
}

void mcp_candidates_send(mcp_election_batch *candidates, const mcp_cache *cache,
	const mcp_cache_batch *batch) {
	send(candidates, cache, batch, false);
	send(candidates, cache, batch, true);
}
