/* The contract of a transport: a table of functions over one connection to one memcached. Each call sends
 * one request, once, and reads its whole answer. No retries, no checks, no breaker: connection.c has them.
 *
 * A wire connects when it must. An answer is told as store.h has it; of the failures
 * - MCP_UNREACHABLE: could not connect, or was turned away: nothing was sent, or read;
 * - MCP_TIMEOUT: an answer did not come in time;
 * - MCP_BROKEN: the connection broke;
 * - MCP_PROTOCOL: the answer made no sense;
 * - MCP_ANSWER_TOO_LARGE: it is larger than the environment allows;
 * - MCP_REFUSED: the server answered that it did not;
 * - MCP_UNSUPPORTED, of a write: the other side has closed the connection since it was used last, or said what nobody asked
 *   for. Nothing was sent, and the next call connects anew.
 * After each of the first four the connection is closed or set aside, so that no late answer is ever read as one. A wire connects
 * anew after a failure alone, so that its caller knows when cas ids may have begun anew. Signals make no
 * request longer: their handlers run after it, or its waits go on. Those that end the process may do so. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_WIRE_H
#define MCP_STORE_WIRE_H

#include "late_writes.h"
#include "../reason.h"
#include "../store.h"

typedef struct mcp_wire mcp_wire;

typedef struct mcp_wire_settings {
	const char *host;            /* a name or address; a path when port is 0 (unix socket) */
	uint16_t port;               /* 0: unix socket */
	uint32_t connect_timeout_ms; /* > 0 */
	uint32_t timeout_ms;         /* > 0, for each reply */
	/* Takes a connection with a write that has no answer yet, where the wire can leave one. Borrowed, and must outlive
	 * the wire. NULL: it is closed. */
	mcp_late_writes *late;
	/* Carries the bytes of a wire that lets them be carried (direct/channel.h), and is given over to it. NULL: it opens a
	 * socket of its own. */
	const struct mcp_channel *carrier;
	mcp_bytes user, password; /* for each connection, where the wire can say them; empty: none */
} mcp_wire_settings;

typedef enum mcp_wire_verb {
	MCP_WIRE_ADD,
	MCP_WIRE_SET,
	MCP_WIRE_CAS,
	MCP_WIRE_PREPEND, /* of this one and the next, flags and expiry stay as they are */
	MCP_WIRE_APPEND,
	MCP_WIRE_DELETE, /* this one and those below are for `send_many` alone, and have nothing but a key */
	MCP_WIRE_INCREMENT, /* and `by`, as the next */
	MCP_WIRE_DECREMENT,
	MCP_WIRE_TOUCH,         /* this one and those below are for `send_steps` alone; and `expiry` */
	MCP_WIRE_DELETE_PROVEN, /* and `cas`: by the meta command */
	MCP_WIRE_GET,
	MCP_WIRE_GET_AND_TOUCH, /* and `expiry` */
} mcp_wire_verb;

typedef struct mcp_wire_item {
	mcp_bytes key;
	mcp_bytes head; /* stands before the value; empty for a wire that does not send pieces */
	mcp_bytes value;
	uint32_t flags;
	int64_t expiry; /* memcached's number, see core/envelope/expiry.h */
	uint64_t cas; /* for MCP_WIRE_CAS alone, and never 0: as text the value would become commands */
	/* For MCP_WIRE_CAS: the one connection to send it over. When it is no more, or turns out so, nothing is sent:
	 * MCP_UNSUPPORTED, and the connection is closed. 0: over any. */
	uint64_t connection;
	/* For the first three: filled in after MCP_OK when the server can prove it, see `learn`. NULL: not wanted. */
	mcp_proof *proof;
	uint64_t by; /* for MCP_WIRE_INCREMENT and MCP_WIRE_DECREMENT alone */
} mcp_wire_item;

/* One of some commands that are sent together. */
typedef struct mcp_wire_step {
	mcp_wire_verb verb; /* an add, a cas, or from MCP_WIRE_TOUCH on */
	mcp_wire_item item;
} mcp_wire_step;

