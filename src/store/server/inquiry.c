/* Requests for a server's statistics. A proxy can reject these requests or close the connection. Neither is a failure
 * of the caller's request. */
/* SPDX-License-Identifier: MIT */
#include "exchange.h"

#include "../store.h"
#include "stat_lines.h"

static mcp_status read_once(mcp_exchange *exchange, const char *kind) {
	return mcp_bounded_read_stats(&exchange->reading, kind, &exchange->peer.lines);
}

/* Fills the peer's lines. Returns MCP_OK, MCP_REFUSED (no statistics) or the wire's failure. Retries after a broken
 * connection. */
static mcp_status read_lines(mcp_exchange *exchange, const char *kind) {
	mcp_status status = read_once(exchange, kind);
	if (!mcp_exchange_should_retry(exchange, status)) {
		return status;
	}
	exchange->peer.has_broken_off = true;
	status = read_once(exchange, kind);
	if (status == MCP_BROKEN && mcp_wire_ping(exchange->reading.wire) == MCP_OK) {
		status = MCP_REFUSED;
	}
	return status;
}

/* True for a temporary error, which says nothing about the server's capabilities. */
static bool is_passing(const mcp_exchange *exchange) {
	return mcp_reason_is_a_server_error(mcp_wire_reason(exchange->reading.wire));
}

/* Sets the item limit, with or without a reply. MCP_UNREACHABLE: no request is possible. */
static mcp_status learn_item_max(mcp_exchange *exchange) {
	mcp_peer *peer = &exchange->peer;
	mcp_status status = MCP_REFUSED;
	uint64_t number = 0;
	if (!peer->has_no_settings) {
		status = read_lines(exchange, "settings");
	}
	bool has_broken_off = status != MCP_OK && !peer->has_no_settings;
	peer->has_broken_off |= has_broken_off;
	peer->breaks += has_broken_off;
	bool is_reported = status == MCP_OK &&
		mcp_stat_lines_number(&peer->lines, "item_size_max", &number) &&
		number > MCP_STORE_ITEM_OVERHEAD && number <= SIZE_MAX;
	bool refuses = peer->has_no_settings || (status == MCP_REFUSED && !is_passing(exchange));
	peer->has_no_settings = refuses || (status == MCP_OK && !is_reported);
	exchange->reading.wire->item_max = is_reported ? (size_t)number : 0;
	size_t taken = is_reported ? (size_t)number - MCP_STORE_ITEM_OVERHEAD : MCP_STORE_ITEM_MAX;
	peer->item_max = mcp_item_size_limit_lower(exchange->environment, taken);
	return status == MCP_UNREACHABLE ? status : MCP_OK;
}

static bool may_be_asked(const mcp_exchange *exchange) {
	return mcp_exchange_allows(exchange, mcp_exchange_now_ms(exchange));
}

/* A missing limit is not a failure of the caller's request. An unreachable server is a failure: it is counted here,
 * and the caller's request reports it. */
size_t mcp_inquiry_ask_item_max(mcp_exchange *exchange) {
	if (may_be_asked(exchange) && mcp_exchange_begin(exchange) == MCP_OK &&
		learn_item_max(exchange) == MCP_UNREACHABLE) {
		mcp_exchange_finish_read(exchange, MCP_UNREACHABLE);
		exchange->is_unreported = true;
	}
	const mcp_peer *peer = &exchange->peer;
	return peer->item_max != 0
		? peer->item_max
		: mcp_item_size_limit_lower(exchange->environment, MCP_STORE_ITEM_MAX);
}

mcp_status mcp_inquiry_read_stats(mcp_exchange *exchange, const char *kind) {
	mcp_status status = mcp_exchange_begin(exchange);
	if (status != MCP_OK) {
		return status;
	}
	status = read_lines(exchange, kind);
	exchange->moved = exchange->peer.lines.length;
	return mcp_exchange_finish_read(exchange, status == MCP_REFUSED ? MCP_UNSUPPORTED : status);
}

/* If the start was requested over another connection, check that this connection, whose CAS values matter, still
 * exists. */
static mcp_status look_at_connection(mcp_exchange *exchange) {
	mcp_wire *wire = exchange->reading.wire;
	if (!wire->asks_aside) {
		return MCP_OK;
	}
	mcp_status status = mcp_exchange_begin(exchange);
	return status == MCP_OK ? mcp_exchange_finish_read(exchange, mcp_wire_ping(wire)) : status;
}

/* Reads statistics that a decision depends on. MCP_UNSUPPORTED: the server has no statistics. */
static mcp_status ask_surely(mcp_exchange *exchange, const char *kind) {
	mcp_status status = mcp_inquiry_read_stats(exchange, kind);
	return status == MCP_UNSUPPORTED && is_passing(exchange) ? MCP_REFUSED : status;
}

/* Only a single memcached reports settings. A proxy or cloud front end can report a start other than the start of the
 * server that assigns the CAS values. MCP_UNSUPPORTED: not a single memcached. */
static mcp_status ask_whether_it_is_one(mcp_exchange *exchange) {
	uint64_t item_max;
	if (exchange->reading.wire->item_max != 0) {
		return MCP_OK;
	}
	if (exchange->peer.has_no_settings) {
		return MCP_UNSUPPORTED;
	}
	mcp_status status = ask_surely(exchange, "settings");
	if (status != MCP_OK) {
		return status;
	}
	return mcp_stat_lines_number(&exchange->peer.lines, "item_size_max", &item_max)
		? MCP_OK
		: MCP_UNSUPPORTED;
}

/* MCP_UNSUPPORTED: the start is not reported, or not reliable. */
static mcp_status ask_start_time(mcp_exchange *exchange, uint64_t *reported_us) {
	mcp_status status = ask_surely(exchange, NULL);
	if (status != MCP_OK) {
		return status;
	}
	if (!mcp_stat_lines_started_us(&exchange->peer.lines, reported_us)) {
		return MCP_UNSUPPORTED;
	}
	status = ask_whether_it_is_one(exchange);
	return status == MCP_OK ? look_at_connection(exchange) : status;
}

mcp_status mcp_inquiry_started_us(mcp_exchange *exchange, uint64_t *started_us) {
	mcp_peer *peer = &exchange->peer;
	if (peer->tells_no_start) {
		return MCP_UNSUPPORTED;
	}
	if (peer->started_us == 0) {
		uint64_t reported_us;
		mcp_status status = ask_start_time(exchange, &reported_us);
		peer->tells_no_start = status == MCP_UNSUPPORTED;
		if (status != MCP_OK) {
			return status;
		}
		peer->started_us = reported_us;
	}
	*started_us = peer->started_us;
	return MCP_OK;
}
