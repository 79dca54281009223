/* A request and its answer: whether it may be sent at all, what its outcome means to the caller, and what
 * is left alone after it. One after the other, over one wire. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_SERVER_EXCHANGE_H
#define MCP_STORE_SERVER_EXCHANGE_H

#include "../../core/breaker.h"
#include "../../core/metrics/metrics.h"
#include "../buffer.h"
#include "../store.h"
#include "../wire/deadline.h"
#include "../wire/wire.h"

#include <stdint.h>

/* A get_many under way: cuts the keys into requests, and finds out which key each answer belongs to. Pure bookkeeping:
 * connection.c and exchange.c send and receive, and the wire keeps the values. */

/* Invariants: keys before `from` are answered; [from, to) is the request under way, of `asked` keys. */
typedef struct mcp_multi_get {
	const mcp_key *keys;
	mcp_reply *replies;
	size_t count;
	size_t from, to;
	size_t asked;
	size_t cursor;      /* where the next answer is expected */
	const char **names; /* the request: keys and their lengths ... */
	size_t *lengths;
	size_t *offsets; /* ... and how far from the wire's items each key's value begins */
} mcp_multi_get;

/* Prepares in `room`, which is used until mcp_multi_get_end. False if there is no memory. */
bool mcp_multi_get_prepare(mcp_multi_get *many, mcp_buffer *room, const mcp_key *keys, size_t count,
	mcp_reply *replies);
/* Chooses the next request, of keys with so many bytes, one more for each; false if every key had its turn. */
bool mcp_multi_get_next(mcp_multi_get *many, size_t bytes_max);
/* Forgets all answers; the next request is the first one again. For a broken connection: a server that
 * was restarted may give the ids it gave before to other items. */
void mcp_multi_get_again(mcp_multi_get *many);
/* Fails the request under way and all later ones. An item that was answered before keeps its value and loses
 * its cas id: the connection it belongs to may be gone. */
void mcp_multi_get_fail(mcp_multi_get *many, mcp_status status);
/* Turns what was found into views, where the wire's items begin now. Nothing may follow. */
void mcp_multi_get_end(mcp_multi_get *many, const char *items);

/* The reads whose answers come in many parts, a get_many and statistics: each part is waited for, and
 * the whole is bounded too, as far as a wire lets it be. */

typedef struct mcp_bounded_read {
	mcp_wire *wire;
	const mcp_environment *environment;
	uint32_t timeout_ms;
	/* The times of the request under way, unless the wire bounds the answer: */
	uint64_t asked_ms;
	int64_t left_ms; /* when it was last looked at; < 0: it has had more than its time */
	size_t received; /* bytes of values */
} mcp_bounded_read;

/* One try each; statuses are the wire's. */

/* Sends the request that is planned in `many`; `received` is 0 then. */
mcp_status mcp_bounded_read_ask(mcp_bounded_read *reading, const mcp_multi_get *many);
/* Reads the whole answer to what was asked last, which was MCP_OK. */
mcp_status mcp_bounded_read_hear(mcp_bounded_read *reading, mcp_multi_get *many);
/* Reads all lines of "stats", or of one kind of them, for stat_lines.h. MCP_PROTOCOL if they do not end. */
mcp_status mcp_bounded_read_stats(mcp_bounded_read *reading, const char *kind, mcp_buffer *lines);

/* The peer: what is known of the memcached at the other end beyond its items: when it started, how large an
 * item may be, whether it gives cas ids. Learnt from its statistics, for as long as a connection lasts. */

/* Zero-initialised: nothing is known. */
typedef struct mcp_peer {
	uint64_t started_us; /* 0: not asked on this connection */
	size_t item_max;     /* 0: not asked on this connection */
	/* A proxy that refuses "stats settings", or closes on it: not asked again. */
	bool has_no_settings;
	bool tells_no_start; /* likewise of "stats" */
	bool gives_no_cas;
	/* While it was asked for them: cas ids that were read before are another life's. */
	bool has_broken_off;
	uint64_t breaks;  /* the connections that were lost, or may have been */
	mcp_buffer lines; /* the last statistics */
} mcp_peer;

/* Forgets, as the connection is gone: there may be another process at the other end now. */
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
	uint64_t began_ms;           /* the request under way, unless its wire bounds what it takes */
	size_t moved;                /* its bytes and its answer's, as far as they count */
	mcp_store_failure failure;   /* the last one */
	bool is_untold;              /* it was an inquiry's: no status has told a caller of it */
	mcp_metrics_server *metrics; /* what is counted of this server; NULL: nothing */
	int32_t until_timed;         /* how many requests on one is timed; <= 0: the one under way is */
	uint64_t timed_from_ns;      /* of that one alone */
} mcp_exchange;

