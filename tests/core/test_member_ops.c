/* The operations of a member set: what is written is read, what is replayed is what a plain list would have. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "../../src/core/items/member_ops.h"

enum { NAMES = 40, OPS = 3000, ROOM = OPS * 8 };

static char *write_text(char *to, bool is_add, const char *name) {
	const mcp_member_op op = {is_add, mcp_bytes_text(name)};
	return mcp_member_op_write(&op, to);
}

TEST(members_of_any_length_are_read_as_they_were_written) {
	static const size_t lengths[] = {1, 127, 128, 129, 16383, 16384, 65536};
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		size_t length = mcp_member_op_length(lengths[i]), at = 0;
		char *out = malloc(length), *name = calloc(1, lengths[i]);
		const mcp_member_op op = {i % 2 == 0, mcp_bytes_of(name, lengths[i])};
		assert_ptr_equal(out + length, mcp_member_op_write(&op, out));
		mcp_member_op read;
		assert_int_equal(MCP_MEMBER_OP, mcp_member_op_read(mcp_bytes_of(out, length), &at, &read));
		assert_true(read.is_add == op.is_add && mcp_bytes_equal(read.member, op.member));
		assert_int_equal(length, at);
		assert_int_equal(MCP_MEMBER_END, mcp_member_op_read(mcp_bytes_of(out, length), &at, &read));
		at = 0;
		assert_int_equal(MCP_MEMBER_DAMAGED,
			mcp_member_op_read(mcp_bytes_of(out, length - 1), &at, &read));
		free(out);
		free(name);
	}
}

TEST(nothing_else_is_an_operation) {
	static const struct {
		const char *bytes;
		size_t length;
	} others[] = {{"a", 1}, {"+", 1}, {"-", 1}, {"+\0", 2}, {"+\x01", 2}, {"+\x80", 2},
		{"+\x81\x00x", 4}, {"+\x80\x80\x80\x80\x01", 6}, {"+\x02x", 3}};
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		size_t count;
		assert_false(mcp_member_ops_count(mcp_bytes_of(others[i].bytes, others[i].length), &count));
	}
}

/* In the order of joining. */
typedef struct list {
	size_t count;
	unsigned names[NAMES];
} list;

static void apply(list *all, bool is_add, unsigned name) {
	size_t place = 0;
	while (place < all->count && all->names[place] != name) {
		place++;
	}
	if (is_add && place == all->count) {
		all->names[all->count++] = name;
	} else if (!is_add && place < all->count) {
		all->count--;
		memmove(&all->names[place], &all->names[place + 1],
			(all->count - place) * sizeof(unsigned));
	}
}

static void assert_same(const list *expected, mcp_bytes ops) {
	size_t count;
	assert_true(mcp_member_ops_count(ops, &count));
	void *memory = malloc(mcp_members_memory(count));
	mcp_members members;
	mcp_members_replay(&members, ops, count, 17, memory);
	assert_int_equal(expected->count, members.count);
	mcp_bytes member;
	size_t entry = 0, bytes = 0;
	for (size_t i = 0; i < expected->count; i++) {
		char name[16];
		size_t length = (size_t)snprintf(name, sizeof(name), "n%u", expected->names[i]);
		assert_true(mcp_members_next(&members, &entry, &member));
		assert_true(mcp_bytes_equal(mcp_bytes_of(name, length), member));
		assert_true(mcp_member_ops_have(ops, member));
		bytes += mcp_member_op_length(length);
	}
	assert_false(mcp_members_next(&members, &entry, &member));
	assert_int_equal(bytes, members.living_bytes);
	char *compacted = malloc(bytes + 1);
	assert_ptr_equal(compacted + bytes, mcp_members_write(&members, compacted));
	if (ops.length > bytes) {
		assert_same(expected, mcp_bytes_of(compacted, bytes));
	}
	free(compacted);
	free(memory);
}

TEST(replaying_gives_what_a_list_has) {
	char *ops = malloc(ROOM), *to = ops;
	list all = {.count = 0};
	uint32_t random = 1;
	for (unsigned i = 0; i < OPS; i++) {
		random = random * 1664525u + 1013904223u;
		char name[16];
		unsigned number = random >> 8 & 31;
		bool is_add = (random >> 16 & 3) != 0;
		snprintf(name, sizeof(name), "n%u", number);
		to = write_text(to, is_add, name);
		apply(&all, is_add, number);
		if (i % 100 == 0 || i < 50) {
			assert_same(&all, mcp_bytes_of(ops, (size_t)(to - ops)));
		}
	}
	free(ops);
}

TEST(the_one_that_is_dropped_is_in_no_more) {
	char ops[64], *to = write_text(write_text(write_text(ops, true, "a"), true, "b"), true, "c");
	void *memory = malloc(mcp_members_memory(3));
	mcp_members members;
	mcp_members_replay(&members, mcp_bytes_of(ops, (size_t)(to - ops)), 3, 1, memory);
	mcp_bytes member;
	size_t entry = 0;
	mcp_members_next(&members, &entry, &member);
	mcp_members_next(&members, &entry, &member);
	mcp_members_drop(&members, entry);
	assert_true(mcp_members_next(&members, &entry, &member));
	assert_true(mcp_bytes_equal(mcp_bytes_of("c", 1), member));
	assert_int_equal(2, members.count);
	assert_int_equal(6, members.living_bytes);
	free(memory);
}
