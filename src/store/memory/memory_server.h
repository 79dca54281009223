/* The state of a memcached in process memory and what time and writes do to it: the clock, the cas
 * ids, the items' ends. It answers no statuses: store_memory.c makes commands of it. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_MEMORY_SERVER_H
#define MCP_STORE_MEMORY_SERVER_H

#include "memory_items.h"
#include "memory_statistics.h"
#include "../store.h"

/* created_ms carries the phase of the server's clock, which ticks in whole seconds from then on;
 * started_s is what the server says it started at, later at every restart. */
typedef struct mcp_memory_server {
	const mcp_environment *environment; /* borrowed */
	mcp_memory_items items;
	mcp_memory_statistics statistics;
	uint64_t created_ms;
	uint64_t started_s;
	uint32_t skipped_s; /* seconds that its clock is ahead by, see mcp_memory_server_skip_second */
	uint64_t last_cas;
	uint64_t connection; /* what stands for it in proofs; 0: none was asked for yet */
} mcp_memory_server;

mcp_memory_server mcp_memory_server_start(const mcp_environment *environment);
/* Forgets everything, as a new process; started_s grows though the clock stands still. */
void mcp_memory_server_restart(mcp_memory_server *server);
/* Moves its clock on by a second that did not pass: a memcached looks at the time about once a second, a little
 * later every time, until one look brings two seconds. All that is stored ends a second early. */
void mcp_memory_server_skip_second(mcp_memory_server *server);
/* Releases all memory. */
void mcp_memory_server_stop(mcp_memory_server *server);

/* Returns a negative number if the clock was set to before the start. */
int64_t mcp_memory_server_uptime_s(const mcp_memory_server *server);
/* Counts the items that have not expired. */
size_t mcp_memory_server_count(const mcp_memory_server *server);

/* Proves what was kept last. */
mcp_proof mcp_memory_server_prove(mcp_memory_server *server);

/* Counts as a use; removes it if it has expired. NULL: not there. Borrowed until the next write. */
mcp_memory_item *mcp_memory_server_find(mcp_memory_server *server, const mcp_key *key);
/* Stores under a new cas id. False if memory ran out, and nothing has changed. */
bool mcp_memory_server_keep(mcp_memory_server *server, const mcp_key *key,
	const mcp_record *record);
/* Replaces the item's value, under a new cas id and padded with spaces to the length it had; flags
 * and end stay. False if memory ran out. The item is not to be used any more. */
bool mcp_memory_server_keep_number(mcp_memory_server *server, const mcp_key *key,
	mcp_memory_item *item, uint64_t number);
/* Joins these two, one after the other, to the item's value: one of them is what it was. Flags and end stay.
 * False if there is no memory; then nothing has changed. */
bool mcp_memory_server_join(mcp_memory_server *server, const mcp_key *key,
	const mcp_memory_item *item, mcp_bytes head, mcp_bytes body);
/* Returns a TTL with which a living item would be stored anew as mcp_store_ttl_left has it. */
uint64_t mcp_memory_server_ttl_left(const mcp_memory_server *server, const mcp_memory_item *item);
/* Gives a living item another end; its cas id stays. */
void mcp_memory_server_touch(mcp_memory_server *server, mcp_memory_item *item, uint64_t ttl_ms);
/* Removes a living item as memcached's cas with an end in the past does, which takes a cas id. */
void mcp_memory_server_end(mcp_memory_server *server, mcp_memory_item *item);
/* Removes all items; memcached takes a cas id for that, too. */
void mcp_memory_server_flush(mcp_memory_server *server);

/* Tells a line for each of its statistics. */
void mcp_memory_server_tell(const mcp_memory_server *server, mcp_stat_visitor visit, void *context);

static inline void mcp_memory_server_tally(mcp_memory_server *server,
	mcp_memory_statistic statistic) {
	server->statistics.counts[statistic]++;
}

#endif
