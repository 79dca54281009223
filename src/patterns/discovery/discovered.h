/* The server list that a process gets from a discovery endpoint. The processes of a host take turns, so that only one
 * of them sends a query at a time. A process accepts an older list only if the endpoint returns the lower version
 * repeatedly. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_DISCOVERED_H
#define MCP_PATTERNS_DISCOVERED_H

#include "../../core/discovery/registry.h"
#include "../../core/environment.h"
#include "../../store/reason.h"
#include "../../store/store.h"

/* Number of consecutive replies after which a lower version is accepted. */
#define MCP_DISCOVERED_REPEATS 10

/* Settings for the queries of a process. Owns nothing. */
typedef struct mcp_discovered_settings {
	const mcp_environment *environment;
	uint32_t connect_timeout_ms;
	uint32_t timeout_ms;
	uint32_t retry_after_ms;
	uint32_t refresh_ms; /* how long a list is used, at most MCP_BOARD_MINUTE_MS */
	/* The lists have no version. Each list that differs from the known list is newer. */
	bool is_unversioned;
	/* Query the endpoint. MCP_OK, or a failure with its reason. */
	mcp_status (*ask)(void *context, mcp_cluster *cluster, mcp_reason *reason);
	/* Whether a Pool can be created from the list. A list from the endpoint or the registry can contain anything. */
	bool (*is_usable)(void *context, const mcp_cluster *cluster);
	void *context;
} mcp_discovered_settings;

/* State of a process. Zero-initialized except for `record`: nothing is known. */
typedef struct mcp_discovered {
	mcp_discovery_registry_record *record; /* shared by the host, or of this process alone */
	mcp_discovery_registry_list list;      /* current list; without servers: no list is known */
	uint32_t changes;                      /* number of changes of the list */
	uint64_t looked_at;                    /* edition of the registry at the last read */
	bool is_shared;                        /* this edition is the current list */
	/* monotonic time after which this process may wait for another one again; 0: no wait has timed out */
	uint64_t waits_again_ms;
	/* The last query of this process. */
	uint64_t asked_ms; /* Unix time; 0: never */
	bool has_failed;
	mcp_reason reason; /* reason of the failure, as text after "the server " */
} mcp_discovered;

static inline bool mcp_discovered_is_known(const mcp_discovered *self) {
	return self->list.cluster.servers > 0;
}

/* Whether the list must be renewed. No I/O. */
bool mcp_discovered_is_outdated(const mcp_discovered *self, const mcp_environment *environment);

/* Take the published list. If a query is due and no other process sends it, query the endpoint first. If no list is
 * known, wait for the process that sends it, at most for both timeouts together, and once per `retry_after_ms`. */
void mcp_discovered_renew(mcp_discovered *self, const mcp_discovered_settings *settings);

#endif
