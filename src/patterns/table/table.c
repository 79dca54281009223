/* Stores rows in tables: first the row, then its id in the index. A pruning reads the index before it reads the rows,
 * so that its cas fails if an id is appended afterwards. In the opposite order, the id of an acknowledged row could
 * be missing. */
/* SPDX-License-Identifier: MIT */
#include "table.h"

#include "../../store/store.h"

/* Maximum number of rows that a compaction reads in order to check whether they exist. */
#define MCP_TABLE_PRUNED_AT_ONCE 500

/* --- keys --- */

void mcp_table_name_make(mcp_table_name *table, mcp_bytes name) {
	table->length = mcp_key_write_first_name(table->bytes, MCP_SPACE_ROW, name);
	table->bytes[table->length++] = ':';
}

static mcp_key key_of(mcp_key_buffer *buffer, mcp_bytes prefix, const mcp_table_name *table,
	mcp_bytes name) {
	mcp_key_parts parts = {
		.space = MCP_SPACE_ROW,
		.prefix = prefix,
		.scope = mcp_bytes_of(table->bytes, table->length),
		.name = name,
	};
	return mcp_key_make(buffer, &parts);
}

mcp_key mcp_table_index_key(mcp_key_buffer *buffer, mcp_bytes prefix, const mcp_table_name *table) {
	return key_of(buffer, prefix, table, mcp_bytes_none());
}

/* Hash an id that begins with ':', because it could look like a shard number, and an id that could look like such a
 * hash. */
mcp_key mcp_table_row_key(mcp_key_buffer *buffer, mcp_bytes prefix, const mcp_table_name *table,
	mcp_bytes id) {
	char hashed[MCP_KEY_FIRST_NAME_MAX];
	if (id.data[0] == ':' || mcp_key_has_mapping_prefix(id)) {
		id = mcp_bytes_of(hashed, mcp_key_write_first_name(hashed, MCP_SPACE_ROW, id));
	}
	return key_of(buffer, prefix, table, id);
}

static mcp_key row_key(const mcp_table *table, mcp_key_buffer *buffer, mcp_bytes id) {
	return mcp_table_row_key(buffer, table->prefix, table->name, id);
}

/* --- rows --- */

static mcp_signed_value signed_row(const mcp_key *key, uint32_t flags, mcp_bytes payload) {
	return (mcp_signed_value){
		.purpose = MCP_SIGNED_ROW,
		.wire_key = key->wire,
		.flags = flags,
		.payload = payload,
	};
}

static bool is_believed(const mcp_table *table, const mcp_key *key, const mcp_row_head *head,
	mcp_bytes payload) {
	mcp_signed_value value = signed_row(key, head->flags, payload);
	return table->signing_keys == NULL ||
		(head->is_signed && mcp_signature_verify(table->signing_keys, &value, head->signature));
}

mcp_status mcp_table_judge_row(const mcp_table *table, const mcp_key *key, const mcp_op *reply,
	mcp_row *row) {
	*row = (mcp_row){.is_there = false};
	if (reply->status != MCP_OK) {
		return reply->status == MCP_NOT_FOUND ? MCP_OK : reply->status;
	}
	mcp_row_head head;
	row->cas = reply->item.cas;
	if (mcp_row_head_read(reply->item.value, &head, &row->payload)) {
		row->is_there = is_believed(table, key, &head, row->payload);
		row->flags = head.flags;
		row->stamp = head.stamp;
	}
	return MCP_OK;
}

static mcp_status look_at(const mcp_table *table, const mcp_key *key, mcp_row *row,
	bool *is_nothing) {
	mcp_op reply;
	reply.status = mcp_store_get(table->index.store, key, &reply.item);
	*is_nothing = reply.status == MCP_NOT_FOUND;
	return mcp_table_judge_row(table, key, &reply, row);
}

mcp_status mcp_table_get(const mcp_table *table, mcp_bytes id, mcp_row *row) {
	mcp_key_buffer buffer;
	mcp_key key = row_key(table, &buffer, id);
	bool is_nothing;
	return look_at(table, &key, row, &is_nothing);
}

