/* A session of a request: read at the start of the request, and written at its end, without the loss of acknowledged
 * writes. A lock only reduces conflicts. A write uses the CAS value of the request's read. If it finds another
 * version, it merges key by key, or, with MCP_SESSION_NO_LOCK, replaces this version. The rules are in
 * docs/spec/sessions.md under the labels used here (E11, E12 ...). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_SESSION_SESSION_H
#define MCP_PATTERNS_SESSION_SESSION_H

#include "../../core/envelope/envelope.h"
#include "../../core/envelope/signature.h"
#include "../../core/holders/holders.h"
#include "../../core/session/session_parts.h"
#include "../../core/bytes.h"
#include "../../store/store.h"
#include "../lock/lock.h"
#include "../waiting.h"

typedef enum mcp_session_locking {
	MCP_SESSION_LOCK,  /* requests of one session wait for each other */
	MCP_SESSION_MERGE, /* requests of one session run concurrently, and their changes are merged */
	MCP_SESSION_NO_LOCK, /* requests run concurrently, and the last write replaces the session */
} mcp_session_locking;

typedef enum mcp_session_kind {
	MCP_SESSION_NOTHING,
	MCP_SESSION_STRANGE, /* not a session of this key: foreign or unsigned bytes */
	MCP_SESSION_TOMBSTONE,
	MCP_SESSION_PLACEHOLDER, /* the id was issued, but no data is stored yet */
	MCP_SESSION_VALUE,
	MCP_SESSION_UNREADABLE, /* kept, but not decoded; see mcp_session_obstacle */
} mcp_session_kind;

/* Compresses payloads that become smaller. The returned bytes are valid until the next call. */
typedef struct mcp_session_packing mcp_session_packing;
struct mcp_session_packing {
	/* Returns the packed bytes with their flags, or `plain` with flags 0. */
	mcp_bytes (*pack)(mcp_session_packing *self, mcp_bytes plain, uint32_t *flags);
	/* Returns MCP_SESSION_VALUE, MCP_SESSION_UNREADABLE if this host cannot unpack the payload, or
	 * MCP_SESSION_STRANGE if the payload is damaged. */
	mcp_session_kind (*unpack)(mcp_session_packing *self, mcp_bytes packed, uint32_t flags,
		mcp_bytes *plain);
};

/* Owns nothing; built on the stack for each call. */
typedef struct mcp_session {
	mcp_store *store; /* must support steps */
	const mcp_environment *environment;
	const mcp_key *key;                   /* key in MCP_SPACE_SESSION */
	const mcp_signing_keys *signing_keys; /* NULL: sessions are not signed */
	mcp_session_packing *packing;         /* NULL: payloads are stored unchanged */
	mcp_session_locking locking;
	mcp_session_format format; /* format of the data; sessions in another format are refused */
	unsigned merge_depth;      /* 1 to MCP_SESSION_MERGE_DEPTH_MAX */
	uint64_t ttl_ms;           /* > 0 */
	uint64_t lock_ttl_ms;      /* > 0; also the longest time for which a crashed holder blocks */
	uint64_t wait_ms;          /* maximum wait for the lock, from the first read */
	mcp_bytes owner;           /* the holder's name in the lock's item; not empty */
	mcp_holder *holder;        /* this thread, see lock.h; NULL: none */
	mcp_late_locks *late;      /* late locks of this thread; NULL: not remembered */
	/* key under which another handler stores the data of this session; NULL: none */
	const mcp_key *foreign;
} mcp_session;

typedef enum mcp_session_obstacle {
	MCP_SESSION_NO_OBSTACLE,
	MCP_SESSION_OF_OTHER_FORMAT, /* not the request's format; the head names it */
	MCP_SESSION_OF_LATER_VERSION,
	MCP_SESSION_NOT_UNPACKED, /* this host cannot unpack the payload */
} mcp_session_obstacle;

/* A request's state of its session, from start to end. Zero-initialized: nothing was read. The owner frees it with
 * mcp_session_forget. */
