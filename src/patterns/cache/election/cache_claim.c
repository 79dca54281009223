/* Ends elections of one key or many: stores a result if its epoch is still current (C3), or releases the claim
 * (C6). */
/* SPDX-License-Identifier: MIT */
#include "../entry/cache_meter.h"
#include "../entry/cache_envelope.h"
#include "../look/cache_look.h"
#include "../look/cache_near.h"

#include <stdlib.h>

/* The store of one result. Must not move until the reply, because it points into itself. */
typedef struct turn {
	mcp_cache_result *result; /* its status is MCP_EXISTS while undecided */
	mcp_envelope envelope;
	mcp_cache_record record;  /* its header must be set before it is composed */
	mcp_near_storing storing; /* used if there is a near cache */
} turn;

/* The results that are being stored, and the requests of one round. A request's `by` is the index of its turn. */
typedef struct publishing {
	const mcp_cache *cache;
	turn *turns;
	mcp_op *ops;
	size_t count;
	size_t writes;
} publishing;

static bool is_same_epoch(const mcp_cache_entry *entry, const mcp_claim *claim) {
	return !entry->is_absent && !entry->is_unreadable && entry->envelope.epoch == claim->epoch;
}

/* Whether the entry has the value that an overdue caller did not return. An overdue caller waited too long for
 * another caller's claim, and for it, the key has no value. */
static bool is_disregarded(const mcp_cache_entry *entry, const mcp_claim *claim) {
	return claim->is_over_value && entry->envelope.value_election == claim->over_election;
}

/* Whether the entry still has the epoch of the caller's election, and no result of this or a later election is stored
 * (C3). A result may be stored under an expired or superseded claim, because otherwise the result of a rebuild longer
 * than its lease would never be stored. */
static bool descends(const mcp_cache_entry *entry, const mcp_claim *claim) {
	if (!is_same_epoch(entry, claim)) {
		return false;
	}
	/* An overdue caller was not elected, so it may store only if all other callers are still waiting. */
	if (claim->is_overdue && entry->freshness != MCP_COLD && !is_disregarded(entry, claim)) {
		return false;
	}
	return entry->envelope.value_election < claim->election;
}

static bool is_ours(const mcp_cache_entry *entry, const mcp_claim *claim) {
	return is_same_epoch(entry, claim) && entry->envelope.has_claim &&
		entry->envelope.claim_token == claim->token;
}

/* Build the envelope of the result, which replaces the item with the envelope `before`. Keep the claim of a later
 * election, because its result can still replace this one. The running number ends, because a publish is a set
 * (I3). */
static mcp_envelope published(const mcp_cache *cache, const mcp_cache_result *result,
	const mcp_envelope *before) {
	const mcp_claim *claim = result->claim;
	const mcp_cache_value *value = &result->value;
	uint64_t now_ms = mcp_wall_ms(cache->environment);
	mcp_envelope envelope = mcp_cache_new_envelope(cache, &result->key, now_ms, value->lifetime);
	envelope.epoch = before->epoch;
	envelope.newest_election = before->newest_election;
	envelope.value_election = claim->election;
	envelope.compute_ms = value->compute_ms;
	envelope.has_value = true;
	envelope.tags = value->tags;
	if (before->has_claim && before->newest_election > claim->election) {
		envelope.has_claim = true;
		envelope.claim_token = before->claim_token;
		envelope.claim_end_ms = before->claim_end_ms;
		envelope.claim_lease_ms = before->claim_lease_ms;
	}
	return envelope;
}

/* Add a write that replaces `entry`, the current item. NULL: the item that the election wrote, if it is unchanged. */
static void add_write(publishing *self, size_t index, const mcp_cache_entry *entry) {
	turn *one = &self->turns[index];
	mcp_cache_result *result = one->result;
	const mcp_claim *claim = result->claim;
	if (!mcp_cache_fits(self->cache, &result->key, &result->value)) {
		result->status = MCP_TOO_LARGE;
		return;
	}
	mcp_envelope elected = {.epoch = claim->epoch, .newest_election = claim->election};
	one->envelope = published(self->cache, result, entry != NULL ? &entry->envelope : &elected);
	mcp_cache_compose(self->cache, &result->key, &one->record, &one->envelope,
		result->value.payload, result->value.flags);
	if (self->cache->near != NULL) {
		mcp_cache_near_store(self->cache->near->host, &result->key, &one->envelope,
			&one->record.record, &one->storing);
	}
	mcp_op *write = &self->ops[self->writes++];
	mcp_op_begin(write, MCP_OP_CAS, &result->key, &one->record.record);
	write->expects = entry != NULL ? (mcp_proof){.cas = entry->cas} : claim->proof;
	write->by = index;
}

