/* The knowledge that this process has of the servers of one list beyond its connections, which come and go: when
 * one of them was away, what it held before this process came back to it, and what it is to be told. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_FAILOVER_SERVER_HEALTH_H
#define MCP_STORE_FAILOVER_SERVER_HEALTH_H

#include "../../core/bytes.h"
#include "../store.h"

#include <stdbool.h>
#include <stdint.h>

/* The keys that a server is to delete when it answers again: this process changed them while the server could
 * not be told. Each once, in the order in which they came. */

/* A quarter of a megabyte with the longest keys. */
#define MCP_JOURNAL_MAX 1024

/* Zero-initialised: empty, and without memory. */
typedef struct mcp_journal {
	struct mcp_journal_line *lines; /* a ring of MCP_JOURNAL_MAX; NULL: none yet */
	size_t first;
	size_t count;
} mcp_journal;

typedef struct mcp_journal_entry {
	mcp_bytes key;        /* as it is sent */
	uint64_t fingerprint; /* that of the key as it was changed, see mcp_key */
} mcp_journal_entry;

/* False if a key was lost, the oldest for want of room or this one for want of memory. */
bool mcp_journal_add(mcp_journal *journal, mcp_journal_entry entry);
/* Returns the oldest of a journal that is not empty. Borrowed until it is removed. */
mcp_journal_entry mcp_journal_oldest(const mcp_journal *journal);
void mcp_journal_remove_oldest(mcp_journal *journal);
/* Empties it and releases its memory. */
void mcp_journal_clear(mcp_journal *journal);

/* A mark tells what a server held before this process came to it: everything whose cas id is below the mark's, for
 * a server counts them in one row over all its connections. No clock is asked. */

/* Zero-initialised: there is none. */
typedef struct mcp_mark {
	uint64_t cas;
	bool is_set;
} mcp_mark;

/* Writes an item of this process, whose number is random, and reads its cas id. MCP_OK, or why there is no mark.
 * Two round trips. Ends no view. */
mcp_status mcp_mark_take(mcp_mark *mark, mcp_store *server, uint64_t process_number);

/* Says whether an item is newer than the mark; one of a server that gives no cas ids may always be from before. */
static inline bool mcp_mark_is_after(const mcp_mark *mark, uint64_t cas) {
	return mark->is_set && cas < mark->cas;
}

/* A mark counts for one process of its server. At the server whose keys it is for until that goes away again; elsewhere
 * until any server does: the keys may have been at another one meanwhile, which is the one that went. */
typedef struct mcp_known_mark {
	mcp_mark mark;
	uint64_t visit, life; /* over which it was taken, see failover_marks.h */
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
