/* Contract between the patterns and the memcached clients: a table of functions for one logical memcached.
 * A store is one server, the memory of this process, or a cluster of either.
 *
 * Rules for every implementation:
 * - A write is executed at most once. It is sent again only if a closed connection has not taken any byte of it. If
 *   its reply is lost, the status is MCP_UNKNOWN. A read may be retried once after a broken connection.
 * - A view (mcp_item.value) is valid until the next get or run of reads on the same store, and not across user code.
 *   Writes do not invalidate it, and the arguments of a write can be views.
 * - A key that mcp_key_is_safe rejects (MCP_BAD_KEY) and a value that is too large (MCP_TOO_LARGE, see item_max) are
 *   not sent. The stored value is kept.
 * - Every call ends within the store's timeouts. After a failure, the circuit breaker is open: calls return
 *   MCP_UNREACHABLE immediately, unless the caller bypasses the breaker.
 * - A call never returns another key's value. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_STORE_H
#define MCP_STORE_STORE_H

#include "../core/bytes.h"
#include "../core/environment.h"
#include "../core/key/key.h"
#include "../core/waking/wakeups.h"
#include "reason.h"

#include <stdbool.h>

/* Outcomes of a store call. MCP_UNKNOWN: a write without a reply might have been executed, or might be executed later,
 * and must never be repeated blindly. */
typedef enum mcp_status {
	MCP_OK = 0,
	MCP_NOT_FOUND,    /* missing key: get, cas, delete, increment, touch */
	MCP_NOT_STORED,   /* add: the key exists; prepend, append: the key is missing */
	MCP_EXISTS,       /* cas: the item has changed since the read */
	MCP_NOT_A_NUMBER, /* increment: the item is not a decimal number */
	MCP_OUT_OF_RANGE, /* increment: the result does not fit; the change was undone */
	/* above the server's limit. Not sent if the limit is known; a server that refuses it can delete the value */
	MCP_TOO_LARGE,
	MCP_FOREIGN,     /* the stored item does not belong to this pattern; it is kept */
	MCP_BAD_KEY,     /* the key is not valid for memcached; nothing was sent */
	MCP_INTERRUPTED, /* a wait was interrupted: the caller must run other code first */
	/* rebuilds failed: callers neither start a rebuild nor wait for one during the pause */
	MCP_PAUSED,
	/* the server replied that it did not execute the command (out of memory, an error) */
	MCP_REFUSED,
	MCP_UNSUPPORTED,      /* the peer does not support the command (stats through a proxy) */
	MCP_NO_CAS,           /* the server returns no CAS values (memcached -C): nothing was sent */
	MCP_ANSWER_TOO_LARGE, /* a reply to a read exceeds this host's limit; it was not received */
	MCP_UNREACHABLE,      /* no connection, or the circuit breaker is open: nothing was sent */
	MCP_TIMEOUT,          /* no reply to a read in time */
	/* no reply to a write, or only a proxy's reply: the write might have been executed, or might be executed later */
	MCP_UNKNOWN,
	MCP_PROTOCOL, /* a reply to a read does not follow the protocol */
	/* wire only: the connection broke; a store returns MCP_UNREACHABLE or MCP_UNKNOWN */
	MCP_BROKEN,
} mcp_status;

/* Whether the connection was lost, so that the next call needs a new connection. */
static inline bool mcp_status_is_cut_off(mcp_status status) {
	return status == MCP_UNKNOWN || status == MCP_UNREACHABLE || status == MCP_TIMEOUT;
}

/* Whether the environment failed, in contrast to a regular reply. */
static inline bool mcp_status_is_failure(mcp_status status) {
	return status >= MCP_REFUSED;
}

/* Whether no valid reply arrived: the server might be down. */
static inline bool mcp_status_is_unanswered(mcp_status status) {
	return status >= MCP_UNREACHABLE;
}

/* Whether the connection returns no more replies after this status. */
static inline bool mcp_status_is_the_end(mcp_status status) {
	return status >= MCP_ANSWER_TOO_LARGE;
}

/* Whether the reply was unusable: the connection is closed. */
static inline bool mcp_status_is_useless(mcp_status status) {
	return status == MCP_PROTOCOL || status == MCP_ANSWER_TOO_LARGE;
}

/* Proof of a write, from the write's reply: an item that still has this CAS value is unchanged since the write. Every
 * server process counts CAS values separately, so a proof is valid only for the connection that returned it, not after
 * a reconnect. */

/* Zero-initialized: empty. Plain data, which remains valid after the call that returned it. */
typedef struct mcp_proof {
	uint64_t cas;        /* 0: empty */
	uint64_t connection; /* unique in this process and its forks */
} mcp_proof;

/* True if the proof is valid for `connection`, the open connection; 0: none is open. */
static inline bool mcp_proof_holds(const mcp_proof *proof, uint64_t connection) {
	return proof->cas != 0 && connection != 0 && proof->connection == connection;
}

/* Returns the number of a new connection: the number after `last`, or a random number if `last` is 0. */
static inline uint64_t mcp_proof_name_connection(uint64_t last,
	const mcp_environment *environment) {
	uint64_t name = last != 0 ? last + 1 : mcp_random_u64(environment);
	return name != 0 ? name : 1;
}

