/* Changes a server's state. Each word is right by itself; two processes that see it differently take turns. */
/* SPDX-License-Identifier: MIT */
#include "metrics_state.h"

#include "../vendor/xxh64.h"

_Static_assert(sizeof(mcp_metrics_state) % 64 == 0, "states fill whole cache lines");

/* An outage during which so long nobody asks is over as far as is known: a process that ended never said so. */
#define OUTAGE_FORGOTTEN_MS 60000

static uint64_t get(const mcp_metrics_word *word) {
	return atomic_load_explicit(word, memory_order_relaxed);
}

static void put(mcp_metrics_word *word, uint64_t number) {
	atomic_store_explicit(word, number, memory_order_relaxed);
}

void mcp_metrics_state_open(mcp_metrics_state *state, uint64_t now_ms, uint64_t until_ms) {
	if (get(&state->open_until_ms) + OUTAGE_FORGOTTEN_MS < now_ms) {
		put(&state->open_since_ms, now_ms);
	}
	put(&state->open_until_ms, until_ms);
}

void mcp_metrics_state_close(mcp_metrics_state *state) {
	put(&state->open_until_ms, 0);
}

/* Notes a failure. Two processes that fail of different things at once leave words without a check: then nobody
 * knows it until the next failure. */
void mcp_metrics_state_fail(mcp_metrics_state *state, uint64_t now_ms, mcp_bytes reason) {
	if (reason.length > MCP_METRICS_REASON_MAX) {
		reason.length = MCP_METRICS_REASON_MAX;
	}
	/* It tells a text that was written halfway: a made collision gains nothing. */
	uint64_t id = XXH64(reason.data, reason.length, 0);
	put(&state->reason_id, id);
	mcp_metrics_text_write(&state->reason, state->reason_text, id, reason, 0);
	put(&state->failed_ms, now_ms);
}

uint64_t mcp_metrics_state_failure(const mcp_metrics_state *state, char *out, size_t *length) {
	uint32_t note;
	bool is_known = mcp_metrics_text_read(&state->reason, state->reason_text,
		get(&state->reason_id), out, MCP_METRICS_REASON_MAX, length, &note);
	return is_known && *length > 0 ? get(&state->failed_ms) : 0;
}

void mcp_metrics_state_see(mcp_metrics_state *state, uint64_t calls, uint64_t now_ms) {
	if (calls != get(&state->seen_calls)) {
		put(&state->seen_calls, calls);
		put(&state->used_ms, now_ms);
	}
}
