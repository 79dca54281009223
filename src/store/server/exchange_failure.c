/* Keeps what a server failed of last. Apart from exchange.c, whose good answers are not to pay for the room that
 * words take. */
/* SPDX-License-Identifier: MIT */
#include "exchange.h"

static void note(mcp_exchange *exchange, const mcp_reason *reason) {
	exchange->is_untold = false;
	exchange->failure = (mcp_store_failure){
		.reason = *reason,
		.at_ms = mcp_wall_ms(exchange->environment),
		.met_ms = mcp_exchange_now_ms(exchange),
	};
	if (exchange->metrics != NULL) {
		mcp_bytes words = mcp_bytes_of(reason->text, strlen(reason->text));
		mcp_metrics_state_fail(&exchange->metrics->state, exchange->failure.at_ms, words);
	}
}

void mcp_exchange_note_failure(mcp_exchange *exchange) {
	note(exchange, mcp_wire_reason(exchange->reading.wire));
}

mcp_status mcp_exchange_note_no_memory(mcp_exchange *exchange) {
	mcp_reason reason;
	mcp_reason_say(&reason, "was not asked: this process has no memory for it");
	note(exchange, &reason);
	return MCP_UNREACHABLE;
}

mcp_status mcp_exchange_note_left_alone(mcp_exchange *exchange) {
	exchange->failure.met_ms = exchange->began_ms;
	exchange->failure.is_tripped = !exchange->is_untold;
	exchange->is_untold = false;
	return MCP_UNREACHABLE;
}

void mcp_exchange_note_slowness(mcp_exchange *exchange) {
	mcp_reason reason;
	mcp_reason_say_slow(&reason,
		mcp_deadline_allowed_ms(exchange->reading.timeout_ms, exchange->moved));
	note(exchange, &reason);
}