/* A record to store. Head and body are sent one after the other as one value. */
typedef struct mcp_record {
	mcp_bytes head;
	mcp_bytes body;
	uint32_t flags;
	/* 0: never expires. The item lives at least this long and less than 2 s longer (3 s from 30 days on). A clock step
	 * can shorten this time by up to 1 s, see mcp_expiry_from_ttl. */
	uint64_t ttl_ms;
	/* Zeroed, or NULL: not wanted. A successful add, set or cas fills in the proof if the store supports proofs. The
	 * first proof of a connection can cost 1 more round trip. */
	mcp_proof *proof;
	/* The write takes or renews a claim: it does not end the wait of other processes. */
	bool is_claim;
	/* NULL: no work before the wake-up. */
	struct mcp_before_ring *before_ring;
} mcp_record;

/* Work after storing a record and before waking the processes of this host that wait for it. This work can store
 * results for these processes. `raised_from`: previous value of the key's change counter (core/waking/wakeups.h). */
typedef struct mcp_before_ring {
	void (*run)(struct mcp_before_ring *work, uint64_t raised_from);
} mcp_before_ring;

/* Command of an op. Brackets list the fields that the command uses in addition to the key; other fields are ignored.
 * Any op can fail. */
typedef enum mcp_op_verb {
	/* [record] MCP_OK, MCP_NOT_STORED or MCP_TOO_LARGE. A set never returns MCP_NOT_STORED. */
	MCP_OP_ADD,
	MCP_OP_SET,
	/* [record, expects] MCP_OK, MCP_EXISTS, MCP_NOT_FOUND or MCP_TOO_LARGE. */
	MCP_OP_CAS,
	/* [record] Prepends the body to the stored value: MCP_OK or MCP_NOT_STORED. Flags and TTL are kept, the CAS
	 * value changes. */
	MCP_OP_PREPEND,
	/* [record] Appends the body to the stored value. MCP_NOT_STORED, with the item unchanged, if the key is missing or
	 * the sum exceeds the server's limit. */
	MCP_OP_APPEND,
	/* MCP_OK or MCP_NOT_FOUND. */
	MCP_OP_DELETE,
	/* [expects] Deletes the item atomically if it is still the expected item. Sent as a cas with an expiry in the
	 * past, or as a meta command if a connection is expected. Same statuses as cas. */
	MCP_OP_DELETE_IF,
	/* [by] MCP_OK with the new number, MCP_NOT_FOUND or MCP_NOT_A_NUMBER. Unsigned 64 bits: increment wraps at 2^64,
	 * decrement stops at 0. Flags and TTL are kept, the CAS value changes. */
	MCP_OP_INCREMENT,
	MCP_OP_DECREMENT,
	/* [record: TTL; as a step, optionally expects: connection only] MCP_OK or MCP_NOT_FOUND. The CAS value does not
	 * change. */
	MCP_OP_TOUCH,
	/* [no key] Deletes the data of all clients. On a cluster: on all members; returns the worst status. */
	MCP_OP_FLUSH,
	/* Reads an item, with its CAS value: MCP_OK or MCP_NOT_FOUND. Only in a run or as a step. */
	MCP_OP_GET,
	/* [record: TTL] Only as a step: a get that sets was_renewed if it could also set the TTL. */
	MCP_OP_GET_AND_TOUCH,
	/* Reads only the CAS value, into `item`: MCP_OK or MCP_NOT_FOUND. Views remain valid. */
	MCP_OP_GET_CAS,
	/* The longest `ttl_ms` with which the item, if it is stored again now, expires no later than before, on the
	 * server's clock. MCP_STORE_NO_END: never expires. 0: expires within 1 s. MCP_OK with the number, MCP_NOT_FOUND or
	 * MCP_UNSUPPORTED. 1 more round trip for the first call of a connection. Views remain valid. The CAS value of a
	 * previous read remains valid only if the connection does not change. */
	MCP_OP_TTL_LEFT,
	/* [no key] A round trip that accesses no data. On a cluster: to all members; returns the worst status. */
	MCP_OP_PING,
} mcp_op_verb;

/* An item that a read found. `value` is a view (see the rules of this file). */
typedef struct mcp_item {
	mcp_bytes value;
	uint32_t flags;
	/* The item was stored before this process began to use this server for such keys, so it can be older than a value
	 * that a process stored on another server. A single server's store never sets this field. */
	bool is_suspect;
	/* Not valid across user code, because a restarted server counts from the beginning. 0: unknown. */
	uint64_t cas;
	/* Defined only for a suspect item: Unix time of the last reply from the key's own server, while another server
	 * serves the key. A value created before that time is a leftover of a previous outage. 0: no reply yet, or the item
	 * was read from the key's own server. */
	uint64_t heard_ms;
} mcp_item;

/* Whether the item is exactly this record. */
static inline bool mcp_item_is(const mcp_item *item, const mcp_record *record) {
	size_t head = record->head.length;
	if (item->flags != record->flags || item->value.length < head) {
		return false;
	}
	mcp_bytes rest = mcp_bytes_of(item->value.data + head, item->value.length - head);
	return mcp_bytes_equal(mcp_bytes_of(item->value.data, head), record->head) &&
		mcp_bytes_equal(rest, record->body);
}

