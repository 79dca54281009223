/* How a server is, as the processes that use it see it: whether one leaves it alone and since when, what it failed of
 * last, and when it was used last. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_METRICS_STATE_H
#define MCP_CORE_METRICS_STATE_H

#include "metrics_text.h"

/* A longer reason is cut. */
#define MCP_METRICS_REASON_MAX MCP_METRICS_TEXT_MAX

/* Times are Unix times. Whole cache lines. */
typedef struct mcp_metrics_state {
	mcp_metrics_word open_until_ms; /* the process that left it alone last says so */
	mcp_metrics_word open_since_ms; /* when this outage's first did */
	mcp_metrics_word failed_ms;     /* of the last failure; 0: it never failed */
	mcp_metrics_word seen_calls;    /* its calls at the last sample */
	mcp_metrics_word used_ms;       /* of the last sample that had more calls than the one before */
	mcp_metrics_word reason_id;
	mcp_metrics_text_head reason; /* what it failed of last, in words that follow "the server " */
	mcp_metrics_word reason_text[MCP_METRICS_REASON_MAX / 8];
	mcp_metrics_word padding[2];
} mcp_metrics_state;

/* Notes that a process leaves the server alone until then. */
void mcp_metrics_state_open(mcp_metrics_state *state, uint64_t now_ms, uint64_t until_ms);
/* Notes that the server answered a process that had left it alone. */
void mcp_metrics_state_close(mcp_metrics_state *state);
static inline bool mcp_metrics_state_is_open(const mcp_metrics_state *state, uint64_t now_ms) {
	return atomic_load_explicit(&state->open_until_ms, memory_order_relaxed) > now_ms;
}

void mcp_metrics_state_fail(mcp_metrics_state *state, uint64_t now_ms, mcp_bytes reason);
/* Returns Unix time of the last failure, and at most MCP_METRICS_REASON_MAX bytes of its reason in `out`. 0: it
 * never failed, or nobody knows of what. */
uint64_t mcp_metrics_state_failure(const mcp_metrics_state *state, char *out, size_t *length);

/* Notes that the server has been sent so many calls by now. */
void mcp_metrics_state_see(mcp_metrics_state *state, uint64_t calls, uint64_t now_ms);
/* Returns when the last of so many calls was seen: it was sent then or before. */
static inline uint64_t mcp_metrics_state_used_ms(const mcp_metrics_state *state, uint64_t calls,
	uint64_t now_ms) {
	bool is_seen = atomic_load_explicit(&state->seen_calls, memory_order_relaxed) == calls;
	return is_seen ? atomic_load_explicit(&state->used_ms, memory_order_relaxed) : now_ms;
}

#endif
