/* One look at many keys for a caller that will compute (C12): the elections that it leads to are held together. */
/* SPDX-License-Identifier: MIT */
#include "cache_deciding.h"
#include "../entry/cache_tags.h"
#include "../look/cache_tags_many.h"

typedef struct looking_at_many {
	const mcp_cache *cache;
	const mcp_cache_batch *batch;
	mcp_next_action *steps;
	mcp_election_batch candidates;
	mcp_waiting wait;
} looking_at_many;

/* Concludes the look at one. */
static void conclude(const looking_at_many *self, size_t i, mcp_next_action step) {
	self->steps[i] = step;
	mcp_cache_forget_ids(self->cache, self->batch, i);
	if (step == MCP_REMEMBER_DONE) {
		mcp_cache_count(self->cache, &self->batch->keys[i], &self->batch->entries[i]);
	}
}

/* Holds the elections that were put off. */
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
