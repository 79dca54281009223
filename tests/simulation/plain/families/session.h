/* The state of the family of sessions: its requests, and observations. */
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
	SECTIONS = 2, /* number of keys in the session */
};

/* A request that puts its mark into a key, or into none. */
typedef struct session_op {
	char kind; /* 'a', 'b': changes this key; 'r': nothing; 'd': destroys */
	bool is_acknowledged;
	bool has_failed;      /* it was told that nothing was stored */
	bool has_read;        /* a session; otherwise the birth is of its first stored session */
	bool has_conflict;    /* or its process crashed before it was told */
	bool has_effect;      /* one of its writes was executed */
	bool is_gone;         /* its change was part of the lost session */
	unsigned began;       /* step of its read */
	uint64_t birth;       /* of the session that it read, or first stored; 0: nothing yet */
	uint64_t wrote_birth; /* of the session that it stored last */
	char seen[SECTIONS][MARKS_MAX];
} session_op;

typedef struct session_end {
	uint64_t birth;
	bool was_proper;    /* its lock was held until the tombstone existed */
	bool has_tombstone; /* false: it was lost before, and the current item was another session */
} session_end;

/* Programs of the 3 clients, for runs that are too rare at random. */
typedef struct session_script {
	mcp_session_locking locking;
	bool has_session; /* initially */
	const char *kinds[3];
	bool has_late_first; /* client 1's connection breaks, and it stops before it stores */
} session_script;

typedef struct session_state {
	mcp_key_buffer buffer;
	mcp_key key;
	mcp_session_locking locking;
	mcp_key foreign;
	bool is_foreign_at_first;     /* another handler stored it */
	bool has_ended_foreign;       /* a destroy of it was acknowledged */
	bool is_opaque;               /* its data cannot be parsed */
	bool has_stood_still;         /* the first client of a script with a late one */
	const session_script *script; /* NULL: random actions */
	unsigned rounds[PLAIN_CLIENTS_MAX];
	mcp_session sessions[PLAIN_CLIENTS_MAX];
	mcp_session_known known[PLAIN_CLIENTS_MAX];
	mcp_late_locks late[PLAIN_CLIENTS_MAX];
	bool is_running[PLAIN_CLIENTS_MAX]; /* its code, with its knowledge */
	bool is_starting[PLAIN_CLIENTS_MAX];
	bool has_seen_another[PLAIN_CLIENTS_MAX]; /* holding the lock while it was starting */
	bool has_begun[PLAIN_CLIENTS_MAX];        /* under the lock, and not ended; or it crashed */
	bool is_excused[PLAIN_CLIENTS_MAX];       /* its lock's item can be lost, or clocks were set */
	bool has_orphan[PLAIN_CLIENTS_MAX];       /* an attempt to take its lock arrived late */
	unsigned writes;                          /* executed writes of the session */
	uint64_t wall_ahead_ms;
	unsigned op_count;
	session_op ops[OPS_MAX];
	unsigned end_count;
	session_end ends[BIRTHS_MAX];
	bool has_destroyer, has_lock_ended, has_lost_tombstone;
	bool has_lost_any;          /* a tombstone was lost, by a restart, too */
	unsigned ended_at;          /* step of the last tombstone */
	unsigned dead_at;           /* last step without a session */
	mcp_session_kind last_kind; /* state after the previous step */
	uint64_t last_birth;        /* of that session */
	unsigned last_generation;
} session_state;

extern session_state plain_session_state;

/* Returns the stored session. */
mcp_session_found plain_session_stored(plain_world *world);

/* True if the stored lock is the client's. */
bool plain_session_has_lock(plain_world *world, unsigned client);
/* True if processes that share the client's memory know that this lock item is orphaned. */
bool plain_session_is_orphan(const plain_world *world, const plain_client *client, mcp_bytes lock);
/* True if another client's lock is stored, neither orphaned nor its own. */
bool plain_session_has_another_lock(plain_world *world, const plain_client *client);
/* Returns the client that has written the stored lock. NULL without one. */
const plain_client *plain_session_lock_writer(plain_world *world);

/* Parses the marks of each key: "a|s:2:\"AB\";b|s:1:\"C\";". */
void plain_session_read_marks(mcp_bytes data, char marks[SECTIONS][MARKS_MAX]);

/* Makes a request: 'a', 'b': puts its mark into this key; 'r': nothing; 'd': destroys. */
void plain_session_request(plain_client *client, char kind);

/* Record the effect of a write, and check after each step and at the end. */
void plain_session_effect(plain_world *world, const sim_request *request, mcp_status status,
	const mcp_op *before);
void plain_session_lost(plain_world *world);
void plain_session_check(plain_world *world);
void plain_session_check_changes(plain_world *world);

#endif
