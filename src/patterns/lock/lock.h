/* Lock: one holder at a time. A caller acquires the lock with `add` of an item with owner and expiry, or with `cas`
 * of an expired item. Protocol only: no exceptions, no callbacks. A hold is plain data of the caller. The rules are
 * in docs/spec/lock.md under the labels used here (L1, L2 ...). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_LOCK_LOCK_H
#define MCP_PATTERNS_LOCK_LOCK_H

#include "../../core/holders/holders.h"
#include "../../core/key/key.h"
#include "../../store/store.h"
#include "../waiting.h"

/* Reasons why no fencing token is available. They occur only if the server responds but does not report its start time,
 * so that tokens come from the fence, a number that all locks of a prefix share. */
typedef enum mcp_fence_bar {
	MCP_FENCE_WITHOUT_CLOCK, /* no wall clock is trusted */
	MCP_FENCE_AHEAD, /* the fence is ahead of this host's clock by more than skew plus 1 s */
	/* a token will be available, but the wait for it is too long, or the hold ends first */
	MCP_FENCE_TOO_NEW,
} mcp_fence_bar;

typedef struct mcp_fence_refusal {
	mcp_fence_bar bar;
	uint64_t ms; /* AHEAD: time by which the fence is ahead; TOO_NEW: length of the wait */
} mcp_fence_refusal;

/* Owns nothing; built on the stack for each call. */
typedef struct mcp_lock {
	mcp_store *store;
	const mcp_environment *environment;
	const mcp_key *key; /* key in MCP_SPACE_LOCK */
	mcp_bytes owner;    /* the holder's name, stored in the item; not empty */
	uint64_t ttl_ms;    /* > 0; MCP_LOCK_FOREVER: until released */
	/* L11: maximum clock skew between hosts. Other holders take over an item this time after its expiry.
	 * MCP_LOCK_FOREVER: wall clocks are not trusted, and memcached's TTL ends the item. */
	uint64_t skew_ms;
	/* this thread, to recognize items of crashed holders (L11); NULL: an item is held until it expires */
	mcp_holder *holder;
	/* this thread, to be named in written items; NULL: the end of the process does not end the hold */
	mcp_holder *named;
	mcp_pauses *pauses; /* state kept across an interruption; NULL: a wait begins with its call */
	/* reason why mcp_lock_fence returns MCP_UNSUPPORTED; NULL: not reported */
	mcp_fence_refusal *refusal;
} mcp_lock;

#define MCP_LOCK_FOREVER UINT64_MAX
/* Default clock skew. The clocks of hosts that use a time server are more accurate. */
#define MCP_LOCK_SKEW_MS 1000

/* State of an acquisition. Zero-initialized: nothing is held. The random `stamp` is stored in the item, so that this
 * acquisition cannot release a later acquisition under the same owner's name. The lock is held only until the earlier
 * of deadline_ms and until_ms. The holder measures deadline_ms on its monotonic clock. Other hosts see until_ms. If a
 * clock was set forward, they may take over the lock before deadline_ms. */
typedef struct mcp_hold {
	uint64_t deadline_ms; /* monotonic end, counted from before the item was written; 0: not held */
	uint64_t until_ms;    /* end in the item, Unix time; 0: the item never expires */
	uint64_t fencing;     /* fencing token; 0: not requested yet */
	uint64_t stamp;       /* random id of the acquisition; 0: nothing to release */
	/* CAS value of the last write. While the connection of this write lasts, the item is ours if this value is
	 * unchanged, and need not be read. */
	mcp_proof proof;
} mcp_hold;

/* Whether an item of this hold might be stored, now or later: the hold exists or has expired, or the outcome of its
 * write is unknown. */
static inline bool mcp_hold_is_open(const mcp_hold *hold) {
	return hold->stamp != 0;
}

/* Whether the hold exists, and neither deadline_ms nor until_ms has passed. No I/O. */
bool mcp_lock_is_held(const mcp_lock *lock, const mcp_hold *hold);
/* Drop the hold without a request. If the item names this thread as its holder, other processes of this host can then
 * take it over. */
void mcp_lock_forget(const mcp_lock *lock, mcp_hold *hold);
/* Remaining time. MCP_LOCK_FOREVER: never expires. */
uint64_t mcp_lock_remaining_ms(const mcp_lock *lock, const mcp_hold *hold);

/* Acquire the lock (L1, L4, L11), and wait for it until `wait_ms` after the wait began. 0: one attempt.
 * MCP_LOCK_FOREVER: no limit. An item that still belongs to this hold is extended, even if it has expired. MCP_OK:
 * held. MCP_NOT_STORED: another holder still has the lock. MCP_INTERRUPTED: see waiting.h. A failure ends the wait
 * immediately. The hold is then open if a write of this call might be stored, now or later. Release it when the
 * server can be reached again. Cost: 1 round trip for a free lock, 2 for a held one, 3 for a takeover, and 1 per
 * further read during a wait. */
