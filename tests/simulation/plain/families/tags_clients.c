/* Actions of the clients of tags, and checks of the values that they are shown (T1, T2, T6, N1, I2) or store (T10). */
/* SPDX-License-Identifier: MIT */
#include "plain/asking.h"
#include "plain/near_host.h"
#include "plain/families/tags.h"

#include "../../../../src/core/bytes.h"
#include "core/envelope/value_flags.h"

#include <limits.h>
#include <stdlib.h>

tags_state plain_tags_state;

static mcp_store *told[CLIENTS];

void plain_tags_be_near(plain_world *world) {
	plain_hosts_prepare();
	for (unsigned i = 0; i < CLIENTS; i++) {
		plain_client *client = &world->clients[i];
		client->is_slow = true;
		free(told[i]);
		told[i] = plain_host_store(client, &client->door.store);
		plain_tags_state.processes[i].store = told[i];
	}
}

static mcp_cache far_cache_of(plain_client *client, unsigned through) {
	tags_process *self = &plain_tags_state.processes[client->index];
	self->near_hits = self->statistics.counts[MCP_COUNT_NEAR_HITS];
	self->looked_ms = client->world->now_ms;
	self->view = plain_tags_state.views[self->list][through];
	self->view.numbers = self->found;
	self->view.guesses = client->index % 2 != 0 ? &self->guesses : NULL;
	return (mcp_cache){
		.store = self->store != NULL ? self->store : &client->door.store,
		.environment = &client->environment,
		.statistics = &self->statistics,
		.lease_ms = LEASE_MS,
		.signing_keys = plain_tags_keys(self->list),
		.tags = through == PLAIN ? NULL : &self->view,
	};
}

/* Returns the cache of an operation, with near caches in the family that has them. */
static mcp_cache cache_of(plain_client *client, unsigned through) {
	tags_process *self = &plain_tags_state.processes[client->index];
	mcp_cache cache = far_cache_of(client, through);
	if (self->store != NULL) {
		self->host = plain_near_host(client, NEAR_MS);
		self->near = (mcp_near){.host = &self->host};
		cache.near = &self->near;
	}
	return cache;
}

static bool parse(mcp_bytes payload, unsigned *number, unsigned *count) {
	uint64_t parsed;
	if (!mcp_decimal_parse_u64(payload, &parsed)) {
		return false;
	}
	*number = (unsigned)(parsed / COUNTS);
	*count = (unsigned)(parsed % COUNTS);
	return *number < plain_tags_state.value_count;
}

static unsigned begin_value(unsigned tags) {
	unsigned now = ++plain_tags_state.moment;
	plain_tags_state.values[plain_tags_state.value_count] =
		(computed){.began = {now, now, now}, .tags = tags};
	return plain_tags_state.value_count++;
}

static bool is_full(void) {
	return plain_tags_state.value_count >= VALUES_MAX - 1 ||
		plain_tags_state.change_count >= CHANGES_MAX - 1;
}

static mcp_cache_value fill(unsigned number, char *digits, const mcp_captured_tags *captured) {
	return (mcp_cache_value){
		.payload = mcp_bytes_of(digits, mcp_decimal_format_u64(number * COUNTS, digits)),
		.flags = MCP_VALUE_INT,
		.lifetime = {.ttl_ms = plain_tags_state.ttl_ms, .grace_ms = plain_tags_state.ttl_ms},
		.tags = mcp_captured_tags_view(captured),
	};
}

/* From now on, increments of the value are not lost. */
static void end_value(unsigned number, mcp_status status) {
	plain_tags_state.values[number].is_stored = status == MCP_OK;
}

/* True if the value was computed before the invalidation, which was acknowledged before this read began. */
static bool is_after(const change *done, const computed *value, unsigned looked) {
	if (done->ended == 0 || done->ended >= looked) {
		return false;
	}
	for (unsigned i = 0; i < TAG_COUNT; i++) {
		if ((value->tags & done->tag & 1u << i) != 0 && value->began[i] < done->began) {
			return true;
		}
	}
	return false;
}

