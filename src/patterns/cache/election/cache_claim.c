/* Ends an election, for one key or many: stores the result if its epoch is still current (C3), or releases
 * the claim (C6). */
/* SPDX-License-Identifier: MIT */
#include "../entry/cache_meter.h"
#include "../entry/cache_envelope.h"
#include "../look/cache_look.h"
#include "../look/cache_near.h"

#include <stdlib.h>

/* Contains pointers into itself: must not move until the reply. */
typedef struct mcp_publishing {
	mcp_envelope envelope;
	mcp_cache_record record;  /* its header must be set before it is composed */
	mcp_near_storing storing; /* with a near cache */
} mcp_publishing;

/* Whether the election is verified: the CAS value of its write is known, so that no read is needed. */
static inline bool mcp_cache_is_proven(const mcp_claim *claim) {
	return claim->proof.cas != 0 && !claim->is_overdue;
}

/* Whether the reply to a verified result requires a read: the result may still be based on the current item. */
static inline bool mcp_cache_is_to_look(mcp_status status) {
	return status == MCP_UNSUPPORTED || status == MCP_EXISTS;
}

static bool is_same_epoch(const mcp_cache_entry *entry, const mcp_claim *claim) {
	return !entry->is_absent && !entry->is_unreadable && entry->envelope.epoch == claim->epoch;
}

/* Whether the entry has the value that an overdue caller, which waited too long for another caller's claim, did
 * not return: for that caller, the key has no value. */
static bool is_disregarded(const mcp_cache_entry *entry, const mcp_claim *claim) {
	return claim->is_over_value && entry->envelope.value_election == claim->over_election;
}

/* Whether the epoch is still the one under which the caller was elected, and neither a later election nor
 * this one has stored (C3).
 * An expired or superseded claim may still store: otherwise a rebuild longer than its lease would never be
 * stored. */
static bool mcp_cache_descends(const mcp_cache_entry *entry, const mcp_claim *claim) {
	if (!is_same_epoch(entry, claim)) {
		return false;
	}
	/* An overdue caller was not elected: it may only end the wait of all callers. */
	if (claim->is_overdue && entry->freshness != MCP_COLD && !is_disregarded(entry, claim)) {
		return false;
	}
	return entry->envelope.value_election < claim->election;
}

static bool is_ours(const mcp_cache_entry *entry, const mcp_claim *claim) {
	return is_same_epoch(entry, claim) && entry->envelope.has_claim &&
		entry->envelope.claim_token == claim->token;
}

/* Build the envelope of the result. Keep the claim of a later election: its result may still replace this
 * one. The running number ends: publishing is a set (I3). */
