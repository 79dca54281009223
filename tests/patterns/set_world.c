/* One member set and one table in a world of their own. */
/* SPDX-License-Identifier: MIT */
#include "set_world.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static set_world opened;

static const mcp_member_memory memory = {malloc, free};

int open_set_world(void **state) {
	set_world *w = &opened;
	memset(w, 0, sizeof(*w));
	world_open(&w->world);
	w->world.actor = w;
	w->key = world_key(&w->buffer, MCP_SPACE_SET, "ids");
	w->set = (mcp_member_set){
		.store = w->world.store,
		.environment = &w->world.environment,
		.key = &w->key,
		.memory = memory,
		.shards = 1,
		.compact_above = 64,
	};
	mcp_table_name_make(&w->name, mcp_bytes_of("jobs", 4));
	w->index_key = mcp_table_index_key(&w->index_buffer, mcp_bytes_none(), &w->name);
	w->pruning = (mcp_member_pruning){mcp_table_prune, &w->table};
	w->table = (mcp_table){.index = w->set, .name = &w->name};
	w->table.index.key = &w->index_key;
	w->table.index.pruning = &w->pruning;
	*state = w;
	return 0;
}

int close_set_world(void **state) {
	world_close(&((set_world *)*state)->world);
	return 0;
}

mcp_status change_set(set_world *w, const char *member, bool is_add) {
	char bytes[256];
	const mcp_member_op op = {is_add, mcp_bytes_text(member)};
	mcp_bytes ops = mcp_bytes_of(bytes, (size_t)(mcp_member_op_write(&op, bytes) - bytes));
	return is_add ? mcp_member_set_add(&w->set, 0, ops) : mcp_member_set_remove(&w->set, 0, ops);
}

const char *members_of(set_world *w, const mcp_member_set *set) {
	static char text[2048];
	mcp_key_buffer buffer;
	mcp_key key = mcp_member_set_key(set, &buffer, 0);
	mcp_op reply;
	mcp_member_shard shard;
	mcp_members members;
	reply.status = mcp_store_get(set->store, &key, &reply.item);
	mcp_status status = mcp_member_set_parse(&reply, &shard);
	if (status != MCP_OK) {
		return status == MCP_FOREIGN ? "foreign" : "failed";
	}
	void *replayed = mcp_member_set_replay(set, &shard, &members);
	size_t length = 0;
	mcp_bytes member;
	text[0] = 0;
	for (size_t entry = 0; mcp_members_next(&members, &entry, &member);) {
		length += (size_t)snprintf(text + length, sizeof(text) - length, "%.*s ",
			(int)member.length, member.data);
	}
	free(replayed);
	return text;
}

mcp_status put_row(set_world *w, const char *id, const char *row) {
	return mcp_table_put(&w->table, mcp_bytes_text(id), mcp_bytes_text(row), 0);
}

const char *row_of(set_world *w, const char *id) {
	static char text[256];
	mcp_row row;
	if (mcp_table_get(&w->table, mcp_bytes_text(id), &row) != MCP_OK) {
		return "failed";
	}
	snprintf(text, sizeof(text), "%.*s", row.is_there ? (int)row.payload.length : 0,
		row.payload.data);
	return text;
}
