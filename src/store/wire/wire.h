/* Contract of a transport: a table of functions for one connection to one memcached.
 * A call sends one request, once, and reads the whole reply. Retries, checks and the breaker are in store/server
 * (connection.c, connection_write.c, exchange.c). A wire connects on demand. Statuses are as in store.h. Failures:
 * - MCP_UNREACHABLE: the wire could not connect, or was rejected; nothing was sent or read
 * - MCP_TIMEOUT: no reply in time
 * - MCP_BROKEN: the connection broke
 * - MCP_PROTOCOL: invalid reply
 * - MCP_ANSWER_TOO_LARGE: the reply exceeds the environment's limit
 * - MCP_REFUSED: the server reported an error
 * - MCP_UNSUPPORTED, of a write: since the last request, the peer closed the connection or sent unrequested bytes.
 *   Nothing was sent, and the next call reconnects.
 * After MCP_UNREACHABLE, MCP_TIMEOUT, MCP_BROKEN and MCP_PROTOCOL, the connection is closed or set aside, so that a
 * late reply is never mistaken for another reply. A wire reconnects only after a failure, so its caller knows when CAS
 * values become invalid. Signals do not extend a request: waits resume, or handlers run after the request. Signals that
 * end the process can end the request. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_WIRE_H
#define MCP_STORE_WIRE_H

#include "../../core/protocol/answer.h"
#include "late_writes.h"
#include "../reason.h"
#include "../store.h"

typedef struct mcp_wire mcp_wire;

typedef struct mcp_wire_settings {
	const char *host;            /* name or address; the path if port is 0 */
	uint16_t port;               /* 0: unix socket */
	uint32_t connect_timeout_ms; /* > 0 */
	uint32_t timeout_ms;         /* > 0, for each reply */
	/* Receives a connection with an unanswered write, if the wire can pass the connection on. Borrowed; must outlive
	 * the wire. NULL: such a connection is closed. */
	mcp_late_writes *late;
	/* Transfers the bytes, for a wire with exchangeable channels (mcp_channel in socket.h). The wire takes ownership.
	 * NULL: the wire opens a socket. */
	const struct mcp_channel *carrier;
	mcp_bytes user, password; /* sent on each connection if the wire supports it; empty: none */
} mcp_wire_settings;

/* Maximum number of requests that are sent before the first reply is read. A server that waits for its replies to be
 * read must have received all requests, or both sides would wait. The replies to MCP_STORE_AHEAD_ANY requests fit into
 * any socket buffer. More requests are sent only if the requests fit into the buffers of their direction, because
 * memcached's replies to 300 requests can fill a Unix socket. */
#define MCP_WIRE_BATCH_MAX MCP_STORE_AHEAD_MAX
#define MCP_WIRE_LONG_BATCH_BYTES_MAX ((size_t)64 * 1024)
/* With proofs, replies can be long, so the requests themselves must fit in the buffer. */
#define MCP_WIRE_PROVEN_BYTES_MAX ((size_t)32 * 1024)

/* Record that an op stores; empty for a delete_if, which is a cas with an expiry in the past. */
static inline const mcp_record *mcp_wire_record(const mcp_op *op) {
	static const mcp_record nothing;
	return op->record != NULL ? op->record : &nothing;
}

static inline int64_t mcp_wire_expiry(const mcp_op *op, const mcp_environment *environment) {
	if (op->verb == MCP_OP_DELETE_IF) {
		return MCP_EXPIRY_PAST;
	}
	uint64_t ttl_ms = op->record->ttl_ms;
	bool needs_wall = mcp_expiry_needs_wall(ttl_ms);
	return mcp_expiry_from_ttl(ttl_ms, needs_wall ? mcp_wall_ms(environment) : 0);
}

/* Called during a read. It must not use the engine's allocator, throw or call the wire, except mcp_wire_wait_at_most.
 * False: stop; the connection is closed and the status is MCP_PROTOCOL. */
typedef bool (*mcp_wire_line)(void *context, mcp_bytes name, mcp_bytes value);

