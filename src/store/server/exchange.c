/* A server that could not be reached or did not answer in time is left alone for a while: one call pays, the
 * following ones fail at once. */
/* SPDX-License-Identifier: MIT */
#include "exchange.h"

#include "../../core/compiler.h"
#include "../../core/metrics/metrics_sums.h"

/* Says whether an answer that came was slow: a wire bounds each wait for bytes, not the answer, and one that
 * drips may take long and still come. */
static bool was_slow(const mcp_exchange *exchange, uint64_t now_ms) {
	uint64_t allowed_ms = mcp_deadline_allowed_ms(exchange->reading.timeout_ms, exchange->moved);
	return now_ms - exchange->began_ms > allowed_ms;
}

void mcp_exchange_be_counted(mcp_exchange *exchange, const char *address) {
	const mcp_environment *environment = exchange->environment;
	if (environment->metrics != NULL) {
		mcp_bytes name = mcp_bytes_of(address, strlen(address));
		exchange->metrics = mcp_metrics_find_server(environment->metrics, name);
		/* Not always the first request, which connects. */
		exchange->until_timed =
			1 + (int32_t)(mcp_random_u64(environment) % MCP_EXCHANGES_PER_TIMED);
	}
}

/* Begins to time. A request that was not let through leaves the next one to be timed, from its own beginning. */
MCP_SELDOM void mcp_exchange_begin_timing(mcp_exchange *exchange) {
	if (exchange->metrics == NULL) {
		exchange->until_timed = INT32_MAX;
		return;
	}
	exchange->until_timed = 0;
	exchange->timed_from_ns = mcp_monotonic_ns(exchange->environment);
}

MCP_SELDOM void mcp_exchange_begin_again(mcp_exchange *exchange) {
	mcp_peer_forget(&exchange->peer);
	exchange->began_ms = mcp_exchange_now_ms(exchange);
}

static void trip(mcp_exchange *exchange, uint64_t now_ms) {
	mcp_breaker_trip(&exchange->breaker, now_ms, exchange->retry_after_ms);
	if (exchange->metrics != NULL) {
		uint64_t wall_ms = mcp_wall_ms(exchange->environment);
		mcp_metrics_state_open(&exchange->metrics->state, wall_ms,
			wall_ms + exchange->retry_after_ms);
		mcp_metrics_add(&exchange->metrics->counts[MCP_COUNT_BREAKER_OPENINGS], 1);
	}
}

static MCP_SELDOM void close_breaker(mcp_exchange *exchange) {
	mcp_breaker_close(&exchange->breaker);
	if (exchange->metrics != NULL) {
		mcp_metrics_state_close(&exchange->metrics->state);
	}
}

/* Samples for a process that has one request all its life, and no other at its side: here alone. */
static void sample(const mcp_exchange *exchange) {
	if (exchange->environment->metrics != NULL) {
		mcp_metrics_sample(exchange->environment->metrics, mcp_wall_ms(exchange->environment));
	}
}

static MCP_SELDOM void end_timing(mcp_exchange *exchange) {
	uint64_t took_ns = mcp_monotonic_ns(exchange->environment) - exchange->timed_from_ns;
	sample(exchange);
	exchange->until_timed = MCP_EXCHANGES_PER_TIMED;
	mcp_metrics_time_answer(exchange->metrics, took_ns);
}

/* Counts one that failed, which is not timed: the next one is. */
static MCP_SELDOM void count_failure(mcp_exchange *exchange, mcp_status status) {
	if (exchange->metrics != NULL) {
		sample(exchange);
		mcp_metrics_add(&exchange->metrics->counts[MCP_COUNT_CALLS], 1);
		mcp_metrics_add(&exchange->metrics->counts[MCP_COUNT_FAILURES], status != MCP_UNSUPPORTED);
		mcp_metrics_add(&exchange->metrics->counts[MCP_COUNT_TIMEOUTS], status == MCP_TIMEOUT);
	}
}

static inline void count_answer(mcp_exchange *exchange) {
	if (exchange->metrics != NULL) {
		mcp_metrics_add(&exchange->metrics->counts[MCP_COUNT_CALLS], 1);
		if (mcp_exchange_is_timed(exchange)) {
			end_timing(exchange);
		}
	}
}

static MCP_SELDOM void fail(mcp_exchange *exchange, mcp_status status) {
	count_failure(exchange, status);
	mcp_peer_forget(&exchange->peer);
	if (status != MCP_UNSUPPORTED) {
		mcp_exchange_note_failure(exchange);
	}
	if (status == MCP_UNREACHABLE || status == MCP_TIMEOUT) {
		trip(exchange, mcp_exchange_now_ms(exchange));
	}
}

static void look_for_slowness(mcp_exchange *exchange) {
	uint64_t now_ms = mcp_exchange_now_ms(exchange);
	if (was_slow(exchange, now_ms)) {
		mcp_exchange_note_slowness(exchange);
		trip(exchange, now_ms);
	}
}

static inline mcp_status finish(mcp_exchange *exchange, mcp_status status) {
	if (mcp_status_is_failure(status)) {
		fail(exchange, status);
		return status;
	}
	count_answer(exchange);
	if (mcp_breaker_was_tripped(&exchange->breaker)) {
		close_breaker(exchange);
	}
	if (!mcp_wire_bounds_answers(exchange->reading.wire)) {
		look_for_slowness(exchange);
	}
	return status;
}

/* Finishes; a read broken twice, the second time on a new connection, is as good as unreachable. */
mcp_status mcp_exchange_finish_read(mcp_exchange *exchange, mcp_status status) {
	return finish(exchange, status == MCP_BROKEN ? MCP_UNREACHABLE : status);
}

/* Says whether the outcome is open: a proxy that did not hear from its server in time says so, and the server
 * may have done it. */
static bool is_open(const mcp_exchange *exchange, mcp_status status) {
	return status == MCP_BROKEN || status == MCP_TIMEOUT || mcp_status_is_useless(status) ||
		(status == MCP_REFUSED &&
			mcp_reason_is_of_a_proxy(mcp_wire_reason(exchange->reading.wire)));
}

/* Finishes; a write that was sent and has no proper answer may have happened, or may still happen. */
mcp_status mcp_exchange_finish_write(mcp_exchange *exchange, mcp_status status) {
	status = finish(exchange, status);
	return mcp_status_is_failure(status) && is_open(exchange, status) ? MCP_UNKNOWN : status;
}
