/* Adding to the end of an item that may not be there: what three commands can meet, and that no fourth is sent. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "../../src/patterns/append.h"
#include "world.h"

static test_world world;
static mcp_key_buffer buffer;
static mcp_key key;

static int open_world(void **state) {
	world_open(&world);
	key = world_key(&buffer, MCP_SPACE_LOG, "site");
	return 0;
}

static int close_world(void **state) {
	world_close(&world);
	return 0;
}

static mcp_status append(const char *bytes) {
	const mcp_record record = {.head = mcp_bytes_text("head "),
		.body = mcp_bytes_text(bytes),
		.ttl_ms = 10000};
	world_watch(&world, 0, WORLD_SOUND);
	return mcp_append(world.store, &key, &record);
}

#define APPEND_TEST(name) TEST_WITH(name, open_world, close_world)

APPEND_TEST(the_first_makes_the_item_with_its_head) {
	assert_int_equal(MCP_OK, append("one "));
	assert_int_equal(2, world.calls);
	assert_int_equal(MCP_OK, append("two"));
	assert_int_equal(1, world.calls);
	assert_string_equal("head one two", world_peek(&world, "log:site"));
}

APPEND_TEST(it_ends_with_the_first_ones_ttl) {
	append("one ");
	world_pass(&world, 9000);
	append("two");
	world_pass(&world, 3000);
	assert_null(world_peek(&world, "log:site"));
}

static void make_it_first(test_world *watched, unsigned call) {
	if (call == 2) {
		world_put(watched, "log:site", "other's ", 0);
	}
}

APPEND_TEST(what_another_process_made_first_is_appended_to) {
	world.before_call = make_it_first;
	assert_int_equal(MCP_OK, append("mine"));
	assert_int_equal(3, world.calls);
	assert_string_equal("other's mine", world_peek(&world, "log:site"));
}

APPEND_TEST(a_full_item_is_refused_after_three_commands) {
	size_t length = MCP_STORE_ITEM_MAX - 200;
	char *bytes = calloc(1, length);
	const mcp_record large = {.body = mcp_bytes_of(bytes, length)};
	assert_int_equal(MCP_OK, mcp_store_set(world.memory, &key, &large));
	char more[300] = "";
	const mcp_record record = {.head = mcp_bytes_text("head "),
		.body = mcp_bytes_of(more, sizeof(more))};
	world_watch(&world, 0, WORLD_SOUND);
	assert_int_equal(MCP_NOT_STORED, mcp_append(world.store, &key, &record));
	assert_int_equal(3, world.calls);
	free(bytes);
}

APPEND_TEST(without_an_answer_it_is_unknown_and_not_sent_again) {
	const mcp_record record = {.head = mcp_bytes_text("head "), .body = mcp_bytes_text("one")};
	for (unsigned at = 1; at <= 2; at++) {
		world_remove(&world, "log:site");
		world_watch(&world, at, WORLD_REPLY_LOST);
		assert_int_equal(MCP_UNKNOWN, mcp_append(world.store, &key, &record));
		assert_int_equal(at, world.calls);
	}
	world_watch(&world, 1, WORLD_DOWN);
	assert_int_equal(MCP_UNREACHABLE, mcp_append(world.store, &key, &record));
	assert_int_equal(1, world.calls);
}
