/* Elects one caller for a stale or cold key, and decides which callers wait, for one key or many. */
/* SPDX-License-Identifier: MIT */
#include "../../../core/compiler.h"
#include "../entry/cache_envelope.h"
#include "../entry/cache_meter.h"
#include "../entry/cache_tags.h"
#include "../look/cache_look.h"
#include "../look/cache_near.h"

#include <stdlib.h>

/* A caller that will compute, with one key or a batch of keys. */
typedef struct mcp_rebuilder {
	const mcp_remember *remember;
	bool is_over; /* the deadline has passed */
	/* an unknown outcome may be read back, because no views of other entries are in use */
	bool may_resolve;
} mcp_rebuilder;

/* One lookup of a key by a caller that will compute. Must not move while the claim is being sent, because it then
 * points into itself. */
typedef struct mcp_key_turn {
	const mcp_key *key;
	mcp_cache_entry *entry;
	mcp_value_id distrust;
	mcp_value_id drawn; /* id of a fresh value that this caller rebuilds early */
	mcp_next_action next;
	/* envelope of the claim */
	mcp_envelope envelope;
	mcp_claim claim;         /* the write fills in its proof */
	uint64_t breaks;         /* number of lost connections to the server before the claim */
	mcp_cache_record record; /* its header must be set before it is composed */
	mcp_status status;
} mcp_key_turn;

/* Lease of a claim, as a multiple of the known compute time. */
#define LEASE_PER_COMPUTE 3
/* Minimum of a lease that is computed in this way. */
#define LEASE_MIN_MS 1000

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

/* Write a new claim into the envelope. If an expired claim is taken over, the lease is doubled. */
static mcp_claim write_claim(const mcp_cache *cache, mcp_envelope *envelope, mcp_opening opening,
	uint64_t now_ms) {
	envelope->claim_lease_ms = lease_ms_for(cache, envelope, opening);
	envelope->has_claim = true;
	envelope->claim_token = mcp_random_id(cache->environment);
	envelope->claim_end_ms = now_ms + envelope->claim_lease_ms;
	envelope->newest_election++;
	return (mcp_claim){
		.epoch = envelope->epoch,
		.token = envelope->claim_token,
		.end_ms = envelope->claim_end_ms,
		.election = envelope->newest_election,
	};
}

/* Read the key after a cas or add of `claim` was not answered. Returns true if the claim exists. Always fills in
 * *entry again. */
static bool resolve_claim(const mcp_cache *cache, const mcp_key *key, const mcp_claim *claim,
	mcp_cache_entry *entry) {
	mcp_cache_observe(cache, key, entry);
	return entry->trouble == MCP_OK && !entry->is_absent && !entry->is_unreadable &&
		entry->envelope.has_claim && entry->envelope.claim_token == claim->token;
}

static uint64_t breaks_of(const mcp_cache *cache, const mcp_key *key) {
	return mcp_store_breaks(mcp_store_owner(cache->store, key));
}

/* Whether the claim was not sent because the connection broke after the read, which invalidated the CAS value. For
 * example, a proxy closes the connection after an unknown command. In this case, no other caller was elected
 * first. */
static bool was_kept_back(const mcp_cache *cache, const mcp_key_turn *turn) {
	return turn->status == MCP_EXISTS && breaks_of(cache, turn->key) != turn->breaks;
}

/* End the election over a value with the status of its cas. The entry becomes ELECTED, or BUSY if another caller was
 * elected first. Reads only if the cas was not answered and the outcome may be read back. Returns false with BUSY if
 * the entry is not the newest version, or if the claim was not sent because the connection broke. The caller must
 * then look up again. */
