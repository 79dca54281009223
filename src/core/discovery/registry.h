/* The memory in which the processes of a host keep the lists that discovery endpoints have told, and agree on which
 * process asks next. Atomic words that begin as zeroes; no process waits for another one. A process that stops or crashes at
 * any moment neither damages the published list nor replaces it by an older one. A list without a right check is none. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_BOARD_H
#define MCP_CORE_BOARD_H

#include "../atomics.h"
#include "cluster.h"

/* The endpoints that there is room for. Of further ones each process keeps a record of its own. */
#define MCP_BOARD_RECORDS 16

/* How long a list is good before the endpoint is asked again. */
#define MCP_BOARD_MINUTE_MS 60000

/* The words of a list before its text. */
#define MCP_BOARD_HEAD 6

/* A list as it stands in shared memory; registry.c says what its words are. */
typedef struct mcp_discovery_registry_copy {
	mcp_atomic_u64 words[MCP_BOARD_HEAD + MCP_CLUSTER_TEXT_MAX / 8];
} mcp_discovery_registry_copy;

typedef struct mcp_discovery_registry_record {
	mcp_atomic_u64 name[2];
	/* Whose turn it is and until when, or when to ask next, and which of the two lists is published: see registry.c. */
	mcp_atomic_u64 turn;
	mcp_atomic_u64 repeated; /* a lower version that was told, and how often in a row */
	mcp_discovery_registry_copy lists[2]; /* the published one, and room for the next */
} mcp_discovery_registry_record;

typedef struct mcp_discovery_registry {
	mcp_discovery_registry_record records[MCP_BOARD_RECORDS];
} mcp_discovery_registry;

/* A list and its place in the order of lists. */
typedef struct mcp_discovery_registry_list {
	uint64_t
		era; /* how many times a lower version was believed: its lists come after all of the era before */
	uint64_t after;      /* the higher version that it was believed over; 0: none */
	mcp_cluster cluster; /* no servers: there is no list */
} mcp_discovery_registry_list;

/* Greater than 0 if `list` comes after `other`, less than 0 if before, 0 if neither. */
int mcp_discovery_registry_compare(const mcp_discovery_registry_list *list,
	const mcp_discovery_registry_list *other);

/* Returns the endpoint's record. `name`: 128 bits of a hash, neither half 0. NULL: all are others'. */
mcp_discovery_registry_record *mcp_discovery_registry_find(mcp_discovery_registry *board,
	const uint64_t name[2]);

/* Says whether it is time to ask. A time that is further ahead than clock readings of processes can differ is ignored. */
bool mcp_discovery_registry_is_due(const mcp_discovery_registry_record *record, uint64_t now_ms);
/* Says whether a process is asking whose time is not over. */
bool mcp_discovery_registry_is_claimed(const mcp_discovery_registry_record *record,
	uint64_t now_ms);

/* Returns the turn to claim. */
uint64_t mcp_discovery_registry_turn(const mcp_discovery_registry_record *record);
/* Takes the turn to ask. Another process can take it `for_ms` later, less than a minute: then it has ended.
 * `claim`: in: what mcp_discovery_registry_turn returned before the clock was read; out: the claim. False if it is not due, or another
 * process took it. */
bool mcp_discovery_registry_claim(mcp_discovery_registry_record *record, uint64_t now_ms,
	uint64_t for_ms, uint64_t *claim);
/* Publishes a list. `claim`: out: the claim of the turn, which goes on, and the edition of the list. False if the turn has
 * ended: the published list is as it was. */
bool mcp_discovery_registry_write(mcp_discovery_registry_record *record, uint64_t *claim,
	const mcp_discovery_registry_list *list);
/* Counts how often a list of a lower version was told in a row, and returns it; 0: the turn has ended. NULL: another list was
 * told. */
unsigned mcp_discovery_registry_count(mcp_discovery_registry_record *record, uint64_t claim,
	const mcp_discovery_registry_list *lower);
/* Ends the turn: the next one begins at `next_ms`. False if it had ended. */
bool mcp_discovery_registry_release(mcp_discovery_registry_record *record, uint64_t claim,
	uint64_t next_ms);

/* Identifies the published list; 0: none. */
uint64_t mcp_discovery_registry_edition(const mcp_discovery_registry_record *record);
/* Reads it. False if there is none, or its check is wrong. */
bool mcp_discovery_registry_read(const mcp_discovery_registry_record *record,
	mcp_discovery_registry_list *list, uint64_t *edition);

#endif