static mcp_envelope published(const mcp_cache *cache, const mcp_key *key,
	const mcp_envelope *before, const mcp_claim *claim, const mcp_cache_value *value) {
	uint64_t now_ms = mcp_wall_ms(cache->environment);
	mcp_envelope envelope = mcp_cache_new_envelope(cache, key, now_ms, value->lifetime);
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

/* Verify a cas whose reply was lost, using our election number on the value. Compare the value, too: overdue callers
 * share the number of the caller that they waited for. */
static mcp_status settle_publish(const mcp_cache *cache, const mcp_key *key, const mcp_claim *claim,
	const mcp_envelope *sent, const mcp_cache_value *value) {
	mcp_cache_entry entry;
	mcp_cache_fetch(cache, key, &entry);
	if (entry.trouble != MCP_OK) {
		return MCP_UNKNOWN;
	}
	bool is_stored = is_same_epoch(&entry, claim) && entry.envelope.has_value &&
		entry.envelope.value_election == claim->election &&
		entry.envelope.created_ms == sent->created_ms &&
		entry.flags == (value->flags & MCP_FLAG_VALUE_MASK) &&
		mcp_bytes_equal(entry.stored, value->payload);
	return is_stored ? MCP_OK : MCP_UNKNOWN;
}

/* Compose over `entry`, the current item. NULL: over the item that the election wrote. `key` must stay
 * valid. */
static void mcp_cache_compose_result(const mcp_cache *cache, const mcp_key *key,
	const mcp_claim *claim, const mcp_cache_value *value, const mcp_cache_entry *entry,
	mcp_publishing *result) {
	mcp_envelope elected = {.epoch = claim->epoch, .newest_election = claim->election};
	result->envelope =
		published(cache, key, entry != NULL ? &entry->envelope : &elected, claim, value);
	mcp_record *record = &result->record.record;
	mcp_cache_compose(cache, key, &result->record, &result->envelope, value->payload, value->flags);
	if (cache->near != NULL) {
		mcp_cache_near_store(cache->near->host, key, &result->envelope, record, &result->storing);
	}
}

/* Judge the reply to a cas. Read back an unknown outcome. Reading back invalidates views. */
static mcp_status mcp_cache_judge_result(const mcp_cache *cache, const mcp_key *key,
	const mcp_claim *claim, const mcp_cache_value *value, const mcp_publishing *result,
	mcp_status status) {
	if (status == MCP_UNKNOWN) {
		return settle_publish(cache, key, claim, &result->envelope, value);
	}
	return status == MCP_NOT_FOUND ? MCP_NOT_STORED : status;
}

/* Write the result over `entry`, the current item. NULL: over the item that the election wrote, if
 * unchanged. */
static mcp_status put_result(const mcp_cache *cache, const mcp_key *key, const mcp_claim *claim,
	const mcp_cache_value *value, const mcp_cache_entry *entry) {
	if (!mcp_cache_fits(cache, key, value)) {
		return MCP_TOO_LARGE;
	}
	char header[MCP_ENVELOPE_MAX_LENGTH];
	mcp_publishing result;
	result.record.header = header;
	mcp_cache_compose_result(cache, key, claim, value, entry, &result);
	const mcp_record *record = &result.record.record;
	mcp_status status = entry != NULL
		? mcp_store_cas(cache->store, key, record, entry->cas)
		: mcp_store_cas_proven(cache->store, key, record, &claim->proof);
	return mcp_cache_judge_result(cache, key, claim, value, &result, status);
}

/* Store over the item of the election, which is all that the result is based on. MCP_UNSUPPORTED,
 * MCP_EXISTS: read, because the result may still be based on the current item. */
static mcp_status publish_proven(const mcp_cache *cache, const mcp_key *key, const mcp_claim *claim,
	const mcp_cache_value *value) {
	return mcp_cache_is_proven(claim) ? put_result(cache, key, claim, value, NULL)
									  : MCP_UNSUPPORTED;
}

static mcp_status try_publish(const mcp_cache *cache, const mcp_key *key, const mcp_claim *claim,
	const mcp_cache_value *value) {
	mcp_cache_entry entry;
	/* Only an overdue caller needs the tags: it may store only if no valid value exists. */
	if (claim->is_overdue) {
		mcp_cache_examine(cache, key, &entry);
	} else {
		mcp_cache_fetch(cache, key, &entry);
	}
	if (entry.trouble != MCP_OK) {
		return entry.trouble;
	}
	if (!mcp_cache_descends(&entry, claim)) {
		mcp_cache_count_unreadable(cache, &entry);
		return MCP_NOT_STORED;
	}
	return put_result(cache, key, claim, value, &entry);
}

/* Read the current item, and publish over it if the result is based on it. */
static mcp_status mcp_cache_look_and_publish(const mcp_cache *cache, const mcp_key *key,
	const mcp_claim *claim, const mcp_cache_value *value) {
	mcp_contention contention = {0};
	mcp_status status;
	do {
		status = try_publish(cache, key, claim, value);
	} while (mcp_cache_may_try_again(cache, &contention, status));
	return status;
}

static mcp_status mcp_cache_finish_publish(const mcp_cache *cache, const mcp_key *key,
	mcp_status status) {
	mcp_cache_count_change(cache, key, status);
	status = status == MCP_EXISTS ? MCP_NOT_STORED : status;
	mcp_cache_tally_stored(cache, key, status);
	if (status == MCP_NOT_STORED) {
		mcp_cache_count_refused(cache, key, MCP_COUNT_DISCARDED);
	}
	return status;
}

mcp_status mcp_cache_publish(const mcp_cache *cache, const mcp_key *key, const mcp_claim *claim,
	const mcp_cache_value *value) {
	mcp_status status = publish_proven(cache, key, claim, value);
	if (mcp_cache_is_to_look(status)) {
		status = mcp_cache_look_and_publish(cache, key, claim, value);
	}
	return mcp_cache_finish_publish(cache, key, status);
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

/* `note` updates the envelope when the claim is released; NULL: no update. */
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
		mcp_cache_note(cache, key, MCP_TRACE_GIVEN_BACK);
	}
	return status;
}

