/* Judges an envelope at a given time: whether to serve its value, whether to rebuild it, and whether this
 * caller may do so. Pure: clock and randomness are arguments. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_FRESHNESS_H
#define MCP_CORE_FRESHNESS_H

#include "envelope.h"

/* A claim keeps its envelope for this number of leases after the grace period (not served then). A rebuild of
 * 3 leases still finds its epoch if no other caller reads. */
#define MCP_LEASES_KEPT 4

typedef enum mcp_freshness {
	MCP_FRESH, /* before its TTL: serve it */
	MCP_STALE, /* after its TTL, within its grace period: serve it, one caller rebuilds */
	MCP_COLD,  /* a placeholder, a tombstone, or after the grace period: nothing to serve */
} mcp_freshness;

/* Whether an election is possible now. */
typedef enum mcp_opening {
	MCP_OPENING_FREE, /* no caller has a live claim */
	/* the last claim has expired: an election is a takeover, and doubles the lease */
	MCP_OPENING_EXPIRED,
	MCP_OPENING_CLAIMED, /* a caller is rebuilding, with a live claim */
	MCP_OPENING_PAUSED,  /* rebuilds failed, and the pause continues */
	MCP_OPENING_MARKED,  /* the last result could not be stored: each caller computes for itself */
} mcp_opening;

static inline bool mcp_end_is_reached(uint64_t end_ms, uint64_t now_ms) {
	return now_ms >= end_ms && end_ms != MCP_NEVER_MS;
}

static inline mcp_freshness mcp_freshness_at(const mcp_envelope *envelope, uint64_t now_ms) {
	if (!envelope->has_value || envelope->is_tombstone ||
		mcp_end_is_reached(envelope->hard_ms, now_ms)) {
		return MCP_COLD;
	}
	return mcp_end_is_reached(envelope->soft_ms, now_ms) ? MCP_STALE : MCP_FRESH;
}

/* For an envelope with a claim or failure. */
mcp_opening mcp_opening_left(const mcp_envelope *envelope, uint64_t now_ms, uint32_t skew_ms);

/* Clocks are assumed to differ by at most skew_ms. A claim that ends later than its lease and the skew allow
 * counts as expired (C1, C2), and such a pause as over (C6). A mark lasts for its writer's lease, which is
 * assumed to be at most skew_ms. */
static inline mcp_opening mcp_opening_at(const mcp_envelope *envelope, uint64_t now_ms,
	uint32_t skew_ms) {
	bool is_untouched = !envelope->has_claim && !envelope->has_failure;
	return is_untouched ? MCP_OPENING_FREE : mcp_opening_left(envelope, now_ms, skew_ms);
}

static inline bool mcp_opening_is_open(mcp_opening opening) {
	return opening == MCP_OPENING_FREE || opening == MCP_OPENING_EXPIRED;
}

/* Whether to refresh a fresh value early, by XFetch (Vattani, Chierichetti, Lowenstein, "Optimal
 * Probabilistic Cache Stampede Prevention", VLDB 2015). If now - delta * beta * ln(rand) >= expiry, with
 * delta the measured compute time. beta 0: never. */
bool mcp_freshness_is_early(const mcp_envelope *envelope, uint64_t now_ms, double beta,
	uint64_t random);

#endif
