/* The contract between the patterns and whatever speaks to memcached: a table of functions over one
 * logical memcached (one server, the process's own memory, or a cluster of either).
 *
 * Rules every implementation keeps:
 * - A write is sent at most once. If its answer does not come the status is MCP_UNKNOWN. Reads may be
 *   retried once after a broken connection.
 * - A view handed out (mcp_item.value) lives until the next get or get_many on the same store, and
 *   not across user code. Writes do not end it, and a write's arguments may be such views.
 * - Nothing is sent for a key that mcp_key_is_safe refuses (MCP_BAD_KEY) or a value that is too large
 *   (MCP_TOO_LARGE; what was stored stays, see item_max).
 * - Every call ends within the store's timeouts. A server that failed is left alone for a while:
 *   meanwhile every call is MCP_UNREACHABLE at once, unless the caller insists.
 * - Never another key's value. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_STORE_H
#define MCP_STORE_STORE_H

#include "../core/bytes.h"
#include "../core/environment.h"
#include "../core/key/key.h"
#include "../core/status.h"
#include "../core/waking/wakeups.h"
#include "reason.h"

#include <stdbool.h>

/* A write's proof by its answer: the item has this cas id, so whoever finds it unchanged finds what was written.
 * Cas ids are a server process's own and begin anew with it, and a connection ends with it: a proof is worth
 * something over the connection alone that it came by, and never over one that was made again. */

/* Zero-initialised: none. Plain data; outlives the call that it came by. */
typedef struct mcp_proof {
	uint64_t cas; /* 0: none */
	uint64_t
		connection; /* which no other connection of this process, or of one forked from it, has ever been */
} mcp_proof;

/* Says whether the proof holds over `connection`: the one that is open; 0: none is. */
static inline bool mcp_proof_holds(const mcp_proof *proof, uint64_t connection) {
	return proof->cas != 0 && connection != 0 && proof->connection == connection;
}

/* Names a connection that has just been made, or at least what is asked of it first: one that is made again counts on
 * from `last`, 0 for the first of its kind. */
static inline uint64_t mcp_proof_name_connection(uint64_t last,
	const mcp_environment *environment) {
	uint64_t name = last != 0 ? last + 1 : mcp_random_u64(environment);
	return name != 0 ? name : 1;
}

/* One change of one key: what every store's table takes in one function, so that what a store over a store has to say
 * about a write it says once. */

/* A record to store: head and body are sent one after the other as one value. */
typedef struct mcp_record {
	mcp_bytes head;
	mcp_bytes body;
	uint32_t flags;
	/* 0: forever. Lives at least this long and less than 2 s longer (3 s from thirty days on), but up
	 * to a second less now and then, see mcp_expiry_from_ttl. */
	uint64_t ttl_ms;
	/* Zeroed, or NULL: not wanted. Filled in by an add, a set or a cas that is MCP_OK, where the store can; a
	 * store that is asked for the first time over a connection may need a round trip more to find out. */
	mcp_proof *proof;
	/* It ends the wait of no other process: it claims something, or keeps it. */
	bool is_claim;
	/* NULL: nothing is to be done before others are told of it. */
	struct mcp_before_ring *before_ring;
} mcp_record;

/* Work to be done with a record that was stored and that other processes of this host wait for, before they are woken: what
 * it leaves for them they find. `raised_from`: the number that the key's change counter had (core/near/changes.h), and
 * has no more. */
typedef struct mcp_before_ring {
	void (*run)(struct mcp_before_ring *work, uint64_t raised_from);
} mcp_before_ring;

/* The kind of a change. Beside the record each goes by what stands in brackets, and by no more. Each may fail
 * besides; none but the proven ones answers MCP_UNSUPPORTED. */
