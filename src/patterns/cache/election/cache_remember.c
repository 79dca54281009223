/* Lookup by a caller that will compute, for one key or many: reads, and reads again while another caller
 * computes (C4, C5, C10). */
/* SPDX-License-Identifier: MIT */
#include "../entry/cache_meter.h"
#include "../entry/cache_tags.h"
#include "../look/cache_look.h"
#include "cache_deciding.h"

#include <stdlib.h>

/* With force, the first value found counts as stale (C17). If none is found, no later value counts as stale. */
static void outdate(const mcp_remember *remember, const mcp_cache_entry *entry) {
	if (remember->outdated != NULL && !remember->outdated->is_set) {
		*remember->outdated = mcp_cache_value_id_of(entry);
	}
}

/* One key of a caller that waits for its result. */
typedef struct asking {
	const mcp_cache *cache;
	mcp_waiting wait;
	mcp_key_turn turn;
	mcp_pauses *pauses;
	const mcp_near_draw *draw; /* for values in the near cache; NULL: do not use the near cache */
} asking;

/* Decide on the entry. Returns false if the caller is to compute but not ready. */
static bool take_turn(asking *self) {
	mcp_op op;
	char header[MCP_ENVELOPE_MAX_LENGTH];
	outdate(self->wait.remember, self->turn.entry);
	self->turn.next = mcp_cache_decide(self->cache, &self->wait, &self->turn);
	if (!mcp_turn_is_to_compute(&self->turn)) {
		return true;
	}
	if (self->wait.remember->is_unready) {
		return false;
	}
	self->turn.record.header = header;
	if (mcp_cache_stand(self->cache, &self->wait, &self->turn)) {
		mcp_cache_elect_all(self->cache, &self->wait, &self->turn, &op, 1);
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

/* Divisor of wait_ms: a caller with a claim waits at most this share. */
#define HOLDERS_SHARE 4
/* Longest pause between 2 lookups: a shorter wait cannot show that another caller is slow. */
#define HOLDERS_LEAST_MS 100

uint32_t mcp_cache_wait_ms(const mcp_remember *remember) {
	if (remember->holds_ms == 0) {
		return remember->wait_ms;
	}
	uint32_t most_ms = remember->wait_ms / HOLDERS_SHARE;
	uint32_t wanted_ms =
		remember->holds_ms > HOLDERS_LEAST_MS ? remember->holds_ms : HOLDERS_LEAST_MS;
	return wanted_ms < most_ms ? wanted_ms : most_ms;
}

static void fail(mcp_cache_entry *entry, mcp_status status) {
	*entry = (mcp_cache_entry){.verdict = MCP_VERDICT_MISS, .trouble = status};
}

/* Determine whether the wait is over before the first lookup: no wait was allowed, or it passed in
 * interrupted calls. Returns false if it is interrupted again. */
static bool begin_waiting(asking *self) {
	bool goes_on = self->pauses->has_begun;
	if (mcp_waiting_begin(self->cache->environment, self->pauses) == MCP_WAIT_INTERRUPTED) {
		return false;
	}
	uint32_t wait_ms = mcp_cache_wait_ms(self->wait.remember);
	uint64_t deadline_ms = self->pauses->begun_ms + wait_ms;
	self->wait.is_over =
		goes_on ? mcp_monotonic_ms(self->cache->environment) >= deadline_ms : wait_ms == 0;
	return true;
}

/* Check the near cache first: the process that woke us may have stored the value there. Also takes new notes
 * for the memcached read that follows. */
static bool is_left_near(const asking *self) {
	return self->draw != NULL &&
		mcp_cache_near_take(self->cache, self->turn.key, self->draw, &self->cache->near->look,
			self->turn.entry);
}

/* Count the result, and keep it near. Then notify the other waiters of this host about a value. */
static void finish(const asking *self) {
	const mcp_cache_entry *entry = self->turn.entry;
	mcp_cache_count(self->cache, self->turn.key, entry);
	if (self->draw != NULL) {
		mcp_cache_near_keep(self->cache, self->turn.key, &self->cache->near->look, entry);
	}
	if (self->pauses->is_listening && entry->has_value && entry->verdict != MCP_VERDICT_ELECTED) {
		mcp_waiting_tell(self->cache->environment, self->pauses);
	}
}

/* Look up until there is a result. Begin with the entry of the caller's last lookup, if any. Returns false if the
 * caller is to compute but not ready. */
static bool look_on(asking *self) {
	mcp_key_turn *turn = &self->turn;
	uint64_t deadline_ms = self->pauses->begun_ms + mcp_cache_wait_ms(self->wait.remember);
	bool has_found = self->wait.remember->has_found;
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
		self->wait.is_over = waited == MCP_WAIT_OVER;
		if (is_left_near(self)) {
			return true; /* already counted */
		}
	}
	if (turn->next == MCP_REMEMBER_AGAIN) {
		/* The key changes faster than it can be claimed: compute without a claim. */
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
	self.wait = (mcp_waiting){.remember = remember, .may_settle = true};
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

/* One lookup of many keys by a caller that will compute (C12). Its claims are batched. */

/* Maximum number of claims in one batch. A claim has some hundred bytes. */
#define CLAIMS_MAX ((size_t)1000)

/* Turns whose claims wait to be sent. Without memory, or if the store cannot batch, one at a time. */
typedef struct asking_many {
	const mcp_cache *cache;
	const mcp_cache_batch *batch;
	mcp_next_action *steps;
	mcp_waiting wait;
	size_t count, room;
	mcp_key_turn *turns;
	mcp_op *ops;
	char *headers;
	size_t header_room;
} asking_many;

static void conclude(const asking_many *self, const mcp_key_turn *turn) {
	size_t place = (size_t)(turn->entry - self->batch->entries);
	self->steps[place] = turn->next;
	mcp_cache_forget_ids(self->cache, self->batch, place);
	if (turn->next == MCP_REMEMBER_DONE) {
		mcp_cache_count(self->cache, turn->key, turn->entry);
	}
}

static void elect_all(asking_many *self) {
	mcp_cache_elect_all(self->cache, &self->wait, self->turns, self->ops, self->count);
	for (size_t i = 0; i < self->count; i++) {
		conclude(self, &self->turns[i]);
	}
	self->count = 0;
}

static void look_at(asking_many *self, mcp_key_turn *turn) {
	const mcp_cache *cache = self->cache;
	mcp_cache_entry *entry = turn->entry;
	bool lacks_tags = entry->trouble == MCP_OK && !mcp_cache_knows_tags(cache, entry);
	turn->next = mcp_cache_decide(cache, &self->wait, turn);
	bool stands = mcp_turn_is_to_compute(turn) && mcp_cache_stand(cache, &self->wait, turn);
	if (lacks_tags && entry->trouble == MCP_OK) {
		mcp_cache_share_tags(cache, self->batch, (size_t)(entry - self->batch->entries));
	}
	if (!stands) {
		conclude(self, turn);
	} else if (++self->count == self->room) {
		elect_all(self);
	}
}

/* A claim over a value includes the value's tags. */
static size_t header_room(const mcp_cache_batch *batch) {
	size_t most = mcp_envelope_room(mcp_bytes_none());
	for (size_t i = 0; i < batch->count; i++) {
		size_t room = mcp_envelope_room(batch->entries[i].envelope.tags);
		most = room > most ? room : most;
	}
	return most;
}

void mcp_cache_remember_many(const mcp_cache *cache, const mcp_cache_batch *batch,
	const mcp_remember *remember, const mcp_value_id *distrusts, bool is_over,
	mcp_next_action *steps) {
	mcp_key_turn one;
	mcp_op op;
	char header[MCP_ENVELOPE_MAX_LENGTH];
	mcp_cache_read_many(cache, batch);
	size_t claims = batch->count < CLAIMS_MAX ? batch->count : CLAIMS_MAX;
	size_t claim = sizeof(one) + sizeof(op) + header_room(batch);
	bool goes_together = batch->count > 1 && mcp_store_may_prove(cache->store);
	mcp_key_turn *room = goes_together ? malloc(claims * claim) : NULL;
	asking_many self = {cache, batch, steps, {.remember = remember, .is_over = is_over}, 0, 1, &one,
		&op, header, sizeof(header)};
	if (room != NULL) {
		self.room = claims;
		self.turns = room;
		self.ops = (mcp_op *)(room + claims);
		self.headers = (char *)(self.ops + claims);
		self.header_room = claim - sizeof(one) - sizeof(op);
	}
	for (size_t i = 0; i < batch->count; i++) {
		mcp_key_turn *turn = &self.turns[self.count];
		turn->key = &batch->keys[i];
		turn->entry = &batch->entries[i];
		turn->distrust = distrusts != NULL ? distrusts[i] : (mcp_value_id){.is_set = false};
		turn->drawn = batch->drawn != NULL ? batch->drawn[i] : (mcp_value_id){.is_set = false};
		turn->record.header = self.headers + self.count * self.header_room;
		look_at(&self, turn);
	}
	elect_all(&self);
	free(room);
}