/* One request and its result, from a pattern down to the wire. All data to which the op points is borrowed for the
 * call. */
typedef struct mcp_op {
	mcp_op_verb verb;
	bool is_at_once; /* in the first step: see mcp_store_steps_at_once */
	bool is_proven;  /* used by stores: the reply to the write is followed by the written item */
	const mcp_key *key;
	const mcp_record *record;
	/* Required item. Nothing is sent for CAS value 0 (libmemcached would omit it, and the server would execute the
	 * value as commands): MCP_NO_CAS if the server has no CAS, otherwise MCP_EXISTS. If `connection` is not 0, the op
	 * is sent only over that connection. If that connection is closed, nothing is sent, and the status is
	 * MCP_UNSUPPORTED: read the item. */
	mcp_proof expects;
	uint64_t by;
	/* Results from here on. */
	mcp_status status;
	/* result of an increment, decrement or ttl_left with MCP_OK. A store can use this field during other ops */
	uint64_t number;
	mcp_item item; /* result of a get with MCP_OK; a view, see the rules above */
	/* Proof of the item that was read. Its CAS value is 0 for a missing item, a server without CAS or a broken
	 * connection. The connection is set for hits and misses. */
	mcp_proof read;
	mcp_proof proof; /* proof of the item, as in a record; empty if the steps were not one batch */
	bool was_renewed;
} mcp_op;

/* Sets the fields that every verb reads; the results remain undefined. */
static inline void mcp_op_begin(mcp_op *op, mcp_op_verb verb, const mcp_key *key,
	const mcp_record *record) {
	op->verb = verb;
	op->is_at_once = op->is_proven = false;
	op->key = key;
	op->record = record;
	op->expects = (mcp_proof){0};
}

static inline bool mcp_op_is_read(const mcp_op *op) {
	return op->verb >= MCP_OP_GET;
}

/* True if the op stores a value. */
static inline bool mcp_op_stores(const mcp_op *op) {
	return op->verb <= MCP_OP_APPEND;
}

/* True if the op depends on the item's CAS value. */
static inline bool mcp_op_compares(const mcp_op *op) {
	const unsigned comparing = 1u << MCP_OP_CAS | 1u << MCP_OP_DELETE_IF;
	return (comparing >> op->verb & 1) != 0;
}

typedef struct mcp_store mcp_store;
/* Purpose of a call that may bypass an open circuit breaker: once per purpose and outage.
 * An outage then costs at most 1 more timeout per purpose, not 1 per pending call. */
typedef enum mcp_bypass {
	MCP_BYPASS_TO_RESOLVE = 1, /* verify a write of unknown outcome */
	MCP_BYPASS_TO_RELEASE = 2, /* release a claim or lock */
} mcp_bypass;

/* One line "STAT name value". The views are valid only during the call. */
typedef void (*mcp_stat_visitor)(void *context, mcp_bytes name, mcp_bytes value);

