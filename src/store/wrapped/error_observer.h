/* One server's store with an observer: the same answers, and each failure among them is told. For those who want
 * to hear of failures, so that all others do not pay for it. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_STORE_OBSERVED_H
#define MCP_STORE_STORE_OBSERVED_H

#include "../store.h"

/* Called in the middle of an operation, with a status that is a failure and the server's last failure (NULL:
 * it has none): may only take note of it. Must not allocate from an engine, throw, or call a store. */
typedef void (*mcp_store_observer)(void *context, size_t index, mcp_status status,
	const mcp_store_failure *failure);

/* Makes a store for which `index` is the observer's name for the server. Aims at no store yet. NULL if there is
 * no memory. Freeing it leaves alone what it aims at. */
mcp_store *mcp_error_observer_create(mcp_store_observer observer, void *context, size_t index);

/* Aims at `inner`, which is borrowed. Comes before the first call, and whenever the inner store was replaced. */
void mcp_error_observer_aim(mcp_store *store, mcp_store *inner);

#endif