/* True if the near cache may still serve the value, because another host invalidated it. */
static bool may_be_shown_near(const plain_client *client, const change *done) {
	const tags_process *self = &plain_tags_state.processes[client->index];
	bool is_this_hosts =
		plain_host_of(client) == plain_host_of(&client->world->clients[done->client]);
	return !is_this_hosts && self->looked_ms - done->ended_ms < NEAR_MS;
}

static void check_valid(plain_client *client, unsigned number, bool is_fresh, bool is_near,
	unsigned looked) {
	const computed *value = &plain_tags_state.values[number];
	for (unsigned i = 0; i < plain_tags_state.change_count; i++) {
		const change *done = &plain_tags_state.changes[i];
		if (!is_after(done, value, looked) || (is_near && may_be_shown_near(client, done))) {
			continue;
		}
		if (done->is_strict) {
			plain_fail(client->world, "T2", "client %u is shown value %u", client->index, number);
		} else if (is_fresh) {
			plain_fail(client->world, "T1", "client %u is shown value %u as fresh", client->index,
				number);
		}
	}
}

static void check_tags(plain_client *client, unsigned number, bool is_fresh, unsigned through) {
	const computed *value = &plain_tags_state.values[number];
	if ((through & SCOPE) != 0 && (value->tags & SCOPE) == 0) {
		plain_fail(client->world, "N1", "client %u is shown a value of no namespace",
			client->index);
	}
	if (is_fresh && (through & ~value->tags & TAGS) != 0) {
		plain_fail(client->world, "T6", "client %u is shown a value of other tags as fresh",
			client->index);
	}
}

static void remind(plain_client *client, const mcp_cache_entry *entry, unsigned number,
	unsigned through) {
	tags_process *self = &plain_tags_state.processes[client->index];
	self->has_memo = self->near.near_read.may_be_kept;
	self->memo_number = number;
	self->memo_through = through;
	self->memo = self->near.near_read;
	self->memo_tags.length = entry->envelope.tags.length;
	memcpy(self->memo_tags.bytes, entry->envelope.tags.data, entry->envelope.tags.length);
}

static void check_shown(plain_client *client, const mcp_cache_entry *entry, unsigned through,
	unsigned looked) {
	const tags_process *self = &plain_tags_state.processes[client->index];
	if (!entry->has_value) {
		return;
	}
	unsigned number, count;
	if (!parse(entry->payload, &number, &count)) {
		plain_fail(client->world, "C9", "client %u is shown what nobody wrote", client->index);
		return;
	}
	bool is_fresh = entry->verdict == MCP_VERDICT_FRESH;
	bool is_near = self->statistics.counts[MCP_COUNT_NEAR_HITS] > self->near_hits;
	check_valid(client, number, is_fresh, is_near, looked);
	check_tags(client, number, is_fresh, through);
	const computed *value = &plain_tags_state.values[number];
	if (value->counted_at < looked && count < value->counted) {
		plain_fail(client->world, "I2", "client %u is shown %u, which was counted to %u",
			client->index, count, value->counted);
	}
	if (is_fresh && self->store != NULL) {
		remind(client, entry, number, through);
	}
}

static void note_shown(plain_client *client, const mcp_cache_entry *entry, unsigned through,
	unsigned looked) {
	const tags_process *self = &plain_tags_state.processes[client->index];
	plain_trace(client->world, "client %u through %u: verdict %d, %.*s%s", client->index, through,
		(int)entry->verdict, entry->has_value ? (int)entry->payload.length : 0, entry->payload.data,
		self->statistics.counts[MCP_COUNT_NEAR_HITS] > self->near_hits ? ", near" : "");
	check_shown(client, entry, through, looked);
}

static void near_read(plain_client *client, unsigned through) {
	mcp_cache cache = cache_of(client, through);
	mcp_cache_entry entry;
	unsigned looked = ++plain_tags_state.moment;
	mcp_cache_read(&cache, &plain_tags_state.key, &entry);
	note_shown(client, &entry, through, looked);
}