mcp_status mcp_lock_acquire(const mcp_lock *lock, mcp_hold *hold, uint64_t wait_ms);

/* Take over an item that another hold acquired under this owner's name, and restart its TTL. The other hold is lost.
 * MCP_OK. MCP_NOT_FOUND: the item is missing, belongs to another owner, or has expired, or another process adopted it
 * concurrently. Or a failure. Cost: 2 round trips. */
mcp_status mcp_lock_adopt(const mcp_lock *lock, mcp_hold *hold);

/* Restart the TTL if the hold has not expired and the item is still ours (L8). MCP_OK. MCP_NOT_FOUND: the hold is
 * lost, and is closed; or it has expired, and nothing is changed. A failure: the hold is kept until it expires. Cost:
 * 2 round trips, 1 with a proof, 0 if the hold had expired. */
mcp_status mcp_lock_refresh(const mcp_lock *lock, mcp_hold *hold);

/* Remove the item atomically if it is still ours (L2). MCP_OK. MCP_NOT_FOUND: the hold was lost before the call, or
 * other callers could already take over the item. A failure: the lock is no longer held, but the hold remains open.
 * Cost: 2 round trips, 1 with a proof. */
mcp_status mcp_lock_release(const mcp_lock *lock, mcp_hold *hold);

/* Leave the lock to a process that adopts it. The lock no longer depends on this hold or process, and its expiry does
 * not change. MCP_OK: the hold is closed. MCP_NOT_FOUND: the hold is lost or has expired. A failure: the lock is
 * still held. Cost: that of mcp_lock_refresh, or 0 round trips if the item does not name a holder. */
mcp_status mcp_lock_hand_over(const mcp_lock *lock, mcp_hold *hold);

/* Remove the item, no matter who holds the lock. MCP_OK, MCP_NOT_FOUND, or a failure. */
mcp_status mcp_lock_force_release(const mcp_lock *lock);

/* Look up the current owner (L12). If the item has another format, its whole value is the owner. `owner` is a view
 * into the reply. MCP_OK. MCP_NOT_FOUND: the item is missing, or can be taken over. Or a failure. */
mcp_status mcp_lock_find_owner(const mcp_lock *lock, mcp_bytes *owner);
static inline mcp_status mcp_lock_find(const mcp_lock *lock) {
	mcp_bytes owner;
	return mcp_lock_find_owner(lock, &owner);
}

/* Read the item to find out whether it is still ours. MCP_OK. MCP_NOT_FOUND: the hold is lost, and is closed. Or a
 * failure. */
mcp_status mcp_lock_verify(const mcp_lock *lock, mcp_hold *hold);

/* Maximum clock skew of all hosts that use the fence, at least the default. A lock that is used on one host may have
 * a smaller skew, but it shares the fence with locks of other hosts. */
static inline uint64_t mcp_lock_fence_skew_ms(const mcp_lock *lock) {
	return lock->skew_ms > MCP_LOCK_SKEW_MS ? lock->skew_ms : MCP_LOCK_SKEW_MS;
}

/* Return a fencing token. Each holder gets a larger token than all previous holders, even across evictions and
 * restarts of the server (L9). The token is the server's start time in microseconds plus the item's CAS value. This
 * is correct if the server has fewer than 1,000,000 changes per second on average. If the server does not report its
 * start time, the token is the next number of the fence (lock.c). If the fence is new, the call waits until its
 * numbers can be used, while the hold lasts. MCP_OK. MCP_NOT_FOUND: the hold is lost, and is closed, or it has
 * expired. MCP_UNSUPPORTED: see mcp_fence_bar. MCP_EXISTS: contention on the fence. MCP_INTERRUPTED: see waiting.h.
 * Or a failure. Cost: 1 round trip in the first call of a hold, then 0. With the fence 2, 3 after a wait for a new
 * fence, and 6 if this call creates the fence. */
mcp_status mcp_lock_fence(const mcp_lock *lock, mcp_hold *hold, uint64_t *token);

/* One hold for many locks, each with its own key, for short work. All locks are tried in one batch, locks of other
 * holders are skipped, and the locks that were acquired are released in one batch. Only the functions above wait for
 * a lock, take it over and verify it. */

/* The next functions ignore `lock->key`, because each write has the key of its lock. */

/* Try each lock once. The status of a write is MCP_OK: the lock is held. MCP_NOT_STORED: an item exists, which might
 * have expired. MCP_UNKNOWN: read the item. Or another failure: nothing is stored. Cost: 1 round trip per server and
 * per 100 locks, if the store can batch (store.h). */
void mcp_lock_try_many(const mcp_lock *lock, mcp_hold *hold, mcp_op *writes, size_t count);