/* Compose the row's record. `memory`: buffer for its head. */
static mcp_record compose_row(const mcp_table *table, const mcp_key *key, mcp_bytes payload,
	uint32_t flags, char memory[MCP_ROW_HEAD_MAX]) {
	mcp_row_head head = {
		.flags = flags,
		.stamp = mcp_random_u64(table->index.environment) | 1,
		.is_signed = table->signing_keys != NULL,
	};
	if (head.is_signed) {
		mcp_signed_value value = signed_row(key, flags, payload);
		mcp_signature_sign(table->signing_keys, &value, head.signature);
	}
	return (mcp_record){
		.head = mcp_bytes_of(memory, mcp_row_head_write(&head, memory)),
		.body = payload,
		.ttl_ms = table->ttl_ms,
	};
}

/* --- ids --- */

/* Add the id to the index, or remove it. */
static mcp_status change_index(const mcp_table *table, mcp_bytes id, bool is_add) {
	const mcp_member_set *index = &table->index;
	const mcp_member_op op = {is_add, id};
	size_t length = mcp_member_op_length(id.length);
	char *memory = index->memory.allocate(length);
	mcp_member_op_write(&op, memory);
	uint32_t shard = mcp_member_set_shard_of(index, id);
	mcp_bytes ops = mcp_bytes_of(memory, length);
	mcp_status status =
		is_add ? mcp_member_set_add(index, shard, ops) : mcp_member_set_remove(index, shard, ops);
	index->memory.release(memory);
	return status;
}

/* Send the change of the row and the operation on its id in 1 round trip: a set before "+", or "-" before a delete.
 * Returns the status of the row's change. *listed: status of the operation. MCP_UNSUPPORTED: nothing was sent. */
static mcp_status change_both(const mcp_table *table, mcp_bytes id, mcp_op *row,
	mcp_status *listed) {
	const mcp_member_set *index = &table->index;
	const mcp_member_op op = {row->verb == MCP_OP_SET, id};
	mcp_key_buffer buffer;
	mcp_key key = mcp_member_set_key(index, &buffer, mcp_member_set_shard_of(index, id));
	if (mcp_store_owner(index->store, &key) != mcp_store_owner(index->store, row->key)) {
		return MCP_UNSUPPORTED;
	}
	size_t length = mcp_member_op_length(id.length);
	char *memory = index->memory.allocate(length);
	mcp_member_op_write(&op, memory);
	const mcp_record record = {.body = mcp_bytes_of(memory, length)};
	mcp_op steps[2];
	steps[!op.is_add] = *row;
	mcp_op_begin(&steps[op.is_add], MCP_OP_APPEND, &key, &record);
	mcp_store_steps_at_once(index->store, steps, 2);
	index->memory.release(memory);
	*listed = steps[op.is_add].status;
	return steps[!op.is_add].status;
}

/* An append that was refused, because the shard is missing or full, is repeated, because it had no effect. */
mcp_status mcp_table_put(const mcp_table *table, mcp_bytes id, mcp_bytes payload, uint32_t flags) {
	mcp_key_buffer buffer;
	char head[MCP_ROW_HEAD_MAX];
	mcp_key key = row_key(table, &buffer, id);
	const mcp_record record = compose_row(table, &key, payload, flags, head);
	mcp_op row;
	mcp_status listed = MCP_NOT_STORED;
	mcp_op_begin(&row, MCP_OP_SET, &key, &record);
	mcp_status status = change_both(table, id, &row, &listed);
	if (status == MCP_UNSUPPORTED) {
		status = mcp_store_change(table->index.store, &row);
		listed = MCP_NOT_STORED;
	}
	if (status != MCP_OK || listed != MCP_NOT_STORED) {
		return status == MCP_OK ? listed : status;
	}
	return change_index(table, id, true);
}

/* Replace the row with this stamp. Do not use the CAS value of the caller's read, because CAS values start again when
 * a server restarts, and the caller's computation might have taken long. */