/* True if the object cache may serve the value, as in a Cache. */
static bool memo_counts(plain_client *client, unsigned through) {
	const tags_process *self = &plain_tags_state.processes[client->index];
	uint64_t now_ms = mcp_monotonic_ms(&client->environment);
	if (!self->has_memo || self->memo_through != through) {
		return false;
	}
	return mcp_near_read_is_valid(self->host.changes, NEAR_MS, &self->memo, now_ms) ||
		mcp_cache_near_tagged_is_valid(&self->host, &self->memo,
			mcp_captured_tags_view(&self->memo_tags), now_ms);
}

static void recall(plain_client *client, unsigned through) {
	tags_process *self = &plain_tags_state.processes[client->index];
	self->looked_ms = client->world->now_ms;
	if (!memo_counts(client, through)) {
		near_read(client, through);
		return;
	}
	plain_trace(client->world, "client %u recalls %u", client->index, self->memo_number);
	check_valid(client, self->memo_number, true, true, ++plain_tags_state.moment);
}

/* Computes under the claim of the read. */
static void publish(plain_client *client, const mcp_cache *cache, unsigned through,
	const mcp_cache_entry *entry) {
	mcp_captured_tags captured;
	mcp_cache_capture(cache, entry, &captured);
	mcp_claim claim = entry->claim;
	unsigned number = begin_value(through);
	plain_sleep(client, COMPUTE_MS);
	char digits[MCP_DECIMAL_MAX_LENGTH];
	mcp_cache_value value = fill(number, digits, &captured);
	end_value(number, mcp_cache_publish(cache, &plain_tags_state.key, &claim, &value));
}

bool plain_tags_remember(plain_client *client, unsigned through) {
	mcp_cache cache = cache_of(client, through);
	mcp_remember wishes = plain_asking(plain_tags_state.ttl_ms, WAIT_MS);
	mcp_cache_entry entry;
	/* remember() reads again while it waits: a value that is invalid at its last read is invalid as its result. */
	unsigned looked = ++plain_tags_state.moment;
	mcp_cache_remember(&cache, &plain_tags_state.key, &wishes, &entry);
	note_shown(client, &entry, through, looked);
	if (entry.verdict == MCP_VERDICT_ELECTED) {
		publish(client, &cache, through, &entry);
	}
	return entry.verdict == MCP_VERDICT_FRESH;
}

static void get_set(plain_client *client, unsigned through) {
	mcp_cache cache = cache_of(client, through);
	mcp_cache_entry entry;
	unsigned looked = ++plain_tags_state.moment;
	mcp_cache_get(&cache, &plain_tags_state.key, &entry);
	note_shown(client, &entry, through, looked);
	mcp_captured_tags captured;
	mcp_cache_capture(&cache, &entry, &captured);
	if (entry.verdict == MCP_VERDICT_FRESH || entry.trouble != MCP_OK ||
		mcp_cache_complete_capture(&cache, &plain_tags_state.key, &captured) != MCP_OK) {
		return;
	}
	unsigned number = begin_value(through);
	plain_sleep(client, COMPUTE_MS);
	char digits[MCP_DECIMAL_MAX_LENGTH];
	mcp_cache_value value = fill(number, digits, &captured);
	end_value(number, mcp_cache_set(&cache, &plain_tags_state.key, &value));
}

/* --- stored items --- */

/* No tag's version. */
#define NEVER 1

typedef struct stored_value {
	unsigned number;
	uint64_t versions[TAG_COUNT]; /* 0: it lacks the tag; NEVER: the version was not known */
} stored_value;

