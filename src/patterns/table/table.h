/* Rows by their ids: a row is an item of its own, and which ids there are is a member set.
 *
 * The rules are in docs/spec/collections.md under the names used here (B1, B2 ...). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_TABLE_TABLE_H
#define MCP_PATTERNS_TABLE_TABLE_H

#include "../../core/items/row_head.h"
#include "../member_set/member_set.h"

/* A table's name as its keys have it, which no other table's can be taken for. */
typedef struct mcp_table_name {
	char bytes[MCP_KEY_FIRST_NAME_MAX + 1];
	size_t length;
} mcp_table_name;

void mcp_table_name_make(mcp_table_name *table, mcp_bytes name);

/* Makes the key without a shard. */
mcp_key mcp_table_index_key(mcp_key_buffer *buffer, mcp_bytes prefix, const mcp_table_name *table);
mcp_key mcp_table_row_key(mcp_key_buffer *buffer, mcp_bytes prefix, const mcp_table_name *table,
	mcp_bytes id);

/* Borrows everything; made on the stack for each call. */
typedef struct mcp_table {
	mcp_member_set index; /* without an end; with mcp_table_prune */
	mcp_bytes prefix;     /* the pool's */
	const mcp_table_name *name;
	const mcp_signing_keys *signing_keys; /* NULL: nothing is signed, and everything is believed */
	uint64_t ttl_ms;                      /* a row's, from its last put; 0: no end */
} mcp_table;

/* Prunes as the index's mcp_member_pruning, with the table as its context: drops ids whose rows are not there
 * (B4). */
void mcp_table_prune(const mcp_member_set *index, mcp_members *ids, const void *table);

/* A row as a read found it. */
typedef struct mcp_row {
	bool is_there; /* and believed */
	uint32_t flags;
	mcp_bytes payload; /* a view */
	uint64_t stamp;    /* 0: none is there, or it is no row */
	uint64_t cas;      /* 0: nothing is there */
} mcp_row;

/* Looks at the reply of a row's key. MCP_OK, also if nothing is there, or a failure. */
mcp_status mcp_table_look(const mcp_table *table, const mcp_key *key, const mcp_reply *reply,
	mcp_row *row);
mcp_status mcp_table_get(const mcp_table *table, mcp_bytes id, mcp_row *row);

/* Stores by B1 the row, then lists its id, in this order and always. Statuses as mcp_member_set_add and those of a
 * set; on a failure the row may be there unlisted (B3). 2 round trips. */
mcp_status mcp_table_put(const mcp_table *table, mcp_bytes id, mcp_bytes payload, uint32_t flags);

/* Puts it in place of the row with this stamp; 0: of none. MCP_EXISTS: it is another by now. 3 round trips. */
mcp_status mcp_table_update(const mcp_table *table, mcp_bytes id, uint64_t stamp, mcp_bytes payload,
	uint32_t flags);

/* Takes by B2 the id from the list, then the row away. 2 round trips. */
mcp_status mcp_table_delete(const mcp_table *table, mcp_bytes id);

/* Takes all listed rows away, and the index; of what stands in its place and is none, that alone. On a failure, the first,
 * the rest was tried all the same: to be called again. MCP_EXISTS: others kept changing it. 2 round trips for each shard, and
 * a delete for each row. */
mcp_status mcp_table_clear(const mcp_table *table);

/* Compacts the index, whatever it has: for whoever found many ids without rows. */
void mcp_table_tidy(const mcp_table *table);

#endif
