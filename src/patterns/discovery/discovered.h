/* The list of servers that a process knows by an endpoint, and its turns to ask for all processes of its host. No process
 * returns to an older list, unless the endpoint repeats a lower version. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_DISCOVERED_H
#define MCP_PATTERNS_DISCOVERED_H

#include "../../core/discovery/registry.h"
#include "../../core/environment.h"
#include "../../store/reason.h"
#include "../../store/store.h"

/* A lower version is accepted when the endpoint has told it so often in a row. */
#define MCP_DISCOVERED_REPEATS 10

/* What a process asks with. Borrowed. */
typedef struct mcp_discovered_terms {
	const mcp_environment *environment;
	uint32_t connect_timeout_ms;
	uint32_t timeout_ms;
	uint32_t retry_after_ms;
	/* Asks the endpoint. MCP_OK, or a failure and why. */
	mcp_status (*ask)(void *context, mcp_cluster *cluster, mcp_reason *reason);
	/* Says whether a Pool can be made of it: a told list, and one on the board, may contain anything. */
	bool (*is_usable)(void *context, const mcp_cluster *cluster);
	void *context;
} mcp_discovered_terms;

/* Zero-initialised but for its record: nothing is known. */
typedef struct mcp_discovered {
	mcp_discovery_registry_record *record; /* the host's, or one of this process alone */
	mcp_discovery_registry_list list;      /* without servers: none is known */
	uint32_t changes;                      /* of the list */
	uint64_t looked_at;                    /* the edition that was looked at last */
	bool is_shared;                        /* that edition is this list */
	uint64_t waits_again_ms;               /* monotonic; 0: it has not waited in vain */
	/* The last question of this process: */
	uint64_t asked_ms; /* Unix time; 0: it never asked */
	bool has_failed;
	mcp_reason reason; /* why, in words that follow "the server " */
} mcp_discovered;

static inline bool mcp_discovered_is_known(const mcp_discovered *self) {
	return self->list.cluster.servers > 0;
}

/* Says whether there is something to renew. */
bool mcp_discovered_is_outdated(const mcp_discovered *self, const mcp_environment *environment);

/* Takes the published list, and asks first if it is time and no other process does. If no list is known yet, waits for the
 * process that asks: at most for the two timeouts together, and once in `retry_after_ms`. */
void mcp_discovered_renew(mcp_discovered *self, const mcp_discovered_terms *terms);

#endif
