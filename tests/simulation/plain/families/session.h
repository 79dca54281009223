/* The state of the family of sessions: what its requests do, and what was seen of it. */
/* SPDX-License-Identifier: MIT */
#ifndef PLAIN_SESSION_H
#define PLAIN_SESSION_H

#include "patterns/lock/lock.h"
#include "patterns/session/session.h"
#include "plain/families/families.h"

enum {
	LOCK_MS = 5000,
	WAIT_MS = 12000,
	SHORT_WAIT_MS = 1000,
	TTL_MS = 1440000,
	ROUNDS = 2,
	OPS_MAX = 26,
	MARKS_MAX = OPS_MAX + 1,
	SKEW_MS = MCP_LOCK_SKEW_MS,
	OVER_MS = LOCK_MS + 2 * SKEW_MS,
	BIRTHS_MAX = OPS_MAX,
	SECTIONS = 2, /* keys of the session */
};

/* A request, which puts its mark into one key, or none. */
typedef struct session_op {
	char kind; /* 'a', 'b': the key it changes; 'r': nothing; 'd': destroys */
	bool is_acknowledged;
	bool has_failed; /* it was told that nothing was stored */
	bool has_read; /* a session, whose birth it knows; else the birth is of what it first stored */
	bool has_conflict;    /* or its process died before it was told */
	bool has_effect;      /* one of its writes has been carried out */
	bool is_gone;         /* what the server lost had its change in it */
	unsigned began;       /* the step at which it had read */
	uint64_t birth;       /* that it has read; else of what it first stored, 0: nothing yet */
	uint64_t wrote_birth; /* of what it stored last */
	char seen[SECTIONS][MARKS_MAX];
} session_op;

typedef struct session_end {
	uint64_t birth;
	bool was_proper;    /* its lock was held until the tombstone was there */
	bool has_tombstone; /* false: it had gone before, and what was there was another session */
} session_end;

/* Programs of the three clients, for runs that chance leads to too seldom. */
typedef struct session_script {
	mcp_session_locking locking;
	bool has_session; /* at first */
	const char *kinds[3];
	bool
		has_late_first; /* the first one's connection breaks, and its process stands still before it stores */
} session_script;

typedef struct session_state {
	mcp_key_buffer buffer;
	mcp_key key;
	mcp_session_locking locking;
	mcp_key foreign;
	bool is_foreign_at_first;     /* another handler has stored it */
	bool has_ended_foreign;       /* a destroy of it was acknowledged */
	bool is_opaque;               /* its data cannot be taken apart */
	bool has_stood_still;         /* the first of a script that has a late one */
	const session_script *script; /* NULL: clients do anything */
	unsigned rounds[PLAIN_CLIENTS_MAX];
	mcp_session sessions[PLAIN_CLIENTS_MAX];
	mcp_session_known known[PLAIN_CLIENTS_MAX];
	mcp_late_locks late[PLAIN_CLIENTS_MAX];
	bool is_running[PLAIN_CLIENTS_MAX]; /* its code, with what it knows */
	bool is_starting[PLAIN_CLIENTS_MAX];
	bool has_seen_another[PLAIN_CLIENTS_MAX]; /* hold the lock, while it was starting */
	bool has_begun[PLAIN_CLIENTS_MAX];        /* under the lock, and has not ended; or it died */
	bool is_excused[PLAIN_CLIENTS_MAX]; /* its lock's item may be lost, or clocks have been set */
	bool has_orphan[PLAIN_CLIENTS_MAX]; /* a try of its lock has arrived late */
	unsigned writes;                    /* of the session that were carried out */
	uint64_t wall_ahead_ms;
	unsigned op_count;
	session_op ops[OPS_MAX];
	unsigned end_count;
	session_end ends[BIRTHS_MAX];
	bool has_destroyer, has_lock_ended, has_lost_tombstone;
	bool has_lost_any;          /* tombstone, by a restart, too */
	unsigned ended_at;          /* the step at which the last tombstone came */
	unsigned dead_at;           /* the last step behind which there was no session */
	mcp_session_kind last_kind; /* what stood there after the step before */
	uint64_t last_birth;        /* its */
	unsigned last_generation;
} session_state;

extern session_state plain_session_state;

/* Returns what is stored. */
mcp_session_found plain_session_stored(plain_world *world);

/* Says whether the client's lock stands there. */
bool plain_session_has_lock(plain_world *world, unsigned client);
/* Says whether an item of the lock is one that those beside the client know for nobody's. */
bool plain_session_is_orphan(const plain_world *world, const plain_client *client, mcp_bytes lock);
/* Says whether another's lock stands there, which is none of these. */
bool plain_session_has_another_lock(plain_world *world, const plain_client *client);
/* Returns who has written the lock that is there; NULL: there is none. */
const plain_client *plain_session_lock_writer(plain_world *world);

/* Reads the marks of each key: "a|s:2:\"AB\";b|s:1:\"C\";". */
void plain_session_read_marks(mcp_bytes data, char marks[SECTIONS][MARKS_MAX]);

/* Makes a request that does this: 'a', 'b': puts its mark into that key; 'r': nothing; 'd': destroys. */
void plain_session_request(plain_client *client, char kind);

/* Notes what has become of a write, and checks after each step and at the end. */
void plain_session_effect(plain_world *world, const sim_request *request, mcp_status status,
	const mcp_reply *before);
void plain_session_lost(plain_world *world);
void plain_session_check(plain_world *world);
void plain_session_check_changes(plain_world *world);

#endif