/* Returns true if the item is a value. Without signing keys only: each tag has one name. */
static bool open_item(const mcp_item *item, stored_value *stored) {
	mcp_envelope envelope;
	mcp_bytes payload;
	unsigned count;
	bool is_signed = plain_tags_state.name_count > TAG_COUNT;
	if (is_signed ||
		!mcp_envelope_decode(item->value, item->flags, plain_tags_state.key.fingerprint, &envelope,
			&payload) ||
		!envelope.has_value || !parse(payload, &stored->number, &count)) {
		return false;
	}
	for (unsigned i = 0; i < TAG_COUNT; i++) {
		size_t place =
			mcp_tags_find(envelope.tags, plain_tags_state.fingerprints[NO_KEY][1u << i][0]);
		bool has = place < mcp_tags_count(envelope.tags);
		uint64_t number = has ? mcp_tags_at(envelope.tags, place).number : 0;
		stored->versions[i] = has && number == 0 ? NEVER : number;
	}
	return true;
}

/* Returns 0 if the tag is missing. */
static uint64_t version_of(plain_world *world, unsigned tag) {
	mcp_op reply;
	reply.status = plain_peek(world, &plain_tags_state.tags[tag], &reply.item);
	return mcp_cache_tag_number(&reply);
}

/* The value is stored with the versions of a moment of the call (T10). A version that changed is not checked. */
static void check_versions(plain_client *client, unsigned number, const uint64_t *before) {
	mcp_item item;
	stored_value stored;
	if (plain_peek(client->world, &plain_tags_state.key, &item) != MCP_OK ||
		!open_item(&item, &stored) || stored.number != number) {
		return;
	}
	for (unsigned i = 0; i < TAG_COUNT; i++) {
		bool is_its = (plain_tags_state.values[number].tags & 1u << i) != 0;
		bool stayed = before[i] != 0 && version_of(client->world, i) == before[i];
		bool is_valid =
			mcp_tag_is_known(stored.versions[i]) && (!stayed || stored.versions[i] == before[i]);
		if (is_its && !is_valid) {
			plain_fail(client->world, "T10", "client %u has stored value %u with a wrong version",
				client->index, number);
		}
	}
}

void plain_tags_check_added(plain_world *world, unsigned client, const mcp_item *before) {
	const computed *adding = plain_tags_state.processes[client].adding;
	stored_value stored;
	if (adding == NULL || !open_item(before, &stored) ||
		&plain_tags_state.values[stored.number] == adding) {
		return;
	}
	for (unsigned i = 0; i < TAG_COUNT; i++) {
		uint64_t version = stored.versions[i];
		bool lacks = version == 0 && (adding->tags & 1u << i) != 0;
		if (lacks || (version != 0 && version != version_of(world, i))) {
			return;
		}
	}
	plain_fail(world, "C15", "client %u adds over the fresh value %u", client, stored.number);
}

/* --- changes --- */

static void store(plain_client *client, unsigned through, bool adds) {
	mcp_cache cache = far_cache_of(client, through);
	mcp_captured_tags captured;
	bool are_guessed =
		cache.tags != NULL && mcp_cache_guess_tags(&cache, &plain_tags_state.key, &captured);
	if (!are_guessed && mcp_cache_capture_now(&cache, &plain_tags_state.key, &captured) != MCP_OK) {
		return;
	}
	/* A value that the caller computed earlier has no known age, so nothing is guaranteed. */
	unsigned number = begin_value(through);
	computed *added = &plain_tags_state.values[number];
	char digits[MCP_DECIMAL_MAX_LENGTH];
	mcp_cache_value value = fill(number, digits, &captured);
	value.tags_are_guessed = are_guessed;
	uint64_t before[TAG_COUNT];
	for (unsigned i = 0; i < TAG_COUNT; i++) {
		before[i] = version_of(client->world, i);
		/* its tags are those of a moment of the call */
		added->began[i] = are_guessed ? UINT_MAX : added->began[i];
	}
	tags_process *self = &plain_tags_state.processes[client->index];
	self->adding = adds ? added : NULL;
	mcp_status status =
		(adds ? mcp_cache_add : mcp_cache_set)(&cache, &plain_tags_state.key, &value);
	self->adding = NULL;
	unsigned now = ++plain_tags_state.moment;
	for (unsigned i = 0; i < TAG_COUNT; i++) {
		added->began[i] = are_guessed ? now : added->began[i];
	}
	end_value(number, status);
	if (are_guessed && status == MCP_OK) {
		check_versions(client, number, before);
	}
}

