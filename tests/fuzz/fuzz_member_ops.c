/* Feeds the reader of a member set's operations arbitrary bytes. Bytes that it takes for operations are replayed, and
 * what is in then is in for a single look too, and is the same when it was compacted. */
/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include "../../src/core/items/member_ops.h"

static void *memory_of(size_t size) {
	void *memory = malloc(size > 0 ? size : 1);
	require(memory != NULL);
	return memory;
}

static void check(mcp_bytes ops, size_t ops_count, bool again) {
	void *memory = memory_of(mcp_members_memory(ops_count));
	mcp_members members;
	mcp_members_replay(&members, ops, ops_count, ops.length, memory);
	mcp_bytes member;
	size_t count = 0;
	for (size_t entry = 0; mcp_members_next(&members, &entry, &member); count++) {
		require(member.length > 0 && member.data > ops.data);
		require(member.data + member.length <= ops.data + ops.length);
		require(count > 16 || mcp_member_ops_have(ops, member));
	}
	require(count == members.count && members.living_bytes <= ops.length);
	char *compacted = memory_of(members.living_bytes);
	require(mcp_members_write(&members, compacted) == compacted + members.living_bytes);
	if (again) {
		size_t living;
		mcp_bytes bytes = mcp_bytes_of(compacted, members.living_bytes);
		require(mcp_member_ops_count(bytes, &living) && living == count);
		check(bytes, living, false);
	}
	free(compacted);
	free(memory);
}

/* As far as the bytes are operations; a heap block of exactly this length. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	char *copy = memory_of(size);
	if (size > 0) {
		memcpy(copy, data, size);
	}
	size_t at = 0, count;
	mcp_member_op op;
	while (mcp_member_op_read(mcp_bytes_of(copy, size), &at, &op) == MCP_MEMBER_OP) {
	}
	char *ops = memory_of(at);
	memcpy(ops, copy, at);
	require(mcp_member_ops_count(mcp_bytes_of(ops, at), &count));
	check(mcp_bytes_of(ops, at), count, true);
	free(ops);
	free(copy);
	return 0;
}
