/* Contract of a transport: a table of functions for one connection to one memcached.
 * A call sends one request, once, and reads the whole reply. Retries, checks and the breaker are in connection.c. A
 * wire connects on demand. Statuses are as in store.h. Failures:
 * - MCP_UNREACHABLE: could not connect, or was rejected; nothing was sent or read
 * - MCP_TIMEOUT: no reply in time
 * - MCP_BROKEN: the connection broke
 * - MCP_PROTOCOL: invalid reply
 * - MCP_ANSWER_TOO_LARGE: the reply exceeds the environment's limit
 * - MCP_REFUSED: the server reported an error
 * - MCP_UNSUPPORTED, of a write: since the last request, the peer closed the connection or sent unrequested bytes.
 *   Nothing was sent, and the next call reconnects.
 * After any of the first four, the connection is closed or set aside, so that a late reply is never taken for
 * another one. A wire reconnects only after a failure, so its caller knows when CAS values become void. Signals
 * do not extend a request: waits resume, or handlers run after it. Signals that end the process may end it. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_WIRE_H
#define MCP_STORE_WIRE_H

#include "late_writes.h"
#include "../reason.h"
#include "../store.h"

typedef struct mcp_wire mcp_wire;

typedef struct mcp_wire_settings {
	const char *host;            /* name or address; the path if port is 0 */
	uint16_t port;               /* 0: unix socket */
	uint32_t connect_timeout_ms; /* > 0 */
	uint32_t timeout_ms;         /* > 0, for each reply */
	/* Receives a connection with an unanswered write, if the wire can pass it on. Borrowed; must outlive the wire.
	 * NULL: such a connection is closed. */
	mcp_late_writes *late;
	/* Transfers the bytes, for a wire with exchangeable channels (direct/channel.h), which takes ownership. NULL: the
	 * wire opens a socket. */
	const struct mcp_channel *carrier;
	mcp_bytes user, password; /* sent on each connection if the wire supports it; empty: none */
} mcp_wire_settings;

typedef enum mcp_wire_verb {
	MCP_WIRE_ADD,
	MCP_WIRE_SET,
	MCP_WIRE_CAS,
	MCP_WIRE_PREPEND, /* as append, keeps flags and expiry */
	MCP_WIRE_APPEND,
	MCP_WIRE_DELETE,    /* from here on only for `send_many`, with a key only */
	MCP_WIRE_INCREMENT, /* with `by`, as decrement */
	MCP_WIRE_DECREMENT,
	MCP_WIRE_TOUCH,         /* from here on only for `send_steps`; with `expiry` */
	MCP_WIRE_DELETE_PROVEN, /* with `cas`; uses the meta command */
	MCP_WIRE_GET,
	MCP_WIRE_GET_AND_TOUCH, /* with `expiry` */
} mcp_wire_verb;

typedef struct mcp_wire_item {
	mcp_bytes key;
	mcp_bytes head; /* before the value; empty for a wire without pieces */
	mcp_bytes value;
	uint32_t flags;
	int64_t expiry; /* memcached's expiry, see core/envelope/expiry.h */
	uint64_t cas;   /* for MCP_WIRE_CAS only, never 0: as text, the value would become commands */
	/* For MCP_WIRE_CAS: the only connection to send it over. If it is closed, nothing is sent: MCP_UNSUPPORTED.
	 * 0: any. */
	uint64_t connection;
	/* For add, set and cas: filled in after MCP_OK if the server supports proofs, see `learn`. NULL: not wanted. */
	mcp_proof *proof;
	uint64_t by; /* for MCP_WIRE_INCREMENT and MCP_WIRE_DECREMENT only */
} mcp_wire_item;

/* One command of a batch of steps. */
typedef struct mcp_wire_step {
	mcp_wire_verb verb; /* add, cas, or MCP_WIRE_TOUCH and below */
	mcp_wire_item item;
} mcp_wire_step;

/* Requests sent before the first reply is read. The replies fit any socket buffer: a server that waits for its replies
 * to be read has always received all requests. */
