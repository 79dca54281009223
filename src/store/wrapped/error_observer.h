/* Store of one server that reports each failure to an observer.
 * A separate store, so that callers without an observer do not pay for it. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_STORE_OBSERVED_H
#define MCP_STORE_STORE_OBSERVED_H

#include "../store.h"

/* Called during an operation, with a status that is a failure, and the server's last failure or NULL. The observer may
 * only record these: no engine allocation, no exception, no call of a store. */
typedef void (*mcp_store_observer)(void *context, size_t index, mcp_status status,
	const mcp_store_failure *failure);

/* Creates the store; `index` names the server in calls of the observer. The store has no inner store yet. NULL: memory
 * exhausted. Freeing the store does not free the inner store. */
mcp_store *mcp_error_observer_create(mcp_store_observer observer, void *context, size_t index);

/* Sets the inner store, borrowed. Call this before the first use, and whenever the inner store has been replaced. */
void mcp_error_observer_aim(mcp_store *store, mcp_store *inner);

#endif