typedef struct mcp_session_known {
	mcp_session_kind kind;
	mcp_session_obstacle obstacle;
	uint64_t birth;        /* random id of a value, placeholder or tombstone, kept by every write */
	mcp_session_head head; /* head of a value; else without stamps */
	mcp_buffer data;       /* data of a value, as it was read */
	mcp_proof read;        /* CAS value of the read, and its connection */
	uint64_t read_ms;      /* monotonic time before the read */
	bool was_renewed;      /* the read has restarted the TTL */
	bool is_foreign;       /* the session is missing here; the data is another handler's */
	mcp_store *failed;     /* server that failed to read or delete the other handler's item */
	/* The lock. */
	bool is_by_lock; /* a lock was requested, possibly because the session cannot be merged */
	bool is_held;
	bool was_taken_over;  /* the lock was taken over from an expired holder */
	uint64_t stamp;       /* stamp in the lock's item; 0: no lock was tried */
	mcp_proof lock;       /* CAS value of the lock's item, if known */
	mcp_buffer holder;    /* the lock's holder, after a wait that timed out */
	uint64_t held_for_ms; /* time for which this holder had held the lock */
} mcp_session_known;

void mcp_session_forget(mcp_session_known *known);

/* Whether the session exists, so that its id is valid (E18). */
static inline bool mcp_session_is_there(const mcp_session_known *known) {
	return known->kind == MCP_SESSION_VALUE || known->kind == MCP_SESSION_PLACEHOLDER ||
		known->is_foreign;
}

/* Whether the session has data, stored here or by another handler. */
bool mcp_session_has_data(const mcp_session_known *known);

/* Read the session, with its lock if required (E12). `is_new`: the id was just created, and becomes valid. MCP_OK.
 * MCP_FOREIGN: the session is unreadable, and kept; no lock is held. MCP_NOT_STORED: another request still holds the
 * lock (`holder`). MCP_INTERRUPTED: see waiting.h. Or a failure. Cost: 1 round trip, and more for reads during a
 * wait, for the takeover of an expired lock, and for the deletion of late locks (mcp_late_locks). If the session is
 * missing, the read of another handler's item costs 1, and 1 more if this item is missing, too. */
mcp_status mcp_session_start(const mcp_session *session, mcp_session_known *known, bool is_new,
	mcp_pauses *pauses);

/* Set other data as the base of the next write, so that the write is merged with the stored version. The write then
 * costs 1 more round trip, unless the data is equal. Returns false if memory is exhausted. */
bool mcp_session_rebase(mcp_session_known *known, mcp_bytes base);

/* Find the current or last holder of the session's lock. MCP_OK, MCP_NOT_FOUND or a failure. Cost: 1 round
 * trip. */
mcp_status mcp_session_find_holder(const mcp_session *session, mcp_buffer *holder);

/* Read the session with this id, if it exists. Writes nothing. Fills in `known`, except for the lock. Cost: 1 round
 * trip. */
mcp_status mcp_session_peek(const mcp_session *session, mcp_session_known *known);

typedef enum mcp_session_outcome {
	MCP_SESSION_STORED,
	MCP_SESSION_DROPPED, /* the session was destroyed in the meantime, and remains destroyed; not an error */
	/* nothing was stored: the server has lost the session, which might have been destroyed */
	MCP_SESSION_LOST,
	MCP_SESSION_BEGUN_ANEW,  /* like LOST, but another request has created the session again */
	MCP_SESSION_NOT_KNOWN,   /* outcome unknown */
	MCP_SESSION_UNMERGEABLE, /* another request's version is kept; see `reason` */
	MCP_SESSION_TOO_LARGE,   /* the stored version is kept */
	MCP_SESSION_FAILED,      /* nothing was stored; see `status` */
} mcp_session_outcome;

typedef struct mcp_session_report {
	mcp_session_outcome outcome;
	mcp_status status; /* cause of a failure or an unknown outcome */
	/* UNMERGEABLE: the reason, as text in parentheses; NULL: out of memory. Otherwise NULL */
	const char *reason;
	/* number of keys that another request also changed; the values of this request are stored */
	unsigned conflicts;
	bool was_merged;
	bool was_late;         /* another version was stored, although this request held the lock */
	size_t size;           /* TOO_LARGE: bytes of the item, with its key */
	bool was_stored_again; /* the server had lost the session */
} mcp_session_report;