/* Find out whether a cas that was not answered has stored the result, from the election number of the stored value.
 * Compare the value, too, because overdue callers use the election number of the caller that they waited for. */
static mcp_status resolve_publish(const mcp_cache *cache, const turn *one) {
	const mcp_cache_result *result = one->result;
	const mcp_cache_value *value = &result->value;
	mcp_cache_entry entry;
	mcp_cache_fetch(cache, &result->key, &entry);
	if (entry.trouble != MCP_OK) {
		return MCP_UNKNOWN;
	}
	bool is_stored = is_same_epoch(&entry, result->claim) && entry.envelope.has_value &&
		entry.envelope.value_election == result->claim->election &&
		entry.envelope.created_ms == one->envelope.created_ms &&
		entry.flags == (value->flags & MCP_FLAG_VALUE_MASK) &&
		mcp_bytes_equal(entry.stored, value->payload);
	return is_stored ? MCP_OK : MCP_UNKNOWN;
}

/* Send the writes. A result whose write lost a race keeps MCP_EXISTS, and the next read decides on it. */
static void send(publishing *self) {
	mcp_store_run_all(self->cache->store, self->ops, self->writes);
	for (size_t i = 0; i < self->writes; i++) {
		const turn *one = &self->turns[self->ops[i].by];
		mcp_status status = self->ops[i].status;
		if (status == MCP_UNKNOWN) {
			status = resolve_publish(self->cache, one);
		}
		one->result->status = status == MCP_NOT_FOUND ? MCP_NOT_STORED
			: status == MCP_UNSUPPORTED               ? MCP_EXISTS
													  : status;
	}
	self->writes = 0;
}

/* Store the results of verified elections. The CAS values of the elections' writes are known, so no read is
 * needed. */
static void publish_proven(publishing *self) {
	for (size_t i = 0; i < self->count; i++) {
		const mcp_claim *claim = self->turns[i].result->claim;
		if (!claim->is_overdue && mcp_store_may_take(self->cache->store, &claim->proof)) {
			add_write(self, i, NULL);
		}
	}
	send(self);
}

static void judge_publication(publishing *self, size_t index, const mcp_cache_entry *entry) {
	mcp_cache_result *result = self->turns[index].result;
	if (entry->trouble != MCP_OK) {
		result->status = entry->trouble;
	} else if (descends(entry, result->claim)) {
		add_write(self, index, entry);
	} else {
		mcp_cache_count_unreadable(self->cache, entry);
		result->status = MCP_NOT_STORED;
	}
}

/* Read the items of the undecided results, and store each result whose epoch is still current. Only the result of an
 * overdue caller needs the tags, because it may be stored only if no valid value exists. The writes reuse the places
 * of completed reads. */
static void publish_over_read(publishing *self) {
	size_t asked = 0;
	mcp_cache_entry entry;
	for (size_t i = 0; i < self->count; i++) {
		const mcp_cache_result *result = self->turns[i].result;
		if (result->status == MCP_EXISTS && !result->claim->is_overdue) {
			mcp_op_begin(&self->ops[asked], MCP_OP_GET, &result->key, NULL);
			self->ops[asked++].by = i;
		}
	}
	mcp_store_run_all(self->cache->store, self->ops, asked);
	for (size_t i = 0; i < asked; i++) {
		mcp_cache_judge(self->cache, self->ops[i].key, &self->ops[i], &entry);
		judge_publication(self, self->ops[i].by, &entry);
	}
	/* Send the writes before another read, because this read might be over a later connection, on which the same CAS
	 * values belong to other items. */
	send(self);
	for (size_t i = 0; i < self->count; i++) {
		const mcp_cache_result *result = self->turns[i].result;
		if (result->status == MCP_EXISTS && result->claim->is_overdue) {
			mcp_cache_examine(self->cache, &result->key, &entry);
			judge_publication(self, i, &entry);
			send(self);
		}
	}
}

