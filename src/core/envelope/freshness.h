/* Tells an envelope's meaning at a given moment: may its value be served, should it be rebuilt, and may this
 * caller be the one. Pure: the clock and the randomness are arguments. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_FRESHNESS_H
#define MCP_CORE_FRESHNESS_H

#include "envelope.h"

/* A claim keeps its envelope alive this many leases past the hard end (nothing is served then), so
 * that a rebuild of three leases still finds what it descends from when no other caller asks. */
#define MCP_LEASES_KEPT 4

typedef enum mcp_freshness {
	MCP_FRESH, /* before its soft end: serve it */
	MCP_STALE, /* past it, before its hard end: serve it, one caller rebuilds */
	MCP_COLD,  /* a placeholder, a tombstone, or past its hard end: nothing to serve */
} mcp_freshness;

/* Whether an election may be held now. */
typedef enum mcp_opening {
	MCP_OPENING_FREE,    /* no caller has a live claim */
	MCP_OPENING_EXPIRED, /* the last claim ran out: electing is a takeover, and doubles the lease */
	MCP_OPENING_CLAIMED, /* a caller is rebuilding, under a live claim */
	MCP_OPENING_PAUSED,  /* rebuilds failed, and the pause is not over */
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

/* Says what a claim or a failure, which the envelope has, leaves of the opening. */
mcp_opening mcp_opening_left(const mcp_envelope *envelope, uint64_t now_ms, uint32_t skew_ms);

/* Takes hosts' clocks to differ by at most skew_ms: a claim that ends later than its lease and that allow is
 * taken for one that ran out (C1, C2), and a pause likewise for one that is over (C6). A mark is as long as its
 * writer's lease, which is taken for no longer than skew_ms. */
static inline mcp_opening mcp_opening_at(const mcp_envelope *envelope, uint64_t now_ms,
	uint32_t skew_ms) {
	bool is_untouched = !envelope->has_claim && !envelope->has_failure;
	return is_untouched ? MCP_OPENING_FREE : mcp_opening_left(envelope, now_ms, skew_ms);
}

static inline bool mcp_opening_is_open(mcp_opening opening) {
	return opening == MCP_OPENING_FREE || opening == MCP_OPENING_EXPIRED;
}

/* Says whether to refresh a fresh value early, by XFetch (Vattani, Chierichetti, Lowenstein, "Optimal Probabilistic Cache
 * Stampede Prevention", VLDB 2015): when now - delta * beta * ln(rand) >= expiry, delta the measured compute
 * time. beta 0 never refreshes early. */
bool mcp_freshness_is_early(const mcp_envelope *envelope, uint64_t now_ms, double beta,
	uint64_t random);

#endif
