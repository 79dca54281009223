/* Composes the claims, and sends them by as few writes of many as there are ways to write them. */
/* SPDX-License-Identifier: MIT */
#include "cache_election_batch.h"

#include "cache_placeholder.h"

#include <stdlib.h>

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