typedef struct mcp_wire_operations {
	/* Maximum number of bytes of the keys of one `ask`, with 1 more byte per key. */
	size_t ask_bytes_max;
	/* Limits each following wait for bytes; 0: fail instead of waiting. NULL: the wire bounds each whole reply, see
	 * mcp_deadline in socket.h. */
	void (*wait_at_most)(mcp_wire *wire, uint64_t timeout_ms);
	/* The item's views are valid until the next call of `get` or `next`. */
	mcp_status (*get)(mcp_wire *wire, mcp_bytes key, mcp_item *item);
	/* Reads only the CAS value. Views remain valid. */
	mcp_status (*cas_of)(mcp_wire *wire, mcp_bytes key, uint64_t *cas);
	/* Checks that the server replies. Views remain valid. */
	mcp_status (*ping)(mcp_wire *wire);
	/* Requests the keys of the ops that have the status MCP_NOT_FOUND, at least one. After MCP_OK, call `next` until it
	 * is not MCP_OK, or `break_off`. In between, only await, take and wait_at_most are permitted, and resume before
	 * these. `is_further`: keeps the items of the previous ask. */
	mcp_status (*ask)(mcp_wire *wire, mcp_op *const *ops, size_t count, bool is_further);
	/* Restarts the reply's time limit after other work of the caller, unless the server has been silent for most of
	 * that time. NULL: never called. */
	void (*resume)(mcp_wire *wire);
	/* Waits for the beginning of the first reply, for `take`. Fails as `next` does. NULL: `take` waits itself. */
	mcp_status (*await)(mcp_wire *wire);
	/* Returns the next item found; MCP_NOT_FOUND after the last. */
	mcp_status (*next)(mcp_wire *wire, mcp_bytes *key, mcp_item *item);
	/* Fast path of `next` for an item of this key. False: call `next`; nothing is lost. */
	bool (*take)(mcp_wire *wire, mcp_bytes key, mcp_item *item);
	/* Start of the items since the last `ask` without `is_further`. Each item keeps its offset from the start until the
	 * next `get` or such an `ask`, although each `next` can move the memory. NULL: items do not move. */
	const char *(*items)(const mcp_wire *wire);
	/* Closes the connection after replies that do not match the requests. */
	void (*break_off)(mcp_wire *wire);
	/* Sends one write and reads its reply. Fills in the record's proof after MCP_OK of an add, set or cas, if a
	 * proof is wanted and `knows_meta`. MCP_UNSUPPORTED as above, and if the expected connection is closed. */
	mcp_status (*write)(mcp_wire *wire, mcp_op *op);
	/* Tests, once per connection, whether the server knows the meta commands; sets has_learnt and knows_meta. Fails
	 * like a read or with MCP_UNSUPPORTED. MCP_BROKEN and MCP_PROTOCOL can concern this request only. NULL: never
	 * called. */
	mcp_status (*learn)(mcp_wire *wire);
	/* Number of the open connection, for proofs; 0: closed or without a number. NULL: connections have no numbers. */
	uint64_t (*connection)(const mcp_wire *wire);
	/* Sends up to MCP_WIRE_BATCH_MAX ops as a batch, writes before reads. A failure applies to all ops. After
	 * MCP_OK, call `answer` once per op, in order, without other calls in between. A read invalidates all views, and
	 * needs `knows_meta`. NULL: no batches. */
	mcp_status (*submit)(mcp_wire *wire, mcp_op *const *ops, size_t count);
	/* Returns the status of an op, and sets the op's number, item or proof (if `is_proven`). After a failure or refusal
	 * that closes the connection, all further ops return MCP_BROKEN. An item's view keeps its offset from `items` until
	 * the last reply has been read. `is_last`: no further reply may follow. */
	mcp_status (*answer)(mcp_wire *wire, mcp_op *op, bool is_last);
	/* Returns the seconds until the item expires, > 0 or MCP_WIRE_NO_END. MCP_OK, MCP_NOT_FOUND, a failure, or
	 * MCP_UNSUPPORTED if the server does not support this request. NULL: not supported. */
	mcp_status (*seconds_left)(mcp_wire *wire, mcp_bytes key, uint64_t *seconds);
	/* `kind`: "settings" and so on, or NULL. */
	mcp_status (*stats)(mcp_wire *wire, const char *kind, mcp_wire_line line, void *context);
	/* Reason of the last failure. Valid until the next request. */
	const mcp_reason *(*reason)(const mcp_wire *wire);
	/* Closes without waiting. */
	void (*free)(mcp_wire *wire);
	/* In the child of a fork: does not send or close anything, and leaks the memory that the connection needs. */
	void (*disown)(mcp_wire *wire);
} mcp_wire_operations;

