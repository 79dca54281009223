/* A request's session: read at its start, written at its end, and nothing that was acknowledged is lost. The lock, where
 * there is one, is a courtesy; what a write goes by is the cas id of what the request has read. Whoever finds another
 * version in its place merges, key by key.
 *
 * The rules are in docs/spec/sessions.md under the names used here (E11, E12 ...). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_SESSION_SESSION_H
#define MCP_PATTERNS_SESSION_SESSION_H

#include "../../core/envelope/envelope.h"
#include "../../core/envelope/signature.h"
#include "../../core/holders/holders.h"
#include "../../core/session/session_parts.h"
#include "../../store/buffer.h"
#include "../../store/steps.h"
#include "../../store/store.h"
#include "../lock/late_locks.h"
#include "../waiting.h"

typedef enum mcp_session_locking {
	MCP_SESSION_LOCK,    /* requests of one session wait for each other */
	MCP_SESSION_MERGE,   /* they run side by side, and what they changed is merged */
	MCP_SESSION_NO_LOCK, /* they run side by side, and the last one's session stays */
} mcp_session_locking;

typedef enum mcp_session_kind {
	MCP_SESSION_NOTHING,
	MCP_SESSION_STRANGE, /* no session of this key: another's bytes, or unsigned ones */
	MCP_SESSION_TOMBSTONE,
	MCP_SESSION_PLACEHOLDER, /* its id was handed out, and nothing has been stored yet */
	MCP_SESSION_VALUE,
	MCP_SESSION_UNREADABLE, /* it stays: see mcp_session_obstacle */
} mcp_session_kind;

/* Makes payloads shorter, where that is worth it. The bytes that either makes live until it is called again. */
typedef struct mcp_session_packing mcp_session_packing;
struct mcp_session_packing {
	/* Returns what `plain` has become, with its flags; or itself, with none. */
	mcp_bytes (*pack)(mcp_session_packing *self, mcp_bytes plain, uint32_t *flags);
	/* MCP_SESSION_VALUE, MCP_SESSION_UNREADABLE if this host cannot unpack it, or MCP_SESSION_STRANGE if it is damaged. */
	mcp_session_kind (*unpack)(mcp_session_packing *self, mcp_bytes packed, uint32_t flags,
		mcp_bytes *plain);
};

/* Borrows everything; made on the stack for each call. */
typedef struct mcp_session {
	mcp_store *store; /* that takes steps */
	const mcp_environment *environment;
	const mcp_key *key;                   /* of MCP_SPACE_SESSION */
	const mcp_signing_keys *signing_keys; /* NULL: sessions are not signed */
	mcp_session_packing *packing;         /* NULL: payloads are stored as they are */
	mcp_session_locking locking;
	mcp_session_format format; /* of the data; what is stored in another one is refused */
	unsigned merge_depth;      /* 1 to MCP_SESSION_MERGE_DEPTH_MAX */
	uint64_t ttl_ms;           /* > 0 */
	uint64_t lock_ttl_ms;      /* > 0: longer nobody waits for a holder that does not come back */
	uint64_t wait_ms;          /* from the first look on */
	mcp_bytes owner;           /* the holder's name in the lock's item, not empty */
	mcp_holder *holder;        /* this thread, see lock.h; NULL: unknown */
	mcp_late_locks *late;      /* this thread's; NULL: none are remembered */
	const mcp_key *foreign;    /* another handler's item, whose bytes are the data; NULL: none */
} mcp_session;

/* Why a session is unreadable. */
typedef enum mcp_session_obstacle {
	MCP_SESSION_NO_OBSTACLE,
	MCP_SESSION_OF_OTHER_FORMAT, /* than the request's; the head says of which one */
	MCP_SESSION_OF_LATER_VERSION,
	MCP_SESSION_NOT_UNPACKED, /* this host cannot */
} mcp_session_obstacle;