/* Classify the reply to a read of a lock's key. MCP_OK: this hold has the lock. MCP_NOT_STORED: another holder has
 * it. MCP_NOT_FOUND: the item is missing. MCP_EXISTS: the item of another holder can be taken over. Or a failure. */
mcp_status mcp_lock_judge(const mcp_lock *lock, const mcp_hold *hold, const mcp_op *reply);

/* Remove the items whose CAS value has not changed since they were read. These locks were held without interruption.
 * The status of a write is MCP_OK. MCP_NOT_FOUND: the item is missing. MCP_EXISTS: use mcp_lock_release_one. Or a
 * failure. Cost: that of mcp_lock_try_many. */
void mcp_lock_release_many(const mcp_lock *lock, mcp_op *writes, size_t count);

/* Release one of the locks like mcp_lock_release. The hold is not changed. */
mcp_status mcp_lock_release_one(const mcp_lock *lock, const mcp_hold *hold, const mcp_key *key);

/* Terms of a lock: the end that the item shows to other hosts, and the time until which the holder may trust the
 * lock. Session locks use the same format. */

/* An item to write, and the ends that its holder may trust after the item has been stored. Do not copy this struct,
 * because `record` points into `head`. */
typedef struct mcp_lock_terms {
	char head[MCP_LOCK_ITEM_HEAD_MAX];
	mcp_record record;
	uint64_t deadline_ms, until_ms; /* see mcp_hold */
} mcp_lock_terms;

/* Create terms that start now. Call this before the item is sent. Registers the stamp with `lock->named`. */
void mcp_lock_terms_make(const mcp_lock *lock, uint64_t stamp, mcp_lock_terms *terms);

/* Parse an item. An item in another format, from another client or an older version, has no stamp and no end. */
mcp_lock_item mcp_lock_terms_read(const mcp_item *item);

/* Time until another holder may take over the item. 0 if the item's holder is known to have crashed. */
uint64_t mcp_lock_terms_taken_for_ms(const mcp_lock *lock, const mcp_lock_item *item);

/* Saturated sum: UINT64_MAX remains "never". */
static inline uint64_t mcp_lock_terms_later(uint64_t now, uint64_t duration_ms) {
	return duration_ms > UINT64_MAX - now ? UINT64_MAX : now + duration_ms;
}

/* Begin an attempt under a new stamp. The caller sends the `add` of the terms together with other commands, and
 * concludes the attempt with the status of the `add`. MCP_OK. MCP_NOT_STORED: another holder's item exists, and the
 * hold is closed. A failure: the hold is open if the item might be stored. */
void mcp_lock_hold_begin_try(const mcp_lock *lock, mcp_hold *hold, mcp_lock_terms *terms);
mcp_status mcp_lock_hold_conclude_try(const mcp_lock *lock, mcp_hold *hold,
	const mcp_lock_terms *terms, mcp_status added);

/* Lock items that can appear after their holder has given up, because a stalled server executes old requests late.
 * Processes of the same host take over such an item immediately (core/holders/holders.h). For other hosts, the
 * process that gave up deletes the item after the server has responded again. If that process is then idle or dead,
 * the item remains until it expires. */

#define MCP_LATE_LOCKS_MAX 8

typedef struct mcp_late_lock {
	uint64_t stamp;
	/* hash of the server's address; a collision is harmless, because only an item with the stamp is deleted */
	uint64_t server;
	/* monotonic time of the server's first response after the holder gave up; 0: none yet */
	uint64_t answered_ms;
	size_t length;
	char wire[MCP_WIRE_KEY_MAX];
} mcp_late_lock;

/* One per thread. Zero-initialized: empty. The functions do nothing if `self` is NULL. */
typedef struct mcp_late_locks {
	unsigned count;
	mcp_late_lock locks[MCP_LATE_LOCKS_MAX];
} mcp_late_locks;

/* Remember an abandoned item with this stamp. Keeps the newest MCP_LATE_LOCKS_MAX items. */
void mcp_late_locks_add(mcp_late_locks *self, mcp_store *store, const mcp_key *key, uint64_t stamp);

/* Forget the items with this stamp, because their holder trusts the stamp again. */
void mcp_late_locks_forget(mcp_late_locks *self, uint64_t stamp);

/* Slow path of the next function. */
void mcp_late_locks_release_found(mcp_late_locks *self, mcp_store *store, const mcp_key *key,
	const mcp_environment *environment);

/* Delete the remembered items on the server of `key`, which has just responded. Invalidates the store's views. Cost:
 * 1 round trip per remembered item of this server, and 1 more per item that is found. */
static inline void mcp_late_locks_take_back(mcp_late_locks *self, mcp_store *store,
	const mcp_key *key, const mcp_environment *environment) {
	if (self != NULL && self->count != 0) {
		mcp_late_locks_release_found(self, store, key, environment);
	}
}

#endif
