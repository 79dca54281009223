/* Parses the server list of a discovery endpoint in the format of ElastiCache and Memorystore: a version, then
 * "name|address|port" per server. Every byte can be hostile: a reply that is not exactly such a list is rejected. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_DISCOVERY_REGISTRY_H
#define MCP_CORE_DISCOVERY_REGISTRY_H

#include "../atomics.h"
#include "../bytes.h"

#include <stdint.h>

/* Sufficient for 100 servers with the longest names of cloud providers. */
#define MCP_CLUSTER_TEXT_MAX 8192
/* Maximum length of a reply, which has each server's address next to its name. */
#define MCP_CLUSTER_ANSWER_MAX (4 * MCP_CLUSTER_TEXT_MAX)

typedef enum mcp_cluster_verdict {
	MCP_CLUSTER_RIGHT,
	MCP_CLUSTER_EMPTY,    /* the list has no servers */
	MCP_CLUSTER_WRONG,    /* the reply is not a server list */
	MCP_CLUSTER_TOO_LONG, /* the list exceeds the buffer */
} mcp_cluster_verdict;

/* A parsed list: "name:port,name:port", with IPv6 addresses in brackets. The caller must check whether names are valid
 * and unique. */
typedef struct mcp_cluster {
	uint64_t version;
	size_t servers;
	size_t length;
	char text[MCP_CLUSTER_TEXT_MAX];
} mcp_cluster;

/* Parse the value of a reply. A server is identified by its name, which a cloud keeps when it replaces the server, or
 * by its address if the server has no name. */
mcp_cluster_verdict mcp_cluster_read(mcp_bytes value, mcp_cluster *cluster);

/* Shared memory of a host's processes with the server lists of discovery endpoints, and with turns that decide which
 * process sends the next query. All words are atomic, and initially 0. No process waits for another. A process that is
 * paused or crashes at any time neither damages the published list nor replaces it with an older list. A list with a
 * wrong checksum is invalid. */

/* Maximum number of endpoints. For further endpoints, each process has a private record. */
#define MCP_BOARD_RECORDS 16

/* Time for which a list is used before the endpoint is queried again. */
#define MCP_BOARD_MINUTE_MS 60000

/* Words of a list before its text. */
#define MCP_BOARD_HEAD 6

/* A list in shared memory; the words are defined in registry.c. */
typedef struct mcp_discovery_registry_copy {
	mcp_atomic_u64 words[MCP_BOARD_HEAD + MCP_CLUSTER_TEXT_MAX / 8];
} mcp_discovery_registry_copy;

typedef struct mcp_discovery_registry_record {
	mcp_atomic_u64 name[2];
	/* Whether a turn is taken, the turn's end or the time of the next query, and the index of the published list: see
	 * registry.c. */
	mcp_atomic_u64 turn;
	mcp_atomic_u64 repeated; /* received list of a lower version: checksum, and times in a row */
	mcp_discovery_registry_copy lists[2]; /* the published list, and the buffer for the next list */
} mcp_discovery_registry_record;

typedef struct mcp_discovery_registry {
	mcp_discovery_registry_record records[MCP_BOARD_RECORDS];
} mcp_discovery_registry;

/* A list, and its position in the order of lists. */
typedef struct mcp_discovery_registry_list {
	/* number of lower versions accepted so far: a list of a later era comes after all lists of earlier
	 * eras */
	uint64_t era;
	uint64_t after;      /* the higher version that was replaced by a lower version; 0: none */
	mcp_cluster cluster; /* without servers: no list */
} mcp_discovery_registry_list;

/* > 0: `list` comes after `other`. < 0: before. 0: neither. */
int mcp_discovery_registry_compare(const mcp_discovery_registry_list *list,
	const mcp_discovery_registry_list *other);

/* Find or create the endpoint's record. `name`: 128-bit hash of which neither half is 0. NULL if all records are in
 * use. */
mcp_discovery_registry_record *mcp_discovery_registry_find(mcp_discovery_registry *board,
	const uint64_t name[2]);

/* Whether a query is due. The stored time of the next query is ignored if it is more than 2 minutes ahead. */
bool mcp_discovery_registry_is_due(const mcp_discovery_registry_record *record, uint64_t now_ms);
/* Whether a process is querying, and its turn has not expired. */
bool mcp_discovery_registry_is_claimed(const mcp_discovery_registry_record *record,
	uint64_t now_ms);

/* Returns the turn word, for mcp_discovery_registry_claim. */
uint64_t mcp_discovery_registry_turn(const mcp_discovery_registry_record *record);
/* Take the turn. The turn ends after `for_ms` (less than a minute), and another process can then take the next turn.
 * `claim`: in: the result of mcp_discovery_registry_turn, called before the clock was read; out: the claim. Returns
 * false if no query is due, or another process took the turn. */
bool mcp_discovery_registry_claim(mcp_discovery_registry_record *record, uint64_t now_ms,
	uint64_t for_ms, uint64_t *claim);
/* Publish a list. `claim`: out: the claim of the continued turn, which is also the edition of the list. Returns false
 * if the turn has expired; the published list is then unchanged. */
bool mcp_discovery_registry_write(mcp_discovery_registry_record *record, uint64_t *claim,
	const mcp_discovery_registry_list *list);
/* Count and return how many times in a row `lower`, a list of a lower version, was received. 0: the turn has expired,
 * or `lower` is NULL. `lower` NULL: another list was received, so the count restarts. */
unsigned mcp_discovery_registry_count(mcp_discovery_registry_record *record, uint64_t claim,
	const mcp_discovery_registry_list *lower);
/* End the turn; the next turn begins at `next_ms`. Returns false if the turn had expired. */
bool mcp_discovery_registry_release(mcp_discovery_registry_record *record, uint64_t claim,
	uint64_t next_ms);

/* Returns the edition of the published list; 0: none. */
uint64_t mcp_discovery_registry_edition(const mcp_discovery_registry_record *record);
/* Read the published list. Returns false if no list is published or the list's checksum is wrong. */
bool mcp_discovery_registry_read(const mcp_discovery_registry_record *record,
	mcp_discovery_registry_list *list, uint64_t *edition);

#endif
