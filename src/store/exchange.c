/* A server that could not be reached or did not answer in time is left alone for a while: one call pays, the
 * following ones fail at once. */
/* SPDX-License-Identifier: MIT */
#include "exchange.h"

#include "../core/compiler.h"

/* A wire bounds each wait for bytes, not the answer: one that drips may take long and still come. */
static bool was_slow(const mcp_exchange *exchange, uint64_t now_ms) {
	uint64_t allowed_ms = mcp_deadline_allowed_ms(exchange->reading.timeout_ms, exchange->moved);
	return now_ms - exchange->began_ms > allowed_ms;
}

static MCP_SELDOM void fail(mcp_exchange *exchange, mcp_status status) {
	mcp_peer_forget(&exchange->peer);
	if (status != MCP_UNSUPPORTED) {
		mcp_exchange_note_failure(exchange);
	}
	if (status == MCP_UNREACHABLE || status == MCP_TIMEOUT) {
		uint64_t now_ms = mcp_exchange_now_ms(exchange);
		mcp_breaker_trip(&exchange->breaker, now_ms, exchange->retry_after_ms);
	}
}

static void look_for_slowness(mcp_exchange *exchange) {
	uint64_t now_ms = mcp_exchange_now_ms(exchange);
	if (was_slow(exchange, now_ms)) {
		mcp_exchange_note_slowness(exchange);
		mcp_breaker_trip(&exchange->breaker, now_ms, exchange->retry_after_ms);
	}
}

static inline mcp_status finish(mcp_exchange *exchange, mcp_status status) {
	if (mcp_status_is_failure(status)) {
		fail(exchange, status);
		return status;
	}
	mcp_breaker_close(&exchange->breaker);
	if (!mcp_wire_bounds_answers(exchange->reading.wire)) {
		look_for_slowness(exchange);
	}
	return status;
}

/* Broken twice, the second time on a new connection: as good as unreachable. */
mcp_status mcp_exchange_finish_read(mcp_exchange *exchange, mcp_status status) {
	return finish(exchange, status == MCP_UNKNOWN ? MCP_UNREACHABLE : status);
}

/* A proxy that did not hear from its server in time says so, and the server may have done it. */
static bool is_open(const mcp_exchange *exchange, mcp_status status) {
	return status == MCP_TIMEOUT || status == MCP_PROTOCOL ||
		(status == MCP_REFUSED &&
			mcp_reason_is_of_a_proxy(mcp_wire_reason(exchange->reading.wire)));
}

/* A write that was sent and has no proper answer may have happened, or may still happen. */
mcp_status mcp_exchange_finish_write(mcp_exchange *exchange, mcp_status status) {
	status = finish(exchange, status);
	return is_open(exchange, status) ? MCP_UNKNOWN : status;
}