struct mcp_wire {
	const mcp_wire_operations *operations;
	/* Statistics and items come over different connections, so a failure of statistics alone does not affect CAS
	 * values. */
	bool asks_aside;
	bool has_learnt; /* `learn` is not needed on this connection, or on any */
	bool knows_meta; /* the server has shown on this connection that it knows the meta commands */
	/* The server's item limit, set by the caller; 0: not requested on this connection. */
	size_t item_max;
	/* `idle_ms`: time between the last 2 requests of this connection. `now_ms`: monotonic start of the request, set by
	 * a wire that bounds replies if the request failed, otherwise by the caller of each request. */
	uint64_t idle_ms, now_ms;
};

/* Thin calls, so that callers use verbs instead of tables. */
static inline size_t mcp_wire_ask_bytes_max(const mcp_wire *wire) {
	return wire->operations->ask_bytes_max;
}
static inline bool mcp_wire_bounds_answers(const mcp_wire *wire) {
	return wire->operations->wait_at_most == NULL;
}
static inline void mcp_wire_wait_at_most(mcp_wire *wire, uint64_t timeout_ms) {
	if (!mcp_wire_bounds_answers(wire)) {
		wire->operations->wait_at_most(wire, timeout_ms);
	}
}
static inline mcp_status mcp_wire_get(mcp_wire *wire, mcp_bytes key, mcp_item *item) {
	return wire->operations->get(wire, key, item);
}
static inline mcp_status mcp_wire_cas_of(mcp_wire *wire, mcp_bytes key, uint64_t *cas) {
	return wire->operations->cas_of(wire, key, cas);
}
static inline mcp_status mcp_wire_ping(mcp_wire *wire) {
	return wire->operations->ping(wire);
}
static inline mcp_status mcp_wire_ask(mcp_wire *wire, mcp_op *const *ops, size_t count,
	bool is_further) {
	return wire->operations->ask(wire, ops, count, is_further);
}
static inline bool mcp_wire_may_be_resumed(const mcp_wire *wire) {
	return wire->operations->resume != NULL;
}
static inline void mcp_wire_resume(mcp_wire *wire) {
	wire->operations->resume(wire);
}
static inline mcp_status mcp_wire_await(mcp_wire *wire) {
	return wire->operations->await != NULL ? wire->operations->await(wire) : MCP_OK;
}
static inline mcp_status mcp_wire_next(mcp_wire *wire, mcp_bytes *key, mcp_item *item) {
	return wire->operations->next(wire, key, item);
}
static inline bool mcp_wire_take(mcp_wire *wire, mcp_bytes key, mcp_item *item) {
	return wire->operations->take(wire, key, item);
}
static inline const char *mcp_wire_items(const mcp_wire *wire) {
	return wire->operations->items(wire);
}
static inline void mcp_wire_break_off(mcp_wire *wire) {
	wire->operations->break_off(wire);
}
static inline mcp_status mcp_wire_write(mcp_wire *wire, mcp_op *op) {
	return wire->operations->write(wire, op);
}
static inline bool mcp_wire_takes_batches(const mcp_wire *wire) {
	return wire->operations->submit != NULL;
}
static inline mcp_status mcp_wire_submit(mcp_wire *wire, mcp_op *const *ops, size_t count) {
	return wire->operations->submit(wire, ops, count);
}
static inline mcp_status mcp_wire_answer(mcp_wire *wire, mcp_op *op, bool is_last) {
	return wire->operations->answer(wire, op, is_last);
}
static inline bool mcp_wire_has_learnt(const mcp_wire *wire) {
	return wire->has_learnt;
}
static inline mcp_status mcp_wire_learn(mcp_wire *wire) {
	return wire->operations->learn(wire);
}
static inline uint64_t mcp_wire_connection(const mcp_wire *wire) {
	return wire->operations->connection != NULL ? wire->operations->connection(wire) : 0;
}
/* Proof of an item, from the CAS value that was just read. */
static inline mcp_proof mcp_wire_prove(const mcp_wire *wire, uint64_t cas) {
	uint64_t connection = mcp_wire_connection(wire);
	return connection != 0 ? (mcp_proof){cas, connection} : (mcp_proof){0};
}
#define MCP_WIRE_NO_END UINT64_MAX
static inline bool mcp_wire_tells_what_is_left(const mcp_wire *wire) {
	return wire->operations->seconds_left != NULL;
}
static inline mcp_status mcp_wire_seconds_left(mcp_wire *wire, mcp_bytes key, uint64_t *seconds) {
	return wire->operations->seconds_left(wire, key, seconds);
}
static inline mcp_status mcp_wire_stats(mcp_wire *wire, const char *kind, mcp_wire_line line,
	void *context) {
	return wire->operations->stats(wire, kind, line, context);
}
static inline const mcp_reason *mcp_wire_reason(const mcp_wire *wire) {
	return wire->operations->reason(wire);
}
static inline void mcp_wire_free(mcp_wire *wire) {
	wire->operations->free(wire);
}
static inline void mcp_wire_disown(mcp_wire *wire) {
	wire->operations->disown(wire);
}

