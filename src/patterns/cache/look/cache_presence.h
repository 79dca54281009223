/* Whether a value that was served stands there still, for an audit: what is different from it may have changed since. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_CACHE_STANDING_H
#define MCP_PATTERNS_CACHE_STANDING_H

#include "../../../core/near/shm_cache.h"
#include "../cache.h"

/* A value that was served fresh. Plain data; outlives calls. */
typedef struct mcp_served {
	mcp_near_facts facts;
	bool is_tagged; /* set by a look: it has tags, whose invalidations leave its epoch as it is */
} mcp_served;

/* The outcome of a look. */
typedef enum mcp_presence {
	MCP_STANDING_YES,  /* it would be served now, and nobody is computing it */
	MCP_STANDING_BUSY, /* it would be served, and another caller is computing the next one */
	MCP_STANDING_ENDED, /* its time is over, or it was rebuilt: nobody has changed or invalidated it */
	MCP_STANDING_NO,    /* it was changed or invalidated, or nothing can be said: no answer, gone */
} mcp_presence;

/* Looks by the cache's store: one round trip, and one for tags that the cache has not. Counts nothing, and elects nobody. */
mcp_presence mcp_cache_standing(const mcp_cache *cache, const mcp_key *key, mcp_served *served);

/* Returns for how long the value can have been wrong at most when it was served: the time since its computation began. */
uint64_t mcp_served_age_ms(const mcp_served *served, uint64_t served_ms);

#endif