static mcp_status replace(const mcp_table *table, const mcp_key *key, const mcp_record *record,
	uint64_t stamp) {
	mcp_row row;
	bool is_nothing;
	mcp_status status = look_at(table, key, &row, &is_nothing);
	if (status != MCP_OK) {
		return status;
	}
	if (row.stamp != stamp) {
		return MCP_EXISTS;
	}
	if (is_nothing) {
		status = mcp_store_add(table->index.store, key, record);
		return status == MCP_NOT_STORED ? MCP_EXISTS : status;
	}
	status = row.cas == 0 ? MCP_NO_CAS : mcp_store_cas(table->index.store, key, record, row.cas);
	return status == MCP_NOT_FOUND ? MCP_EXISTS : status;
}

mcp_status mcp_table_update(const mcp_table *table, mcp_bytes id, uint64_t stamp, mcp_bytes payload,
	uint32_t flags) {
	mcp_key_buffer buffer;
	char head[MCP_ROW_HEAD_MAX];
	mcp_key key = row_key(table, &buffer, id);
	const mcp_record record = compose_row(table, &key, payload, flags, head);
	mcp_status status = replace(table, &key, &record, stamp);
	mcp_status listed = status == MCP_OK ? change_index(table, id, true) : MCP_OK;
	/* If the row is stored, MCP_EXISTS of the index must not tell the caller to change the row again. */
	return status != MCP_OK ? status : listed == MCP_EXISTS ? MCP_NOT_STORED : listed;
}

mcp_status mcp_table_delete(const mcp_table *table, mcp_bytes id) {
	mcp_key_buffer buffer;
	mcp_key key = row_key(table, &buffer, id);
	mcp_op row;
	mcp_status listed;
	mcp_op_begin(&row, MCP_OP_DELETE, &key, NULL);
	mcp_status status = change_both(table, id, &row, &listed);
	/* After a refused append, delete the row again, because a put might have come before the id was removed. But not if
	 * the first delete can still be executed. */
	if (status == MCP_UNSUPPORTED || (listed == MCP_NOT_STORED && !mcp_status_is_failure(status))) {
		listed = change_index(table, id, false);
		status = listed == MCP_OK ? mcp_store_change(table->index.store, &row) : listed;
	}
	status = listed == MCP_OK || mcp_status_is_failure(status) ? status : listed;
	return status == MCP_NOT_FOUND ? MCP_OK : status;
}

/* --- pruning --- */

/* The rows to check, in one allocation. */
typedef struct looking {
	mcp_key *keys;
	mcp_op *replies;
	size_t *entries; /* for mcp_members_drop */
	mcp_key_buffer *buffers;
	size_t count;
} looking;

static void *allocate(const mcp_member_set *index, looking *look) {
	size_t most = MCP_TABLE_PRUNED_AT_ONCE;
	size_t each = sizeof(mcp_key) + sizeof(mcp_op) + sizeof(size_t) + sizeof(mcp_key_buffer);
	char *memory = index->memory.allocate(most * each);
	look->keys = (mcp_key *)(void *)memory;
	look->replies = (mcp_op *)(look->keys + most);
	look->entries = (size_t *)(look->replies + most);
	look->buffers = (mcp_key_buffer *)(look->entries + most);
	look->count = 0;
	return memory;
}

/* Choose the ids whose rows are checked. If there are too many, choose a random range of consecutive ids. */
static void choose(const mcp_table *table, const mcp_members *ids, looking *look) {
	size_t spare =
		ids->count > MCP_TABLE_PRUNED_AT_ONCE ? ids->count - MCP_TABLE_PRUNED_AT_ONCE : 0;
	size_t skipped = spare > 0 ? mcp_random_u64(table->index.environment) % (spare + 1) : 0;
	mcp_bytes id;
	for (size_t entry = 0, i = 0; look->count < MCP_TABLE_PRUNED_AT_ONCE; i++) {
		if (!mcp_members_next(ids, &entry, &id)) {
			return;
		}
		if (i >= skipped) {
			look->entries[look->count] = entry;
			look->keys[look->count] = row_key(table, &look->buffers[look->count], id);
			look->count++;
		}
	}
}