/* Operations from `inquire` on can be NULL: the store beneath then handles the call, if there is one. */
typedef struct mcp_store_operations {
	/* MCP_OK, MCP_NOT_FOUND or a failure. Always returns the CAS value ("gets"). 1 round trip. */
	mcp_status (*get)(mcp_store *store, const mcp_key *key, mcp_item *item);
	/* Executes one op, other than a get, and returns its status. 1 round trip. */
	mcp_status (*change)(mcp_store *store, mcp_op *op);
	/* The store fills in and accepts proofs. If false, ops that expect a connection return MCP_UNSUPPORTED. */
	bool proves;
	/* Executes a list of gets, or of any writes but prepend, append and touch, in this order, and fills in the results.
	 * Gets have distinct keys, and all their views are valid at once. Gets cost 1 round trip per server and per 8,000
	 * bytes of keys. Writes cost 1 round trip per key with libmemcached. With the built-in transport, writes cost 1
	 * round trip per server and per batch. A batch ends at MCP_STORE_AHEAD_ANY keys, at the write that reaches 256 KiB,
	 * and at each change between ops that compare CAS values and other ops. A batch of up to 64 KiB without proofs ends
	 * at MCP_STORE_AHEAD_MAX keys. If a batch breaks off, the status of the writes without a reply is MCP_UNKNOWN. Only
	 * batches of at most 32 KiB fill in proofs. NULL: `get_many` executes gets, and single changes execute writes. */
	void (*run)(mcp_store *store, mcp_op *const *ops, size_t count);
	void (*get_many)(mcp_store *store, mcp_op *const *ops, size_t count);
	/* A run in 2 halves, so that several servers work concurrently. Call `complete` with the same arguments as
	 * `submit`, without other calls of this store in between. At most 1 batch of writes is sent ahead. Both NULL:
	 * `complete` is `run`. */
	void (*submit)(mcp_store *store, mcp_op *const *ops, size_t count);
	void (*complete)(mcp_store *store, mcp_op *const *ops, size_t count);
	/* Executes a few commands in order: mcp_store_steps. NULL: not supported. */
	void (*steps)(mcp_store *store, mcp_op *steps, size_t count);
	/* The store that holds this key: this store (NULL), or a cluster's member. Borrowed. */
	mcp_store *(*owner)(mcp_store *store, const mcp_key *key);
	/* True until this process uses the key's server again after a failure. Meanwhile, another server can serve the key.
	 * NULL: never. No round trip. */
	bool (*is_away)(mcp_store *store, const mcp_key *key);
	/* Begins an explicit change of the key, until end_change. If the key's server is down, this process deletes the key
	 * there when the server recovers, before any other request. NULL: not supported. No round trip. */
	void (*begin_change)(mcp_store *store, const mcp_key *key);
	/* Ends the change. Returns the number of keys whose deletes were dropped since begin_change. NULL: none. */
	unsigned (*end_change)(mcp_store *store);
	/* Closes and frees the store. In the child of a fork, only `disown` is allowed. */
	void (*free)(mcp_store *store);
	/* Frees the store in the child of a fork. Sends nothing, and does not touch resources shared with the parent. */
	void (*disown)(mcp_store *store);
	/* Reads the statistics of this `kind`: "settings", or NULL for the general statistics. MCP_OK, a failure, or
	 * MCP_UNSUPPORTED: a proxy, or a peer that is not memcached. NULL: a cluster; call this on each member. */
	mcp_status (*inquire)(mcp_store *store, const char *kind, mcp_stat_visitor visit,
		void *context);
	/* Returns the store that serves the key if the stores with a smaller index are down. 0 is the owner; NULL:
	 * `index` is too large. All processes with the same server list get the same order. Borrowed. No round trip.
	 * NULL as a function: owner only. */
	mcp_store *(*candidate)(mcp_store *store, const mcp_key *key, size_t index);
	/* The distinct members, in the list's order. `index` must be below the count. Borrowed. NULL as functions: a single
	 * store. */
	size_t (*member_count)(mcp_store *store);
	mcp_store *(*member)(mcp_store *store, size_t index);
	/* Start of the server process in microseconds since 1970 (stats: time - uptime), which is constant for a process.
	 * Read once per connection, with 1 more request if the settings are unknown, because only a server that reports
	 * settings is trusted. MCP_UNSUPPORTED: a proxy, a cloud's front end or not memcached; not requested again.
	 * MCP_REFUSED: a server error. */
	mcp_status (*started_us)(mcp_store *store, const mcp_key *key, uint64_t *started_us);
	/* Limit that key and value together must not reach, for a caller that needs `wanted` bytes. It is the smaller of
	 * the server's and the environment's limit. The limit is requested once per connection ("stats settings", 1
	 * round trip), and only if `wanted` is large. Views remain valid. NULL: MCP_STORE_ITEM_MAX. */
	size_t (*item_max)(mcp_store *store, const mcp_key *key, size_t wanted);
	/* True if the last read from the key's server returned no CAS value. No round trip. NULL: never. */
	bool (*gives_no_cas)(mcp_store *store, const mcp_key *key);
	/* Bypasses the open circuit breaker of the key's server until the next failure. NULL: the store has no breaker. No
	 * round trip. */
	void (*insist)(mcp_store *store, const mcp_key *key, mcp_bypass what_for);
	/* The server whose failure last affected a call: this store, or a member. NULL: no failure yet; as a function:
	 * never fails. Borrowed. No round trip. */
	mcp_store *(*failed)(mcp_store *store);
	/* Failure of a store that `failed` returned. Valid as long as the store; the next failure overwrites it. */
	const mcp_store_failure *(*failure)(mcp_store *store);
	/* True while the circuit breaker is open. NULL: never. No round trip. */
	bool (*is_tripped)(mcp_store *store);
	/* Number of connections that were lost or might have been lost. Each loss invalidates all known CAS values, because
	 * a restarted server counts from the beginning. NULL: none. No round trip. */
	uint64_t (*breaks)(mcp_store *store);
	/* True if a server can still execute a write whose caller gave up. NULL: unknown. Does not wait. */
	bool (*has_late_write)(mcp_store *store);
	/* Wake-up slot that this host's writes to the key notify (core/waking/wakeups.h), for the key's current server.
	 * NULL: none. No round trip. */
	mcp_wakeup_slot (*bell)(mcp_store *store, const mcp_key *key);
} mcp_store_operations;

struct mcp_store {
	const mcp_store_operations *operations;
	/* "host:port", "unix:///path" or "memory://name", for messages. Owned by the store. */
	const char *address;
	mcp_store *beneath; /* store that receives calls which this store does not handle; NULL: none */
};

/* Makes `store` the first store, from itself downward, that has the operation, or the last store. */
#define MCP_STORE_DESCEND(store, operation)                                      \
	while ((store)->operations->operation == NULL && (store)->beneath != NULL) { \
		(store) = (store)->beneath;                                              \
	}