static bool end_election(const mcp_cache *cache, const mcp_rebuilder *caller, mcp_key_turn *turn) {
	mcp_cache_entry *entry = turn->entry;
	mcp_status status = turn->status;
	bool is_elected = status == MCP_OK;
	if (status == MCP_UNKNOWN && caller->may_resolve) {
		is_elected = resolve_claim(cache, turn->key, &turn->claim, entry);
		turn->envelope = entry->envelope;
	} else if (mcp_status_is_cut_off(status)) {
		entry->cas = 0;
	} else if (status == MCP_NO_CAS) {
		entry->trouble = status;
	}
	if (is_elected) {
		entry->verdict = MCP_VERDICT_ELECTED;
		entry->claim = turn->claim;
		entry->envelope = turn->envelope;
	} else {
		mcp_cache_trace(cache, turn->key,
			mcp_status_is_failure(status) ? MCP_TRACE_FAILED : MCP_TRACE_BUSY);
	}
	if (!is_elected && entry->verdict == MCP_VERDICT_STALE) {
		/* Another caller was elected first, but the stale value can still be returned. */
		entry->verdict = MCP_VERDICT_BUSY;
	}
	return status != MCP_NOT_STORED && !was_kept_back(cache, turn);
}

/* If the election of a key broke the connection, clear the CAS values of the other entries on this server. If the
 * server was restarted, such a CAS value could be that of another item, and a cas would overwrite a newer value. */