/* The requests that may be sent before the first answer is read. So few answers find room in any socket's buffers, so
 * that a server which waits for its answers to be read has always taken the whole of what was sent. */
#define MCP_WIRE_BATCH_MAX MCP_STORE_AHEAD_MAX
/* Where proofs are wanted answers may be long; so few bytes of requests find room there themselves. */
#define MCP_WIRE_PROVEN_BYTES_MAX ((size_t)32 * 1024)
#define MCP_WIRE_STEPS_MAX 33

/* Called in the middle of reading: must not allocate from an engine, throw or call the wire, except
 * mcp_wire_wait_at_most. False if that is enough: the connection is closed and the answer MCP_PROTOCOL. */
typedef bool (*mcp_wire_line)(void *context, mcp_bytes name, mcp_bytes value);

typedef struct mcp_wire_operations {
	/* The bytes that the keys of one `ask` may have together, each with a byte more. */
	size_t ask_bytes_max;
	/* Whether an item's head and value may stand in two places. */
	bool sends_pieces;
	/* How long each single wait for bytes may take from now on; 0 fails where it would have to wait. NULL: the
	 * wire bounds each answer on the whole, as deadline.h has it. */
	void (*wait_at_most)(mcp_wire *wire, uint64_t timeout_ms);
	/* The item's views live until the next get or next. */
	mcp_status (*get)(mcp_wire *wire, mcp_bytes key, mcp_item *item);
	/* A get that wants the cas id alone. Ends no view. */
	mcp_status (*cas_of)(mcp_wire *wire, mcp_bytes key, uint64_t *cas);
	/* A get that only wants to know that the server answers. Ends no view. */
	mcp_status (*ping)(mcp_wire *wire);
	/* Asks for many at once. MCP_OK: then `next` until it is not MCP_OK, or `break_off`, without another
	 * call between but await, take, wait_at_most, or resume before the first of them. `is_further`: behind an ask whose items are to
	 * stay. */
	mcp_status (*ask)(mcp_wire *wire, const char *const *keys, const size_t *lengths, size_t count,
		bool is_further);
	/* The caller did something else since it asked: the answer has its time from now on, unless the server has let
	 * most of it pass without a word. NULL: the caller never does. */
	void (*resume)(mcp_wire *wire);
	/* Waits until some of the first answer is there, so that `take` can look at it. Fails as `next` does. NULL: `take`
	 * waits by itself. */
	mcp_status (*await)(mcp_wire *wire);
	/* The next item that was found; MCP_NOT_FOUND after the last. */
	mcp_status (*next)(mcp_wire *wire, mcp_bytes *key, mcp_item *item);
	/* Takes the next item if it is one of this key, for as long as it takes no second look. False if `next` is to be
	 * asked; nothing is lost. */
	bool (*take)(mcp_wire *wire, mcp_bytes key, mcp_item *item);
	/* Where the items of all asks stand, from the last that was no further one: each stays at its distance from here
	 * until the next get or such an ask, wherever the whole moves with each next. NULL: each stays where it is. */
	const char *(*items)(const mcp_wire *wire);
	/* Closes the connection: the caller found out that the answers are not what was asked for. */
	void (*break_off)(mcp_wire *wire);
	mcp_status (*store)(mcp_wire *wire, mcp_wire_verb verb, const mcp_wire_item *item);
	mcp_status (*delete)(mcp_wire *wire, mcp_bytes key);
	/* Finds out, once for each connection, whether the server can prove writes, which `has_learnt` then says. A
	 * failure is a read's, or MCP_UNSUPPORTED; MCP_BROKEN and MCP_PROTOCOL may be of the question alone. NULL, and so the
	 * next three: no write is ever proven. */
	mcp_status (*learn)(mcp_wire *wire);
	/* Whether the proof's connection is the one that is open. */
	bool (*holds)(const mcp_wire *wire, const mcp_proof *proof);
	/* The name of the open connection, which a proof bears; 0: none is open, or it has none. NULL: none ever has. */
	uint64_t (*connection)(const mcp_wire *wire);
	/* Deletes it if it is what was proven: MCP_OK, MCP_NOT_FOUND, MCP_EXISTS, or MCP_UNSUPPORTED as above. */
	mcp_status (*delete_proven)(mcp_wire *wire, mcp_bytes key, const mcp_proof *proof);
	/* Up to MCP_WIRE_BATCH_MAX writes by one verb, sent in one go. MCP_OK: then `answer` once for each, in their order,
	 * without another call between. Any failure is of all of them. Items that want a proof are heard by `answer_proven`. NULL:
	 * each write waits for its answer. */
	mcp_status (*send_many)(mcp_wire *wire, mcp_wire_verb verb, const mcp_wire_item *items,
		size_t count);
	/* Answers what `store`, `delete`, `increment` or `decrement` would, the last two with their number. After a failure
	 * that closes the connection, and after a refusal that does, every further answer is MCP_BROKEN. `is_last`: nothing
	 * may come behind it. */
	mcp_status (*answer)(mcp_wire *wire, bool is_last, uint64_t *number);
	/* Answers likewise of an item that was sent with a wish for a proof, and fills it in. */
	mcp_status (*answer_proven)(mcp_wire *wire, bool is_last, const mcp_wire_item *item);
	/* Whether the server has shown on this connection that it takes `send_steps`: a memcached that knows the meta
	 * commands. NULL, and so the next two: it never does. */
	bool (*takes_steps)(const mcp_wire *wire);
	/* Up to MCP_WIRE_STEPS_MAX commands of any of its verbs, writes before reads, sent in one go. MCP_OK: then `hear_step`
	 * once for each, as `answer` is called. Ends all views if there is a read among them. */
	mcp_status (*send_steps)(mcp_wire *wire, const mcp_wire_step *steps, size_t count);
	/* Answers what `store`, `touch`, `delete_proven` or `get` would. An item's view stays at its distance from `items`
	 * until the last one has been heard. */
	mcp_status (*hear_step)(mcp_wire *wire, const mcp_wire_step *step, bool is_last,
		mcp_item *item);
	mcp_status (*touch)(mcp_wire *wire, mcp_bytes key, int64_t expiry);
	/* The seconds that are left of an item's TTL, MCP_WIRE_NO_END or more than none: MCP_OK, MCP_NOT_FOUND, a failure, or
	 * MCP_UNSUPPORTED where `learn` was told so, or the server has answered so now. NULL: never known. */
	mcp_status (*seconds_left)(mcp_wire *wire, mcp_bytes key, uint64_t *seconds);
	mcp_status (*increment)(mcp_wire *wire, mcp_bytes key, uint64_t by, uint64_t *number);
	mcp_status (*decrement)(mcp_wire *wire, mcp_bytes key, uint64_t by, uint64_t *number);
	mcp_status (*flush)(mcp_wire *wire);
	/* `kind`: "settings" and so on, or NULL. */
	mcp_status (*stats)(mcp_wire *wire, const char *kind, mcp_wire_line line, void *context);
	/* Why the last request that failed did. Lives until the next one. */
	const mcp_reason *(*reason)(const mcp_wire *wire);
	/* Closes without waiting. */
	void (*free)(mcp_wire *wire);
	/* In the child of a fork: sends nothing, closes nothing, and leaks what the connection hangs on. */
	void (*disown)(mcp_wire *wire);
} mcp_wire_operations;

struct mcp_wire {
	const mcp_wire_operations *operations;
	/* Statistics come over another connection than items: of cas ids they say nothing by themselves. */
	bool asks_aside;
	bool has_learnt; /* there is nothing to `learn` on this connection, or at all */
	/* How large the server says that an item may be, told by the caller; 0: it was not asked on this connection. */
	size_t item_max;
	/* How long before the last request the one before it began, over the same connection. Where the wire does not bound
	 * answers, its caller tells when each begins, by the monotonic clock. */
	uint64_t idle_ms, now_ms;
};

/* Calls, thinly, so that readers see verbs and not tables; so do the next ones. */
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
	/* clang-format takes the name for C++'s. */
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
/* Proves an item by its cas id, which has just been read. */
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