typedef enum mcp_change_verb {
	/* MCP_OK, MCP_NOT_STORED or MCP_TOO_LARGE; a set is never MCP_NOT_STORED. */
	MCP_CHANGE_ADD,
	MCP_CHANGE_SET,
	/* [cas] MCP_OK, MCP_EXISTS, MCP_NOT_FOUND, MCP_TOO_LARGE. For the cas id 0, that is not known: MCP_NO_CAS when the
	 * server gives none, else MCP_EXISTS, and nothing is sent (by text that would be an injection). */
	MCP_CHANGE_CAS,
	/* [proof] As cas, of what the caller itself has written, without having read it again, user code and all else in
	 * between. MCP_UNSUPPORTED: the proof is none, or none any more, and nothing was sent; read the item, and go by
	 * what is there. */
	MCP_CHANGE_CAS_PROVEN,
	/* Puts the record's body before the value that is there, whatever it is: MCP_OK, or MCP_NOT_STORED. Flags and TTL
	 * stay, the cas id changes. */
	MCP_CHANGE_PREPEND,
	/* Puts it behind the value. MCP_NOT_STORED both where nothing is and where the whole would be larger than the server
	 * takes; what was there stays. */
	MCP_CHANGE_APPEND,
	/* [no record] MCP_OK or MCP_NOT_FOUND. */
	MCP_CHANGE_DELETE,
	/* [no record, cas] Deletes atomically and only if the item still has this cas id: a cas into the past. Statuses as
	 * cas. */
	MCP_CHANGE_DELETE_IF,
	/* [no record, proof] Is to delete_if what cas_proven is to cas. */
	MCP_CHANGE_DELETE_PROVEN,
	/* [no record, by, number] MCP_OK with the new number, MCP_NOT_FOUND, MCP_NOT_A_NUMBER. Unsigned 64 bits; increment
	 * wraps at 2^64, decrement stops at 0. Flags and TTL stay, the cas id changes. */
	MCP_CHANGE_INCREMENT,
	MCP_CHANGE_DECREMENT,
	/* Goes by the record's TTL: MCP_OK or MCP_NOT_FOUND. The cas id stays. */
	MCP_CHANGE_TOUCH,
} mcp_change_verb;

/* One change of one key, lent for the call. Made by store.h's thin calls; what its verb does not go by is zero. */
typedef struct mcp_change {
	mcp_change_verb verb;
	const mcp_record *record;
	uint64_t cas;
	const mcp_proof *proof;
	uint64_t by;
	uint64_t *number; /* filled in when MCP_OK */
} mcp_change;

typedef struct mcp_store mcp_store;
struct mcp_store_step;

/* An item that a read found. `value` is a view, see above. */
typedef struct mcp_item {
	mcp_bytes value;
	uint32_t flags;
	/* Stored before this process came to the server for keys that had been elsewhere: it may be older than what
	 * this process, or another one, has stored there. A single server's own store never says so. */
	bool is_suspect;
	/* Never kept across user code: ids start again when a server restarts. 0: not known. */
	uint64_t cas;
	/* For a suspect one alone, and undefined for others: the moment (Unix time) up to which this process has heard the
	 * key's own server, for which another one stands in. A value created before it was left by an earlier outage. 0:
	 * never heard, or read from the key's own server. */
	uint64_t heard_ms;
} mcp_item;

/* One key's answer of a get_many: `item` only when status is MCP_OK. */
typedef struct mcp_reply {
	mcp_status status;
	mcp_item item;
} mcp_reply;

/* One change of a write_many, with its key and its answer. */
typedef struct mcp_write {
	mcp_key key;
	mcp_record record; /* of a set, an add, a cas and a cas_proven */
	uint64_t cas;      /* of a cas and a delete_if */
	mcp_proof proof;   /* of a cas_proven */
	uint64_t by;       /* of an increment and a decrement */
	/* The answer; `number` when one of these two is MCP_OK. */
	mcp_status status;
	uint64_t number;
} mcp_write;

/* A purpose for which a server that failed may be asked in spite of it: once for each until it has answered
 * again, so that an outage costs one more timeout each and not one more for everything that is left to do. */