/* True if the caller gets no value: get() returns the default to an elected caller. */
static bool is_empty_handed(const mcp_cache_entry *entry) {
	return !entry->has_value || entry->verdict == MCP_VERDICT_ELECTED;
}

static void date_from_look(looks *mine, unsigned through, bool is_empty_handed) {
	for (unsigned i = 0; i < TAG_COUNT; i++) {
		bool begins = is_empty_handed && !mine->computes;
		if ((through & 1u << i) != 0 && (mine->since[i] == 0 || begins)) {
			mine->since[i] = plain_tags_state.moment;
		}
	}
	mine->computes = mine->computes || is_empty_handed;
}

/* Records a read. The next stored value can be as old as the first read, or as the first miss (T7). */
static void note_look(plain_client *client, unsigned through) {
	mcp_cache cache = cache_of(client, through);
	looks *mine = &plain_tags_state.looks[client->index];
	mcp_cache_entry entry;
	unsigned looked = ++plain_tags_state.moment;
	mcp_cache_get(&cache, &plain_tags_state.key, &entry);
	note_shown(client, &entry, through, looked);
	mcp_captured_tags captured;
	mcp_cache_capture_after_read(&cache, &plain_tags_state.key, &entry, &captured);
	if (!entry.has_value && entry.trouble == MCP_OK) {
		mcp_cache_complete_capture(&cache, &plain_tags_state.key, &captured);
	}
	mcp_read_gave gave = mcp_cache_read_gave(&entry);
	mcp_cache_note_tags(&mine->noted, mcp_captured_tags_view(&captured), gave, NULL);
	plain_tags_state.moment++; /* later computations come after this read */
	date_from_look(mine, through, is_empty_handed(&entry));
}

/* Stores a value as old as permitted. A tag without a read counts from the call. */
static void store_noted(plain_client *client, unsigned through) {
	mcp_cache cache = far_cache_of(client, through);
	looks *mine = &plain_tags_state.looks[client->index];
	mcp_captured_tags captured;
	mcp_status status = mcp_cache_capture_of(&cache, &plain_tags_state.key,
		mcp_read_tags_view(&mine->noted), &captured);
	if (status != MCP_OK) {
		return;
	}
	unsigned number = begin_value(through);
	for (unsigned i = 0; i < TAG_COUNT; i++) {
		if (mine->since[i] != 0) {
			plain_tags_state.values[number].began[i] = mine->since[i];
		}
	}
	char digits[MCP_DECIMAL_MAX_LENGTH];
	mcp_cache_value value = fill(number, digits, &captured);
	mcp_status stored = mcp_cache_set(&cache, &plain_tags_state.key, &value);
	end_value(number, stored);
	if (stored == MCP_OK) {
		*mine = (looks){.noted = {.length = 0}};
	}
}

/* The tags of the value stay, and those of the view are added. */
static void update(plain_client *client, unsigned through) {
	mcp_cache cache = far_cache_of(client, through);
	mcp_cache_entry entry;
	unsigned looked = ++plain_tags_state.moment;
	mcp_cache_peek(&cache, &plain_tags_state.key, &entry);
	note_shown(client, &entry, through, looked);
	if (entry.trouble != MCP_OK || entry.verdict == MCP_VERDICT_STALE ||
		entry.verdict == MCP_VERDICT_BUSY) {
		return; /* a new value based on a stale one counts as new, by the rules for expiry */
	}
	unsigned before, count;
	bool has_before = entry.has_value && parse(entry.payload, &before, &count);
	mcp_cache_seen seen = mcp_cache_see(&entry);
	mcp_captured_tags captured;
	if (!mcp_cache_capture_kept(&cache, &entry, &captured) ||
		mcp_cache_complete_capture(&cache, &plain_tags_state.key, &captured) != MCP_OK) {
		return;
	}
	unsigned number =
		begin_value(through | (has_before ? plain_tags_state.values[before].tags : 0));
	plain_sleep(client, COMPUTE_MS);
	char digits[MCP_DECIMAL_MAX_LENGTH];
	mcp_cache_value value = fill(number, digits, &captured);
	value.signer = captured.signer;
	end_value(number, mcp_cache_update(&cache, &plain_tags_state.key, &seen, &value));
}

