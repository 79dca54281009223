/* One request and its reply over one wire: permission to send, meaning of the outcome, and circuit breaker. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_SERVER_EXCHANGE_H
#define MCP_STORE_SERVER_EXCHANGE_H

#include "../../core/metrics/metrics.h"
#include "../../core/bytes.h"
#include "../store.h"
#include "../wire/socket.h"
#include "../wire/wire.h"

#include <stdbool.h>
#include <stdint.h>

/* Circuit breaker of one server: after a failure, the server is skipped for some time, so that only one call waits
 * for the timeout. The caller passes the monotonic time. */

typedef struct mcp_breaker {
	uint64_t open_until_ms; /* 0: closed; 1: bypassed since it opened */
	unsigned insisted;      /* reasons (bits) for bypassing the breaker since the last success */
} mcp_breaker;

static inline bool mcp_breaker_is_closed(const mcp_breaker *breaker) {
	return breaker->open_until_ms == 0;
}

static inline bool mcp_breaker_allows(const mcp_breaker *breaker, uint64_t now_ms) {
	return now_ms >= breaker->open_until_ms;
}

static inline void mcp_breaker_trip(mcp_breaker *breaker, uint64_t now_ms, uint32_t pause_ms) {
	breaker->open_until_ms = now_ms + pause_ms;
}

static inline void mcp_breaker_close(mcp_breaker *breaker) {
	*breaker = (mcp_breaker){0};
}

/* Let the next call through despite a failure, once per reason (a bit) in an outage. */
static inline void mcp_breaker_insist(mcp_breaker *breaker, unsigned reason) {
	if ((breaker->insisted & reason) == 0) {
		breaker->insisted |= reason;
		breaker->open_until_ms = breaker->open_until_ms != 0;
	}
}

/* A run of gets in progress: divides the keys into requests and assigns the replies to keys. Bookkeeping only:
 * connection.c and exchange.c send and receive, and the wire keeps the values. */

/* Invariants: ops before `from` have a reply. [from, to) is the request in progress, with `asked` keys: those of the
 * ops with the status MCP_NOT_FOUND. The number of a found op is its value's offset from the start of the wire's
 * items. */
typedef struct mcp_multi_get {
	mcp_op *const *ops;
	size_t count;
	size_t from, to;
	size_t asked;
	size_t cursor; /* index of the op whose reply is expected next */
} mcp_multi_get;

/* Chooses the next request, of at most `bytes_max` bytes of keys with 1 separator each. False: no key is left. */
bool mcp_multi_get_next(mcp_multi_get *many, size_t bytes_max);
/* Discards all replies and starts with the first request again. Required after a broken connection: a restarted server
 * can reuse CAS values for other items. */
void mcp_multi_get_again(mcp_multi_get *many);
/* Fails the request in progress and all later requests. Items already received keep their value and lose their CAS
 * value, because the connection might have ended. */
void mcp_multi_get_fail(mcp_multi_get *many, mcp_status status);
/* Makes views of the items, whose memory might have moved. No other call may follow. */
void mcp_multi_get_end(mcp_multi_get *many, const char *items);

/* Read of a reply in many parts: a run of gets or statistics. Each wait is bounded. The total time is bounded as far
 * as the wire permits. */

typedef struct mcp_bounded_read {
	mcp_wire *wire;
	const mcp_environment *environment;
	uint32_t timeout_ms;
	/* Times of the request in progress, unless the wire bounds its replies. */
	uint64_t asked_ms;
	int64_t left_ms; /* time left at the last check; < 0: overdue */
	size_t received; /* bytes of values received */
} mcp_bounded_read;

/* Each function makes one attempt. The statuses are from the wire. */