typedef enum mcp_bypass {
	MCP_BYPASS_TO_RESOLVE = 1, /* to know what became of a write */
	MCP_BYPASS_TO_RELEASE = 2, /* to leave nothing behind */
} mcp_bypass;

/* One "STAT name value" line; the views live only during the call. */
typedef void (*mcp_stat_visitor)(void *context, mcp_bytes name, mcp_bytes value);

typedef struct mcp_store_operations {
	/* MCP_OK, MCP_NOT_FOUND or a failure. Always with the cas id ("gets"). One round trip. */
	mcp_status (*get)(mcp_store *store, const mcp_key *key, mcp_item *item);
	/* The item's cas id alone: MCP_OK, MCP_NOT_FOUND or a failure. One round trip. Ends no view. */
	mcp_status (*cas_of)(mcp_store *store, const mcp_key *key, uint64_t *cas);
	/* One round trip per server and 8,000 bytes of keys; the keys are asked for in the order given.
	 * Fills all replies. Keys must differ from each other. */
	void (*get_many)(mcp_store *store, const mcp_key *keys, size_t count, mcp_reply *replies);
	/* Reads many in two halves, so that several servers are asked before the first answer is read: what `ask_many`
	 * began `hear_many` ends, with the same arguments, and without another call on this store between. False, or NULL,
	 * as a function: the store asks no server ahead, and neither these two nor send_writes and hear_writes must be called. */
	bool (*asks_ahead)(mcp_store *store);
	void (*ask_many)(mcp_store *store, const mcp_key *keys, size_t count, mcp_reply *replies);
	void (*hear_many)(mcp_store *store, const mcp_key *keys, size_t count, mcp_reply *replies);
	/* Changes one key as the change's verb says. */
	mcp_status (*change)(mcp_store *store, const mcp_key *key, const mcp_change *change);
	/* Whether it fills in a record's proof and takes one. False if MCP_UNSUPPORTED answers a verb that needs one. */
	bool proves;
	/* The longest `ttl_ms` with which the item, stored anew at this moment, would end no later than it does, by the
	 * server's own clock: MCP_STORE_NO_END, or 0 in its last second. MCP_OK, MCP_NOT_FOUND, MCP_UNSUPPORTED or a failure.
	 * One round trip, and one more where a connection is asked for the first time. Ends no view; a cas id from before is
	 * of the same connection still, or a cas is refused. NULL: no server tells. */
	mcp_status (*ttl_left)(mcp_store *store, const mcp_key *key, uint64_t *left_ms);
	/* As the change of each by this verb, and as its delete; the verb is a set, an add, a cas, a cas_proven, an increment, a
	 * decrement, a delete or a delete_if. As many round trips as keys with libmemcached; with a connection of our own one for each server and
	 * hundred keys, of at most 256 KiB. A write without an answer when such a batch broke off is MCP_UNKNOWN. There proofs
	 * are filled in of batches of at most 32 KiB alone. */
	void (*write_many)(mcp_store *store, mcp_change_verb verb, mcp_write *writes, size_t count);
	/* Writes many in two halves, so that several servers are sent theirs before the first answer is read: what
	 * `send_writes` began `hear_writes` ends as write_many does, with the same arguments, and without another call on
	 * this store between. As many as are one batch are sent ahead. */
	void (*send_writes)(mcp_store *store, mcp_change_verb verb, mcp_write *writes, size_t count);
	void (*hear_writes)(mcp_store *store, mcp_change_verb verb, mcp_write *writes, size_t count);
	void (*delete_many)(mcp_store *store, const mcp_key *keys, size_t count, mcp_status *statuses);
	/* Carries out a few commands in order, see steps.h. NULL: it takes none. */
	void (*steps)(mcp_store *store, struct mcp_store_step *steps, size_t count);
	/* MCP_OK, MCP_UNSUPPORTED or a failure. On a cluster: MCP_UNSUPPORTED (ask each member). */
	mcp_status (*stats)(mcp_store *store, mcp_stat_visitor visit, void *context);
	/* Its settings likewise ("stats settings"): MCP_UNSUPPORTED where a proxy, or what is no server, tells none. NULL: it
	 * has none. */
	mcp_status (*settings)(mcp_store *store, mcp_stat_visitor visit, void *context);
	/* Empties the server: every client's data. On a cluster: all members, the worst status. */
	mcp_status (*flush)(mcp_store *store);
	/* A round trip that touches no data ("version"). On a cluster: all members, the worst status. */
	mcp_status (*ping)(mcp_store *store);
	/* The store that this key lives in: itself, or a cluster's member. Borrowed. */
	mcp_store *(*owner)(mcp_store *store, const mcp_key *key);
	/* Returns, of the different stores that can hold the key, the one that stands in for those of a smaller
	 * index: 0 is the owner, NULL: there are not as many. It is one and the same for every process with the same
	 * list. Borrowed. No round trip. NULL as a function: the owner alone. */
	mcp_store *(*candidate)(mcp_store *store, const mcp_key *key, size_t index);
	/* The different stores that it is made of, in the list's order; `member` for an index below their number.
	 * Borrowed. NULL as functions: it is one by itself. */
	size_t (*member_count)(mcp_store *store);
	mcp_store *(*member)(mcp_store *store, size_t index);
	/* Microseconds since 1970 at which the server process started (stats: time - uptime): constant
	 * for a server process; read once per connection, by one more question where its settings are not known yet, as only
	 * a server that tells them is believed. MCP_UNSUPPORTED behind a proxy, a cloud's front, or of what is no server:
	 * asked once. MCP_REFUSED: an error of the server's own. */
	mcp_status (*started_us)(mcp_store *store, const mcp_key *key, uint64_t *started_us);
	/* Key and value must have less bytes than this together, for a caller that has `wanted`: no more than the server takes,
	 * nor than the environment lets an answer have. The server is asked once per connection ("stats settings") and only
	 * when that is enough to matter: a round trip. Ends no view. NULL: MCP_STORE_ITEM_MAX. */
	size_t (*item_max)(mcp_store *store, const mcp_key *key, size_t wanted);
	/* Whether the key's server gave no cas ids when it was last read from. No round trip. NULL: never. */
	bool (*gives_no_cas)(mcp_store *store, const mcp_key *key);
	/* The calls that follow reach the key's server though it failed a moment ago, until the next
	 * failure. NULL: no server is ever left alone. No round trip. */
	void (*insist)(mcp_store *store, const mcp_key *key, mcp_bypass what_for);
	/* The server whose failure met a call last: itself, or a cluster's member. NULL if there is none; as a
	 * function: no server ever fails. Borrowed. No round trip. */
	mcp_store *(*failed)(mcp_store *store);
	/* Returns the failure of a store that `failed` answered. Lives as long as the store, and changes with the
	 * next failure. */
	const mcp_store_failure *(*failure)(mcp_store *store);
	/* Whether the server failed a moment ago, so that nothing would be sent now. NULL: never. No round trip. */
	bool (*is_tripped)(mcp_store *store);
	/* How often its connection was lost, or may have been: what is known of cas ids from before is void, for
	 * they begin anew when a server does. NULL: it never was. No round trip. */
	uint64_t (*breaks)(mcp_store *store);
	/* Whether a write of this process may still land on the server, though nobody waits for its answer any more. NULL:
	 * that is not known. Waits for nothing. */
	bool (*has_late_write)(mcp_store *store);
	/* Until end_change, an explicit change of the key is under way: a server that cannot be told of it now
	 * deletes the key when it answers again, before it is asked for anything else. NULL: it does not. No round
	 * trip. */
	void (*begin_change)(mcp_store *store, const mcp_key *key);
	/* How many keys had to be dropped for that since begin_change. NULL: none. */
	unsigned (*end_change)(mcp_store *store);
	/* The bell that this host's writes to the key ring (core/waking/wakeups.h), where the key is at present. NULL: there is
	 * none. No round trip. */
	mcp_wakeup_slot (*bell)(mcp_store *store, const mcp_key *key);
	/* Whether another server stands in for the key's own at present. NULL: never. No round trip. */
	bool (*is_away)(mcp_store *store, const mcp_key *key);
	/* Closes what it owns and frees it. After a fork, only `disown` is allowed in the child. */
	void (*free)(mcp_store *store);
	/* Frees nothing that the parent shares and sends nothing: the child's half of a fork. */
	void (*disown)(mcp_store *store);
} mcp_store_operations;

