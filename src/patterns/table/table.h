/* Tables of rows by id: each row is an item, and the ids are a member set.
 * The rules are in docs/spec/collections.md under the labels used here (B1, B2 ...). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_TABLE_TABLE_H
#define MCP_PATTERNS_TABLE_TABLE_H

#include "../../core/items/item_head.h"
#include "../member_set/member_set.h"

/* A table's name in its keys. No other table has the same name there. */
typedef struct mcp_table_name {
	char bytes[MCP_KEY_FIRST_NAME_MAX + 1];
	size_t length;
} mcp_table_name;

void mcp_table_name_make(mcp_table_name *table, mcp_bytes name);

/* Make the key of the index, without a shard. */
mcp_key mcp_table_index_key(mcp_key_buffer *buffer, mcp_bytes prefix, const mcp_table_name *table);
mcp_key mcp_table_row_key(mcp_key_buffer *buffer, mcp_bytes prefix, const mcp_table_name *table,
	mcp_bytes id);

/* Owns nothing; built on the stack for each call. */
typedef struct mcp_table {
	mcp_member_set index; /* never expires, and is pruned with mcp_table_prune */
	mcp_bytes prefix;     /* the Pool's prefix */
	const mcp_table_name *name;
	const mcp_signing_keys *signing_keys; /* NULL: rows are not signed, and all are accepted */
	uint64_t ttl_ms;                      /* TTL of a row, from its last put; 0: never expires */
} mcp_table;

/* Prune function for the index, which drops ids without a row (B4). `table`: the mcp_table, as the context. */
void mcp_table_prune(const mcp_member_set *index, mcp_members *ids, const void *table);

/* A row that was read. */
typedef struct mcp_row {
	bool is_there; /* the row exists, and its signature is valid */
	uint32_t flags;
	mcp_bytes payload; /* a view */
	uint64_t stamp;    /* 0: missing, or not a row */
	uint64_t cas;      /* 0: missing */
} mcp_row;

/* Decode the reply to a read of a row's key. MCP_OK, even if the row is missing. Otherwise the failure of the read. */
mcp_status mcp_table_judge_row(const mcp_table *table, const mcp_key *key, const mcp_op *reply,
	mcp_row *row);
mcp_status mcp_table_get(const mcp_table *table, mcp_bytes id, mcp_row *row);

/* Store the row, then add its id to the index, always in this order (B1). Returns a status of mcp_store_set or of
 * mcp_member_set_add. After a failure, the row might exist without its id, or the id without its row (B3). Cost: 1
 * round trip if the store can batch and one server has both items, otherwise 2. The first put to a shard: 3. */
mcp_status mcp_table_put(const mcp_table *table, mcp_bytes id, mcp_bytes payload, uint32_t flags);

/* Replace the row with this stamp; 0: add a missing row. MCP_EXISTS: the row has changed. Cost: 3 round trips. */
mcp_status mcp_table_update(const mcp_table *table, mcp_bytes id, uint64_t stamp, mcp_bytes payload,
	uint32_t flags);

/* Remove the id from the index, then delete the row (B2). Cost: that of mcp_table_put without the first put
 * to a shard. */
mcp_status mcp_table_delete(const mcp_table *table, mcp_bytes id);

/* Delete all listed rows and the index. An item that is not an index is deleted without rows. After a failure, the
 * call continues, and returns the first failure. Repeat the call then. MCP_EXISTS: contention. Cost: 2 round trips
 * per shard, and 1 delete per row. */
mcp_status mcp_table_clear(const mcp_table *table);

/* Compact the index unconditionally. Call this after a read has found many ids without rows. */
void mcp_table_tidy(const mcp_table *table);

#endif