/* MCP_EXISTS: at least one result is undecided. */
static mcp_status status_of_all(const publishing *self) {
	for (size_t i = 0; i < self->count; i++) {
		if (self->turns[i].result->status == MCP_EXISTS) {
			return MCP_EXISTS;
		}
	}
	return MCP_OK;
}

static void finish(const mcp_cache *cache, mcp_cache_result *result) {
	mcp_cache_count_change(cache, &result->key, result->status);
	result->status = result->status == MCP_EXISTS ? MCP_NOT_STORED : result->status;
	mcp_cache_tally_stored(cache, &result->key, result->status);
	if (result->status == MCP_NOT_STORED) {
		mcp_cache_count_refused(cache, &result->key, MCP_COUNT_DISCARDED);
	}
}

/* Publish in rounds. A result whose write lost a race takes part in the next round. */
static void publish(publishing *self, mcp_cache_result *results, size_t count) {
	self->count = count;
	self->writes = 0;
	for (size_t i = 0; i < count; i++) {
		self->turns[i].result = &results[i];
		results[i].status = MCP_EXISTS;
	}
	publish_proven(self);
	mcp_contention contention = {0};
	for (bool goes_on = status_of_all(self) == MCP_EXISTS; goes_on;) {
		publish_over_read(self);
		goes_on = mcp_cache_may_try_again(self->cache, &contention, status_of_all(self));
	}
	for (size_t i = 0; i < count; i++) {
		finish(self->cache, &results[i]);
	}
}

mcp_status mcp_cache_publish(const mcp_cache *cache, const mcp_key *key, const mcp_claim *claim,
	const mcp_cache_value *value) {
	mcp_cache_result result = {.key = *key, .claim = claim, .value = *value};
	char header[MCP_ENVELOPE_MAX_LENGTH];
	turn one;
	one.record.header = header;
	mcp_op op;
	publishing self = {cache, &one, &op, 0, 0};
	publish(&self, &result, 1);
	return result.status;
}

/* Memory for one batch of results. */
typedef struct publishing_memory {
	turn turns[MCP_CACHE_BATCH_MAX];
	mcp_op ops[MCP_CACHE_BATCH_MAX];
	char headers[];
} publishing_memory;

void mcp_cache_publish_many(const mcp_cache *cache, mcp_cache_result *results, size_t count) {
	bool goes_together = count > 1 && mcp_store_may_prove(cache->store);
	size_t header = mcp_cache_header_size_max(&results->value.tags, sizeof(*results), count);
	publishing_memory *memory =
		goes_together ? malloc(sizeof(*memory) + MCP_CACHE_BATCH_MAX * header) : NULL;
	for (size_t i = 0; memory == NULL && i < count; i++) {
		results[i].status =
			mcp_cache_publish(cache, &results[i].key, results[i].claim, &results[i].value);
	}
	for (size_t i = 0; memory != NULL && i < MCP_CACHE_BATCH_MAX && i < count; i++) {
		memory->turns[i].record.header = memory->headers + i * header;
	}
	for (size_t i = 0; memory != NULL && i < count; i += MCP_CACHE_BATCH_MAX) {
		size_t left = count - i;
		publishing self = {cache, memory->turns, memory->ops, 0, 0};
		publish(&self, results + i, left < MCP_CACHE_BATCH_MAX ? left : MCP_CACHE_BATCH_MAX);
	}
	free(memory);
}

static void note_failure(const mcp_cache *cache, mcp_envelope *envelope) {
	const mcp_environment *environment = cache->environment;
	envelope->failures = envelope->has_failure ? envelope->failures : 0;
	envelope->failures += envelope->failures < UINT16_MAX;
	envelope->has_failure = true;
	envelope->pause_end_ms = mcp_wall_ms(environment) +
		mcp_backoff_failure_pause_ms(envelope->failures, mcp_random_u64(environment),
			cache->lease_ms);
}