/* Replace the version that was read with the data, and release the lock. Afterwards, only the birth in `known` is
 * valid: it is the birth of the stored session. The outcome is MCP_SESSION_STORED, MCP_SESSION_DROPPED, or an error.
 * Cost: 1 round trip without conflicts. */
void mcp_session_write(const mcp_session *session, mcp_session_known *known, mcp_bytes data,
	mcp_session_report *report);
/* Renew the TTL of the session that was read, and release the lock. `known` is then as after mcp_session_write. Cost:
 * 1 round trip, or 0 if the read has renewed the session and no lock is held. */
void mcp_session_renew(const mcp_session *session, mcp_session_known *known,
	mcp_session_report *report);
/* Destroy the session, whatever its version. A tombstone prevents requests that began earlier from storing the
 * session again (E13). If the server is out of memory for a tombstone, the item is deleted. The outcome is
 * MCP_SESSION_STORED or an error. */
void mcp_session_destroy(const mcp_session *session, mcp_session_known *known,
	mcp_session_report *report);
/* Release the lock if it is still held. If the server is unreachable, the lock expires. */
void mcp_session_close(const mcp_session *session, mcp_session_known *known);
/* Drop the lock without a request: in a forked child, whose parent holds the lock (E21), or if it could not be
 * released. */
static inline void mcp_session_disown(mcp_holder *holder, mcp_session_known *known) {
	mcp_holder_unregister(holder, known->stamp);
	known->is_held = false;
	known->stamp = 0;
}

/* Converts items to sessions and back: classifies the result of a read, and composes the record of a
 * write. Private to this folder. */

/* The decoded item of a session's key. `data` is a view into the item or into the unpacked bytes. */
typedef struct mcp_session_found {
	mcp_session_kind kind;
	mcp_session_obstacle obstacle;
	uint64_t birth;
	mcp_session_head head;
	mcp_bytes data;
} mcp_session_found;

/* Classify the reply to a read that has not failed. */
mcp_session_found mcp_session_item_judge(const mcp_session *session, const mcp_op *step);

/* An item to write. Do not copy this struct, because `record` points into it. */
typedef struct mcp_session_item {
	char header[MCP_ENVELOPE_UNTAGGED_MAX_LENGTH];
	mcp_buffer payload; /* payload of a value, before packing */
	mcp_record record;
} mcp_session_item;

/* Make the item of a session with this data. Returns false if memory is exhausted. The caller frees the payload. */
bool mcp_session_item_make_value(const mcp_session *session, mcp_session_item *item, uint64_t birth,
	const mcp_session_head *head, mcp_bytes data);
void mcp_session_item_make_placeholder(const mcp_session *session, mcp_session_item *item,
	uint64_t birth);
/* Make a tombstone with a new birth. It lives as long as a request that began earlier can run. */
void mcp_session_item_make_tombstone(const mcp_session *session, mcp_session_item *item);

/* Whether a session of this id was destroyed after the request had read a tombstone or a miss. The current item is
 * then another tombstone, or a session that replaced another tombstone. */
bool mcp_session_item_ended_since(const mcp_session_known *known, const mcp_session_found *found);

/* The lock of a session: an item like that of a Lock, on the session's server. It is tried, read and released
 * together with the session. Private to this folder. */

/* Make the key of the lock's item. */
mcp_key mcp_session_lock_key(mcp_key_buffer *buffer, const mcp_session *session);

/* Whether the read of the lock's item succeeded, and found this request's lock. */
bool mcp_session_lock_is_ours(const mcp_session_known *known, const mcp_op *look);

/* Execute a write of the session, and then release the lock if it is held and its proof is known. If the release is
 * not answered, the lock counts as held. Returns true if the lock was held until the write was executed. */
bool mcp_session_lock_end_behind(const mcp_session *session, mcp_session_known *known,
	mcp_op *write);

/* Stop trusting the lock. Other processes can take over its item if it is stored, now or later. No I/O. */
void mcp_session_lock_forget(const mcp_session *session, mcp_session_known *known);

/* Migrates a session from another handler, which stores PHP's session string unchanged. If the session is missing
 * here, the other handler's item is read. This item is deleted after the session has been stored here or
 * destroyed. */

/* Delete the other handler's item. MCP_OK: it no longer exists. */
mcp_status mcp_session_foreign_delete(const mcp_session *session, mcp_session_known *known);

#endif