/* Thin calls, so that callers use verbs instead of tables. */
static inline mcp_status mcp_store_get(mcp_store *store, const mcp_key *key, mcp_item *item) {
	return store->operations->get(store, key, item);
}
static inline mcp_status mcp_store_change(mcp_store *store, mcp_op *op) {
	return store->operations->change(store, op);
}
static inline mcp_status mcp_store_cas_of(mcp_store *store, const mcp_key *key, uint64_t *cas) {
	mcp_op op;
	mcp_op_begin(&op, MCP_OP_GET_CAS, key, NULL);
	mcp_status status = mcp_store_change(store, &op);
	*cas = status == MCP_OK ? op.item.cas : 0;
	return status;
}
static inline mcp_status mcp_store_add(mcp_store *store, const mcp_key *key,
	const mcp_record *record) {
	mcp_op op;
	mcp_op_begin(&op, MCP_OP_ADD, key, record);
	return mcp_store_change(store, &op);
}
static inline mcp_status mcp_store_set(mcp_store *store, const mcp_key *key,
	const mcp_record *record) {
	mcp_op op;
	mcp_op_begin(&op, MCP_OP_SET, key, record);
	return mcp_store_change(store, &op);
}
static inline mcp_status mcp_store_cas(mcp_store *store, const mcp_key *key,
	const mcp_record *record, uint64_t cas) {
	mcp_op op;
	mcp_op_begin(&op, MCP_OP_CAS, key, record);
	op.expects.cas = cas;
	return mcp_store_change(store, &op);
}
static inline mcp_status mcp_store_prepend(mcp_store *store, const mcp_key *key, mcp_bytes bytes) {
	mcp_record record = {.body = bytes};
	mcp_op op;
	mcp_op_begin(&op, MCP_OP_PREPEND, key, &record);
	return mcp_store_change(store, &op);
}
static inline mcp_status mcp_store_append(mcp_store *store, const mcp_key *key, mcp_bytes bytes) {
	mcp_record record = {.body = bytes};
	mcp_op op;
	mcp_op_begin(&op, MCP_OP_APPEND, key, &record);
	return mcp_store_change(store, &op);
}
static inline mcp_status mcp_store_delete(mcp_store *store, const mcp_key *key) {
	mcp_op op;
	mcp_op_begin(&op, MCP_OP_DELETE, key, NULL);
	return mcp_store_change(store, &op);
}
static inline mcp_status mcp_store_delete_if(mcp_store *store, const mcp_key *key, uint64_t cas) {
	mcp_op op;
	mcp_op_begin(&op, MCP_OP_DELETE_IF, key, NULL);
	op.expects.cas = cas;
	return mcp_store_change(store, &op);
}
/* False: the store never fills in proofs, so do not request them. */
static inline bool mcp_store_may_prove(const mcp_store *store) {
	return store->operations->proves;
}
static inline bool mcp_store_may_take(const mcp_store *store, const mcp_proof *proof) {
	return proof->cas != 0 && mcp_store_may_prove(store);
}
/* A cas of an item that the caller wrote, without another read, even after user code. MCP_UNSUPPORTED: the proof is
 * empty or no longer valid, and nothing was sent; read the item. */
static inline mcp_status mcp_store_cas_proven(mcp_store *store, const mcp_key *key,
	const mcp_record *record, const mcp_proof *proof) {
	mcp_op op;
	mcp_op_begin(&op, MCP_OP_CAS, key, record);
	op.expects = *proof;
	return mcp_store_may_take(store, proof) ? mcp_store_change(store, &op) : MCP_UNSUPPORTED;
}
/* A delete_if of an item that the caller wrote, like cas_proven. */
static inline mcp_status mcp_store_delete_proven(mcp_store *store, const mcp_key *key,
	const mcp_proof *proof) {
	mcp_op op;
	mcp_op_begin(&op, MCP_OP_DELETE_IF, key, NULL);
	op.expects = *proof;
	return mcp_store_may_take(store, proof) ? mcp_store_change(store, &op) : MCP_UNSUPPORTED;
}
static inline mcp_status mcp_store_increment(mcp_store *store, const mcp_key *key, uint64_t by,
	uint64_t *number) {
	mcp_op op;
	mcp_op_begin(&op, MCP_OP_INCREMENT, key, NULL);
	op.by = by;
	mcp_status status = mcp_store_change(store, &op);
	if (status == MCP_OK) {
		*number = op.number;
	}
	return status;
}
static inline mcp_status mcp_store_decrement(mcp_store *store, const mcp_key *key, uint64_t by,
	uint64_t *number) {
	mcp_op op;
	mcp_op_begin(&op, MCP_OP_DECREMENT, key, NULL);
	op.by = by;
	mcp_status status = mcp_store_change(store, &op);
	if (status == MCP_OK) {
		*number = op.number;
	}
	return status;
}
static inline mcp_status mcp_store_touch(mcp_store *store, const mcp_key *key, uint64_t ttl_ms) {
	mcp_record record = {.ttl_ms = ttl_ms};
	mcp_op op;
	mcp_op_begin(&op, MCP_OP_TOUCH, key, &record);
	return mcp_store_change(store, &op);
}
#define MCP_STORE_NO_END UINT64_MAX
static inline mcp_status mcp_store_ttl_left(mcp_store *store, const mcp_key *key,
	uint64_t *left_ms) {
	mcp_op op;
	mcp_op_begin(&op, MCP_OP_TTL_LEFT, key, NULL);
	mcp_status status = mcp_store_change(store, &op);
	*left_ms = status == MCP_OK ? op.number : 0;
	return status;
}
/* Executes a run with `get_many` and single changes. After a lost reply, ops that compare CAS values are not sent and
 * return MCP_EXISTS, because their CAS values belong to the previous connection. */