struct mcp_store {
	const mcp_store_operations *operations;
	/* "host:port", "unix:///path" or "memory://name", for messages; owned by the store. */
	const char *address;
};

/* Calls, thinly, so that readers see verbs and not tables; so do the next ones. */
static inline mcp_status mcp_store_get(mcp_store *store, const mcp_key *key, mcp_item *item) {
	return store->operations->get(store, key, item);
}
static inline mcp_status mcp_store_cas_of(mcp_store *store, const mcp_key *key, uint64_t *cas) {
	return store->operations->cas_of(store, key, cas);
}
static inline void mcp_store_get_many(mcp_store *store, const mcp_key *keys, size_t count,
	mcp_reply *replies) {
	store->operations->get_many(store, keys, count, replies);
}
static inline bool mcp_store_asks_ahead(mcp_store *store) {
	return store->operations->asks_ahead != NULL && store->operations->asks_ahead(store);
}
static inline void mcp_store_ask_many(mcp_store *store, const mcp_key *keys, size_t count,
	mcp_reply *replies) {
	store->operations->ask_many(store, keys, count, replies);
}
static inline void mcp_store_hear_many(mcp_store *store, const mcp_key *keys, size_t count,
	mcp_reply *replies) {
	store->operations->hear_many(store, keys, count, replies);
}
static inline mcp_status mcp_store_change(mcp_store *store, const mcp_key *key,
	const mcp_change *change) {
	return store->operations->change(store, key, change);
}
static inline mcp_status mcp_store_add(mcp_store *store, const mcp_key *key,
	const mcp_record *record) {
	mcp_change change = {.verb = MCP_CHANGE_ADD, .record = record};
	return mcp_store_change(store, key, &change);
}
static inline mcp_status mcp_store_set(mcp_store *store, const mcp_key *key,
	const mcp_record *record) {
	mcp_change change = {.verb = MCP_CHANGE_SET, .record = record};
	return mcp_store_change(store, key, &change);
}
static inline mcp_status mcp_store_cas(mcp_store *store, const mcp_key *key,
	const mcp_record *record, uint64_t cas) {
	mcp_change change = {.verb = MCP_CHANGE_CAS, .record = record, .cas = cas};
	return mcp_store_change(store, key, &change);
}
static inline mcp_status mcp_store_prepend(mcp_store *store, const mcp_key *key, mcp_bytes bytes) {
	mcp_record record = {.body = bytes};
	mcp_change change = {.verb = MCP_CHANGE_PREPEND, .record = &record};
	return mcp_store_change(store, key, &change);
}
static inline mcp_status mcp_store_append(mcp_store *store, const mcp_key *key, mcp_bytes bytes) {
	mcp_record record = {.body = bytes};
	mcp_change change = {.verb = MCP_CHANGE_APPEND, .record = &record};
	return mcp_store_change(store, key, &change);
}
static inline mcp_status mcp_store_delete(mcp_store *store, const mcp_key *key) {
	mcp_change change = {.verb = MCP_CHANGE_DELETE};
	return mcp_store_change(store, key, &change);
}
static inline mcp_status mcp_store_delete_if(mcp_store *store, const mcp_key *key, uint64_t cas) {
	mcp_change change = {.verb = MCP_CHANGE_DELETE_IF, .cas = cas};
	return mcp_store_change(store, key, &change);
}
/* Says whether a record's proof may be filled in: where it never is, nothing need be asked for it. */
static inline bool mcp_store_may_prove(const mcp_store *store) {
	return store->operations->proves;
}
static inline bool mcp_store_may_take(const mcp_store *store, const mcp_proof *proof) {
	return proof->cas != 0 && mcp_store_may_prove(store);
}
static inline mcp_status mcp_store_cas_proven(mcp_store *store, const mcp_key *key,
	const mcp_record *record, const mcp_proof *proof) {
	mcp_change change = {.verb = MCP_CHANGE_CAS_PROVEN, .record = record, .proof = proof};
	return mcp_store_may_take(store, proof) ? mcp_store_change(store, key, &change)
											: MCP_UNSUPPORTED;
}
static inline mcp_status mcp_store_delete_proven(mcp_store *store, const mcp_key *key,
	const mcp_proof *proof) {
	mcp_change change = {.verb = MCP_CHANGE_DELETE_PROVEN, .proof = proof};
	return mcp_store_may_take(store, proof) ? mcp_store_change(store, key, &change)
											: MCP_UNSUPPORTED;
}
static inline mcp_status mcp_store_increment(mcp_store *store, const mcp_key *key, uint64_t by,
	uint64_t *number) {
	mcp_change change = {.verb = MCP_CHANGE_INCREMENT, .by = by, .number = number};
	return mcp_store_change(store, key, &change);
}
static inline mcp_status mcp_store_decrement(mcp_store *store, const mcp_key *key, uint64_t by,
	uint64_t *number) {
	mcp_change change = {.verb = MCP_CHANGE_DECREMENT, .by = by, .number = number};
	return mcp_store_change(store, key, &change);
}
static inline mcp_status mcp_store_touch(mcp_store *store, const mcp_key *key, uint64_t ttl_ms) {
	mcp_record record = {.ttl_ms = ttl_ms};
	mcp_change change = {.verb = MCP_CHANGE_TOUCH, .record = &record};
	return mcp_store_change(store, key, &change);
}
#define MCP_STORE_NO_END UINT64_MAX
static inline mcp_status mcp_store_ttl_left(mcp_store *store, const mcp_key *key,
	uint64_t *left_ms) {
	bool is_possible = store->operations->ttl_left != NULL;
	return is_possible ? store->operations->ttl_left(store, key, left_ms) : MCP_UNSUPPORTED;
}
static inline void mcp_store_write_many(mcp_store *store, mcp_change_verb verb, mcp_write *writes,
	size_t count) {
	store->operations->write_many(store, verb, writes, count);
}
/* So many writes are worth to be sent ahead: a batch. */
#define MCP_STORE_AHEAD_MAX 100
static inline void mcp_store_send_writes(mcp_store *store, mcp_change_verb verb, mcp_write *writes,
	size_t count) {
	store->operations->send_writes(store, verb, writes, count);
}
static inline void mcp_store_hear_writes(mcp_store *store, mcp_change_verb verb, mcp_write *writes,
	size_t count) {
	store->operations->hear_writes(store, verb, writes, count);
}
static inline void mcp_store_set_many(mcp_store *store, mcp_write *writes, size_t count) {
	mcp_store_write_many(store, MCP_CHANGE_SET, writes, count);
}
static inline void mcp_store_delete_many(mcp_store *store, const mcp_key *keys, size_t count,
	mcp_status *statuses) {
	store->operations->delete_many(store, keys, count, statuses);
}
static inline mcp_status mcp_store_stats(mcp_store *store, mcp_stat_visitor visit, void *context) {
	return store->operations->stats(store, visit, context);
}
static inline mcp_status mcp_store_settings(mcp_store *store, mcp_stat_visitor visit,
	void *context) {
	bool has_some = store->operations->settings != NULL;
	return has_some ? store->operations->settings(store, visit, context) : MCP_UNSUPPORTED;
}
static inline mcp_status mcp_store_flush(mcp_store *store) {
	return store->operations->flush(store);
}
static inline mcp_status mcp_store_ping(mcp_store *store) {
	return store->operations->ping(store);
}
static inline mcp_wakeup_slot mcp_store_bell(mcp_store *store, const mcp_key *key) {
	return store->operations->bell != NULL ? store->operations->bell(store, key)
										   : (mcp_wakeup_slot){.bell = NULL};
}
static inline mcp_store *mcp_store_owner(mcp_store *store, const mcp_key *key) {
	return store->operations->owner(store, key);
}
static inline mcp_store *mcp_store_candidate(mcp_store *store, const mcp_key *key, size_t index) {
	if (store->operations->candidate != NULL) {
		return store->operations->candidate(store, key, index);
	}
	return index == 0 ? mcp_store_owner(store, key) : NULL;
}
static inline size_t mcp_store_member_count(mcp_store *store) {
	return store->operations->member_count != NULL ? store->operations->member_count(store) : 1;
}
static inline mcp_store *mcp_store_member(mcp_store *store, size_t index) {
	return store->operations->member != NULL ? store->operations->member(store, index) : store;
}
static inline mcp_status mcp_store_started_us(mcp_store *store, const mcp_key *key,
	uint64_t *started_us) {
	return store->operations->started_us(store, key, started_us);
}
static inline void mcp_store_bypass_breaker(mcp_store *store, const mcp_key *key,
	mcp_bypass what_for) {
	if (store->operations->insist != NULL) {
		store->operations->insist(store, key, what_for);
	}
}
static inline mcp_store *mcp_store_failed(mcp_store *store) {
	return store->operations->failed != NULL ? store->operations->failed(store) : NULL;
}
/* NULL if it never failed. */
static inline const mcp_store_failure *mcp_store_last_failure(mcp_store *store) {
	mcp_store *failed = mcp_store_failed(store);
	return failed != NULL ? failed->operations->failure(failed) : NULL;
}
static inline bool mcp_store_is_tripped(mcp_store *store) {
	return store->operations->is_tripped != NULL && store->operations->is_tripped(store);
}
static inline uint64_t mcp_store_breaks(mcp_store *store) {
	return store->operations->breaks != NULL ? store->operations->breaks(store) : 0;
}
static inline bool mcp_store_has_late_write(mcp_store *store) {
	return store->operations->has_late_write != NULL && store->operations->has_late_write(store);
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

/* memcached's limit is for an item with its header, and 1 MiB where it is not told: 1048376 bytes of value
 * went in with a short key, 1048528 did not (measured). Key and value together stay below this. */
#define MCP_STORE_ITEM_OVERHEAD 512
#define MCP_STORE_ITEM_MAX (1048576 - MCP_STORE_ITEM_OVERHEAD)

static inline size_t mcp_store_item_max(mcp_store *store, const mcp_key *key, size_t wanted) {
	bool is_known = store->operations->item_max != NULL;
	return is_known ? store->operations->item_max(store, key, wanted) : MCP_STORE_ITEM_MAX;
}

static inline bool mcp_store_gives_no_cas(mcp_store *store, const mcp_key *key) {
	bool is_known = store->operations->gives_no_cas != NULL;
	return is_known && store->operations->gives_no_cas(store, key);
}

/* Saturates: nothing holds as much. */
static inline size_t mcp_store_size_of(const mcp_key *key, const mcp_record *record) {
	size_t room = SIZE_MAX - key->wire.length;
	if (record->head.length > room || record->body.length > room - record->head.length) {
		return SIZE_MAX;
	}
	return key->wire.length + record->head.length + record->body.length;
}

#endif
