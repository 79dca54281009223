/* Lookup by a caller that will compute, for one key or many: reads, and reads again while another caller
 * computes (C4, C5, C10). */
/* SPDX-License-Identifier: MIT */
#include "../entry/cache_meter.h"
#include "../entry/cache_tags.h"
#include "../look/cache_look.h"
#include "cache_deciding.h"

/* With force, the first value found counts as stale (C17). If none is found, no later value counts as stale. */
static void outdate(const mcp_remember *remember, const mcp_cache_entry *entry) {
	if (remember->outdated != NULL && !remember->outdated->is_set) {
		*remember->outdated = mcp_cache_value_id_of(entry);
	}
}

static mcp_next_action look(const mcp_cache *cache, const mcp_key *key, const mcp_waiting *wait,
	mcp_cache_entry *entry) {
	mcp_cache_observe(cache, key, entry);
	outdate(wait->remember, entry);
	return mcp_cache_decide(cache, key, wait, entry);
}

/* Continue from the entry of the caller's last lookup. */
static mcp_next_action look_first(const mcp_cache *cache, const mcp_key *key,
	const mcp_waiting *wait, mcp_cache_entry *entry) {
	if (!wait->remember->has_found) {
		return look(cache, key, wait, entry);
	}
	outdate(wait->remember, entry);
	return mcp_cache_decide(cache, key, wait, entry);
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

/* Determine whether the wait is over before the first lookup: no wait was allowed, or it passed in
 * interrupted calls. Returns false with the entry if it is interrupted again. */
static bool begin_waiting(const mcp_cache *cache, const mcp_remember *remember, mcp_pauses *pauses,
	mcp_waiting *wait, mcp_cache_entry *entry) {
	bool goes_on = pauses->has_begun;
	if (mcp_waiting_begin(cache->environment, pauses) == MCP_WAIT_INTERRUPTED) {
		*entry = (mcp_cache_entry){.trouble = MCP_INTERRUPTED};
		return false;
	}
	uint32_t wait_ms = mcp_cache_wait_ms(remember);
	uint64_t deadline_ms = pauses->begun_ms + wait_ms;
	wait->is_over = goes_on ? mcp_monotonic_ms(cache->environment) >= deadline_ms : wait_ms == 0;
	return true;
}

/* Check the near cache first: the process that woke us may have stored the value there. Also takes new notes
 * for the memcached read that follows. */
static bool is_left_near(const mcp_cache *cache, const mcp_key *key, const mcp_waiting *wait,
	mcp_cache_entry *entry) {
	return wait->draw != NULL &&
		mcp_cache_near_take(cache, key, wait->draw, &cache->near->look, entry);
}

/* Notify the other waiters of this host about a value. Last, when the near cache may have it. */
static void tell(const mcp_cache *cache, const mcp_pauses *pauses, const mcp_cache_entry *entry) {
	if (pauses->is_listening && entry->has_value && entry->verdict != MCP_VERDICT_ELECTED) {
		mcp_waiting_tell(cache->environment, pauses);
	}
}

static void finish(const mcp_cache *cache, const mcp_key *key, const mcp_waiting *wait,
	const mcp_pauses *pauses, mcp_cache_entry *entry) {
	mcp_cache_count(cache, key, entry);
	if (wait->draw != NULL) {
		mcp_cache_near_keep(cache, key, &cache->near->look, entry);
	}
	tell(cache, pauses, entry);
}

/* Look up until there is a result. Returns false if the caller is elected but not ready. */
static bool look_on(const mcp_cache *cache, const mcp_key *key, mcp_pauses *pauses,
	mcp_waiting *wait, mcp_cache_entry *entry) {
	uint64_t deadline_ms = pauses->begun_ms + mcp_cache_wait_ms(wait->remember);
	mcp_next_action next = look_first(cache, key, wait, entry);
	for (int lost = 0; next != MCP_REMEMBER_DONE;) {
		if (next == MCP_REMEMBER_TURN) {
			return false;
		}
		if (next == MCP_REMEMBER_WAIT) {
			mcp_cache_listen(cache, key, pauses);
			mcp_wait waited = mcp_cache_wait(cache, key, pauses, deadline_ms);
			if (waited == MCP_WAIT_INTERRUPTED) {
				*entry = (mcp_cache_entry){.trouble = MCP_INTERRUPTED};
				return true;
			}
			wait->is_over = waited == MCP_WAIT_OVER;
			if (is_left_near(cache, key, wait, entry)) {
				return true; /* already counted */
			}
		} else if (++lost >= MCP_CACHE_ROUNDS_MAX) {
			/* The key changes faster than it can be claimed: compute without a claim. */
			*entry = (mcp_cache_entry){.verdict = MCP_VERDICT_MISS, .trouble = MCP_OK};
			break;
		}
		next = look(cache, key, wait, entry);
	}
	finish(cache, key, wait, pauses, entry);
	return true;
}

static bool ask(const mcp_cache *cache, const mcp_key *key, mcp_waiting *wait,
	mcp_cache_entry *entry) {
	const mcp_remember *remember = wait->remember;
	mcp_pauses own = {.has_begun = false};
	mcp_pauses *pauses = remember->pauses != NULL ? remember->pauses : &own;
	return !begin_waiting(cache, remember, pauses, wait, entry) ||
		look_on(cache, key, pauses, wait, entry);
}

static bool ask_near(const mcp_cache *cache, const mcp_key *key, mcp_waiting *wait,
	mcp_cache_entry *entry) {
	mcp_near_look *look = &cache->near->look;
	mcp_near_draw draw = {wait->remember, &wait->drawn};
	bool has_looked = cache->near->has_looked || wait->remember->has_found;
	if (!has_looked && mcp_cache_near_take(cache, key, &draw, look, entry)) {
		return true;
	}
	wait->draw = &draw;
	return ask(cache, key, wait, entry);
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
	mcp_waiting wait = {
		.remember = remember,
		.distrust = remember->distrust,
		.drawn = remember->drawn,
		.may_settle = true,
	};
	bool may_be_near =
		remember->outdated == NULL && !remember->distrust.is_set && !remember->drawn.is_set;
	return cache->near != NULL && may_be_near ? ask_near(cache, key, &wait, entry)
											  : ask(cache, key, &wait, entry);
}

/* One lookup of many keys by a caller that will compute (C12). Its elections are batched. */

typedef struct looking_at_many {
	const mcp_cache *cache;
	const mcp_cache_batch *batch;
	mcp_next_action *steps;
	mcp_election_batch candidates;
	mcp_waiting wait;
} looking_at_many;

static void conclude(const looking_at_many *self, size_t i, mcp_next_action step) {
	self->steps[i] = step;
	mcp_cache_forget_ids(self->cache, self->batch, i);
	if (step == MCP_REMEMBER_DONE) {
		mcp_cache_count(self->cache, &self->batch->keys[i], &self->batch->entries[i]);
	}
}

/* Run the deferred elections. */
static void elect_all(looking_at_many *self) {
	mcp_election_batch *candidates = &self->candidates;
	self->wait.candidate = NULL;
	mcp_candidates_send(candidates, self->cache, self->batch);
	for (size_t i = 0; i < candidates->count; i++) {
		mcp_candidate *candidate = &candidates->of[i];
		size_t place = candidate->place;
		mcp_next_action step = mcp_cache_follow(self->cache, &self->batch->keys[place], &self->wait,
			candidate, &self->batch->entries[place]);
		conclude(self, place, step);
	}
	candidates->count = 0;
}

static mcp_candidate *next_candidate(const looking_at_many *self, size_t place) {
	const mcp_election_batch *candidates = &self->candidates;
	if (candidates->room == 0) {
		return NULL;
	}
	mcp_candidate *next = &candidates->of[candidates->count];
	next->kind = MCP_CANDIDATE_NONE;
	next->place = place;
	return next;
}

static void look_at(looking_at_many *self, size_t i) {
	const mcp_cache *cache = self->cache;
	mcp_cache_entry *entry = &self->batch->entries[i];
	mcp_candidate *candidate = next_candidate(self, i);
	self->wait.candidate = candidate;
	bool lacks_tags = entry->trouble == MCP_OK && !mcp_cache_knows_tags(cache, entry);
	mcp_next_action step = mcp_cache_decide(cache, &self->batch->keys[i], &self->wait, entry);
	if (lacks_tags && entry->trouble == MCP_OK) {
		mcp_cache_share_tags(cache, self->batch, i);
	}
	if (candidate == NULL || candidate->kind == MCP_CANDIDATE_NONE) {
		conclude(self, i, step);
	} else if (++self->candidates.count == self->candidates.room) {
		elect_all(self);
	}
}

void mcp_cache_remember_many(const mcp_cache *cache, const mcp_cache_batch *batch,
	const mcp_remember *remember, const mcp_value_id *distrusts, bool is_over,
	mcp_next_action *steps) {
	looking_at_many self = {cache, batch, steps,
		.wait = {.remember = remember, .is_over = is_over, .may_settle = false}};
	mcp_cache_read_many(cache, batch);
	mcp_candidates_prepare(&self.candidates, cache, batch);
	for (size_t i = 0; i < batch->count; i++) {
		self.wait.distrust = distrusts != NULL ? distrusts[i] : (mcp_value_id){.is_set = false};
		self.wait.drawn = batch->drawn != NULL ? batch->drawn[i] : (mcp_value_id){.is_set = false};
		look_at(&self, i);
	}
	elect_all(&self);
	mcp_candidates_release(&self.candidates);
}