void mcp_store_run_one_by_one(mcp_store *store, mcp_op *const *ops, size_t count);
static inline void mcp_store_run(mcp_store *store, mcp_op *const *ops, size_t count) {
	bool has_own = store->operations->run != NULL;
	(has_own ? store->operations->run : mcp_store_run_one_by_one)(store, ops, count);
}
/* Runs the ops of an array. MCP_UNREACHABLE: memory exhausted for a long list. */
void mcp_store_run_all(mcp_store *store, mcp_op *ops, size_t count);
/* Reads distinct keys with one run of gets, and writes an op for each key. */
void mcp_store_get_many(mcp_store *store, const mcp_key *keys, size_t count, mcp_op *ops);
/* Deletes many keys with one run, or with single deletes if memory is exhausted. */
void mcp_store_delete_many(mcp_store *store, const mcp_key *keys, size_t count,
	mcp_status *statuses);
/* Maximum number of writes of a batch: for writes of any length, and for short writes. */
#define MCP_STORE_AHEAD_ANY 100
#define MCP_STORE_AHEAD_MAX 400
static inline void mcp_store_submit(mcp_store *store, mcp_op *const *ops, size_t count) {
	if (store->operations->submit != NULL) {
		store->operations->submit(store, ops, count);
	}
}
static inline void mcp_store_complete(mcp_store *store, mcp_op *const *ops, size_t count) {
	bool has_halves = store->operations->complete != NULL;
	(has_halves ? store->operations->complete : mcp_store_run)(store, ops, count);
}
static inline mcp_status mcp_store_inquire(mcp_store *store, const char *kind,
	mcp_stat_visitor visit, void *context) {
	MCP_STORE_DESCEND(store, inquire);
	bool is_possible = store->operations->inquire != NULL;
	return is_possible ? store->operations->inquire(store, kind, visit, context) : MCP_UNSUPPORTED;
}
static inline mcp_status mcp_store_stats(mcp_store *store, mcp_stat_visitor visit, void *context) {
	return mcp_store_inquire(store, NULL, visit, context);
}
static inline mcp_status mcp_store_settings(mcp_store *store, mcp_stat_visitor visit,
	void *context) {
	return mcp_store_inquire(store, "settings", visit, context);
}
static inline mcp_status mcp_store_flush(mcp_store *store) {
	mcp_op op;
	mcp_op_begin(&op, MCP_OP_FLUSH, NULL, NULL);
	return mcp_store_change(store, &op);
}
static inline mcp_status mcp_store_ping(mcp_store *store) {
	mcp_op op;
	mcp_op_begin(&op, MCP_OP_PING, NULL, NULL);
	return mcp_store_change(store, &op);
}
static inline mcp_wakeup_slot mcp_store_bell(mcp_store *store, const mcp_key *key) {
	MCP_STORE_DESCEND(store, bell);
	return store->operations->bell != NULL ? store->operations->bell(store, key)
										   : (mcp_wakeup_slot){.bell = NULL};
}
static inline mcp_store *mcp_store_owner(mcp_store *store, const mcp_key *key) {
	return store->operations->owner != NULL ? store->operations->owner(store, key) : store;
}
static inline mcp_store *mcp_store_candidate(mcp_store *store, const mcp_key *key, size_t index) {
	mcp_store *cluster = store;
	MCP_STORE_DESCEND(cluster, candidate);
	if (cluster->operations->candidate != NULL) {
		return cluster->operations->candidate(cluster, key, index);
	}
	return index == 0 ? mcp_store_owner(store, key) : NULL;
}
static inline size_t mcp_store_member_count(mcp_store *store) {
	MCP_STORE_DESCEND(store, member_count);
	return store->operations->member_count != NULL ? store->operations->member_count(store) : 1;
}
static inline mcp_store *mcp_store_member(mcp_store *store, size_t index) {
	mcp_store *cluster = store;
	MCP_STORE_DESCEND(cluster, member);
	return cluster->operations->member != NULL ? cluster->operations->member(cluster, index)
											   : store;
}
static inline mcp_status mcp_store_started_us(mcp_store *store, const mcp_key *key,
	uint64_t *started_us) {
	MCP_STORE_DESCEND(store, started_us);
	return store->operations->started_us(store, key, started_us);
}
static inline void mcp_store_bypass_breaker(mcp_store *store, const mcp_key *key,
	mcp_bypass what_for) {
	MCP_STORE_DESCEND(store, insist);
	if (store->operations->insist != NULL) {
		store->operations->insist(store, key, what_for);
	}
}
static inline mcp_store *mcp_store_failed(mcp_store *store) {
	MCP_STORE_DESCEND(store, failed);
	return store->operations->failed != NULL ? store->operations->failed(store) : NULL;
}
/* NULL: no failure yet. */
static inline const mcp_store_failure *mcp_store_last_failure(mcp_store *store) {
	mcp_store *failed = mcp_store_failed(store);
	return failed != NULL ? failed->operations->failure(failed) : NULL;
}
static inline bool mcp_store_is_tripped(mcp_store *store) {
	MCP_STORE_DESCEND(store, is_tripped);
	return store->operations->is_tripped != NULL && store->operations->is_tripped(store);
}
static inline uint64_t mcp_store_breaks(mcp_store *store) {
	MCP_STORE_DESCEND(store, breaks);
	return store->operations->breaks != NULL ? store->operations->breaks(store) : 0;
}
static inline bool mcp_store_has_late_write(mcp_store *store) {
	MCP_STORE_DESCEND(store, has_late_write);
	return store->operations->has_late_write != NULL && store->operations->has_late_write(store);
}
/* True if the store must see each change before the change is sent. Writes are then not batched. */
static inline bool mcp_store_sees_each_change(const mcp_store *store) {
	return store->operations->begin_change != NULL;
}
static inline void mcp_store_begin_change(mcp_store *store, const mcp_key *key) {
	if (store->operations->begin_change != NULL) {
		store->operations->begin_change(store, key);
	}
}
static inline unsigned mcp_store_end_change(mcp_store *store) {
	return store->operations->end_change != NULL ? store->operations->end_change(store) : 0;
}
static inline bool mcp_store_is_away(mcp_store *store, const mcp_key *key) {
	return store->operations->is_away != NULL && store->operations->is_away(store, key);
}
static inline void mcp_store_free(mcp_store *store) {
	store->operations->free(store);
}
static inline void mcp_store_disown(mcp_store *store) {
	store->operations->disown(store);
}

