/* The items of a memcached in process memory: found by key, ordered by use, and never more
 * bytes than a limit. It knows nothing of clocks and statuses: store_memory.c gives items their
 * meaning. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_MEMORY_ITEMS_H
#define MCP_STORE_MEMORY_ITEMS_H

#include "../../core/bytes.h"

#include <stdint.h>

/* The end of an item that never expires. */
#define MCP_MEMORY_NEVER_S INT64_MAX

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

/* The parts of an item; the value is head and body, one after the other. All of it is copied. */
typedef struct mcp_memory_content {
	mcp_bytes key;
	mcp_bytes head;
	mcp_bytes body;
	uint32_t flags;
	int64_t end_s;
	uint64_t cas;
} mcp_memory_content;

/* Allocates nothing yet. */
mcp_memory_items mcp_memory_items_make(size_t limit_bytes);
/* Joins: from now on all tables that have joined make room for each other. This one must stay where it is until
 * it leaves. */
void mcp_memory_items_join(mcp_memory_items *items, mcp_memory_budget *budget);
void mcp_memory_items_leave(mcp_memory_items *items);
/* Removes every item and releases all memory; the items can be used again. */
void mcp_memory_items_clear(mcp_memory_items *items);

/* NULL if it is not there. Borrowed until the next put, remove or clear. Does not count as a use. */
mcp_memory_item *mcp_memory_items_find(const mcp_memory_items *items, mcp_bytes key);
/* Notes that the item was used: others are evicted before it. */
void mcp_memory_items_use(mcp_memory_items *items, mcp_memory_item *item);
/* Adds or replaces, then evicts the least recently used while a limit is exceeded, never the new
 * one. False, and nothing has changed, when memory ran out. */
bool mcp_memory_items_put(mcp_memory_items *items, const mcp_memory_content *content);
/* Removes the item, which must be one of these; it is released. */
void mcp_memory_items_remove(mcp_memory_items *items, mcp_memory_item *item);

static inline mcp_bytes mcp_memory_item_key(const mcp_memory_item *item) {
	return mcp_bytes_of(item->bytes, item->key_length);
}

static inline mcp_bytes mcp_memory_item_value(const mcp_memory_item *item) {
	return mcp_bytes_of(item->bytes + item->key_length, item->value_length);
}

#endif
