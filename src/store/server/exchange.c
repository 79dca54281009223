/* Requests with a circuit breaker: after a failure, one call waits for the timeout, and the following calls fail
 * immediately. */
/* SPDX-License-Identifier: MIT */
#include "exchange.h"

#include "../../core/compiler.h"
#include "../../core/metrics/metrics.h"
#include "stat_lines.h"

/* True if earlier requests of this run exist. */
static inline bool is_further_request(const mcp_multi_get *many) {
	return many->from > 0;
}

/* Returns the key of the next reply if the server has an item for this key. NULL: no key is left. */
static inline const mcp_key *expected_key(mcp_multi_get *many) {
	while (many->cursor < many->to && many->ops[many->cursor]->status != MCP_NOT_FOUND) {
		many->cursor++;
	}
	return many->cursor < many->to ? many->ops[many->cursor]->key : NULL;
}

/* Returns the destination of the item of expected_key's key. After the item is written, call note_taken with the start
 * of the wire's items (wire.h). */
static inline mcp_item *place_of_item(const mcp_multi_get *many) {
	return &many->ops[many->cursor]->item;
}

/* Computed with integers, because the items need not be in one piece of memory. */
static inline size_t item_offset(const mcp_item *item, const char *items) {
	return (size_t)((uintptr_t)item->value.data - (uintptr_t)items);
}

static inline void note_taken(mcp_multi_get *many, const char *items) {
	mcp_op *op = many->ops[many->cursor++];
	op->status = MCP_OK;
	op->number = item_offset(&op->item, items);
}

static uint64_t order_of_call(const mcp_exchange *exchange) {
	mcp_failing *failing = exchange->environment->failing;
	return failing != NULL ? ++failing->count : mcp_exchange_now_ms(exchange);
}

/* Records the failure for messages and metrics. */

static void note_reason(mcp_exchange *exchange, const mcp_reason *reason) {
	exchange->is_unreported = false;
	exchange->failure = (mcp_store_failure){
		.reason = *reason,
		.at_ms = mcp_wall_ms(exchange->environment),
		.met = order_of_call(exchange),
	};
	if (exchange->metrics != NULL) {
		mcp_bytes words = mcp_bytes_text(reason->text);
		mcp_metrics_state_fail(&exchange->metrics->state, exchange->failure.at_ms, words);
	}
}

static void keep_failure_reason(mcp_exchange *exchange) {
	note_reason(exchange, mcp_wire_reason(exchange->reading.wire));
}

mcp_status mcp_exchange_note_tripped(mcp_exchange *exchange) {
	exchange->failure.met = order_of_call(exchange);
	exchange->failure.is_tripped = !exchange->is_unreported;
	exchange->is_unreported = false;
	return MCP_UNREACHABLE;
}

static void keep_slowness(mcp_exchange *exchange) {
	mcp_reason reason;
	mcp_reason_say_slow(&reason,
		mcp_deadline_allowed_ms(exchange->reading.timeout_ms, exchange->moved));
	note_reason(exchange, &reason);
}

/* True if a completed reply was slow: some wires bound each wait for bytes, but not the whole reply of a slow
 * sender. */
static bool was_slow(const mcp_exchange *exchange, uint64_t now_ms) {
	uint64_t allowed_ms = mcp_deadline_allowed_ms(exchange->reading.timeout_ms, exchange->moved);
	return now_ms - exchange->began_ms > allowed_ms;
}

void mcp_exchange_be_counted(mcp_exchange *exchange, const char *address) {
	const mcp_environment *environment = exchange->environment;
	if (environment->metrics != NULL) {
		exchange->metrics = mcp_metrics_find_server(environment->metrics, mcp_bytes_text(address));
		/* Time a random request first, because the first request includes connecting. */
		exchange->until_timed =
			1 + (int32_t)(mcp_random_u64(environment) % MCP_EXCHANGES_PER_TIMED);
	}
}

/* If the breaker rejects this request, the next request is timed. */
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

/* Requests to several servers overlap, so only the time after the last failure counts. */
static uint64_t lose_time(const mcp_exchange *exchange, uint64_t now_ms) {
	mcp_failing *failing = exchange->environment->failing;
	if (failing == NULL) {
		return 0;
	}
	uint64_t since_ms = exchange->reading.wire->now_ms;
	failing->lost_ms += now_ms - (since_ms > failing->last_ms ? since_ms : failing->last_ms);
	failing->last_ms = now_ms;
	return failing->lost_ms;
}