/* memcached's limit includes the item header and is 1 MiB if the server does not report it. With a short key, 1048376
 * bytes of value fitted and 1048528 did not (measured). Key and value together must be smaller. */
#define MCP_STORE_ITEM_OVERHEAD 512
#define MCP_STORE_ITEM_MAX (1048576 - MCP_STORE_ITEM_OVERHEAD)

static inline size_t mcp_store_item_max(mcp_store *store, const mcp_key *key, size_t wanted) {
	MCP_STORE_DESCEND(store, item_max);
	bool is_known = store->operations->item_max != NULL;
	return is_known ? store->operations->item_max(store, key, wanted) : MCP_STORE_ITEM_MAX;
}

static inline bool mcp_store_gives_no_cas(mcp_store *store, const mcp_key *key) {
	MCP_STORE_DESCEND(store, gives_no_cas);
	bool is_known = store->operations->gives_no_cas != NULL;
	return is_known && store->operations->gives_no_cas(store, key);
}

/* Saturates at SIZE_MAX. */
static inline size_t mcp_store_size_of(const mcp_key *key, const mcp_record *record) {
	size_t room = SIZE_MAX - key->wire.length;
	if (record->head.length > room || record->body.length > room - record->head.length) {
		return SIZE_MAX;
	}
	return key->wire.length + record->head.length + record->body.length;
}

/* --- buffers --- */

/* Size up to which a process keeps a buffer forever. A larger buffer is kept for 2 more calls after the call that
 * needed it: repeated large reads are common, and new memory pages cost more than the copying. */
#define MCP_BUFFER_KEPT_MAX ((size_t)1024 * 1024)

/* Reusable byte buffer of a store. An empty buffer is all zeroes; its owner frees it. */
typedef struct mcp_buffer {
	char *data;
	size_t length;
	size_t capacity;
	bool was_giant; /* the use before the last one exceeded MCP_BUFFER_KEPT_MAX */
} mcp_buffer;

/* Slow path of mcp_buffer_reserve: reallocates. */
bool mcp_buffer_grow(mcp_buffer *buffer, size_t extra);

/* Reserves `extra` bytes after the content; views into the buffer become invalid. False: memory exhausted, buffer
 * unchanged. */
static inline bool mcp_buffer_reserve(mcp_buffer *buffer, size_t extra) {
	return extra <= buffer->capacity - buffer->length || mcp_buffer_grow(buffer, extra);
}

static inline bool mcp_buffer_append(mcp_buffer *buffer, mcp_bytes bytes) {
	if (!mcp_buffer_reserve(buffer, bytes.length)) {
		return false;
	}
	if (bytes.length > 0) {
		memcpy(buffer->data + buffer->length, bytes.data, bytes.length);
		buffer->length += bytes.length;
	}
	return true;
}

void mcp_buffer_free(mcp_buffer *buffer);

/* Frees a buffer above MCP_BUFFER_KEPT_MAX, with its content. */
static inline void mcp_buffer_trim(mcp_buffer *buffer) {
	if (buffer->capacity > MCP_BUFFER_KEPT_MAX) {
		mcp_buffer_free(buffer);
	}
}

/* Slow path of mcp_buffer_clear for a buffer above MCP_BUFFER_KEPT_MAX. */
void mcp_buffer_clear_giant(mcp_buffer *buffer);

/* Empties the buffer for its next use. Frees a large buffer that neither of the last 2 uses needed; `length` is the
 * size of the last use. */
static inline void mcp_buffer_clear(mcp_buffer *buffer) {
	if (buffer->capacity > MCP_BUFFER_KEPT_MAX) {
		mcp_buffer_clear_giant(buffer);
	}
	buffer->length = 0;
}