mcp_status mcp_cache_abandon(const mcp_cache *cache, const mcp_key *key, const mcp_claim *claim,
	bool has_failed) {
	return give_back(cache, key, claim, has_failed ? note_failure : NULL);
}

mcp_status mcp_cache_mark(const mcp_cache *cache, const mcp_key *key, const mcp_claim *claim) {
	return give_back(cache, key, claim, note_unstorable);
}

/* Verify a cas whose reply was lost by comparing the claim's end, if the claim is still ours. Resend the cas if
 * it did not arrive: the late one then fails, because the CAS value has changed. */
static mcp_status settle_rearm(const mcp_cache *cache, const mcp_key *key, const mcp_claim *claim,
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
		status = settle_rearm(cache, key, claim, envelope.claim_end_ms);
	}
	if (status == MCP_OK) {
		claim->end_ms = envelope.claim_end_ms;
	}
	return status == MCP_NOT_FOUND ? MCP_NOT_STORED : status;
}

/* Retries after a touch or the first increment of a value, which change the item but keep the claim. */
mcp_status mcp_cache_rearm(const mcp_cache *cache, const mcp_key *key, mcp_claim *claim) {
	mcp_contention contention = {0};
	mcp_status status;
	do {
		status = try_rearm(cache, key, claim);
	} while (mcp_cache_may_try_again(cache, &contention, status));
	return status;
}

/* Publishes many results: one batch for verified elections, two for the others. The remaining work is done per
 * key. */

/* The results of one batch. */
typedef struct publishing_many {
	const mcp_cache *cache;
	mcp_cache_result *results;
	size_t header_room;
	size_t count;                       /* of writes */
	size_t places[MCP_CACHE_BATCH_MAX]; /* index of each write's result */
	mcp_op writes[MCP_CACHE_BATCH_MAX];
	mcp_publishing parcels[MCP_CACHE_BATCH_MAX];
	mcp_key keys[MCP_CACHE_BATCH_MAX];
	mcp_op replies[MCP_CACHE_BATCH_MAX];
	char headers[]; /* header_room for each write */
} publishing_many;

/* Write over `entry` if it was read, otherwise over the item of the claim's proof. */
static void add_write(publishing_many *self, size_t place, const mcp_cache_entry *entry) {
	const mcp_cache_result *result = &self->results[place];
	mcp_publishing *parcel = &self->parcels[self->count];
	parcel->record.header = self->headers + self->count * self->header_room;
	mcp_cache_compose_result(self->cache, &result->key, result->claim, &result->value, entry,
		parcel);
	self->places[self->count] = place;
	self->writes[self->count++] = (mcp_op){
		.verb = MCP_OP_CAS,
		.key = &result->key,
		.record = &parcel->record.record,
		.expects = entry != NULL ? (mcp_proof){.cas = entry->cas} : result->claim->proof,
	};
}

