/* The state of a memcached in process memory and what time and writes do to it: the clock, the cas
 * ids, the items' ends. It answers no statuses: store_memory.c makes commands of it. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_MEMORY_MEMORY_SERVER_H
#define MCP_STORE_MEMORY_MEMORY_SERVER_H

#include "../../core/bytes.h"
#include "../store.h"

#include <stdint.h>

/* The items of a memcached in process memory: found by key, ordered by use, and never more
 * bytes than a limit. It knows nothing of clocks and statuses: store_memory.c gives items their
 * meaning. */

/* One allocation: the key's bytes and then the value's stand behind the struct. An item is in one
 * bucket's chain and in the list by use, both or neither. */
typedef struct mcp_memory_item {
	struct mcp_memory_item *next_in_bucket;
	struct mcp_memory_item *newer, *older;
	uint64_t used; /* when it was used last, on the budget's clock */
	int64_t end_s; /* gone from then on, on the server's clock */
	uint64_t cas;
	uint32_t flags;
	uint32_t key_length;
	size_t value_length;
	char bytes[];
} mcp_memory_item;

typedef struct mcp_memory_items mcp_memory_items;

/* The bytes that several tables of items may cost together; zero-initialised but for the limit. Its clock
 * counts uses. */
typedef struct mcp_memory_budget {
	size_t limit_bytes;
	size_t bytes;
	uint64_t clock;
	mcp_memory_items *first; /* those that have joined */
} mcp_memory_budget;

/* Invariants: `bytes` is the sum of what the items cost, at most limit_bytes; `buckets` is NULL
 * only before the first put, and bucket_count a power of two. */
struct mcp_memory_items {
	mcp_memory_item **buckets;
	size_t bucket_count;
	size_t item_count;
	size_t bytes;
	size_t limit_bytes;
	mcp_memory_item *newest, *oldest;
	uint64_t evictions;
	mcp_memory_budget *budget; /* borrowed; NULL: only the own limit counts */
	mcp_memory_items *next_in_budget;
};

/* Joins: from now on all tables that have joined make room for each other. This one must stay where it is until
 * it leaves. */
void mcp_memory_items_join(mcp_memory_items *items, mcp_memory_budget *budget);

/* NULL if it is not there. Borrowed until the next put, remove or clear. Does not count as a use. */
mcp_memory_item *mcp_memory_items_find(const mcp_memory_items *items, mcp_bytes key);
/* Removes the item, which must be one of these; it is released. */
void mcp_memory_items_remove(mcp_memory_items *items, mcp_memory_item *item);

static inline mcp_bytes mcp_memory_item_value(const mcp_memory_item *item) {
	return mcp_bytes_of(item->bytes + item->key_length, item->value_length);
}

/* The statistics of a memcached in process memory, under the names of memcached's "stats" (doc/protocol.txt,
 * section "Statistics"). */

typedef enum mcp_memory_statistic {
	MCP_MEMORY_CMD_GET,
	MCP_MEMORY_CMD_SET,
	MCP_MEMORY_CMD_FLUSH,
	MCP_MEMORY_CMD_TOUCH,
	MCP_MEMORY_GET_HITS,
	MCP_MEMORY_GET_MISSES,
	MCP_MEMORY_DELETE_HITS,
	MCP_MEMORY_DELETE_MISSES,
	MCP_MEMORY_INCR_HITS,
	MCP_MEMORY_INCR_MISSES,
	MCP_MEMORY_DECR_HITS,
	MCP_MEMORY_DECR_MISSES,
	MCP_MEMORY_CAS_HITS,
	MCP_MEMORY_CAS_MISSES,
	MCP_MEMORY_CAS_BADVAL,
	MCP_MEMORY_TOUCH_HITS,
	MCP_MEMORY_TOUCH_MISSES,
	MCP_MEMORY_TOTAL_ITEMS,
	MCP_MEMORY_STATISTICS /* how many there are */
} mcp_memory_statistic;

typedef struct mcp_memory_statistics {
	uint64_t counts[MCP_MEMORY_STATISTICS];
} mcp_memory_statistics;

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