static void note_unstorable(const mcp_cache *cache, mcp_envelope *envelope) {
	envelope->has_failure = true;
	envelope->failures = 0;
	envelope->pause_end_ms = mcp_wall_ms(cache->environment) + cache->lease_ms;
}

/* Release the claim. `note` updates the envelope at the same time; NULL: no update. */
static mcp_status try_give_back(const mcp_cache *cache, const mcp_key *key, const mcp_claim *claim,
	void (*note)(const mcp_cache *cache, mcp_envelope *envelope)) {
	mcp_cache_entry entry;
	mcp_cache_fetch(cache, key, &entry);
	if (entry.trouble != MCP_OK) {
		return entry.trouble;
	}
	if (!is_ours(&entry, claim)) {
		return MCP_NOT_STORED;
	}
	mcp_envelope envelope = entry.envelope;
	envelope.has_claim = false;
	if (note != NULL) {
		note(cache, &envelope);
	}
	mcp_status status = mcp_cache_swap(cache, key, &envelope, &entry);
	return status == MCP_NOT_FOUND ? MCP_NOT_STORED : status;
}

static mcp_status give_back(const mcp_cache *cache, const mcp_key *key, const mcp_claim *claim,
	void (*note)(const mcp_cache *cache, mcp_envelope *envelope)) {
	if (claim->is_overdue) {
		return MCP_NOT_STORED;
	}
	mcp_contention contention = {0};
	mcp_status status;
	do {
		status = try_give_back(cache, key, claim, note);
	} while (mcp_cache_may_try_again(cache, &contention, status));
	if (status == MCP_OK) {
		mcp_cache_trace(cache, key, MCP_TRACE_GIVEN_BACK);
	}
	return status;
}

mcp_status mcp_cache_abandon(const mcp_cache *cache, const mcp_key *key, const mcp_claim *claim,
	bool has_failed) {
	return give_back(cache, key, claim, has_failed ? note_failure : NULL);
}

mcp_status mcp_cache_mark_uncacheable(const mcp_cache *cache, const mcp_key *key,
	const mcp_claim *claim) {
	return give_back(cache, key, claim, note_unstorable);
}

/* Find out from the claim's end whether a cas that was not answered was executed, if the claim is still ours. If not,
 * resend the cas. The first cas then fails if it arrives late, because the CAS value has changed. */
static mcp_status resolve_rearm(const mcp_cache *cache, const mcp_key *key, const mcp_claim *claim,
	uint64_t end_ms) {
	mcp_cache_entry entry;
	mcp_store_bypass_breaker(cache->store, key, MCP_BYPASS_TO_RESOLVE);
	mcp_cache_fetch(cache, key, &entry);
	if (entry.trouble != MCP_OK) {
		return MCP_UNKNOWN;
	}
	if (!is_ours(&entry, claim)) {
		return MCP_NOT_STORED;
	}
	return entry.envelope.claim_end_ms == end_ms ? MCP_OK : MCP_EXISTS;
}

static mcp_status try_rearm(const mcp_cache *cache, const mcp_key *key, mcp_claim *claim) {
	mcp_cache_entry entry;
	mcp_cache_fetch(cache, key, &entry);
	if (entry.trouble != MCP_OK) {
		return entry.trouble;
	}
	if (!is_ours(&entry, claim)) {
		return MCP_NOT_STORED;
	}
	mcp_envelope envelope = entry.envelope;
	envelope.claim_end_ms = mcp_wall_ms(cache->environment) + envelope.claim_lease_ms;
	mcp_status status = mcp_cache_swap_proven(cache, key, &envelope, &entry, &claim->proof);
	if (status == MCP_UNKNOWN) {
		status = resolve_rearm(cache, key, claim, envelope.claim_end_ms);
	}
	if (status == MCP_OK) {
		claim->end_ms = envelope.claim_end_ms;
	}
	return status == MCP_NOT_FOUND ? MCP_NOT_STORED : status;
}

/* Retry after a touch or the first increment of a value, which change the item but keep the claim. */
mcp_status mcp_cache_rearm(const mcp_cache *cache, const mcp_key *key, mcp_claim *claim) {
	mcp_contention contention = {0};
	mcp_status status;
	do {
		status = try_rearm(cache, key, claim);
	} while (mcp_cache_may_try_again(cache, &contention, status));
	return status;
}