#define MCP_WIRE_BATCH_MAX MCP_STORE_AHEAD_MAX
/* With proofs, replies can be long, so the requests themselves must fit the buffer. */
#define MCP_WIRE_PROVEN_BYTES_MAX ((size_t)32 * 1024)
#define MCP_WIRE_STEPS_MAX 33

/* Called during a read: no engine allocation, no exception, no call of the wire except mcp_wire_wait_at_most. False:
 * stop; the connection is closed and the status is MCP_PROTOCOL. */
typedef bool (*mcp_wire_line)(void *context, mcp_bytes name, mcp_bytes value);

typedef struct mcp_wire_operations {
	/* Maximum bytes of the keys of one `ask`, with 1 more byte per key. */
	size_t ask_bytes_max;
	/* The head and value of an item may be separate. */
	bool sends_pieces;
	/* Limits each following wait for bytes; 0: fail instead of waiting. NULL: the wire bounds each whole reply, see
	 * deadline.h. */
	void (*wait_at_most)(mcp_wire *wire, uint64_t timeout_ms);
	/* The item's views are valid until the next get or next. */
	mcp_status (*get)(mcp_wire *wire, mcp_bytes key, mcp_item *item);
	/* Reads only the CAS value. Ends no view. */
	mcp_status (*cas_of)(mcp_wire *wire, mcp_bytes key, uint64_t *cas);
	/* Checks that the server replies. Ends no view. */
	mcp_status (*ping)(mcp_wire *wire);
	/* Requests many keys. After MCP_OK, call `next` until it is not MCP_OK, or `break_off`.
	 * In between, only await, take and wait_at_most are permitted, and resume before them. `is_further`: keeps
	 * the items of the previous ask. */
	mcp_status (*ask)(mcp_wire *wire, const char *const *keys, const size_t *lengths, size_t count,
		bool is_further);
	/* Restarts the reply's time after other work of the caller, unless the server has been silent for most of it. NULL:
	 * never called. */
	void (*resume)(mcp_wire *wire);
	/* Waits for the beginning of the first reply, for `take`. Fails as `next` does. NULL: `take` waits itself. */
	mcp_status (*await)(mcp_wire *wire);
	/* Returns the next item found; MCP_NOT_FOUND after the last. */
	mcp_status (*next)(mcp_wire *wire, mcp_bytes *key, mcp_item *item);
	/* Fast path of `next` for an item of this key. False: call `next`; nothing is lost. */
	bool (*take)(mcp_wire *wire, mcp_bytes key, mcp_item *item);
	/* Start of the items since the last ask that was not a further one. Each item keeps its distance from the start
	 * until the next get or such an ask, although each next may move the memory. NULL: items do not move. */
	const char *(*items)(const mcp_wire *wire);
	/* Closes the connection after replies that do not match the requests. */
	void (*break_off)(mcp_wire *wire);
	mcp_status (*store)(mcp_wire *wire, mcp_wire_verb verb, const mcp_wire_item *item);
	mcp_status (*delete)(mcp_wire *wire, mcp_bytes key);
	/* Finds out, once per connection, whether the server supports proofs; sets has_learnt.
	 * Fails as a read or with MCP_UNSUPPORTED. MCP_BROKEN and MCP_PROTOCOL can concern this request only. NULL,
	 * as the next 3: no proofs. */
	mcp_status (*learn)(mcp_wire *wire);
	/* True if the proof's connection is open. */
	bool (*holds)(const mcp_wire *wire, const mcp_proof *proof);
	/* Name of the open connection, for proofs; 0: closed or unnamed. NULL: connections have no names. */
	uint64_t (*connection)(const mcp_wire *wire);
	/* Deletes the item if it is unchanged since the proof: MCP_OK, MCP_NOT_FOUND, MCP_EXISTS, or MCP_UNSUPPORTED as
	 * above. */
	mcp_status (*delete_proven)(mcp_wire *wire, mcp_bytes key, const mcp_proof *proof);
	/* Sends up to MCP_WIRE_BATCH_MAX writes with one verb as a batch. A failure concerns all of them.
	 * After MCP_OK, call `answer` once per write, in order, or `answer_proven` for an item with a proof, and
	 * nothing else in between. NULL: no batches. */
	mcp_status (*send_many)(mcp_wire *wire, mcp_wire_verb verb, const mcp_wire_item *items,
		size_t count);
	/* Returns the status of `store`, `delete`, `increment` or `decrement`, the last 2 with their number.
	 * After a failure or refusal that closes the connection, all further ones are MCP_BROKEN. `is_last`: no
	 * further reply may follow. */
	mcp_status (*answer)(mcp_wire *wire, bool is_last, uint64_t *number);
	/* Same for an item with a proof, which it fills in. */
	mcp_status (*answer_proven)(mcp_wire *wire, bool is_last, const mcp_wire_item *item);
	/* True if the server has shown on this connection that it knows the meta commands. NULL, as the next 2: no
	 * steps. */
	bool (*takes_steps)(const mcp_wire *wire);
	/* Sends up to MCP_WIRE_STEPS_MAX commands, writes before reads, as a batch. After MCP_OK, call `hear_step` once per
	 * command, as `answer`. A read ends all views. */
	mcp_status (*send_steps)(mcp_wire *wire, const mcp_wire_step *steps, size_t count);
	/* Returns the status of `store`, `touch`, `delete_proven` or `get`. An item's view keeps its distance from `items`
	 * until the last step was read. */
	mcp_status (*hear_step)(mcp_wire *wire, const mcp_wire_step *step, bool is_last,
		mcp_item *item);
	mcp_status (*touch)(mcp_wire *wire, mcp_bytes key, int64_t expiry);
	/* Returns the seconds until the item expires, > 0 or MCP_WIRE_NO_END. MCP_OK, MCP_NOT_FOUND, a failure, or
	 * MCP_UNSUPPORTED if the server does not support it. NULL: not supported. */
	mcp_status (*seconds_left)(mcp_wire *wire, mcp_bytes key, uint64_t *seconds);
	mcp_status (*increment)(mcp_wire *wire, mcp_bytes key, uint64_t by, uint64_t *number);
	mcp_status (*decrement)(mcp_wire *wire, mcp_bytes key, uint64_t by, uint64_t *number);
	mcp_status (*flush)(mcp_wire *wire);
	/* `kind`: "settings" and so on, or NULL. */
	mcp_status (*stats)(mcp_wire *wire, const char *kind, mcp_wire_line line, void *context);
	/* Reason of the last failure. Valid until the next request. */
	const mcp_reason *(*reason)(const mcp_wire *wire);
	/* Closes without waiting. */
	void (*free)(mcp_wire *wire);
	/* In the child of a fork: sends and closes nothing, and leaks what the connection needs. */
	void (*disown)(mcp_wire *wire);
} mcp_wire_operations;