/* Sends the request planned in `many` and resets `received`. */
mcp_status mcp_bounded_read_ask(mcp_bounded_read *reading, const mcp_multi_get *many);
/* Reads the whole reply to the last successful request. */
mcp_status mcp_bounded_read_hear(mcp_bounded_read *reading, mcp_multi_get *many);
/* Reads all lines of "stats", or of "stats" with this `kind`, for stat_lines.h. MCP_PROTOCOL: too many lines. */
mcp_status mcp_bounded_read_stats(mcp_bounded_read *reading, const char *kind, mcp_buffer *lines);

/* State of the memcached at the other end, learned from its statistics and valid for one connection: its start, item
 * limit and CAS support. */

/* Zero-initialized: unknown. */
typedef struct mcp_peer {
	uint64_t started_us; /* 0: not requested on this connection */
	size_t item_max;     /* 0: not requested on this connection */
	/* A proxy rejects "stats settings" or closes the connection. The settings are then never requested again. */
	bool has_no_settings;
	bool tells_no_start; /* the peer rejects "stats" or closes the connection */
	bool gives_no_cas;
	/* A request for statistics broke the connection: CAS values from earlier reads are invalid. */
	bool has_broken_off;
	uint64_t breaks;  /* number of connections that were lost or might have been lost */
	mcp_buffer lines; /* last statistics */
} mcp_peer;

/* Call this when the connection is closed: the next connection can reach another process. */
static inline void mcp_peer_forget(mcp_peer *peer) {
	peer->started_us = 0;
	peer->item_max = 0;
	peer->gives_no_cas = false;
	peer->breaks++;
}

static inline void mcp_peer_free(mcp_peer *peer) {
	mcp_buffer_free(&peer->lines);
}

typedef struct mcp_exchange {
	const mcp_environment *environment;
	mcp_breaker breaker;
	uint32_t retry_after_ms;
	mcp_bounded_read reading;
	mcp_peer peer;
	uint64_t began_ms; /* start of the request in progress, unless its wire bounds replies */
	size_t moved;      /* bytes of the request and its reply that count for the timeout */
	mcp_store_failure failure;   /* the last failure */
	bool is_unreported;          /* an inquiry failed, and no call has reported this failure yet */
	mcp_metrics_server *metrics; /* counters of this server; NULL: not counted */
	int32_t until_timed;    /* requests until the next timed request; <= 0: this request is timed */
	uint64_t timed_from_ns; /* start of the timed request */
} mcp_exchange;

static inline uint64_t mcp_exchange_now_ms(const mcp_exchange *exchange) {
	return mcp_monotonic_ms(exchange->environment);
}

/* True if the breaker lets a request through at this time. */
static inline bool mcp_exchange_allows(const mcp_exchange *exchange, uint64_t now_ms) {
	const mcp_failing *failing = exchange->environment->failing;
	return mcp_breaker_allows(&exchange->breaker,
		failing != NULL ? now_ms - failing->lost_ms : now_ms);
}

/* Notes that the open breaker stopped a call. A failure that no call has reported counts as this call's failure.
 * Returns MCP_UNREACHABLE. */
mcp_status mcp_exchange_note_tripped(mcp_exchange *exchange);

/* Starts counting this server's requests, if the environment has metrics. */
void mcp_exchange_be_counted(mcp_exchange *exchange, const char *address);

/* One request in this number is timed: two clock reads per hit would cost more than all counting. */
#define MCP_EXCHANGES_PER_TIMED 64

/* Starts timing the current request, if its server is counted. */
void mcp_exchange_begin_timing(mcp_exchange *exchange);

static inline bool mcp_exchange_is_timed(const mcp_exchange *exchange) {
	return exchange->until_timed <= 0;
}

/* Does not time this request, because its duration does not depend only on the server. Times the next request. */
static inline void mcp_exchange_stop_timing(mcp_exchange *exchange) {
	if (mcp_exchange_is_timed(exchange)) {
		exchange->until_timed = 1;
	}
}