static inline uint64_t mcp_exchange_now_ms(const mcp_exchange *exchange) {
	return mcp_monotonic_ms(exchange->environment);
}

/* Notes that the server was not asked: this process has no memory for it. Returns MCP_UNREACHABLE. */
mcp_status mcp_exchange_note_no_memory(mcp_exchange *exchange);
/* Notes that the last failure keeps a call from being sent; one that is untold is that call's own. Returns
 * MCP_UNREACHABLE. */
mcp_status mcp_exchange_note_left_alone(mcp_exchange *exchange);

/* Counts from now on what becomes of its requests for this server, where its environment counts. */
void mcp_exchange_be_counted(mcp_exchange *exchange, const char *address);

/* Two readings of the clock cost a hit more than all counting does. */
#define MCP_EXCHANGES_PER_TIMED 64

/* Begins to time the request that begins now, where its server is counted. */
void mcp_exchange_begin_timing(mcp_exchange *exchange);

static inline bool mcp_exchange_is_timed(const mcp_exchange *exchange) {
	return exchange->until_timed <= 0;
}

/* Skips timing this request, whose duration says nothing about the server; times the next one. */
static inline void mcp_exchange_stop_timing(mcp_exchange *exchange) {
	if (mcp_exchange_is_timed(exchange)) {
		exchange->until_timed = 1;
	}
}

/* MCP_OK if the request may be sent. */
static inline mcp_status mcp_exchange_begin(mcp_exchange *exchange) {
	exchange->moved = 0;
	if (--exchange->until_timed <= 0) {
		mcp_exchange_begin_timing(exchange);
	}
	if (mcp_wire_bounds_answers(exchange->reading.wire) &&
		mcp_breaker_is_closed(&exchange->breaker)) {
		return MCP_OK; /* and no clock is read: the wire's own will do */
	}
	exchange->began_ms = mcp_exchange_now_ms(exchange);
	exchange->reading.wire->now_ms = exchange->began_ms;
	bool is_allowed = mcp_breaker_allows(&exchange->breaker, exchange->began_ms);
	return is_allowed ? MCP_OK : mcp_exchange_note_left_alone(exchange);
}

static inline mcp_status mcp_exchange_begin_with(mcp_exchange *exchange, const mcp_key *key) {
	return mcp_key_may_be_sent(key) ? mcp_exchange_begin(exchange) : MCP_BAD_KEY;
}

/* Begins to ask once more: what the first try has taken says nothing of the server. */
void mcp_exchange_begin_again(mcp_exchange *exchange);

/* After so long without traffic many a firewall, balancer or NAT has forgotten a connection, and drops without a word what
 * is sent over it. */
#define MCP_EXCHANGE_IDLE_MS 30000

/* Says whether it was the connection that failed, and perhaps not the server. */
static inline bool mcp_exchange_has_lost_connection(const mcp_exchange *exchange,
	mcp_status status) {
	bool was_idle = exchange->reading.wire->idle_ms > MCP_EXCHANGE_IDLE_MS;
	return status == MCP_BROKEN || (status == MCP_TIMEOUT && was_idle);
}

/* Says whether a read is to be sent again, over a new connection: mostly the server, or somebody between, has ended the
 * old one while it was idle. Once for each. */
static inline bool mcp_exchange_should_retry(mcp_exchange *exchange, mcp_status status) {
	bool should = mcp_exchange_has_lost_connection(exchange, status);
	if (should) {
		mcp_exchange_begin_again(exchange);
	}
	return should;
}

/* Makes of what the wire said what the caller is told. */
mcp_status mcp_exchange_finish_read(mcp_exchange *exchange, mcp_status status);
mcp_status mcp_exchange_finish_write(mcp_exchange *exchange, mcp_status status);

/* Does what both do with MCP_OK, without a call where nothing is to be done but counting. */
static inline mcp_status mcp_exchange_finish_well(mcp_exchange *exchange) {
	bool is_all = !mcp_breaker_was_tripped(&exchange->breaker) &&
		!mcp_exchange_is_timed(exchange) && mcp_wire_bounds_answers(exchange->reading.wire);
	if (!is_all) {
		return mcp_exchange_finish_read(exchange, MCP_OK);
	}
	if (exchange->metrics != NULL) {
		mcp_metrics_add(&exchange->metrics->counts[MCP_COUNT_CALLS], 1);
	}
	return MCP_OK;
}

#endif
