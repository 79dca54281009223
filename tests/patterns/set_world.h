/* The world of the member set's and the table's tests: one of each in a memcached in memory. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_TESTS_PATTERNS_SET_WORLD_H
#define MCP_TESTS_PATTERNS_SET_WORLD_H

#include "../../src/patterns/table/table.h"
#include "world.h"

typedef struct set_world {
	test_world world;
	mcp_key_buffer buffer, index_buffer;
	mcp_key key, index_key;
	mcp_member_set set; /* "set:ids", one shard, no end; compacted by readers above 64 bytes */
	mcp_table_name name;
	mcp_member_pruning pruning;
	mcp_table table; /* "jobs", one shard */
	const char *other;
	unsigned at_call; /* for hooks */
} set_world;

int open_set_world(void **state);
int close_set_world(void **state);

mcp_status change_set(set_world *w, const char *member, bool is_add);
/* Lists the members in their order, with a space behind each; "foreign", or "failed". Valid until the next call. */
const char *members_of(set_world *w, const mcp_member_set *set);

mcp_status put_row(set_world *w, const char *id, const char *row);
/* Returns the row; "" if there is none; "failed". Valid until the next call. */
const char *row_of(set_world *w, const char *id);

#define SET_TEST(name, w) TEST_OF(set_world, name, w, open_set_world, close_set_world)

#endif