/* The knowledge that a request has of its session, from its start to its end. Zero-initialised: none. Its owner frees it
 * by mcp_session_forget. */
typedef struct mcp_session_known {
	mcp_session_kind kind;
	mcp_session_obstacle obstacle;
	uint64_t birth; /* of a value, a placeholder or a tombstone: random, kept by every write */
	mcp_session_head head; /* of a value; else it has no stamps */
	mcp_buffer data;       /* of a value, as it was read */
	mcp_proof read;        /* its connection is named wherever it was looked for */
	uint64_t read_ms;      /* monotonic, from before it was read */
	bool was_renewed;      /* by the read: it lives for its whole TTL again */
	bool is_foreign;       /* nothing is there, and the data are another handler's */
	/* The lock. */
	bool is_by_lock; /* it was asked for, also where the session says that it cannot be merged */
	bool is_held;
	bool was_taken_over;  /* from a holder whose time was over */
	uint64_t stamp;       /* of the lock's item; 0: none was tried */
	mcp_proof lock;       /* of the lock's item; without a cas id: it is not known */
	mcp_buffer holder;    /* who has the lock, after a wait that was in vain */
	uint64_t held_for_ms; /* how long that one had had it then */
} mcp_session_known;

void mcp_session_forget(mcp_session_known *known);

/* Says whether there is a session: its id is valid (E18). */
static inline bool mcp_session_is_there(const mcp_session_known *known) {
	return known->kind == MCP_SESSION_VALUE || known->kind == MCP_SESSION_PLACEHOLDER ||
		known->is_foreign;
}

/* Says whether there are data: of a session that has been stored, here or by another handler. */
static inline bool mcp_session_has_data(const mcp_session_known *known) {
	return known->kind == MCP_SESSION_VALUE || known->is_foreign;
}

/* Reads it, by `lock` when it is this request's turn (E12). `is_new`: its id was just made, and is to be valid from now
 * on. MCP_OK; MCP_FOREIGN: it is unreadable and stays, nothing is held; MCP_NOT_STORED: the lock is another's until
 * the end (`holder`); MCP_INTERRUPTED: see waiting.h; or a failure: it could not be asked. One round trip; another for
 * each look while it waits, and to take over a lock whose holder's time is over, and for what is taken back (late_locks.h). Where nothing is there, and another handler's
 * item is to be read, one for that, and another one where there is none either. */
mcp_status mcp_session_start(const mcp_session *session, mcp_session_known *known, bool is_new,
	mcp_pauses *pauses);

/* Takes, for the next write, other data for what that began with, so that it is merged with what is there: it costs one round
 * trip more, unless they are the same. False if there is no memory. */
bool mcp_session_rebase(mcp_session_known *known, mcp_bytes base);

/* Tells who holds the session's lock, or held it last. MCP_OK, MCP_NOT_FOUND or a failure. One round trip. */
mcp_status mcp_session_find_holder(const mcp_session *session, mcp_buffer *holder);

/* Looks whether there is a session of this id, and changes nothing. Fills `known` but for the lock. One round trip. */
mcp_status mcp_session_look(const mcp_session *session, mcp_session_known *known);

typedef enum mcp_session_outcome {
	MCP_SESSION_STORED,
	MCP_SESSION_DROPPED, /* it was destroyed meanwhile, and stays so: that is right, too */
	MCP_SESSION_LOST, /* the server has lost it, and it may have been destroyed: nothing was stored */
	MCP_SESSION_BEGUN_ANEW,  /* likewise, and another request has begun it anew */
	MCP_SESSION_NOT_KNOWN,   /* it is not known whether it was stored */
	MCP_SESSION_UNMERGEABLE, /* another request's stays: `reason` */
	MCP_SESSION_TOO_LARGE,   /* what was stored stays */
	MCP_SESSION_FAILED,      /* the server could not be asked: nothing was stored */
} mcp_session_outcome;