/* MCP_OK: the request may be sent. */
static inline mcp_status mcp_exchange_begin(mcp_exchange *exchange) {
	exchange->moved = 0;
	if (--exchange->until_timed <= 0) {
		mcp_exchange_begin_timing(exchange);
	}
	if (mcp_wire_bounds_answers(exchange->reading.wire) &&
		mcp_breaker_is_closed(&exchange->breaker)) {
		return MCP_OK; /* no clock is read here: the wire has a deadline */
	}
	exchange->began_ms = mcp_exchange_now_ms(exchange);
	exchange->reading.wire->now_ms = exchange->began_ms;
	bool is_allowed = mcp_exchange_allows(exchange, exchange->began_ms);
	return is_allowed ? MCP_OK : mcp_exchange_note_tripped(exchange);
}

static inline mcp_status mcp_exchange_begin_with(mcp_exchange *exchange, const mcp_key *key) {
	return mcp_key_may_be_sent(key) ? mcp_exchange_begin(exchange) : MCP_BAD_KEY;
}

/* Restarts the time for a retry: the duration of the first attempt says nothing about the server. */
void mcp_exchange_begin_again(mcp_exchange *exchange);

/* Idle time after which many firewalls, load balancers and NATs drop a connection's packets silently. */
#define MCP_EXCHANGE_IDLE_MS 30000

/* True if it is possible that only the connection has failed, not the server. */
static inline bool mcp_exchange_has_lost_connection(const mcp_exchange *exchange,
	mcp_status status) {
	bool was_idle = exchange->reading.wire->idle_ms > MCP_EXCHANGE_IDLE_MS;
	return status == MCP_BROKEN || (status == MCP_TIMEOUT && was_idle);
}

/* True if a read must be resent over a new connection, once: usually the previous connection was closed while it was
 * idle. */
static inline bool mcp_exchange_should_retry(mcp_exchange *exchange, mcp_status status) {
	bool should = mcp_exchange_has_lost_connection(exchange, status);
	if (should) {
		mcp_exchange_begin_again(exchange);
	}
	return should;
}

/* Convert the wire's status to the status for the caller. */
mcp_status mcp_exchange_finish_read(mcp_exchange *exchange, mcp_status status);
mcp_status mcp_exchange_finish_write(mcp_exchange *exchange, mcp_status status);

/* Fast path of both functions for MCP_OK, if only the counter changes. */
static inline mcp_status mcp_exchange_finish_well(mcp_exchange *exchange) {
	bool is_all = mcp_breaker_is_closed(&exchange->breaker) && !mcp_exchange_is_timed(exchange) &&
		mcp_wire_bounds_answers(exchange->reading.wire);
	if (!is_all) {
		return mcp_exchange_finish_read(exchange, MCP_OK);
	}
	exchange->breaker.insisted = 0;
	if (exchange->metrics != NULL) {
		mcp_metrics_add(&exchange->metrics->counts[MCP_COUNT_CALLS], 1);
	}
	return MCP_OK;
}

/* Inquiries about a server: its statistics, start and item limit. Constant values are requested once per connection. */

/* Reads the statistics of this kind into the peer's lines; NULL: general statistics. Statuses as for stats in
 * store.h. */
mcp_status mcp_inquiry_read_stats(mcp_exchange *exchange, const char *kind);
/* See started_us in store.h. */
mcp_status mcp_inquiry_started_us(mcp_exchange *exchange, uint64_t *started_us);

/* Smaller writes do not request the item limit, because administrators rarely set the limit below this size. */
#define MCP_INQUIRY_ITEM_MAX_MATTERS 8192

/* Requests the limit and returns it. */
size_t mcp_inquiry_ask_item_max(mcp_exchange *exchange);
/* See item_max in store.h. */
static inline size_t mcp_inquiry_item_max(mcp_exchange *exchange, size_t wanted) {
	if (exchange->peer.item_max != 0) {
		return exchange->peer.item_max;
	}
	return wanted > MCP_INQUIRY_ITEM_MAX_MATTERS ? mcp_inquiry_ask_item_max(exchange)
												 : MCP_STORE_ITEM_MAX;
}

#endif
