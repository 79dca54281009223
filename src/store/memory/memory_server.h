/* State of a memcached in process memory: items, clock and counters. store_memory.c implements the commands. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_MEMORY_MEMORY_SERVER_H
#define MCP_STORE_MEMORY_MEMORY_SERVER_H

#include "../../core/bytes.h"
#include "../store.h"

#include <stdint.h>

/* Items of a server, found by key, ordered by use, with a limit of bytes. Independent of clocks and statuses. */

/* One allocation: the bytes of the key and of the value follow the struct. An item is in one bucket and in the list by
 * use, or in neither. */
typedef struct mcp_memory_item {
	struct mcp_memory_item *next_in_bucket;
	struct mcp_memory_item *newer, *older;
	uint64_t used; /* last use, on the budget's clock */
	int64_t end_s; /* expiry, on the server's clock */
	uint64_t cas;
	uint32_t flags;
	uint32_t key_length;
	size_t value_length;
	char bytes[];
} mcp_memory_item;

typedef struct mcp_memory_items mcp_memory_items;

/* Limit of bytes that several tables share. Zero-initialized except the limit. The budget's clock counts uses. */
typedef struct mcp_memory_budget {
	size_t limit_bytes;
	size_t bytes;
	uint64_t clock;
	mcp_memory_items *first; /* list of the tables that have joined */
} mcp_memory_budget;

/* Invariants: `bytes` is the cost of all items, at most limit_bytes. `buckets` is NULL only before the first put, and
 * bucket_count is a power of 2. */
struct mcp_memory_items {
	mcp_memory_item **buckets;
	size_t bucket_count;
	size_t item_count;
	size_t bytes;
	size_t limit_bytes;
	mcp_memory_item *newest, *oldest;
	uint64_t evictions;
	mcp_memory_budget *budget; /* borrowed; NULL: only limit_bytes applies */
	mcp_memory_items *next_in_budget;
};

/* Adds the table to a budget, whose tables evict each other's items. The table must not move until it leaves the
 * budget. */
void mcp_memory_items_join(mcp_memory_items *items, mcp_memory_budget *budget);

/* NULL: missing. Borrowed until the next put, remove or clear. Does not count as a use. */
mcp_memory_item *mcp_memory_items_find(const mcp_memory_items *items, mcp_bytes key);
/* Removes and frees the item, which must be in this table. */
void mcp_memory_items_remove(mcp_memory_items *items, mcp_memory_item *item);

static inline mcp_bytes mcp_memory_item_value(const mcp_memory_item *item) {
	return mcp_bytes_of(item->bytes + item->key_length, item->value_length);
}

/* Counters of the server, named as in memcached's "stats" (doc/protocol.txt, section "Statistics"). */

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
	MCP_MEMORY_STATISTICS /* number of the counters */
} mcp_memory_statistic;

typedef struct mcp_memory_statistics {
	uint64_t counts[MCP_MEMORY_STATISTICS];
} mcp_memory_statistics;

/* created_ms is the start of the clock's first second. started_s is the reported start, which is later after every
 * restart. */
typedef struct mcp_memory_server {
	const mcp_environment *environment; /* borrowed */
	mcp_memory_items items;
	mcp_memory_statistics statistics;
	uint64_t created_ms;
	uint64_t started_s;
	uint32_t skipped_s; /* lead of the server's clock, see mcp_memory_server_skip_second */
	uint64_t last_cas;
	uint64_t connection; /* connection number in proofs; 0: not numbered yet */
} mcp_memory_server;

mcp_memory_server mcp_memory_server_start(const mcp_environment *environment);
/* Resets the state as a new process would. started_s grows even if the clock does not. */
void mcp_memory_server_restart(mcp_memory_server *server);
/* Moves the clock forward by 1 s, so that all items expire 1 s early. A memcached reads the time about once per second,
 * a little later every time, until one read advances its clock by 2 s. */
void mcp_memory_server_skip_second(mcp_memory_server *server);
/* Frees all memory. */
void mcp_memory_server_stop(mcp_memory_server *server);

/* Counts the items that have not expired. */
size_t mcp_memory_server_count(const mcp_memory_server *server);

/* Returns the proof of the last write. */
mcp_proof mcp_memory_server_prove(mcp_memory_server *server);

/* Finds an item, which counts as a use. Removes the item if it has expired. NULL: missing. Borrowed until the next
 * write. */
mcp_memory_item *mcp_memory_server_find(mcp_memory_server *server, const mcp_key *key);
/* Stores the record with a new CAS value. False: memory exhausted, item unchanged. */
bool mcp_memory_server_keep(mcp_memory_server *server, const mcp_key *key,
	const mcp_record *record);
/* Replaces the item's value with the number, padded with spaces to the previous length. Sets a new CAS value. Flags and
 * expiry are kept. False: memory exhausted. Do not use the item afterwards. */
bool mcp_memory_server_keep_number(mcp_memory_server *server, const mcp_key *key,
	mcp_memory_item *item, uint64_t number);
/* Sets the item's value to head and body, one of which must be its current value. Flags and expiry are kept. False:
 * memory exhausted, item unchanged. */
bool mcp_memory_server_join(mcp_memory_server *server, const mcp_key *key,
	const mcp_memory_item *item, mcp_bytes head, mcp_bytes body);
/* See mcp_store_ttl_left. The item must not be expired. */
uint64_t mcp_memory_server_ttl_left(const mcp_memory_server *server, const mcp_memory_item *item);
/* Changes the expiry of an item that is not expired; the CAS value does not change. */
void mcp_memory_server_touch(mcp_memory_server *server, mcp_memory_item *item, uint64_t ttl_ms);
/* Removes an item like memcached's cas with an expiry in the past, which uses up a CAS value. */
void mcp_memory_server_end(mcp_memory_server *server, mcp_memory_item *item);
/* Removes all items, which uses up a CAS value as in memcached. */
void mcp_memory_server_flush(mcp_memory_server *server);

/* Calls the visitor with one line per statistic. */
void mcp_memory_server_tell(const mcp_memory_server *server, mcp_stat_visitor visit, void *context);

static inline void mcp_memory_server_tally(mcp_memory_server *server,
	mcp_memory_statistic statistic) {
	server->statistics.counts[statistic]++;
}

#endif
