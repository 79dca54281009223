/* Composes the claims, and sends them by as few writes of many as there are ways to write them. */
/* SPDX-License-Identifier: MIT */
#include "cache_candidates.h"

#include "cache_placeholder.h"

#include <stdlib.h>

/* So many stand at once, at most: their claims have some hundred bytes each. */
#define CANDIDATES_MAX ((size_t)1000)

void mcp_candidates_prepare(mcp_candidates *candidates, const mcp_cache *cache, size_t count) {
	*candidates = (mcp_candidates){.count = 0};
	if (count < 2 || !mcp_store_may_prove(cache->store)) {
		return;
	}
	size_t room = count < CANDIDATES_MAX ? count : CANDIDATES_MAX;
	candidates->of = malloc(room * sizeof(*candidates->of));
	candidates->writes = malloc(room * sizeof(*candidates->writes));
	if (candidates->of != NULL && candidates->writes != NULL) {
		candidates->room = room;
	}
}

void mcp_candidates_release(mcp_candidates *candidates) {
	free(candidates->of);
	free(candidates->writes);
}

/* Composes the claim of one. False if it must not be sent: then it has its answer. */
static bool compose(mcp_candidate *candidate, const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_entry *entry) {
	mcp_standing *standing = &candidate->standing;
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
static void send(mcp_candidates *candidates, const mcp_cache *cache, const mcp_cache_batch *batch,
	bool over_nothing) {
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

void mcp_candidates_send(mcp_candidates *candidates, const mcp_cache *cache,
	const mcp_cache_batch *batch) {
	send(candidates, cache, batch, false);
	send(candidates, cache, batch, true);
}
