/* Lock items that may appear after their holder has given up: a server that stood still carries out later what it was sent.
 * Processes of the same host take such an item over at once (core/holders/holders.h). For the others the process that gave up
 * takes it back when the server answers it next; where it is idle or dead by then, the item stays until its end. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_LATE_LOCKS_H
#define MCP_PATTERNS_LATE_LOCKS_H

#include "../../core/key/key.h"
#include "../../store/store.h"

#define MCP_LATE_LOCKS_MAX 8

typedef struct mcp_late_lock {
	uint64_t stamp;
	uint64_t server; /* its address's hash: only what bears the stamp is removed, wherever it is */
	uint64_t answered_ms; /* monotonic: when the server was first asked for it; 0: not yet */
	size_t length;
	char wire[MCP_WIRE_KEY_MAX];
} mcp_late_lock;

/* A thread's. Zero-initialised: none. The functions do nothing where `self` is NULL. */
typedef struct mcp_late_locks {
	unsigned count;
	mcp_late_lock locks[MCP_LATE_LOCKS_MAX];
} mcp_late_locks;

/* Remembers an item of this stamp, which was given up; the newest ones, where there are more than MCP_LATE_LOCKS_MAX. */
void mcp_late_locks_note(mcp_late_locks *self, mcp_store *store, const mcp_key *key,
	uint64_t stamp);

/* Forgets the items of a stamp that is believed in again. */
void mcp_late_locks_forget(mcp_late_locks *self, uint64_t stamp);

/* Does the next one's work where there is any. */
void mcp_late_locks_look(mcp_late_locks *self, mcp_store *store, const mcp_key *key,
	const mcp_environment *environment);

/* Takes back what is remembered of the server of `key`, which has just answered. Ends what views there are of items of that
 * store. No round trip where nothing is remembered; else one for each, and another for each that is there. */
static inline void mcp_late_locks_take_back(mcp_late_locks *self, mcp_store *store,
	const mcp_key *key, const mcp_environment *environment) {
	if (self != NULL && self->count != 0) {
		mcp_late_locks_look(self, store, key, environment);
	}
}

#endif