static void delete_key(plain_client *client) {
	mcp_cache cache = far_cache_of(client, PLAIN);
	mcp_cache_delete(&cache, &plain_tags_state.key);
}

static void touch(plain_client *client, unsigned through) {
	mcp_cache cache = far_cache_of(client, through);
	mcp_cache_touch(&cache, &plain_tags_state.key,
		(mcp_lifetime){.ttl_ms = plain_tags_state.ttl_ms, .grace_ms = plain_tags_state.ttl_ms});
}

static void read_many(plain_client *client, unsigned through) {
	mcp_cache cache = far_cache_of(client, through);
	mcp_cache_entry entry;
	mcp_op replies[2];
	mcp_key scratch[2];
	mcp_key_buffer buffer;
	mcp_cache_batch batch = {&plain_tags_state.key, 1, &entry, replies, scratch, &buffer, NULL,
		plain_tags_state.processes[client->index].found};
	unsigned looked = ++plain_tags_state.moment;
	mcp_cache_peek_many(&cache, &batch);
	note_shown(client, &entry, through, looked);
}

static void increment(plain_client *client, unsigned through) {
	mcp_cache cache = far_cache_of(client, through);
	int64_t sum;
	if (mcp_cache_increment_from(&cache, &plain_tags_state.key, 1, NULL, &sum) != MCP_OK) {
		return;
	}
	computed *value = &plain_tags_state.values[sum / COUNTS];
	unsigned count = (unsigned)(sum % COUNTS);
	plain_trace(client->world, "client %u counts to %lld", client->index, (long long)sum);
	if (value->is_stored && count > value->counted) {
		value->counted = count;
		value->counted_at = ++plain_tags_state.moment;
	}
}

static plain_world *heard_in;

/* From now on, the client's own reads count from the versions after its invalidation (T7). */
static void hear_left(const mcp_store *server, mcp_tag left) {
	for (unsigned i = 0; i < CLIENTS; i++) {
		bool is_its = server == &heard_in->clients[i].door.store ||
			server == plain_tags_state.processes[i].store;
		if (is_its) {
			mcp_read_tags *noted = &plain_tags_state.looks[i].noted;
			mcp_cache_note_invalidated(noted->bytes, noted->length, left);
		}
	}
}

/* This process computes its next value after its own invalidation (T7). */
static void date_from_invalidation(looks *mine, unsigned tags) {
	for (unsigned i = 0; i < TAG_COUNT; i++) {
		if ((tags & 1u << i) != 0 && mine->since[i] != 0) {
			mine->since[i] = plain_tags_state.moment;
		}
	}
}

static void invalidate(plain_client *client, unsigned tag, bool is_strict) {
	mcp_cache cache = far_cache_of(client, PLAIN);
	change *done = &plain_tags_state.changes[plain_tags_state.change_count++];
	*done = (change){
		.began = ++plain_tags_state.moment,
		.client = client->index,
		.tag = tag,
		.is_strict = is_strict,
	};
	unsigned list = plain_tags_state.processes[client->index].list;
	const mcp_cache_tags *tags = &plain_tags_state.views[list][tag];
	looks *mine = &plain_tags_state.looks[client->index];
	heard_in = client->world;
	mcp_status status = mcp_cache_invalidate(&cache, mcp_bytes_none(), tags, is_strict, hear_left);
	plain_trace(client->world, "client %u invalidates %u%s -> %d", client->index, tag,
		is_strict ? " strictly" : "", (int)status);
	if (status == MCP_OK) {
		done->ended = ++plain_tags_state.moment;
		done->ended_ms = client->world->now_ms;
		date_from_invalidation(mine, tag);
	}
}