static void forget_ids(const mcp_cache *cache, const mcp_cache_batch *batch, size_t index) {
	const mcp_cache_entry *entry = &batch->entries[index];
	bool has_failed = mcp_status_is_cut_off(entry->trouble) ||
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

/* --- placeholders: envelopes with a claim and no value (C4) --- */

/* Compose a placeholder with a claim, for an `add` to a missing key. */
static void compose_placeholder(const mcp_cache *cache, const mcp_key *key,
	mcp_cache_record *record, const mcp_envelope *envelope, mcp_proof *proof) {
	mcp_cache_compose(cache, key, record, envelope, mcp_bytes_none(), 0);
	record->record.proof = mcp_cache_wants(cache, proof);
	record->record.is_claim = true;
}

/* Build a placeholder that replaces the current item. It has no claim yet. Keep the epoch and the election numbers of
 * an envelope, so that a running rebuild can still be stored. A tombstone remains a tombstone. */
static mcp_envelope placeholder_over(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_entry *entry, mcp_lifetime lifetime, uint64_t now_ms) {
	/* Until a result is stored, the tombstone must show that older copies are outdated. */
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

/* Hide a value that this caller cannot decode, because it must not prevent a computation. */
static void apply_distrust(const mcp_value_id *distrust, mcp_cache_entry *entry) {
	if (is_the_one(distrust, entry)) {
		entry->is_distrusted = true;
		entry->has_value = false;
		entry->freshness = MCP_COLD;
		entry->verdict = MCP_VERDICT_MISS;
	}
}

/* Create the tags before the computation, because a result cannot be stored without their versions. */
static bool has_made_tags(const mcp_cache *cache, mcp_key_turn *turn) {
	mcp_status status = mcp_cache_make_tags(cache, turn->key, turn->entry);
	if (status == MCP_OK) {
		return true;
	}
	if (status != MCP_EXISTS && turn->next != MCP_REMEMBER_ELECT_STALE) {
		*turn->entry = (mcp_cache_entry){.verdict = MCP_VERDICT_MISS, .trouble = status};
	}
	turn->next = status == MCP_EXISTS ? MCP_REMEMBER_AGAIN : MCP_REMEMBER_DONE;
	return false;
}

/* Let the caller compute without a claim, because its wait is over or there is no claim to wait for. It stores its
 * result only if there is no value, or only the value that this caller did not return. */
static void compute_too(mcp_key_turn *turn) {
	mcp_cache_entry *entry = turn->entry;
	entry->verdict = MCP_VERDICT_ELECTED;
	entry->claim = (mcp_claim){
		.epoch = entry->envelope.epoch,
		.end_ms = entry->envelope.claim_end_ms,
		.election = entry->envelope.newest_election,
		.is_overdue = true,
		.is_over_value = entry->is_distrusted || entry->has_value,
		.over_election = entry->envelope.value_election,
	};
	turn->next = MCP_REMEMBER_DONE;
}

/* Prepare a caller that must compute. Returns true if its claim must be sent. A cold key gets a placeholder (C4). An
 * undecodable value is kept, so that other hosts can still serve it, and that it is not lost if the computation
 * fails. */
static bool stand(const mcp_cache *cache, const mcp_rebuilder *caller, mcp_key_turn *turn) {
	const mcp_cache_entry *entry = turn->entry;
	if (turn->next != MCP_REMEMBER_ELECT_EARLY && !has_made_tags(cache, turn)) {
		return false;
	}
	if (turn->next == MCP_REMEMBER_COMPUTE) {
		compute_too(turn);
		return false;
	}
	uint64_t now_ms = mcp_wall_ms(cache->environment);
	bool has_placeholder = turn->next == MCP_REMEMBER_ELECT_COLD && !entry->is_distrusted;
	turn->breaks = breaks_of(cache, turn->key);
	turn->envelope = has_placeholder
		? placeholder_over(cache, turn->key, entry, caller->remember->lifetime, now_ms)
		: entry->envelope;
	turn->claim = write_claim(cache, &turn->envelope, entry->opening, now_ms);
	if (cache->meter != NULL) {
		mcp_cache_meter_claim(cache, turn->key, entry);
	}
	return true;
}

/* Divisor of wait_ms. A caller does not wait for the end of a pause if the wait would exceed this share (C6). */
#define PATIENCE_SHARE 4

static bool is_worth_waiting(const mcp_cache *cache, const mcp_rebuilder *caller,
	const mcp_cache_entry *entry) {
	uint64_t now_ms = mcp_wall_ms(cache->environment);
	uint64_t end_ms = entry->envelope.pause_end_ms;
	uint64_t left_ms = end_ms > now_ms ? end_ms - now_ms : 0;
	return left_ms < caller->remember->wait_ms / PATIENCE_SHARE;
}

/* Wait during the pause after a failure. No caller has a claim, so after the wait, one caller at a time can be
 * elected. */
static mcp_next_action step_paused(const mcp_cache *cache, const mcp_rebuilder *caller,
	mcp_cache_entry *entry) {
	if (!is_worth_waiting(cache, caller, entry)) {
		entry->trouble = MCP_PAUSED;
		return MCP_REMEMBER_DONE;
	}
	return caller->is_over ? MCP_REMEMBER_ELECT_COLD : MCP_REMEMBER_WAIT;
}

static mcp_next_action step_cold(const mcp_cache *cache, const mcp_rebuilder *caller,
	mcp_cache_entry *entry) {
	if (entry->is_absent || entry->is_unreadable || mcp_opening_is_open(entry->opening)) {
		return MCP_REMEMBER_ELECT_COLD;
	}
	if (entry->opening == MCP_OPENING_PAUSED) {
		return step_paused(cache, caller, entry);
	}
	bool is_alone = caller->is_over || entry->opening == MCP_OPENING_UNCACHEABLE;
	return is_alone ? MCP_REMEMBER_COMPUTE : MCP_REMEMBER_WAIT;
}

/* Decide whether a caller that was not elected waits or gets the stale value. */
static mcp_next_action step_unelected(const mcp_cache *cache, const mcp_rebuilder *caller,
	const mcp_cache_entry *entry) {
	bool is_in_vain =
		entry->opening == MCP_OPENING_PAUSED && !is_worth_waiting(cache, caller, entry);
	if (caller->remember->serve_stale || caller->is_over || is_in_vain) {
		return MCP_REMEMBER_DONE;
	}
	bool is_alone = entry->opening == MCP_OPENING_UNCACHEABLE;
	return is_alone ? MCP_REMEMBER_COMPUTE : MCP_REMEMBER_WAIT;
}

static mcp_next_action step_stale(const mcp_cache *cache, const mcp_rebuilder *caller,
	const mcp_cache_entry *entry) {
	return mcp_opening_is_open(entry->opening) ? MCP_REMEMBER_ELECT_STALE
											   : step_unelected(cache, caller, entry);
}

/* Whether XFetch elects this caller early. A value from the near cache has already been sampled. */
static bool is_early(const mcp_cache *cache, const mcp_rebuilder *caller,
	const mcp_key_turn *turn) {
	double beta = caller->remember->early;
	return beta > 0 &&
		(is_the_one(&turn->drawn, turn->entry) ||
			mcp_freshness_is_early(&turn->entry->envelope, turn->entry->judged_ms, beta,
				mcp_random_u64(cache->environment)));
}

/* Decide how the caller continues with this entry. No I/O. */
static mcp_next_action decide(const mcp_cache *cache, const mcp_rebuilder *caller,
	const mcp_key_turn *turn) {
	mcp_cache_entry *entry = turn->entry;
	if (entry->trouble != MCP_OK) {
		return MCP_REMEMBER_DONE;
	}
	apply_distrust(&turn->distrust, entry);
	const mcp_value_id *outdated = caller->remember->outdated;
	if (outdated != NULL && is_the_one(outdated, entry)) {
		return step_stale(cache, caller, entry); /* C17: even if the value is fresh */
	}
	switch (entry->freshness) {
		case MCP_FRESH:
			return mcp_opening_is_open(entry->opening) && is_early(cache, caller, turn)
				? MCP_REMEMBER_ELECT_EARLY
				: MCP_REMEMBER_DONE;
		case MCP_STALE:
			return step_stale(cache, caller, entry);
		default:
			return step_cold(cache, caller, entry);
	}
}

/* Look up again, because the entry was not the newest version. A forced caller then rebuilds the newest version
 * (C17). */
static mcp_next_action look_past(const mcp_rebuilder *caller) {
	if (caller->remember->outdated != NULL) {
		caller->remember->outdated->is_set = false;
	}
	return MCP_REMEMBER_AGAIN;
}

/* Read back a claim that was not answered. Returns true if it is stored. */
static bool try_to_resolve(const mcp_cache *cache, const mcp_rebuilder *caller,
	mcp_key_turn *turn) {
	if (!caller->may_resolve) {
		return false;
	}
	bool is_ours = resolve_claim(cache, turn->key, &turn->claim, turn->entry);
	apply_distrust(&turn->distrust, turn->entry);
	return is_ours;
}

static mcp_next_action follow_cold(const mcp_cache *cache, const mcp_rebuilder *caller,
	mcp_key_turn *turn) {
	mcp_cache_entry *entry = turn->entry;
	mcp_status status = turn->status;
	if (status == MCP_UNKNOWN && try_to_resolve(cache, caller, turn)) {
		status = MCP_OK;
		turn->envelope = entry->envelope;
	}
	if (status == MCP_OK) {
		entry->verdict = MCP_VERDICT_ELECTED;
		entry->envelope = turn->envelope;
		entry->claim = turn->claim;
		return MCP_REMEMBER_DONE;
	}
	if (mcp_status_is_failure(status)) {
		*entry = (mcp_cache_entry){.verdict = MCP_VERDICT_MISS, .trouble = status};
		return MCP_REMEMBER_DONE;
	}
	bool is_overtaken = status == MCP_NOT_STORED && !entry->is_absent;
	return is_overtaken ? look_past(caller) : MCP_REMEMBER_AGAIN;
}

/* Decide how the caller continues after the claim was sent. */
static mcp_next_action follow(const mcp_cache *cache, const mcp_rebuilder *caller,
	mcp_key_turn *turn) {
	mcp_cache_entry *entry = turn->entry;
	if (turn->next == MCP_REMEMBER_ELECT_COLD) {
		return follow_cold(cache, caller, turn);
	}
	if (!end_election(cache, caller, turn)) {
		return look_past(caller);
	}
	bool is_early = turn->next == MCP_REMEMBER_ELECT_EARLY;
	mcp_cache_tally(cache, MCP_COUNT_EARLY, is_early && entry->verdict == MCP_VERDICT_ELECTED);
	if (entry->verdict == MCP_VERDICT_ELECTED || entry->trouble != MCP_OK) {
		return MCP_REMEMBER_DONE;
	}
	bool is_gone = !entry->has_value; /* only known if the outcome was read back */
	return is_gone ? MCP_REMEMBER_AGAIN
		: is_early ? MCP_REMEMBER_DONE
				   : step_unelected(cache, caller, entry);
}

/* Compose a claim. Returns false, and sets turn->status, if it must not be sent. */
static bool compose_claim(const mcp_cache *cache, mcp_key_turn *turn) {
	const mcp_cache_entry *entry = turn->entry;
	if (entry->is_absent) {
		compose_placeholder(cache, turn->key, &turn->record, &turn->envelope, &turn->claim.proof);
		return true;
	}
	mcp_cache_compose_over(cache, turn->key, &turn->record, &turn->envelope, entry,
		&turn->claim.proof);
	if (entry->cas != 0) {
		return true;
	}
	turn->status = mcp_store_gives_no_cas(cache->store, turn->key) ? MCP_NO_CAS : MCP_EXISTS;
	return false;
}

/* Send the claims on missing keys if `over_nothing`, otherwise the claims on existing items. */
static void send(const mcp_cache *cache, mcp_key_turn *turns, mcp_op *ops, size_t count,
	bool over_nothing) {
	size_t sent = 0;
	for (size_t i = 0; i < count; i++) {
		mcp_key_turn *turn = &turns[i];
		if (turn->entry->is_absent == over_nothing && compose_claim(cache, turn)) {
			mcp_op_begin(&ops[sent], over_nothing ? MCP_OP_ADD : MCP_OP_CAS, turn->key,
				&turn->record.record);
			ops[sent].expects.cas = over_nothing ? 0 : turn->entry->cas;
			ops[sent++].by = i;
		}
	}
	mcp_store_run_all(cache->store, ops, sent);
	for (size_t i = 0; i < sent; i++) {
		turns[ops[i].by].status = ops[i].status;
	}
}

/* Send the claims of all turns in 2 batches per server, and decide how each turn continues. Claims on existing items
 * are first, because a broken connection invalidates their CAS values. Views remain valid unless an outcome is read
 * back. `ops`: scratch of `count` elements. */
static void elect(const mcp_cache *cache, const mcp_rebuilder *caller, mcp_key_turn *turns,
	mcp_op *ops, size_t count) {
	send(cache, turns, ops, count, false);
	send(cache, turns, ops, count, true);
	for (size_t i = 0; i < count; i++) {
		turns[i].next = follow(cache, caller, &turns[i]);
		if (turns[i].next == MCP_REMEMBER_COMPUTE) {
			stand(cache, caller, &turns[i]);
		}
	}
}

/* Elect for a stale value, for a caller that does not wait. The entry becomes ELECTED, or BUSY if another caller was
 * elected first. */
static mcp_next_action elect_for_get(const mcp_cache *cache, const mcp_key *key,
	mcp_cache_entry *entry, bool may_resolve) {
	const mcp_remember served = {.serve_stale = true};
	const mcp_rebuilder caller = {.remember = &served, .may_resolve = may_resolve};
	mcp_op op;
	char header[MCP_ENVELOPE_MAX_LENGTH];
	mcp_key_turn turn;
	turn.key = key;
	turn.entry = entry;
	turn.next = MCP_REMEMBER_ELECT_STALE;
	turn.record.header = header;
	if (stand(cache, &caller, &turn)) {
		elect(cache, &caller, &turn, &op, 1);
	}
	return turn.next;
}

void mcp_cache_elect_among(const mcp_cache *cache, const mcp_cache_batch *batch, size_t index) {
	mcp_cache_entry *entry = &batch->entries[index];
	bool has_made = !mcp_cache_knows_tags(cache, entry);
	elect_for_get(cache, &batch->keys[index], entry, false);
	if (entry->verdict == MCP_VERDICT_STALE) {
		entry->verdict = MCP_VERDICT_BUSY; /* the tags could not be created */
	}
	if (has_made && entry->trouble == MCP_OK) {
		mcp_cache_share_tags(cache, batch, index);
	}
	forget_ids(cache, batch, index);
}

/* Compete for the election as long as the value is stale and has no claim. */
static MCP_SELDOM void stand_for_election(const mcp_cache *cache, const mcp_key *key,
	mcp_cache_entry *entry) {
	mcp_contention contention = {0};
	while (entry->verdict == MCP_VERDICT_STALE && mcp_opening_is_open(entry->opening)) {
		mcp_next_action next = elect_for_get(cache, key, entry, true);
		bool is_lost = next == MCP_REMEMBER_AGAIN && entry->has_value;
		if (!mcp_cache_may_try_at_once(&contention, is_lost ? MCP_EXISTS : MCP_OK)) {
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
	} else {
		mcp_cache_read_nearest(cache, key, mcp_cache_lookup, entry);
	}
}

/* With force, the value of the first lookup counts as stale (C17). If this lookup finds no value, no later value
 * counts as stale. */
static void outdate(const mcp_remember *remember, const mcp_cache_entry *entry) {
	if (remember->outdated != NULL && !remember->outdated->is_set) {
		*remember->outdated = mcp_cache_value_id_of(entry);
	}
}

/* The call of a caller that waits for the result of one key. */
typedef struct asking {
	const mcp_cache *cache;
	mcp_rebuilder caller;
	mcp_key_turn turn;
	mcp_pauses *pauses;
	/* for values in the near cache; NULL: do not use the near cache */
	const mcp_near_draw *draw;
} asking;

/* Decide how the caller continues, and send its claim if necessary. Returns false if the caller must compute but is
 * not ready. */
static bool take_turn(asking *self) {
	mcp_op op;
	char header[MCP_ENVELOPE_MAX_LENGTH];
	outdate(self->caller.remember, self->turn.entry);
	self->turn.next = decide(self->cache, &self->caller, &self->turn);
	if (self->turn.next < MCP_REMEMBER_COMPUTE) {
		return true;
	}
	if (self->caller.remember->is_unready) {
		return false;
	}
	self->turn.record.header = header;
	if (stand(self->cache, &self->caller, &self->turn)) {
		elect(self->cache, &self->caller, &self->turn, &op, 1);
	}
	return true;
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

/* Divisor of wait_ms. A caller that holds a claim waits at most this share. */
#define HOLDERS_SHARE 4
/* Longest pause between 2 lookups. A shorter wait would end before the second lookup. */
#define HOLDERS_LEAST_MS 100

uint32_t mcp_cache_wait_ms(const mcp_remember *remember) {
	if (remember->oldest_claim_ms == 0) {
		return remember->wait_ms;
	}
	uint32_t most_ms = remember->wait_ms / HOLDERS_SHARE;
	uint32_t wanted_ms =
		remember->oldest_claim_ms > HOLDERS_LEAST_MS ? remember->oldest_claim_ms : HOLDERS_LEAST_MS;
	return wanted_ms < most_ms ? wanted_ms : most_ms;
}

static void fail(mcp_cache_entry *entry, mcp_status status) {
	*entry = (mcp_cache_entry){.verdict = MCP_VERDICT_MISS, .trouble = status};
}

/* Determine whether the wait is already over before the first lookup, because the caller does not wait, or because
 * interrupted calls have used the time. Returns false if the wait is interrupted again. */
static bool begin_waiting(asking *self) {
	bool goes_on = self->pauses->has_begun;
	if (mcp_waiting_begin(self->cache->environment, self->pauses) == MCP_WAIT_INTERRUPTED) {
		return false;
	}
	uint32_t wait_ms = mcp_cache_wait_ms(self->caller.remember);
	uint64_t deadline_ms = self->pauses->begun_ms + wait_ms;
	self->caller.is_over =
		wait_ms == 0 || (goes_on && mcp_monotonic_ms(self->cache->environment) >= deadline_ms);
	return true;
}

/* Check the near cache first, because the process that woke this one might have stored the value there. Also record
 * the state for the read of memcached that follows. */
static bool is_left_near(const asking *self) {
	return self->draw != NULL &&
		mcp_cache_near_take(self->cache, self->turn.key, self->draw, &self->cache->near->near_read,
			self->turn.entry);
}

/* Count the result, and keep it in the near cache. If it is a value, then notify the other waiters of this host. */
static void finish(const asking *self) {
	const mcp_cache_entry *entry = self->turn.entry;
	mcp_cache_count(self->cache, self->turn.key, entry);
	if (self->draw != NULL) {
		mcp_cache_near_keep(self->cache, self->turn.key, &self->cache->near->near_read, entry);
	}
	if (self->pauses->is_listening && entry->has_value && entry->verdict != MCP_VERDICT_ELECTED) {
		mcp_waiting_tell(self->cache->environment, self->pauses);
	}
}

/* Look up until there is a result. Begins with the entry of the caller's last lookup, if has_found. Returns false if
 * the caller must compute but is not ready. */
static bool look_on(asking *self) {
	mcp_key_turn *turn = &self->turn;
	uint64_t deadline_ms = self->pauses->begun_ms + mcp_cache_wait_ms(self->caller.remember);
	bool has_found = self->caller.remember->has_found;
	for (int lost = 0; lost < MCP_CACHE_ROUNDS_MAX; has_found = false) {
		if (!has_found) {
			mcp_cache_observe(self->cache, turn->key, turn->entry);
		}
		if (!take_turn(self)) {
			return false;
		}
		if (turn->next == MCP_REMEMBER_DONE) {
			break;
		}
		if (turn->next == MCP_REMEMBER_AGAIN) {
			lost++;
			continue;
		}
		mcp_cache_listen(self->cache, turn->key, self->pauses);
		mcp_wait waited = mcp_cache_wait(self->cache, turn->key, self->pauses, deadline_ms);
		if (waited == MCP_WAIT_INTERRUPTED) {
			fail(turn->entry, MCP_INTERRUPTED);
			return true;
		}
		self->caller.is_over = waited == MCP_WAIT_OVER;
		if (is_left_near(self)) {
			return true; /* mcp_cache_near_take has counted it */
		}
	}
	if (turn->next == MCP_REMEMBER_AGAIN) {
		/* The key changes too fast to be claimed, so the caller computes without a claim. */
		fail(turn->entry, MCP_OK);
	}
	finish(self);
	return true;
}

bool mcp_cache_remember_fresh(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry) {
	mcp_cache_observe(cache, key, entry);
	bool is_fresh = entry->trouble == MCP_OK && entry->freshness == MCP_FRESH;
	if (is_fresh) {
		mcp_cache_count(cache, key, entry);
	}
	return is_fresh;
}

bool mcp_cache_remember(const mcp_cache *cache, const mcp_key *key, const mcp_remember *remember,
	mcp_cache_entry *entry) {
	mcp_pauses own = {.has_begun = false};
	asking self;
	self.cache = cache;
	self.caller = (mcp_rebuilder){.remember = remember, .may_resolve = true};
	self.turn.key = key;
	self.turn.entry = entry;
	self.turn.distrust = remember->distrust;
	self.turn.drawn = remember->drawn;
	self.pauses = remember->pauses != NULL ? remember->pauses : &own;
	mcp_near_draw draw = {remember, &self.turn.drawn};
	bool may_be_near = cache->near != NULL && remember->outdated == NULL &&
		!remember->distrust.is_set && !remember->drawn.is_set;
	self.draw = may_be_near ? &draw : NULL;
	bool has_looked = remember->has_found || (may_be_near && cache->near->has_looked);
	if (!has_looked && is_left_near(&self)) {
		return true;
	}
	if (!begin_waiting(&self)) {
		fail(entry, MCP_INTERRUPTED);
		return true;
	}
	return look_on(&self);
}

/* --- one lookup of many keys by a caller that will compute (C12), with batched claims --- */

/* Maximum number of claims in one batch. A claim needs a few hundred bytes of memory. */
#define CLAIMS_MAX ((size_t)1000)

/* The turns whose claims are not yet sent. If memory is exhausted or the store cannot batch, claims are sent one at a
 * time. */
typedef struct asking_many {
	const mcp_cache *cache;
	const mcp_cache_batch *batch;
	mcp_next_action *steps;
	mcp_rebuilder caller;
	size_t count, capacity;
	mcp_key_turn *turns;
	mcp_op *ops;
	char *headers;
	size_t header_size_max;
} asking_many;

static void conclude_key(const asking_many *self, const mcp_key_turn *turn) {
	size_t place = (size_t)(turn->entry - self->batch->entries);
	self->steps[place] = turn->next;
	forget_ids(self->cache, self->batch, place);
	if (turn->next == MCP_REMEMBER_DONE) {
		mcp_cache_count(self->cache, turn->key, turn->entry);
	}
}

static void elect_all(asking_many *self) {
	elect(self->cache, &self->caller, self->turns, self->ops, self->count);
	for (size_t i = 0; i < self->count; i++) {
		conclude_key(self, &self->turns[i]);
	}
	self->count = 0;
}

static void look_at(asking_many *self, mcp_key_turn *turn) {
	const mcp_cache *cache = self->cache;
	mcp_cache_entry *entry = turn->entry;
	bool lacks_tags = entry->trouble == MCP_OK && !mcp_cache_knows_tags(cache, entry);
	turn->next = decide(cache, &self->caller, turn);
	bool stands = turn->next >= MCP_REMEMBER_COMPUTE && stand(cache, &self->caller, turn);
	if (lacks_tags && entry->trouble == MCP_OK) {
		mcp_cache_share_tags(cache, self->batch, (size_t)(entry - self->batch->entries));
	}
	if (!stands) {
		conclude_key(self, turn);
	} else if (++self->count == self->capacity) {
		elect_all(self);
	}
}

void mcp_cache_remember_many(const mcp_cache *cache, const mcp_cache_batch *batch,
	const mcp_remember *remember, const mcp_value_id *distrusts, bool is_over,
	mcp_next_action *steps) {
	mcp_key_turn one;
	mcp_op op;
	char header[MCP_ENVELOPE_MAX_LENGTH];
	mcp_cache_read_many(cache, batch);
	size_t claims = batch->count < CLAIMS_MAX ? batch->count : CLAIMS_MAX;
	size_t header_max = mcp_cache_header_size_max(&batch->entries->envelope.tags,
		sizeof(*batch->entries), batch->count);
	size_t claim = sizeof(one) + sizeof(op) + header_max;
	bool goes_together = batch->count > 1 && mcp_store_may_prove(cache->store);
	mcp_key_turn *many = goes_together ? malloc(claims * claim) : NULL;
	asking_many self = {cache, batch, steps, {.remember = remember, .is_over = is_over}, 0, 1, &one,
		&op, header, sizeof(header)};
	if (many != NULL) {
		self.capacity = claims;
		self.turns = many;
		self.ops = (mcp_op *)(many + claims);
		self.headers = (char *)(self.ops + claims);
		self.header_size_max = header_max;
	}
	for (size_t i = 0; i < batch->count; i++) {
		mcp_key_turn *turn = &self.turns[self.count];
		turn->key = &batch->keys[i];
		turn->entry = &batch->entries[i];
		turn->distrust = distrusts != NULL ? distrusts[i] : (mcp_value_id){.is_set = false};
		turn->drawn = batch->drawn != NULL ? batch->drawn[i] : (mcp_value_id){.is_set = false};
		turn->record.header = self.headers + self.count * self.header_size_max;
		look_at(&self, turn);
	}
	elect_all(&self);
	free(many);
}