/* --- limits that the environment sets for the size of a reply, whatever the server announces --- */

/* Size that a connection may keep between calls: replies up to this size need no check. */
#define MCP_ANSWER_ALWAYS_ALLOWED MCP_BUFFER_KEPT_MAX

/* Size of the reply to a call, as far as it is known. */
typedef struct mcp_expected_answer {
	size_t keys;     /* requested */
	size_t item_max; /* the server's item limit; 0: unknown */
	size_t next;     /* bytes of the next item, with its line */
	size_t whole;    /* bytes kept for the call, including the next item */
} mcp_expected_answer;

static inline size_t mcp_item_size_limit_sum(size_t a, size_t b) {
	return a > SIZE_MAX - b ? SIZE_MAX : a + b;
}

static inline size_t mcp_item_size_limit_product(size_t a, size_t b) {
	return b > 0 && a > SIZE_MAX / b ? SIZE_MAX : a * b;
}

/* Returns the smaller of the server's and the environment's item limit, so that every stored value can be read. */
static inline size_t mcp_item_size_limit_lower(const mcp_environment *environment,
	size_t item_max) {
	if (environment->item_size_limits == NULL) {
		return item_max;
	}
	size_t of_item = environment->item_size_limits(environment).of_item;
	return item_max < of_item ? item_max : of_item;
}

static inline bool mcp_answer_is_too_large(const mcp_environment *environment,
	const mcp_expected_answer *answer) {
	if (answer->whole <= MCP_ANSWER_ALWAYS_ALLOWED || environment->item_size_limits == NULL) {
		return false;
	}
	mcp_item_size_limits limits = environment->item_size_limits(environment);
	bool is_known = answer->item_max != 0 && answer->item_max < limits.of_item;
	size_t of_item =
		mcp_item_size_limit_sum(is_known ? answer->item_max : limits.of_item, MCP_ANSWER_LINE_MAX);
	size_t of_keys = mcp_item_size_limit_product(answer->keys, of_item);
	return answer->next > of_item || answer->whole > of_keys || answer->whole > limits.of_call;
}

#endif