/* An id is dropped only if its row is certainly missing. */
void mcp_table_prune(const mcp_member_set *index, mcp_members *ids, const void *context) {
	const mcp_table *table = context;
	looking look;
	void *memory = allocate(index, &look);
	choose(table, ids, &look);
	if (look.count > 0) {
		mcp_store_get_many(index->store, look.keys, look.count, look.replies);
	}
	for (size_t i = 0; i < look.count; i++) {
		if (look.replies[i].status == MCP_NOT_FOUND) {
			mcp_members_drop(ids, look.entries[i]);
		}
	}
	index->memory.release(memory);
}

void mcp_table_tidy(const mcp_table *table) {
	for (uint32_t number = 0; number < table->index.shards; number++) {
		mcp_key_buffer buffer;
		mcp_key key = mcp_member_set_key(&table->index, &buffer, number);
		mcp_op reply;
		mcp_member_shard shard;
		reply.status = mcp_store_get(table->index.store, &key, &reply.item);
		if (mcp_member_set_parse(&reply, &shard) == MCP_OK) {
			mcp_member_set_compact(&table->index, number, &shard);
		}
	}
}

/* Deletes all rows and the index. The index is deleted only if its CAS value is unchanged, even if it is unreadable,
 * so that a concurrently appended id is not lost (B4). */

/* Maximum number of reads of a shard under contention. */
#define LOOKS_MAX 100
#define ROWS_AT_ONCE 500

/* Copy the ids of one shard, as operations in the stored format, to memory of the index's allocator. */
static mcp_bytes keep_ids(const mcp_member_set *index, const mcp_member_shard *shard) {
	mcp_members members;
	void *replayed = mcp_member_set_replay(index, shard, &members);
	char *memory = index->memory.allocate(shard->ops.length + 1);
	char *end = mcp_members_write(&members, memory);
	index->memory.release(replayed);
	return mcp_bytes_of(memory, (size_t)(end - memory));
}

/* Delete a shard of the index, and return its ids. MCP_EXISTS if the shard has changed since it was read. */
static mcp_status forget(const mcp_table *table, uint32_t number, mcp_bytes *ids) {
	const mcp_member_set *index = &table->index;
	mcp_key_buffer buffer;
	mcp_key key = mcp_member_set_key(index, &buffer, number);
	mcp_op reply;
	mcp_member_shard shard;
	reply.status = mcp_store_get(index->store, &key, &reply.item);
	mcp_status status = mcp_member_set_parse(&reply, &shard);
	if (reply.status == MCP_NOT_FOUND || (status != MCP_OK && status != MCP_FOREIGN)) {
		return status;
	}
	uint64_t cas = reply.item.cas;
	if (status == MCP_OK) {
		*ids = keep_ids(index, &shard);
	}
	status = mcp_store_delete_if(index->store, &key, cas);
	return status == MCP_NOT_FOUND ? MCP_OK : status;
}

/* Delete one batch of rows, from *at on. */
static mcp_status delete_some(const mcp_table *table, mcp_bytes ids, size_t *at, char *memory) {
	mcp_key *keys = (mcp_key *)(void *)memory;
	mcp_key_buffer *buffers = (mcp_key_buffer *)(void *)(keys + ROWS_AT_ONCE);
	mcp_status *statuses = (mcp_status *)(void *)(buffers + ROWS_AT_ONCE);
	size_t count = 0;
	mcp_member_op op;
	while (count < ROWS_AT_ONCE && mcp_member_op_read(ids, at, &op) == MCP_MEMBER_OP) {
		keys[count] = row_key(table, &buffers[count], op.member);
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
		mcp_bytes ids = mcp_bytes_none();
		status = forget(table, number, &ids);
		if (status == MCP_OK) {
			status = delete_rows(table, ids);
		}
		if (ids.data != NULL) {
			table->index.memory.release((char *)ids.data);
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
