/* Judges an envelope by the clock: serve, rebuild, wait or do nothing. Changes nothing; the patterns act on
 * the result. */
/* SPDX-License-Identifier: MIT */
#include "freshness.h"

#include "../backoff.h"

#include <math.h>

/* Whether the end has not come, and is plausible. A claim or pause that ends later than its length and the
 * clock skew allow was written with a clock far ahead. To trust it would freeze the key for that difference;
 * to ignore it costs one extra rebuild. */
static inline bool is_still_on(uint64_t end_ms, uint64_t now_ms, uint64_t longest_ms) {
	return now_ms < end_ms && end_ms - now_ms <= longest_ms;
}

static inline bool is_live(const mcp_envelope *envelope, uint64_t now_ms, uint32_t skew_ms) {
	return envelope->has_claim &&
		is_still_on(envelope->claim_end_ms, now_ms, (uint64_t)envelope->claim_lease_ms + skew_ms);
}

static inline bool is_paused(const mcp_envelope *envelope, uint64_t now_ms, uint32_t skew_ms) {
	if (!envelope->has_failure) {
		return false;
	}
	uint64_t own_ms = mcp_envelope_is_marked(envelope)
		? skew_ms
		: mcp_backoff_failure_pause_max_ms(envelope->failures);
	return is_still_on(envelope->pause_end_ms, now_ms, own_ms + skew_ms);
}

/* Check for a live claim before a pause: its holder was elected after that pause. */
mcp_opening mcp_opening_left(const mcp_envelope *envelope, uint64_t now_ms, uint32_t skew_ms) {
	if (is_live(envelope, now_ms, skew_ms)) {
		return MCP_OPENING_CLAIMED;
	}
	if (is_paused(envelope, now_ms, skew_ms)) {
		return mcp_envelope_is_marked(envelope) ? MCP_OPENING_MARKED : MCP_OPENING_PAUSED;
	}
	return envelope->has_claim ? MCP_OPENING_EXPIRED : MCP_OPENING_FREE;
}

/* Maps to (0, 1], never 0, so that the logarithm is finite. A double has 53 bits. */
static double unit_interval(uint64_t random) {
	return (double)((random >> 11) + 1) * 0x1p-53;
}

bool mcp_freshness_is_early(const mcp_envelope *envelope, uint64_t now_ms, double beta,
	uint64_t random) {
	if (!(beta > 0) || envelope->compute_ms == 0 || envelope->soft_ms == MCP_NEVER_MS) {
		return false;
	}
	if (mcp_freshness_at(envelope, now_ms) != MCP_FRESH) {
		return false;
	}
	double left_ms = (double)(envelope->soft_ms - now_ms);
	return left_ms <= -log(unit_interval(random)) * beta * envelope->compute_ms;
}
