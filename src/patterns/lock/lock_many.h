/* One hold over many locks, each under a key of its own, for what is held for a moment: all are tried at once,
 * whoever finds one taken goes on without it, and all are given back at once. A single lock's further work (waiting,
 * taking over, settling) is left to lock.h. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_LOCK_MANY_H
#define MCP_PATTERNS_LOCK_MANY_H

#include "lock.h"

/* In all of them the lock's own key is not asked for, and each write has its lock's. */

/* Tries each once. A status of MCP_OK: taken under this hold; MCP_NOT_STORED: another's, or one that could be taken over;
 * MCP_UNKNOWN: look at it; or a failure, and nothing is there. One round trip for each server and hundred locks where the
 * store can, see store.h. */
void mcp_lock_try_many(const mcp_lock *lock, mcp_hold *hold, mcp_write *writes, size_t count);

/* Judges what a read has found under a lock's key: MCP_OK: this hold's; MCP_NOT_STORED: another's; MCP_NOT_FOUND:
 * nobody's; MCP_EXISTS: one that lock.h may take over; or a failure. */
mcp_status mcp_lock_judge(const mcp_lock *lock, const mcp_hold *hold, const mcp_reply *reply);

/* Removes those whose items still have the `cas` that a look at them has found: they were held from the look on until
 * now. MCP_OK, MCP_NOT_FOUND, MCP_EXISTS: ask mcp_lock_release_one; or a failure. Round trips as above. */
void mcp_lock_release_many(const mcp_lock *lock, mcp_write *writes, size_t count);

/* Releases one of them as mcp_lock_release does. The hold stays. */
mcp_status mcp_lock_release_one(const mcp_lock *lock, const mcp_hold *hold, const mcp_key *key);

#endif