typedef struct mcp_session_report {
	mcp_session_outcome outcome;
	mcp_status status;  /* why it failed, or is not known */
	const char *reason; /* why it cannot be merged, in words that follow "because "; else NULL */
	unsigned conflicts; /* keys that another request had changed, too: this one's value stays */
	bool was_merged;
	bool was_late;         /* another version stood there, although the lock had been held */
	size_t size;           /* of the item that is too large, with its key, in bytes */
	bool was_stored_again; /* the server had lost it, and nobody can have destroyed it */
} mcp_session_report;

/* Stores the data in the place of what was read, and gives the lock back, by one round trip, where no other request has
 * come in between; of what is known then only the birth tells anything, that of what was stored. MCP_SESSION_STORED,
 * MCP_SESSION_DROPPED, or what went wrong. */
void mcp_session_write(const mcp_session *session, mcp_session_known *known, mcp_bytes data,
	mcp_session_report *report);
/* Keeps what was read for another TTL, and gives the lock back; without a round trip where the read has renewed it and
 * nothing is held. `known` as above. */
void mcp_session_renew(const mcp_session *session, mcp_session_known *known,
	mcp_session_report *report);
/* Destroys the session, whatever is there by now. A tombstone keeps requests that began before from storing it again (E13); a
 * server that has no memory for one deletes what is there. MCP_SESSION_STORED, or what went wrong. */
void mcp_session_destroy(const mcp_session *session, mcp_session_known *known,
	mcp_session_report *report);
/* Gives the lock back, if it is still held. Leaves it to its end where the server cannot be asked. */
void mcp_session_close(const mcp_session *session, mcp_session_known *known);
/* Disowns the lock without a word to the server: in a child of a fork, whose parent holds it (E21), or where it could not be
 * given back. */
static inline void mcp_session_disown(mcp_holder *holder, mcp_session_known *known) {
	mcp_holder_unregister(holder, known->stamp);
	known->is_held = false;
	known->stamp = 0;
}

/* From items to sessions and back: judging what a read found, and composing what a write sends. For the session's files
 * alone. */

/* The thing that stands under a session's key; `data` is a view into the item, or into what
 * it was unpacked to. */
typedef struct mcp_session_found {
	mcp_session_kind kind;
	mcp_session_obstacle obstacle;
	uint64_t birth;
	mcp_session_head head;
	mcp_bytes data;
} mcp_session_found;

/* Judges the answer of a read that has not failed. */
mcp_session_found mcp_session_item_judge(const mcp_session *session, const mcp_store_step *step);

/* An item to be written. `record` points into it: not to be copied. */
typedef struct mcp_session_item {
	char header[MCP_ENVELOPE_UNTAGGED_MAX_LENGTH];
	mcp_buffer payload; /* of a value, as it was before it was packed */
	mcp_record record;
} mcp_session_item;

/* False if there is no memory. Its caller frees the payload. */
bool mcp_session_item_make_value(const mcp_session *session, mcp_session_item *item, uint64_t birth,
	const mcp_session_head *head, mcp_bytes data);
void mcp_session_item_make_placeholder(const mcp_session *session, mcp_session_item *item,
	uint64_t birth);
/* Has a birth that no other one has, and lives for as long as a request that began before it may run. */
void mcp_session_item_make_tombstone(const mcp_session *session, mcp_session_item *item);

/* Draws a birth, or a stamp; never 0. */
uint64_t mcp_session_item_draw(const mcp_session *session);
/* Draws the birth of a session that is begun where this was read. */
uint64_t mcp_session_item_draw_birth(const mcp_session *session, const mcp_session_known *over);

/* Says whether a session of this id was destroyed after the request had read a tombstone, or nothing: what it has found
 * now is another tombstone, or a session that was begun over another one. */
bool mcp_session_item_ended_since(const mcp_session_known *known, const mcp_session_found *found);

#endif
