/* Lock items that may appear after their holder has given up, because a stalled server executes old requests
 * late.
 * Processes of the same host take over such an item at once (core/holders/holders.h). For other hosts, the
 * process that gave up deletes it when the server next responds. If that process is idle or dead by then,
 * the item stays until it expires. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_LATE_LOCKS_H
#define MCP_PATTERNS_LATE_LOCKS_H

#include "../../core/key/key.h"
#include "../../store/store.h"

#define MCP_LATE_LOCKS_MAX 8

typedef struct mcp_late_lock {
	uint64_t stamp;
	/* hash of its address: an item is deleted only if it has the stamp, whatever server this is */
	uint64_t server;
	/* monotonic time of the server's first response since then; 0: none yet */
	uint64_t answered_ms;
	size_t length;
	char wire[MCP_WIRE_KEY_MAX];
} mcp_late_lock;

/* One per thread. Zero-initialized: empty. The functions do nothing if `self` is NULL. */
typedef struct mcp_late_locks {
	unsigned count;
	mcp_late_lock locks[MCP_LATE_LOCKS_MAX];
} mcp_late_locks;

/* Remember an abandoned item of this stamp. Keeps the newest MCP_LATE_LOCKS_MAX. */
void mcp_late_locks_note(mcp_late_locks *self, mcp_store *store, const mcp_key *key,
	uint64_t stamp);

/* Forget the items of a stamp that its holder trusts again. */
void mcp_late_locks_forget(mcp_late_locks *self, uint64_t stamp);

/* Implementation of the next function. */
void mcp_late_locks_look(mcp_late_locks *self, mcp_store *store, const mcp_key *key,
	const mcp_environment *environment);

/* Delete the remembered items on the server of `key`, which has just responded. Invalidates views of that
 * store's items.
 * Cost: one round trip per remembered item of that server, one more per item that is found. */
static inline void mcp_late_locks_take_back(mcp_late_locks *self, mcp_store *store,
	const mcp_key *key, const mcp_environment *environment) {
	if (self != NULL && self->count != 0) {
		mcp_late_locks_look(self, store, key, environment);
	}
}

#endif
