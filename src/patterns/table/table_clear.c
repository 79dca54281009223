/* Takes all rows away, and an index that cannot be read: by its cas id, so that an id which was appended meanwhile is
 * not lost with it (B4). */
/* SPDX-License-Identifier: MIT */
#include "table.h"

/* Looks at a shard that others keep changing. */
#define LOOKS_MAX 100
#define ROWS_AT_ONCE 500

/* The ids of one shard, out of the store's reach. */
typedef struct listed {
	char *memory;  /* of the index's memory */
	mcp_bytes ids; /* operations, as they are stored */
} listed;

static void keep(const mcp_member_set *index, const mcp_member_shard *shard, listed *kept) {
	mcp_members members;
	void *replayed = mcp_member_set_replay(index, shard, &members);
	kept->memory = index->memory.allocate(shard->ops.length + 1);
	char *end = kept->memory;
	mcp_bytes id;
	for (size_t entry = 0; mcp_members_next(&members, &entry, &id);) {
		const mcp_member_op op = {true, id};
		end = mcp_member_op_write(&op, end);
	}
	kept->ids = mcp_bytes_of(kept->memory, (size_t)(end - kept->memory));
	index->memory.release(replayed);
}

/* MCP_EXISTS if it was changed since it was read. */
static mcp_status forget(const mcp_table *table, uint32_t number, listed *kept) {
	const mcp_member_set *index = &table->index;
	mcp_key_buffer buffer;
	mcp_key key = mcp_member_set_key(index, &buffer, number);
	mcp_reply reply;
	mcp_member_shard shard;
	reply.status = mcp_store_get(index->store, &key, &reply.item);
	mcp_status status = mcp_member_set_look(&reply, &shard);
	if (reply.status == MCP_NOT_FOUND || (status != MCP_OK && status != MCP_FOREIGN)) {
		return status;
	}
	uint64_t cas = reply.item.cas;
	if (status == MCP_OK) {
		keep(index, &shard, kept);
	}
	status = mcp_store_delete_if(index->store, &key, cas);
	return status == MCP_NOT_FOUND ? MCP_OK : status;
}

/* Deletes so many as fit, from *at on. */
static mcp_status delete_some(const mcp_table *table, mcp_bytes ids, size_t *at, char *memory) {
	mcp_key *keys = (mcp_key *)(void *)memory;
	mcp_key_buffer *buffers = (mcp_key_buffer *)(void *)(keys + ROWS_AT_ONCE);
	mcp_status *statuses = (mcp_status *)(void *)(buffers + ROWS_AT_ONCE);
	size_t count = 0;
	mcp_member_op op;
	while (count < ROWS_AT_ONCE && mcp_member_op_read(ids, at, &op) == MCP_MEMBER_OP) {
		keys[count] = mcp_table_row_key(&buffers[count], table->prefix, table->name, op.member);
		count++;
	}
	if (count > 0) {
		mcp_store_delete_many(table->index.store, keys, count, statuses);
	}
	mcp_status worst = MCP_OK;
	for (size_t i = 0; i < count && worst == MCP_OK; i++) {
		worst = statuses[i] == MCP_NOT_FOUND ? MCP_OK : statuses[i];
	}
	return worst;
}

static mcp_status delete_rows(const mcp_table *table, mcp_bytes ids) {
	size_t each = sizeof(mcp_key) + sizeof(mcp_key_buffer) + sizeof(mcp_status);
	char *memory = table->index.memory.allocate(ROWS_AT_ONCE * each);
	mcp_status worst = MCP_OK;
	for (size_t at = 0; at < ids.length;) {
		mcp_status status = delete_some(table, ids, &at, memory);
		worst = worst == MCP_OK ? status : worst;
	}
	table->index.memory.release(memory);
	return worst;
}

static mcp_status clear_shard(const mcp_table *table, uint32_t number) {
	mcp_status status = MCP_EXISTS;
	for (int looks = 0; status == MCP_EXISTS && looks < LOOKS_MAX; looks++) {
		listed kept = {.memory = NULL, .ids = mcp_bytes_none()};
		status = forget(table, number, &kept);
		if (status == MCP_OK) {
			status = delete_rows(table, kept.ids);
		}
		if (kept.memory != NULL) {
			table->index.memory.release(kept.memory);
		}
	}
	return status;
}

mcp_status mcp_table_clear(const mcp_table *table) {
	mcp_status worst = MCP_OK;
	for (uint32_t number = 0; number < table->index.shards; number++) {
		mcp_status status = clear_shard(table, number);
		worst = worst == MCP_OK ? status : worst;
	}
	return worst;
}
