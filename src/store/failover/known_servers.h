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

typedef struct mcp_known_server {
	bool is_away;      /* it did not answer, and this process has not come back to it */
	bool is_back;      /* ... but where nobody waits for late writes */
	bool may_owe;      /* since it went away a late write was out there */
	uint64_t heard_ms; /* its last answer while it was not away, by the wall clock; 0: never */
	uint64_t outages;  /* how often it went away */
	bool tells_no_start;
	mcp_known_mark mark;  /* needed once it has been away */
	mcp_known_mark *lent; /* of each server, for keys of this one; NULL before its first outage */
	mcp_journal journal;
} mcp_known_server;

typedef struct mcp_known_servers {
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
	mcp_known_server servers[];
} mcp_known_servers;

/* NULL if there is no memory. `process_number` is random; the environment is borrowed and must outlive them. */
mcp_known_servers *mcp_known_servers_create(size_t count, uint64_t process_number,
	const mcp_environment *environment);
/* Forgets in the child of a fork, which comes to all servers anew: as just created, but for when they were heard. */
void mcp_known_servers_forget(mcp_known_servers *known, uint64_t process_number);
void mcp_known_servers_free(mcp_known_servers *known);

void mcp_known_servers_begin_change(mcp_known_servers *known, const mcp_key *key);
unsigned mcp_known_servers_end_change(mcp_known_servers *known);
/* Notes that the server is to be told of the change under way, if one is. */
void mcp_known_servers_note_change(mcp_known_servers *known, size_t index);

/* Returns the mark at server `at` for keys of `home`; NULL if there is no memory. */
mcp_known_mark *mcp_known_servers_lent(mcp_known_servers *known, size_t home, size_t at);

#endif