/* Empties the buffer and sets its length to `bytes`, with undefined content. False: memory exhausted, buffer empty. */
static inline bool mcp_buffer_use(mcp_buffer *buffer, size_t bytes) {
	mcp_buffer_clear(buffer);
	if (!mcp_buffer_reserve(buffer, bytes)) {
		return false;
	}
	buffer->length = bytes;
	return true;
}

/* --- expiry numbers --- */

/* protocol.txt: larger numbers are absolute Unix times. */
#define MCP_EXPIRY_RELATIVE_MAX_S 2592000
/* An absolute time in 1970: the item expires immediately, in the text and the binary protocol (measured). */
#define MCP_EXPIRY_PAST 2592001
/* Larger numbers become negative in memcached's 32 bits: the item is stored, but expires immediately (measured). */
#define MCP_EXPIRY_ABSOLUTE_MAX_S 2147483647
/* Expiry number of an item that never expires. */
#define MCP_EXPIRY_NEVER 0
/* TTL of an item that never expires. */
#define MCP_TTL_FOREVER 0

/* The expiry number for ttl_ms; 0: never expires. The item lives at least ttl_ms and less than ttl_ms + 2 s. With a
 * relative expiry of n seconds, an item lives (n-1, n] s on memcached's clock, so 1 s is added. Sometimes the item
 * lives up to 1 s less. The server reads its clock slightly later each second (0.6 ms, measured), so its time advances
 * by 2 s in one step about twice per hour. If that matters, the caller must add 1 s. From 30 days on, the number is
 * absolute. The item then lives less than ttl_ms + 3 s, because the server's wall clock has its own phase. Both hosts'
 * clocks must agree. An end after January 2038, which memcached does not support, becomes never. */
int64_t mcp_expiry_from_ttl(uint64_t ttl_ms, uint64_t wall_ms);
/* Whether the number depends on wall_ms, which applies only to long TTLs. */
static inline bool mcp_expiry_needs_wall(uint64_t ttl_ms) {
	/* mcp_expiry_from_ttl adds 1 s. */
	return ttl_ms > (uint64_t)(MCP_EXPIRY_RELATIVE_MAX_S - 1) * 1000;
}

/* --- steps: a few commands on keys of one server, executed in order --- */

/* A connection that has verified its peer sends the steps as one batch. Other stores send them one after the other. The
 * CAS values that steps return may be kept across user code, because each value names its connection and is never sent
 * over another connection. */

/* Maximum number of steps: a write and reads of 32 keys, which is sufficient for the permits of most semaphores. */
#define MCP_STEPS_MAX 33

/* True if a step must go over the connection that it names. */
static inline bool mcp_op_has_base(const mcp_op *step) {
	return mcp_op_compares(step) || step->expects.connection != 0;
}

/* Sets the status of the steps from `from` on. */
void mcp_steps_answer(mcp_op *steps, size_t from, size_t count, mcp_status status);

/* Executes up to MCP_STEPS_MAX steps: any writes but prepend and flush, and reads. Writes must precede reads. Each key
 * may be read at most once.
 * - If a step is invalid, nothing is sent and all steps have its status: MCP_BAD_KEY, MCP_TOO_LARGE, MCP_NO_CAS (the
 *   expected CAS value is 0) or MCP_UNSUPPORTED. MCP_UNSUPPORTED means that the store has no steps, or that the
 *   expected connection is closed: read the item again.
 * - Otherwise each step has its own status. A step is executed whatever the reply to the previous step was.
 * - After a connection failure, no further step is sent. The status of a write without a reply is MCP_UNKNOWN, or
 *   MCP_UNREACHABLE if the write was certainly not sent. Reads may be retried, writes only if a closed connection has
 *   not taken any byte of them. Records of steps have no `proof`. */
static inline void mcp_store_steps(mcp_store *store, mcp_op *steps, size_t count) {
	if (store->operations->steps != NULL) {
		store->operations->steps(store, steps, count);
	} else {
		mcp_steps_answer(steps, 0, count, MCP_UNSUPPORTED);
	}
}

/* Executes the steps as one batch. If that is impossible, sends nothing: MCP_UNSUPPORTED. */
static inline void mcp_store_steps_at_once(mcp_store *store, mcp_op *steps, size_t count) {
	steps[0].is_at_once = true;
	mcp_store_steps(store, steps, count);
}

/* --- for implementations of stores --- */

/* True for a list of gets, false for a list of writes. */
static inline bool mcp_ops_are_reads(mcp_op *const *ops, size_t count) {
	return count > 0 && mcp_op_is_read(ops[0]);
}

void mcp_ops_answer(mcp_op *const *ops, size_t count, mcp_status status);

/* How a store executes steps one by one. */
typedef struct mcp_steps_way {
	mcp_store *store;
	/* Returns the number of the open connection, or of the next connection. */
	uint64_t (*connection)(mcp_store *store);
	bool renews; /* to renew an item costs this store no additional round trip */
} mcp_steps_way;

/* Returns MCP_OK if all steps may be sent, otherwise the status of all steps. */
mcp_status mcp_steps_judge(const mcp_steps_way *way, const mcp_op *steps, size_t count);
/* Checks the steps, then executes them as single ops; all reads are one run. */
void mcp_steps_one_by_one(const mcp_steps_way *way, mcp_op *steps, size_t count);

#endif
