/* A session of a request: read at its start, written at its end, without losing acknowledged writes. A lock only
 * reduces conflicts. A write uses the CAS value of the request's read, and merges key by key if it finds another
 * version (with MCP_SESSION_NO_LOCK, it replaces that version). The rules are in docs/spec/sessions.md under the labels
 * used here (E11, E12 ...). */
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
	MCP_SESSION_LOCK,    /* requests of one session wait for each other */
	MCP_SESSION_MERGE,   /* they run concurrently, and their changes are merged */
	MCP_SESSION_NO_LOCK, /* they run concurrently, and the last write replaces the session */
} mcp_session_locking;

typedef enum mcp_session_kind {
	MCP_SESSION_NOTHING,
	MCP_SESSION_STRANGE, /* not a session of this key: foreign or unsigned bytes */
	MCP_SESSION_TOMBSTONE,
	MCP_SESSION_PLACEHOLDER, /* its id was issued, but no data was stored yet */
	MCP_SESSION_VALUE,
	MCP_SESSION_UNREADABLE, /* kept and not decoded: see mcp_session_obstacle */
} mcp_session_kind;

/* Compresses payloads if worthwhile. The returned bytes are valid until the next call. */
typedef struct mcp_session_packing mcp_session_packing;
struct mcp_session_packing {
	/* Returns the packed bytes with their flags, or `plain` with flags 0. */
	mcp_bytes (*pack)(mcp_session_packing *self, mcp_bytes plain, uint32_t *flags);
	/* MCP_SESSION_VALUE; MCP_SESSION_UNREADABLE if this host cannot unpack the payload; MCP_SESSION_STRANGE if the
	 * payload is damaged. */
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
	uint64_t lock_ttl_ms;      /* > 0; also the maximum wait for a crashed holder */
	uint64_t wait_ms;          /* maximum wait, from the first read */
	mcp_bytes owner;           /* the holder's name in the lock's item; not empty */
	mcp_holder *holder;        /* this thread, see lock.h; NULL: unknown */
	mcp_late_locks *late;      /* late locks of this thread; NULL: not remembered */
	/* key of another handler's item, whose bytes are the data; NULL: none */
	const mcp_key *foreign;
} mcp_session;

typedef enum mcp_session_obstacle {
	MCP_SESSION_NO_OBSTACLE,
	MCP_SESSION_OF_OTHER_FORMAT, /* another format than the request's; the head contains it */
	MCP_SESSION_OF_LATER_VERSION,
	MCP_SESSION_NOT_UNPACKED, /* this host cannot unpack it */
} mcp_session_obstacle;

/* State of a request's session, from start to end. Zero-initialized: nothing was read. The owner frees it
 * with mcp_session_forget. */
typedef struct mcp_session_known {
	mcp_session_kind kind;
	mcp_session_obstacle obstacle;
	uint64_t birth;        /* random id of a value, placeholder or tombstone, kept by every write */
	mcp_session_head head; /* head of a value; otherwise without stamps */
	mcp_buffer data;       /* data of a value, as it was read */
	mcp_proof read;        /* CAS value that was read; contains its connection after every read */
	uint64_t read_ms;      /* monotonic time before the read */
	bool was_renewed;      /* the read has restarted the TTL */
	bool is_foreign;       /* missing, and the data is from another handler */
	/* The lock. */
	bool is_by_lock; /* a lock was requested, also because the session cannot be merged */
	bool is_held;
	bool was_taken_over;  /* the lock was taken over from an expired holder */
	uint64_t stamp;       /* stamp in the lock's item; 0: not tried */
	mcp_proof lock;       /* CAS value of the lock's item, if known */
	mcp_buffer holder;    /* the lock's holder, after a wait that timed out */
	uint64_t held_for_ms; /* time for which that holder had held the lock */
} mcp_session_known;

void mcp_session_forget(mcp_session_known *known);

/* Whether the session exists, so that its id is valid (E18). */
static inline bool mcp_session_is_there(const mcp_session_known *known) {
	return known->kind == MCP_SESSION_VALUE || known->kind == MCP_SESSION_PLACEHOLDER ||
		known->is_foreign;
}

/* Whether the session has data, stored here or by another handler. */
bool mcp_session_has_data(const mcp_session_known *known);

/* Read the session, with its lock if required (E12). `is_new`: the id was just created, and becomes valid.
 * MCP_OK. MCP_FOREIGN: unreadable, and kept; nothing is held. MCP_NOT_STORED: another request still holds
 * the lock (`holder`). MCP_INTERRUPTED: see waiting.h. Or a failure. Cost: 1 round trip. More for each read
 * during the wait, to take over an expired lock, and to delete late locks (mcp_late_locks). If the session
 * is missing, another handler's item costs 1 to read. If that item is also missing, 1 more. */
mcp_status mcp_session_start(const mcp_session *session, mcp_session_known *known, bool is_new,
	mcp_pauses *pauses);

/* Set other data as the base of the next write, so that the write merges with the stored version. Costs 1
 * more round trip unless the data is equal. Returns false if memory is exhausted. */
bool mcp_session_rebase(mcp_session_known *known, mcp_bytes base);

/* Find the current or last holder of the session's lock. MCP_OK, MCP_NOT_FOUND or a failure. Cost: 1 round
 * trip. */
mcp_status mcp_session_find_holder(const mcp_session *session, mcp_buffer *holder);

/* Read whether a session with this id exists. Read-only. Fills `known` except for the lock. Cost: 1 round
 * trip. */
