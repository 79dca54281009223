/* Store of one server that reports each write to the processes of this host. It raises change counters and notifies
 * waiters (core/waking/wakeups.h). Every write of a process passes through such a store, whichever class, pool or
 * method sends it. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_STORE_CHANGES_H
#define MCP_STORE_STORE_CHANGES_H

#include "../../core/waking/wakeups.h"
#include "../store.h"

/* Change counters and wake-ups of the host, for one thread. Borrowed; must outlive the store. */
typedef struct mcp_notified_host {
	const mcp_changes *changes;
	const mcp_wakeups *bells;           /* NULL: no wake-ups */
	const mcp_environment *environment; /* environment for the wake-ups; NULL without wake-ups */
} mcp_notified_host;

/* Takes ownership of `inner`, even on failure. NULL: `inner` is NULL, or memory exhausted. */
mcp_store *mcp_change_notifier_create(mcp_store *inner, const mcp_notified_host *host);

#endif