/* Send the batch. Results that need a read keep MCP_EXISTS. */
static void send(publishing_many *self) {
	mcp_store_run_all(self->cache->store, self->writes, self->count);
	for (size_t i = 0; i < self->count; i++) {
		mcp_cache_result *result = &self->results[self->places[i]];
		mcp_status status = mcp_cache_judge_result(self->cache, &result->key, result->claim,
			&result->value, &self->parcels[i], self->writes[i].status);
		result->status = mcp_cache_is_to_look(status) ? MCP_EXISTS : status;
	}
	self->count = 0;
}

static void publish_all_proven(publishing_many *self, size_t count) {
	for (size_t i = 0; i < count; i++) {
		if (self->results[i].status == MCP_EXISTS && mcp_cache_is_proven(self->results[i].claim)) {
			add_write(self, i, NULL);
		}
	}
	send(self);
}

static void judge(publishing_many *self, size_t place, const mcp_op *reply) {
	mcp_cache_result *result = &self->results[place];
	mcp_cache_entry entry;
	mcp_cache_judge(self->cache, &result->key, reply, &entry);
	if (entry.trouble != MCP_OK) {
		result->status = entry.trouble;
	} else if (mcp_cache_descends(&entry, result->claim)) {
		add_write(self, place, &entry);
	} else {
		mcp_cache_count_unreadable(self->cache, &entry);
		result->status = MCP_NOT_STORED;
	}
}

/* Publish over the items that are read. Overdue results are excluded: they also need the tags. */
static void publish_over_read(publishing_many *self, size_t count) {
	size_t places[MCP_CACHE_BATCH_MAX], asked = 0;
	for (size_t i = 0; i < count; i++) {
		if (self->results[i].status == MCP_EXISTS && !self->results[i].claim->is_overdue) {
			self->keys[asked] = self->results[i].key;
			places[asked++] = i;
		}
	}
	if (asked > 0) {
		mcp_store_get_many(self->cache->store, self->keys, asked, self->replies);
	}
	for (size_t i = 0; i < asked; i++) {
		judge(self, places[i], &self->replies[i]);
	}
	send(self);
}

static void publish_some(publishing_many *self, size_t count) {
	for (size_t i = 0; i < count; i++) {
		mcp_cache_result *result = &self->results[i];
		bool fits = mcp_cache_fits(self->cache, &result->key, &result->value);
		result->status = fits ? MCP_EXISTS : MCP_TOO_LARGE;
	}
	publish_all_proven(self, count);
	publish_over_read(self, count);
	for (size_t i = 0; i < count; i++) {
		mcp_cache_result *result = &self->results[i];
		if (result->status == MCP_EXISTS) {
			result->status = mcp_cache_look_and_publish(self->cache, &result->key, result->claim,
				&result->value);
		}
		result->status = mcp_cache_finish_publish(self->cache, &result->key, result->status);
	}
}

static size_t header_room(const mcp_cache_result *results, size_t count) {
	size_t most = mcp_envelope_room(mcp_bytes_none());
	for (size_t i = 0; i < count; i++) {
		size_t room = mcp_envelope_room(results[i].value.tags);
		most = room > most ? room : most;
	}
	return most;
}

void mcp_cache_publish_many(const mcp_cache *cache, mcp_cache_result *results, size_t count) {
	bool goes_together = count > 1 && mcp_store_may_prove(cache->store);
	size_t room = header_room(results, count);
	publishing_many *self =
		goes_together ? malloc(sizeof(*self) + MCP_CACHE_BATCH_MAX * room) : NULL;
	for (size_t i = 0; self == NULL && i < count; i++) {
		results[i].status =
			mcp_cache_publish(cache, &results[i].key, results[i].claim, &results[i].value);
	}
	for (size_t i = 0; self != NULL && i < count; i += MCP_CACHE_BATCH_MAX) {
		size_t left = count - i;
		self->cache = cache;
		self->results = results + i;
		self->header_room = room;
		self->count = 0;
		publish_some(self, left < MCP_CACHE_BATCH_MAX ? left : MCP_CACHE_BATCH_MAX);
	}
	free(self);
}