mcp_status mcp_session_peek(const mcp_session *session, mcp_session_known *known);

typedef enum mcp_session_outcome {
	MCP_SESSION_STORED,
	MCP_SESSION_DROPPED, /* the session was destroyed in the meantime, and remains destroyed: not an error */
	/* the server has lost the session, which can have been destroyed: nothing was stored */
	MCP_SESSION_LOST,
	MCP_SESSION_BEGUN_ANEW,  /* as LOST, and another request has created it again */
	MCP_SESSION_NOT_KNOWN,   /* outcome unknown */
	MCP_SESSION_UNMERGEABLE, /* another request's version is kept: `reason` */
	MCP_SESSION_TOO_LARGE,   /* the stored version is kept */
	MCP_SESSION_FAILED,      /* the server is unreachable: nothing was stored */
} mcp_session_outcome;

typedef struct mcp_session_report {
	mcp_session_outcome outcome;
	mcp_status status; /* cause of a failure or an unknown outcome */
	/* reason why the session cannot be merged, as text after "because "; otherwise NULL */
	const char *reason;
	/* number of keys that another request also changed: this request's value wins */
	unsigned conflicts;
	bool was_merged;
	bool was_late;         /* another version was stored although the lock had been held */
	size_t size;           /* size of the item that is too large, with its key, in bytes */
	bool was_stored_again; /* the server had lost the session, which cannot have been destroyed */
} mcp_session_report;

/* Store the data over the version that was read, and release the lock. Afterwards, `known` contains only the
 * birth of the stored session. MCP_SESSION_STORED, MCP_SESSION_DROPPED, or an error. Cost: 1 round trip
 * without conflicts. */
void mcp_session_write(const mcp_session *session, mcp_session_known *known, mcp_bytes data,
	mcp_session_report *report);
/* Renew the TTL of the session that was read, and release the lock. `known` as in mcp_session_write. No
 * round trip if the read has renewed the session and no lock is held. */
void mcp_session_renew(const mcp_session *session, mcp_session_known *known,
	mcp_session_report *report);
/* Destroy the session, whatever its version. A tombstone prevents requests that began before from storing it
 * again (E13). If the server is out of memory for a tombstone, the item is deleted. MCP_SESSION_STORED, or
 * an error. */
void mcp_session_destroy(const mcp_session *session, mcp_session_known *known,
	mcp_session_report *report);
/* Release the lock if it is still held. If the server is unreachable, the lock expires. */
void mcp_session_close(const mcp_session *session, mcp_session_known *known);
/* Drop the lock without contacting the server: in a forked child, whose parent holds it (E21), or if it
 * could not be released. */
static inline void mcp_session_disown(mcp_holder *holder, mcp_session_known *known) {
	mcp_holder_unregister(holder, known->stamp);
	known->is_held = false;
	known->stamp = 0;
}

/* Converts items to sessions and back: classifies the result of a read, and composes the record of a
 * write. Private to this folder. */

/* The item under a session's key. `data` is a view into the item or into the unpacked bytes. */
typedef struct mcp_session_found {
	mcp_session_kind kind;
	mcp_session_obstacle obstacle;
	uint64_t birth;
	mcp_session_head head;
	mcp_bytes data;
} mcp_session_found;

/* Classify the reply to a read that has not failed. */
mcp_session_found mcp_session_item_judge(const mcp_session *session, const mcp_op *step);

/* An item to write. `record` points into this struct: do not copy it. */
typedef struct mcp_session_item {
	char header[MCP_ENVELOPE_UNTAGGED_MAX_LENGTH];
	mcp_buffer payload; /* payload of a value, before packing */
	mcp_record record;
} mcp_session_item;

/* Returns false if memory is exhausted. The caller frees the payload. */
bool mcp_session_item_make_value(const mcp_session *session, mcp_session_item *item, uint64_t birth,
	const mcp_session_head *head, mcp_bytes data);
void mcp_session_item_make_placeholder(const mcp_session *session, mcp_session_item *item,
	uint64_t birth);
/* Has a unique birth, and lives as long as a request that began before can run. */
void mcp_session_item_make_tombstone(const mcp_session *session, mcp_session_item *item);

/* Whether a session of this id was destroyed after the request had read a tombstone or a miss. The current
 * item is then another tombstone, or a session that started over another tombstone. */
bool mcp_session_item_ended_since(const mcp_session_known *known, const mcp_session_found *found);

/* The lock of a session: an item as a Lock's, on the session's server, tried, read and released together
 * with the session. Private to this folder. */

/* Make the key of the lock's item. */
mcp_key mcp_session_lock_key(mcp_key_buffer *buffer, const mcp_session *session);

/* Whether a successful read of the lock's item found this request's lock. */
bool mcp_session_lock_is_ours(const mcp_session_known *known, const mcp_op *look);

/* Execute a write of the session, followed by the lock's release if it is held and its proof is known.
 * Without a reply to the release, the lock stays held. Returns true if the lock was held until the write was
 * executed. */
bool mcp_session_lock_end_behind(const mcp_session *session, mcp_session_known *known,
	mcp_op *write);

/* Stop trusting the lock: its item, now or later, can be taken over. No I/O. */
void mcp_session_lock_forget(const mcp_session *session, mcp_session_known *known);

/* Migrates a session from another handler, which stores PHP's string as it is. If the session is missing, the other
 * handler's item is read. It is deleted after the session has been stored here or destroyed. */

/* Delete the other handler's item, if any. MCP_OK: it is deleted. */
mcp_status mcp_session_foreign_delete(const mcp_session *session);

#endif
