/* The knowledge that this process has of the servers of one list beyond its connections, which come and go: when
 * one of them was away, what it held before this process came back to it, and what it is to be told. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_KNOWN_SERVERS_H
#define MCP_STORE_KNOWN_SERVERS_H

#include "journal.h"
#include "mark.h"

/* A mark counts for one process of its server. At the server whose keys it is for until that goes away again; elsewhere
 * until any server does: the keys may have been at another one meanwhile, which is the one that went. */
typedef struct mcp_known_mark {
	mcp_mark mark;
	uint64_t visit, life; /* over which it was taken, see visit.h */
	/* The start of the process that it stands in, over whatever connection. 0: not told, so that it counts in this
	 * life alone. */
	uint64_t started_us;
	uint64_t outages; /* when it was taken */
} mcp_known_mark;

typedef struct mcp_server_health_entry {
	bool is_away;      /* it did not answer, and this process has not come back to it */
	bool is_back;      /* ... but where nobody waits for late writes */
	bool may_owe;      /* since it went away a late write was out there */
	uint64_t heard_ms; /* its last answer while it was not away, by the wall clock; 0: never */
	uint64_t outages;  /* how often it went away */
	bool tells_no_start;
	mcp_known_mark mark;  /* needed once it has been away */
	mcp_known_mark *lent; /* of each server, for keys of this one; NULL before its first outage */
	mcp_journal journal;
} mcp_server_health_entry;

typedef struct mcp_server_health {
	const mcp_environment *environment;
	uint64_t process_number;
	uint64_t visits; /* the stores that have it, ever */
	/* The explicit change under way, see store.h. */
	char changing[MCP_WIRE_KEY_MAX];
	size_t changing_length; /* 0: none */
	uint64_t changing_fingerprint;
	unsigned dropped;
	uint64_t outages; /* of all of them */
	size_t count;
	mcp_server_health_entry servers[];
} mcp_server_health;

/* NULL if there is no memory. `process_number` is random; the environment is borrowed and must outlive them. */
mcp_server_health *mcp_server_health_create(size_t count, uint64_t process_number,
	const mcp_environment *environment);
/* Forgets in the child of a fork, which comes to all servers anew: as just created, but for when they were heard. */
void mcp_server_health_forget(mcp_server_health *known, uint64_t process_number);
void mcp_server_health_free(mcp_server_health *known);

void mcp_server_health_begin_change(mcp_server_health *known, const mcp_key *key);
unsigned mcp_server_health_end_change(mcp_server_health *known);
/* Notes that the server is to be told of the change under way, if one is. */
void mcp_server_health_note_change(mcp_server_health *known, size_t index);

/* Returns the mark at server `at` for keys of `home`; NULL if there is no memory. */
mcp_known_mark *mcp_server_health_lent(mcp_server_health *known, size_t home, size_t at);

#endif