static mcp_signing_keys *make_keys(const char *first, const char *second) {
	const char *secrets[KEYS] = {first, second};
	mcp_signing_keys *keys = malloc(sizeof(*keys) + KEYS * sizeof(keys->keys[0]));
	keys->count = 0;
	for (unsigned i = 0; i < KEYS && secrets[i] != NULL; i++) {
		mcp_bytes secret = mcp_bytes_of(secrets[i], strlen(secrets[i]));
		mcp_signing_key_make(&keys->keys[keys->count++], secret);
	}
	return keys;
}

const mcp_signing_keys *plain_tags_keys(unsigned list) {
	static const mcp_signing_keys *lists[LISTS];
	if (lists[OLD] == NULL) {
		lists[OLD] = make_keys("old", NULL);
		lists[OLD_NEW] = make_keys("old", "new");
		lists[NEW_OLD] = make_keys("new", "old");
		lists[NEW] = make_keys("new", NULL);
	}
	return lists[list];
}

/* True if all clients have taken the previous step and, for the last step, values of the old key have expired. */
static bool may_change_keys(const plain_client *client) {
	unsigned own = plain_tags_state.processes[client->index].list;
	for (unsigned i = 0; i < CLIENTS; i++) {
		bool is_behind = plain_tags_state.processes[i].list < own;
		/* One that has died can have signed by the old key until then. */
		if (is_behind && (own == NEW_OLD || !client->world->clients[i].is_dead)) {
			return false;
		}
	}
	uint64_t ended_ms = plain_tags_state.all_know_new_ms + 2 * SHORT_TTL_MS;
	return own < NEW_OLD || (own == NEW_OLD && client->world->now_ms >= ended_ms);
}

void plain_tags_change_keys(plain_client *client) {
	tags_process *self = &plain_tags_state.processes[client->index];
	if (self->list == NO_KEY || !may_change_keys(client)) {
		return;
	}
	self->list++;
	plain_tags_state.looks[client->index] = (looks){.noted = {.length = 0}};
	if (self->list == NEW_OLD) {
		plain_tags_state.all_know_new_ms = client->world->now_ms;
	}
	plain_trace(client->world, "client %u has list %u", client->index, self->list);
}

void plain_tags_act(plain_client *client, step wanted) {
	if (is_full()) {
		return;
	}
	switch (wanted.action) {
		case PAUSE:
			plain_sleep(client, PAUSE_MS);
			break;
		case OUTLIVE:
			plain_sleep(client, 2 * SHORT_TTL_MS - PAUSE_MS - 10);
			break;
		case READ:
			near_read(client, wanted.through);
			break;
		case RECALL:
			recall(client, wanted.through);
			break;
		case REMEMBER:
			plain_tags_remember(client, wanted.through);
			break;
		case GET_SET:
			get_set(client, wanted.through);
			break;
		case SET:
		case ADD:
			store(client, wanted.through, wanted.action == ADD);
			break;
		case LOOK:
			note_look(client, wanted.through);
			break;
		case STORE:
			store_noted(client, wanted.through);
			break;
		case UPDATE:
			update(client, wanted.through);
			break;
		case TOUCH:
			touch(client, wanted.through);
			break;
		case CHANGE_KEYS:
			plain_tags_change_keys(client);
			break;
		case INVALIDATE:
		case INVALIDATE_STRICTLY:
			invalidate(client, wanted.through, wanted.action == INVALIDATE_STRICTLY);
			break;
		case READ_MANY:
			read_many(client, wanted.through);
			break;
		case INCREMENT:
			increment(client, wanted.through);
			break;
		case DELETE:
			delete_key(client);
			break;
		default:
			break;
	}
}
