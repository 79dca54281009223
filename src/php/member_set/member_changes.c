/* From strings to operations and back, a shard at a time. */
/* SPDX-License-Identifier: MIT */
#include "member_changes.h"

/* One in so many looks of has() at a long item asks whether it should be compacted: that takes going through all of
 * it. */
#define LOOKS_TO_A_REPLAY 16

static void *allocate(size_t size) {
	return emalloc(size);
}

static void release(void *memory) {
	efree(memory);
}

const mcp_member_memory php_mcp_member_changes_memory = {allocate, release};

bool php_mcp_member_changes_judge(const zend_string *member, uint32_t arg_num) {
	if (ZSTR_LEN(member) == 0) {
		zend_argument_value_error(arg_num, "cannot be empty");
		return false;
	}
	if (ZSTR_LEN(member) > MCP_MEMBER_MAX) {
		zend_argument_value_error(arg_num, "must be at most %d bytes long, %zu given",
			MCP_MEMBER_MAX, ZSTR_LEN(member));
		return false;
	}
	return true;
}

static mcp_bytes bytes_of(const zend_string *member) {
	return mcp_bytes_of(ZSTR_VAL(member), ZSTR_LEN(member));
}

/* Writes the operations of one shard, in memory that the caller frees. */
static mcp_bytes write_ops(const mcp_member_set *set, uint32_t shard, bool is_add,
	zend_string **members, uint32_t count) {
	size_t length = 0;
	for (uint32_t i = 0; i < count; i++) {
		bool is_of_shard = mcp_member_set_shard_of(set, bytes_of(members[i])) == shard;
		length += is_of_shard ? mcp_member_op_length(ZSTR_LEN(members[i])) : 0;
	}
	char *ops = emalloc(length + 1);
	char *to = ops;
	for (uint32_t i = 0; i < count && length > 0; i++) {
		mcp_member_op op = {is_add, bytes_of(members[i])};
		if (mcp_member_set_shard_of(set, op.member) == shard) {
			to = mcp_member_op_write(&op, to);
		}
	}
	return mcp_bytes_of(ops, length);
}

mcp_status php_mcp_member_changes_apply(const mcp_member_set *set, bool is_add,
	zend_string **members, uint32_t count) {
	mcp_status status = MCP_OK;
	for (uint32_t shard = 0; shard < set->shards && status == MCP_OK; shard++) {
		mcp_bytes ops = write_ops(set, shard, is_add, members, count);
		if (ops.length > 0) {
			status = is_add ? mcp_member_set_add(set, shard, ops)
							: mcp_member_set_remove(set, shard, ops);
		}
		efree((char *)ops.data);
	}
	return status;
}

/* --- reading --- */

/* Asks for all shards, in one piece of memory; freed by efree(). */
static mcp_reply *ask(const mcp_member_set *set) {
	size_t each = sizeof(mcp_reply) + sizeof(mcp_key) + sizeof(mcp_key_buffer);
	mcp_reply *replies = safe_emalloc(set->shards, each, 0);
	mcp_key *keys = (mcp_key *)(replies + set->shards);
	mcp_key_buffer *buffers = (mcp_key_buffer *)(keys + set->shards);
	for (uint32_t i = 0; i < set->shards; i++) {
		keys[i] = mcp_member_set_key(set, &buffers[i], i);
	}
	mcp_store_get_many(set->store, keys, set->shards, replies);
	return replies;
}

static void add_members(zval *list, const mcp_members *members) {
	mcp_bytes member;
	for (size_t entry = 0; mcp_members_next(members, &entry, &member);) {
		add_next_index_stringl(list, member.data, member.length);
	}
}

/* Reads a shard; one that has to be compacted is, when all have been read: that may end views. */
static mcp_status read_shard(const mcp_member_set *set, const mcp_reply *reply, zval *list,
	size_t *count, bool *is_wasteful) {
	mcp_member_shard shard;
	mcp_status status = mcp_member_set_look(reply, &shard);
	if (status != MCP_OK || shard.ops_count == 0) {
		return status;
	}
	mcp_members members;
	void *memory = mcp_member_set_replay(set, &shard, &members);
	*count += members.count;
	*is_wasteful = mcp_member_set_is_wasteful(set, &members);
	if (list != NULL) {
		add_members(list, &members);
	}
	efree(memory);
	return MCP_OK;
}

static void compact(const mcp_member_set *set, const mcp_reply *replies, uint32_t number) {
	mcp_member_shard shard;
	if (mcp_member_set_look(&replies[number], &shard) == MCP_OK) {
		mcp_member_set_compact(set, number, &shard);
	}
}

mcp_status php_mcp_member_changes_read(const mcp_member_set *set, zval *list, size_t *count) {
	mcp_reply *replies = ask(set);
	mcp_status status = MCP_OK;
	uint32_t wasteful = set->shards; /* the last one of them */
	*count = 0;
	if (list != NULL) {
		array_init(list);
	}
	for (uint32_t i = 0; i < set->shards && status == MCP_OK; i++) {
		bool is_wasteful = false;
		status = read_shard(set, &replies[i], list, count, &is_wasteful);
		wasteful = is_wasteful ? i : wasteful;
	}
	if (status == MCP_OK && wasteful < set->shards) {
		compact(set, replies, wasteful);
	}
	efree(replies);
	if (status != MCP_OK && list != NULL) {
		zval_ptr_dtor(list);
		ZVAL_UNDEF(list);
	}
	return status;
}

static void compact_if_wasteful(const mcp_member_set *set, uint32_t number,
	const mcp_member_shard *shard) {
	mcp_members members;
	void *memory = mcp_member_set_replay(set, shard, &members);
	bool is_wasteful = mcp_member_set_is_wasteful(set, &members);
	efree(memory);
	if (is_wasteful) {
		mcp_member_set_compact(set, number, shard);
	}
}

mcp_status php_mcp_member_changes_look(const mcp_member_set *set, const zend_string *member,
	bool *is_in) {
	mcp_key_buffer buffer;
	uint32_t number = mcp_member_set_shard_of(set, bytes_of(member));
	mcp_key key = mcp_member_set_key(set, &buffer, number);
	mcp_reply reply;
	mcp_member_shard shard;
	reply.status = mcp_store_get(set->store, &key, &reply.item);
	mcp_status status = mcp_member_set_look(&reply, &shard);
	if (status != MCP_OK) {
		return status;
	}
	*is_in = mcp_member_ops_have(shard.ops, bytes_of(member));
	if (shard.ops.length > set->compact_above &&
		mcp_random_u64(set->environment) % LOOKS_TO_A_REPLAY == 0) {
		compact_if_wasteful(set, number, &shard);
	}
	return MCP_OK;
}

mcp_status php_mcp_member_changes_clear(const mcp_member_set *set) {
	mcp_status status = MCP_OK;
	for (uint32_t i = 0; i < set->shards && (status == MCP_OK || status == MCP_NOT_FOUND); i++) {
		mcp_key_buffer buffer;
		mcp_key key = mcp_member_set_key(set, &buffer, i);
		status = mcp_store_delete(set->store, &key);
	}
	return status == MCP_NOT_FOUND ? MCP_OK : status;
}