static void trip(mcp_exchange *exchange, uint64_t now_ms) {
	uint64_t lost_ms = lose_time(exchange, now_ms);
	mcp_breaker_trip(&exchange->breaker, now_ms - lost_ms, exchange->retry_after_ms);
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

/* Samples the metrics here, because a process without other threads has no other occasion to do so. */
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

/* A failed request is not timed; the next request is timed. */
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

static MCP_SELDOM void fail_exchange(mcp_exchange *exchange, mcp_status status) {
	count_failure(exchange, status);
	mcp_peer_forget(&exchange->peer);
	if (status != MCP_UNSUPPORTED) {
		keep_failure_reason(exchange);
	}
	if (status == MCP_UNREACHABLE || status == MCP_TIMEOUT) {
		trip(exchange, mcp_exchange_now_ms(exchange));
	}
}

static void check_slowness(mcp_exchange *exchange) {
	uint64_t now_ms = mcp_exchange_now_ms(exchange);
	if (was_slow(exchange, now_ms)) {
		keep_slowness(exchange);
		trip(exchange, now_ms);
	}
}

static inline mcp_status finish_exchange(mcp_exchange *exchange, mcp_status status) {
	if (mcp_status_is_failure(status)) {
		fail_exchange(exchange, status);
		return status;
	}
	count_answer(exchange);
	exchange->breaker.insisted = 0;
	if (!mcp_breaker_is_closed(&exchange->breaker)) {
		close_breaker(exchange);
	}
	if (!mcp_wire_bounds_answers(exchange->reading.wire)) {
		check_slowness(exchange);
	}
	return status;
}

/* A read that broke twice, the second time on a new connection, counts as a read from an unreachable server. */
mcp_status mcp_exchange_finish_read(mcp_exchange *exchange, mcp_status status) {
	return finish_exchange(exchange, status == MCP_BROKEN ? MCP_UNREACHABLE : status);
}

/* True if the outcome is unknown. A proxy reports its own timeout although its server might have executed the write. */
static bool is_open(const mcp_exchange *exchange, mcp_status status) {
	return status == MCP_BROKEN || status == MCP_TIMEOUT || mcp_status_is_useless(status) ||
		(status == MCP_REFUSED &&
			mcp_reason_is_of_a_proxy(mcp_wire_reason(exchange->reading.wire)));
}

/* A write that was sent and got no valid reply might have been executed, or might still be executed. */
mcp_status mcp_exchange_finish_write(mcp_exchange *exchange, mcp_status status) {
	status = finish_exchange(exchange, status);
	return mcp_status_is_failure(status) && is_open(exchange, status) ? MCP_UNKNOWN : status;
}

/* memcached replies in the order of the keys and omits misses, so a cursor finds each key immediately. The search is
 * for proxies that reply in another order. */

#define SPACE 1

static size_t plan(mcp_multi_get *many, size_t bytes_max) {
	size_t names = 0;
	size_t request = 0;
	size_t i = many->from;
	for (; i < many->count; i++) {
		mcp_op *op = many->ops[i];
		if (!mcp_key_may_be_sent(op->key)) {
			op->status = MCP_BAD_KEY;
			continue;
		}
		request += op->key->wire.length + SPACE;
		if (request > bytes_max) {
			break;
		}
		op->status = MCP_NOT_FOUND;
		names++;
	}
	many->to = i;
	return names;
}

bool mcp_multi_get_next(mcp_multi_get *many, size_t bytes_max) {
	many->from = many->to;
	many->cursor = many->from;
	many->asked = plan(many, bytes_max);
	return many->asked > 0;
}

void mcp_multi_get_again(mcp_multi_get *many) {
	many->from = many->to = 0;
}

static inline bool is_answer_to(const mcp_multi_get *many, size_t i, mcp_bytes key) {
	const mcp_op *op = many->ops[i];
	return op->status == MCP_NOT_FOUND && mcp_bytes_equal(op->key->wire, key);
}

/* Returns `end` if the key is not found. */
static size_t find_key(const mcp_multi_get *many, mcp_bytes key, size_t start, size_t end) {
	for (size_t i = start; i < end; i++) {
		if (is_answer_to(many, i, key)) {
			return i;
		}
	}
	return end;
}

static MCP_APART size_t find_any(const mcp_multi_get *many, mcp_bytes key) {
	size_t i = find_key(many, key, many->cursor, many->to);
	if (i < many->to) {
		return i;
	}
	i = find_key(many, key, many->from, many->cursor);
	return i < many->cursor ? i : many->to;
}

/* MCP_PROTOCOL: the key was not requested. */
static mcp_status take_item(mcp_multi_get *many, mcp_bytes key, const mcp_item *item,
	const char *items) {
	size_t i = many->cursor;
	if (i == many->to || !is_answer_to(many, i, key)) {
		i = find_any(many, key);
		if (i == many->to) {
			return MCP_PROTOCOL;
		}
	}
	many->cursor = i;
	*place_of_item(many) = *item;
	note_taken(many, items);
	return MCP_OK;
}

void mcp_multi_get_fail(mcp_multi_get *many, mcp_status status) {
	for (size_t i = 0; i < many->from; i++) {
		many->ops[i]->item.cas = 0;
	}
	for (size_t i = many->from; i < many->count; i++) {
		mcp_op *op = many->ops[i];
		op->status = mcp_key_may_be_sent(op->key) ? status : MCP_BAD_KEY;
	}
}

void mcp_multi_get_end(mcp_multi_get *many, const char *items) {
	if (items == NULL) {
		return; /* the views are valid already */
	}
	for (size_t i = 0; i < many->count; i++) {
		mcp_op *op = many->ops[i];
		if (op->status == MCP_OK) {
			op->item.value.data = (const char *)((uintptr_t)items + op->number);
		}
	}
}

/* A server that sends slowly could forever block a wire that bounds each wait but not the call. Therefore, the next
 * wait is shortened to the remaining time, but only between the parts of a reply. */

/* Limit of statistics. Those of memcached have about 2,000 bytes. */
#define STATISTICS_MAX ((size_t)256 * 1024)

typedef struct hearing {
	mcp_bounded_read *reading;
	mcp_buffer *lines;
} hearing;

static uint64_t now_ms(const mcp_bounded_read *reading) {
	return mcp_monotonic_ms(reading->environment);
}

/* A wire that bounds its replies does not need a second clock. */
static void begin_bounded(mcp_bounded_read *reading) {
	reading->asked_ms = mcp_wire_bounds_answers(reading->wire) ? 0 : now_ms(reading);
	reading->left_ms = reading->timeout_ms;
	reading->received = 0;
}

static void wait_normally(const mcp_bounded_read *reading) {
	mcp_wire_wait_at_most(reading->wire, reading->timeout_ms);
}

/* Shortens the next wait to the time left for this many bytes; usually the wait is unchanged. */
static inline void hurry(mcp_bounded_read *reading, size_t received) {
	if (mcp_wire_bounds_answers(reading->wire)) {
		return;
	}
	reading->received += received;
	uint64_t allowed_ms = mcp_deadline_allowed_ms(reading->timeout_ms, reading->received);
	int64_t left_ms = (int64_t)(reading->asked_ms + allowed_ms - now_ms(reading));
	if (left_ms == reading->left_ms) {
		return;
	}
	reading->left_ms = left_ms;
	int64_t wait_ms = left_ms < reading->timeout_ms ? left_ms : reading->timeout_ms;
	mcp_wire_wait_at_most(reading->wire, wait_ms > 0 ? (uint64_t)wait_ms : 0);
}

/* Fast path for replies in the order of the keys. */
static void take_expected(mcp_bounded_read *reading, mcp_multi_get *many) {
	mcp_wire *wire = reading->wire;
	const char *items = mcp_wire_items(wire);
	const mcp_key *key;
	while ((key = expected_key(many)) != NULL &&
		mcp_wire_take(wire, key->wire, place_of_item(many))) {
		hurry(reading, place_of_item(many)->value.length);
		note_taken(many, items);
	}
}

static mcp_status receive(mcp_bounded_read *reading, mcp_multi_get *many) {
	mcp_status awaited = mcp_wire_await(reading->wire);
	if (awaited != MCP_OK) {
		return awaited;
	}
	for (;;) {
		take_expected(reading, many);
		mcp_bytes key;
		mcp_item item;
		mcp_status status = mcp_wire_next(reading->wire, &key, &item);
		if (status != MCP_OK) {
			return status == MCP_NOT_FOUND ? MCP_OK : status;
		}
		status = take_item(many, key, &item, mcp_wire_items(reading->wire));
		if (status != MCP_OK) {
			mcp_wire_break_off(reading->wire);
			return status;
		}
		hurry(reading, item.value.length);
	}
}

mcp_status mcp_bounded_read_ask(mcp_bounded_read *reading, const mcp_multi_get *many) {
	begin_bounded(reading);
	return mcp_wire_ask(reading->wire, many->ops + many->from, many->to - many->from,
		is_further_request(many));
}

mcp_status mcp_bounded_read_hear(mcp_bounded_read *reading, mcp_multi_get *many) {
	mcp_status status = receive(reading, many);
	wait_normally(reading);
	return status;
}

/* Ignore a line if memory is exhausted, because statistics are not critical. */
static bool hear_statistic(void *context, mcp_bytes name, mcp_bytes value) {
	hearing *to = context;
	size_t length_before = to->lines->length;
	mcp_stat_lines_add(to->lines, name, value);
	hurry(to->reading, to->lines->length - length_before);
	return to->lines->length <= STATISTICS_MAX;
}

mcp_status mcp_bounded_read_stats(mcp_bounded_read *reading, const char *kind, mcp_buffer *lines) {
	hearing to = {reading, lines};
	mcp_buffer_clear(lines);
	begin_bounded(reading);
	mcp_status status = mcp_wire_stats(reading->wire, kind, hear_statistic, &to);
	wait_normally(reading);
	return status;
}