struct mcp_wire {
	const mcp_wire_operations *operations;
	/* Statistics come over another connection than items, so alone they say nothing about CAS values. */
	bool asks_aside;
	bool has_learnt; /* nothing is left to `learn` on this connection, or at all */
	/* The server's item limit, set by the caller; 0: not requested on this connection. */
	size_t item_max;
	/* Time between the last 2 requests of this connection. If the wire does not bound replies, its caller sets now_ms
	 * to the monotonic time of each request. */
	uint64_t idle_ms, now_ms;
};

/* Thin calls, so that callers use verbs instead of tables. */
static inline size_t mcp_wire_ask_bytes_max(const mcp_wire *wire) {
	return wire->operations->ask_bytes_max;
}
static inline bool mcp_wire_sends_pieces(const mcp_wire *wire) {
	return wire->operations->sends_pieces;
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
static inline mcp_status mcp_wire_ask(mcp_wire *wire, const char *const *keys,
	const size_t *lengths, size_t count, bool is_further) {
	return wire->operations->ask(wire, keys, lengths, count, is_further);
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
static inline mcp_status mcp_wire_store(mcp_wire *wire, mcp_wire_verb verb,
	const mcp_wire_item *item) {
	return wire->operations->store(wire, verb, item);
}
static inline mcp_status mcp_wire_delete(mcp_wire *wire, mcp_bytes key) {
	/* clang-format parses `delete` as C++. */
	/* clang-format off */
	return wire->operations->delete(wire, key);
	/* clang-format on */
}
static inline bool mcp_wire_takes_batches(const mcp_wire *wire) {
	return wire->operations->send_many != NULL;
}
static inline mcp_status mcp_wire_send_many(mcp_wire *wire, mcp_wire_verb verb,
	const mcp_wire_item *items, size_t count) {
	return wire->operations->send_many(wire, verb, items, count);
}
static inline mcp_status mcp_wire_answer(mcp_wire *wire, bool is_last, uint64_t *number) {
	return wire->operations->answer(wire, is_last, number);
}
static inline mcp_status mcp_wire_answer_proven(mcp_wire *wire, bool is_last,
	const mcp_wire_item *item) {
	return wire->operations->answer_proven(wire, is_last, item);
}
static inline bool mcp_wire_may_take_steps(const mcp_wire *wire) {
	return wire->operations->send_steps != NULL;
}
static inline bool mcp_wire_takes_steps(const mcp_wire *wire) {
	return mcp_wire_may_take_steps(wire) && wire->operations->takes_steps(wire);
}
static inline mcp_status mcp_wire_send_steps(mcp_wire *wire, const mcp_wire_step *steps,
	size_t count) {
	return wire->operations->send_steps(wire, steps, count);
}
static inline mcp_status mcp_wire_hear_step(mcp_wire *wire, const mcp_wire_step *step, bool is_last,
	mcp_item *item) {
	return wire->operations->hear_step(wire, step, is_last, item);
}
static inline bool mcp_wire_has_learnt(const mcp_wire *wire) {
	return wire->has_learnt;
}
static inline mcp_status mcp_wire_learn(mcp_wire *wire) {
	return wire->operations->learn(wire);
}
static inline bool mcp_wire_holds(const mcp_wire *wire, const mcp_proof *proof) {
	return wire->operations->holds != NULL && wire->operations->holds(wire, proof);
}
/* Proof of an item by the CAS value that was just read. */
static inline mcp_proof mcp_wire_prove(const mcp_wire *wire, uint64_t cas) {
	bool has_name = wire->operations->connection != NULL;
	uint64_t connection = has_name ? wire->operations->connection(wire) : 0;
	return connection != 0 ? (mcp_proof){cas, connection} : (mcp_proof){0};
}
static inline mcp_status mcp_wire_delete_proven(mcp_wire *wire, mcp_bytes key,
	const mcp_proof *proof) {
	return wire->operations->delete_proven(wire, key, proof);
}
static inline mcp_status mcp_wire_touch(mcp_wire *wire, mcp_bytes key, int64_t expiry) {
	return wire->operations->touch(wire, key, expiry);
}
#define MCP_WIRE_NO_END UINT64_MAX
static inline bool mcp_wire_tells_what_is_left(const mcp_wire *wire) {
	return wire->operations->seconds_left != NULL;
}
static inline mcp_status mcp_wire_seconds_left(mcp_wire *wire, mcp_bytes key, uint64_t *seconds) {
	return wire->operations->seconds_left(wire, key, seconds);
}
static inline mcp_status mcp_wire_increment(mcp_wire *wire, mcp_bytes key, uint64_t by,
	uint64_t *number) {
	return wire->operations->increment(wire, key, by, number);
}
static inline mcp_status mcp_wire_decrement(mcp_wire *wire, mcp_bytes key, uint64_t by,
	uint64_t *number) {
	return wire->operations->decrement(wire, key, by, number);
}
static inline mcp_status mcp_wire_flush(mcp_wire *wire) {
	return wire->operations->flush(wire);
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

#endif
