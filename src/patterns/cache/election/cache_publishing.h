/* A result on its way to where its claim stands (C3). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_CACHE_PUBLISHING_H
#define MCP_PATTERNS_CACHE_PUBLISHING_H

#include "../entry/cache_envelope.h"
#include "../look/cache_near.h"

/* Points into itself: it must stay where it is until it has its answer. */
typedef struct mcp_publishing {
	mcp_envelope envelope;
	mcp_cache_record record;  /* whose header is set before it is composed */
	mcp_near_storing storing; /* where the cache is near */
} mcp_publishing;

/* Says by C3 whether the epoch is still the one elected under, and no later election (nor this one) has stored.
 * That the claim ran out or was taken over does not matter: else a rebuild longer than its lease would never be
 * stored. */
bool mcp_cache_descends(const mcp_cache_entry *entry, const mcp_claim *claim);

/* Says whether what the election wrote is known by its cas id, so that nothing else has to be. */
static inline bool mcp_cache_is_proven(const mcp_claim *claim) {
	return claim->proof.cas != 0 && !claim->is_overdue;
}

/* Composes it over the entry, which is what is there; NULL: over what the election left. `key` must stay as well. */
void mcp_cache_compose_result(const mcp_cache *cache, const mcp_key *key, const mcp_claim *claim,
	const mcp_cache_value *value, const mcp_cache_entry *entry, mcp_publishing *result);
/* Says what the answer to its cas means: an unknown outcome is read back, which ends views. */
mcp_status mcp_cache_judge_result(const mcp_cache *cache, const mcp_key *key,
	const mcp_claim *claim, const mcp_cache_value *value, const mcp_publishing *result,
	mcp_status status);

/* Says of the answer to a proven result whether it may descend from what is there now: look. */
static inline bool mcp_cache_is_to_look(mcp_status status) {
	return status == MCP_UNSUPPORTED || status == MCP_EXISTS;
}
/* Looks at what is there, and publishes over it if the result descends from it. */
mcp_status mcp_cache_look_and_publish(const mcp_cache *cache, const mcp_key *key,
	const mcp_claim *claim, const mcp_cache_value *value);

/* Counts the outcome. Returns what mcp_cache_publish does. */
mcp_status mcp_cache_finish_publish(const mcp_cache *cache, const mcp_key *key, mcp_status status);

#endif
