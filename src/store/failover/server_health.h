/* State of a server list that outlives connections: outages, recovery marks and pending deletes. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_FAILOVER_SERVER_HEALTH_H
#define MCP_STORE_FAILOVER_SERVER_HEALTH_H

#include "../../core/bytes.h"
#include "../store.h"

#include <stdbool.h>
#include <stdint.h>

/* Keys that a server must delete when it recovers, because this process changed these keys during the outage. Each key
 * is present once, in order of arrival. */

/* 256 KiB with the longest keys. */
#define MCP_JOURNAL_MAX 1024

/* Zero-initialized: empty, without memory. */
typedef struct mcp_journal {
	struct mcp_journal_line *lines; /* ring of MCP_JOURNAL_MAX; NULL: not allocated */
	size_t first;
	size_t count;
} mcp_journal;

typedef struct mcp_journal_entry {
	mcp_bytes key;        /* key as sent */
	uint64_t fingerprint; /* fingerprint of the changed key, see mcp_key */
} mcp_journal_entry;

/* Returns false if a key was lost: the oldest key because the journal is full, or `entry`'s key because memory is
 * exhausted. */
bool mcp_journal_add(mcp_journal *journal, mcp_journal_entry entry);
/* Returns the oldest entry, borrowed until the entry is removed. The journal must not be empty. */
mcp_journal_entry mcp_journal_oldest(const mcp_journal *journal);
void mcp_journal_remove_oldest(mcp_journal *journal);
/* Empties the journal and frees its memory. */
void mcp_journal_clear(mcp_journal *journal);

/* A recovery mark separates newer items from items that were stored before this process began to use a server. The CAS
 * values of the older items are smaller. A server counts CAS values over all its connections, so no clock is needed. */

/* Zero-initialized: no mark. */
typedef struct mcp_mark {
	uint64_t cas;
	bool is_set;
} mcp_mark;

/* Writes an item named by `process_number`, which is random, and reads the item's CAS value. Returns MCP_OK, or the
 * reason why there is no mark. 2 round trips. Views remain valid. */
mcp_status mcp_mark_take(mcp_mark *mark, mcp_store *server, uint64_t process_number);

/* True if the mark is newer than the item. An item without a CAS value always counts as older. */
static inline bool mcp_mark_is_after(const mcp_mark *mark, uint64_t cas) {
	return mark->is_set && cas < mark->cas;
}

/* A mark with its scope: one server process. For the server's own keys, the mark is valid until the next outage of the
 * server. For other keys, it is valid until an outage of any server, because those keys might have been on the server
 * that failed. */
typedef struct mcp_known_mark {
	mcp_mark mark;
	uint64_t visit, life; /* visit and life in which the mark was taken, see failover_marks.c */
	/* Start of the marked server process, over any connection. 0: not reported; the mark is valid only in this life. */
	uint64_t started_us;
	uint64_t outages; /* number of outages when the mark was taken */
} mcp_known_mark;

typedef struct mcp_server_health_entry {
	bool is_away;      /* the server did not reply, and this process has not resumed using it */
	bool is_back;      /* is_away, but recovered for visits that do not wait for late writes */
	bool may_owe;      /* a late write has been possible since the outage began */
	uint64_t heard_ms; /* Unix time of the last reply outside an outage; 0: never */
	uint64_t outages;  /* number of outages */
	bool tells_no_start;
	mcp_known_mark mark; /* needed after the first outage */
	/* marks of other servers, for keys of this server; NULL before its first outage */
	mcp_known_mark *lent;
	mcp_journal journal;
} mcp_server_health_entry;

typedef struct mcp_server_health {
	const mcp_environment *environment;
	uint64_t process_number;
	uint64_t visits; /* number of stores created with this state */
	/* The explicit change in progress, see store.h. */
	char changing[MCP_WIRE_KEY_MAX];
	size_t changing_length; /* 0: no change */
	uint64_t changing_fingerprint;
	unsigned dropped;
	uint64_t outages; /* number of outages of all servers */
	size_t count;
	mcp_server_health_entry servers[];
} mcp_server_health;

/* NULL: memory exhausted. `process_number` must be random; the environment is borrowed and must outlive the result. */
mcp_server_health *mcp_server_health_create(size_t count, uint64_t process_number,
	const mcp_environment *environment);
/* Resets all but heard_ms in the child of a fork, which starts without knowledge of the servers. */
void mcp_server_health_forget(mcp_server_health *known, uint64_t process_number);
void mcp_server_health_free(mcp_server_health *known);

void mcp_server_health_begin_change(mcp_server_health *known, const mcp_key *key);
unsigned mcp_server_health_end_change(mcp_server_health *known);
/* Records that the change in progress, if any, must be sent to the server. */
void mcp_server_health_note_change(mcp_server_health *known, size_t index);

/* Returns the mark at server `at` for keys of `home`. NULL: memory exhausted. */
mcp_known_mark *mcp_server_health_lent(mcp_server_health *known, size_t home, size_t at);

#endif
