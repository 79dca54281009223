/* Holds the member set to M1 to M5: changes lost, doubled and in between, compaction beside other changes, and items
 * that are gone or no set. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "set_world.h"

SET_TEST(what_was_added_is_in_and_what_was_removed_is_not, w) {
	assert_string_equal("", members_of(w, &w->set));
	assert_int_equal(MCP_OK, change_set(w, "a", true));
	assert_int_equal(MCP_OK, change_set(w, "b", true));
	assert_int_equal(MCP_OK, change_set(w, "a", true));
	assert_string_equal("a b ", members_of(w, &w->set));
	assert_int_equal(MCP_OK, change_set(w, "a", false));
	assert_string_equal("b ", members_of(w, &w->set));
	assert_int_equal(MCP_OK, change_set(w, "a", true));
	assert_string_equal("b a ", members_of(w, &w->set));
}

SET_TEST(a_change_is_one_round_trip_and_two_for_the_first, w) {
	world_watch(&w->world, 0, WORLD_SOUND);
	change_set(w, "a", true);
	assert_int_equal(2, w->world.calls);
	change_set(w, "b", true);
	assert_int_equal(3, w->world.calls);
	change_set(w, "a", false);
	assert_int_equal(4, w->world.calls);
}

SET_TEST(nothing_is_removed_from_nothing, w) {
	assert_int_equal(MCP_OK, change_set(w, "a", false));
	assert_string_equal("", members_of(w, &w->set));
}

/* M5: what had no answer may have been done, and is not sent again. */
SET_TEST(an_unknown_change_is_told_and_not_repeated, w) {
	change_set(w, "a", true);
	world_watch(&w->world, 1, WORLD_REPLY_LOST);
	assert_int_equal(MCP_UNKNOWN, change_set(w, "b", true));
	assert_int_equal(1, w->world.calls);
	assert_string_equal("a b ", members_of(w, &w->set));
	world_watch(&w->world, 1, WORLD_REQUEST_LOST);
	assert_int_equal(MCP_UNKNOWN, change_set(w, "c", true));
	assert_string_equal("a b ", members_of(w, &w->set));
	world_watch(&w->world, 1, WORLD_DOWN);
	assert_int_equal(MCP_UNREACHABLE, change_set(w, "c", true));
}

static void compact(set_world *w) {
	mcp_key_buffer buffer;
	mcp_key key = mcp_member_set_key(&w->set, &buffer, 0);
	mcp_op reply;
	mcp_member_shard shard;
	reply.status = mcp_store_get(w->set.store, &key, &reply.item);
	assert_int_equal(MCP_OK, mcp_member_set_parse(&reply, &shard));
	mcp_member_set_compact(&w->set, 0, &shard);
}

static size_t length_of(set_world *w) {
	mcp_key_buffer buffer;
	mcp_key key = mcp_member_set_key(&w->set, &buffer, 0);
	mcp_item item;
	return mcp_store_get(w->set.store, &key, &item) == MCP_OK ? item.value.length : 0;
}

SET_TEST(a_compaction_keeps_who_is_in_and_their_order, w) {
	char name[8];
	for (int i = 0; i < 40; i++) {
		snprintf(name, sizeof(name), "m%d", i);
		change_set(w, name, true);
		if (i % 4 != 0) {
			change_set(w, name, false);
		}
	}
	size_t before = length_of(w);
	compact(w);
	assert_true(length_of(w) < before / 4);
	assert_string_equal("m0 m4 m8 m12 m16 m20 m24 m28 m32 m36 ", members_of(w, &w->set));
}

static void another_changes(test_world *world, unsigned call) {
	set_world *w = world->actor;
	if (call == w->at_call) {
		assert_int_equal(MCP_OK, change_set(w, w->other, true));
	}
}

/* M1: by compare-and-swap. */
SET_TEST(a_compaction_loses_no_change_that_comes_in_between, w) {
	change_set(w, "a", true);
	change_set(w, "b", true);
	change_set(w, "a", false);
	world_watch(&w->world, 0, WORLD_SOUND);
	w->other = "c";
	w->at_call = 2;
	w->world.before_call = another_changes;
	compact(w);
	w->world.before_call = NULL;
	assert_string_equal("b c ", members_of(w, &w->set));
}

/* M3: the end stands in the item. */
SET_TEST(a_compaction_prolongs_nothing, w) {
	w->set.ttl_ms = 60000;
	change_set(w, "a", true);
	world_pass(&w->world, 50000);
	change_set(w, "b", true);
	compact(w);
	assert_string_equal("a b ", members_of(w, &w->set));
	world_pass(&w->world, 13000);
	assert_string_equal("", members_of(w, &w->set));
}

static mcp_append_head head_of(set_world *w) {
	mcp_key_buffer buffer;
	mcp_key key = mcp_member_set_key(&w->set, &buffer, 0);
	mcp_item item;
	mcp_append_head head = {.end_ms = 0};
	if (mcp_store_get(w->set.store, &key, &item) == MCP_OK) {
		mcp_append_head_read(item.value, MCP_APPEND_SET, &head);
	}
	return head;
}

/* Sets another host's clock: memcached's goes on as it did. */
static void set_clock(set_world *w, int64_t ahead_ms) {
	w->world.ahead_ms += ahead_ms;
}

/* M3: its clock would end the set in 10 seconds; and where that seems to be half of it, it ends no sooner. */
SET_TEST(a_reader_ahead_shortens_nothing_below_half, w) {
	w->set.ttl_ms = 60000;
	change_set(w, "a", true);
	set_clock(w, 50000);
	size_t length = length_of(w);
	uint64_t id = head_of(w).id;
	compact(w);
	assert_true(length_of(w) == length && head_of(w).id == id);
	set_clock(w, -21000);
	compact(w);
	assert_true(head_of(w).id != id);
	world_pass(&w->world, 29000);
	assert_string_equal("a ", members_of(w, &w->set));
}

/* M3: its maker's clock was five minutes ahead, so that far more than the TTL seems to be left. */
SET_TEST(a_compaction_outlasts_the_ttl_by_no_clock, w) {
	w->set.ttl_ms = 60000;
	set_clock(w, 300000);
	change_set(w, "a", true);
	set_clock(w, -300000);
	uint64_t end_ms = head_of(w).end_ms;
	compact(w);
	assert_true(head_of(w).end_ms == end_ms);
	world_pass(&w->world, 63000);
	assert_string_equal("", members_of(w, &w->set));
}

/* Lets one of 64 KiB in and out again. */
static mcp_status let_pass(set_world *w, int number) {
	static char ops[70000];
	static char name[65536];
	memset(name, 'x', sizeof(name));
	name[0] = (char)('A' + number % 26);
	mcp_status status = MCP_OK;
	for (int is_remove = 0; status == MCP_OK && is_remove < 2; is_remove++) {
		const mcp_member_op op = {is_remove == 0, mcp_bytes_of(name, sizeof(name))};
		mcp_bytes of_op = mcp_bytes_of(ops, (size_t)(mcp_member_op_write(&op, ops) - ops));
		status = is_remove == 0 ? mcp_member_set_add(&w->set, 0, of_op)
								: mcp_member_set_remove(&w->set, 0, of_op);
	}
	return status;
}

static void fill_with_the_dead(set_world *w) {
	for (int i = 0; i < 40; i++) {
		assert_int_equal(MCP_OK, let_pass(w, i));
	}
}

/* M4: full of what is of no use, and over by this host's clock: the set begins anew. */
SET_TEST(what_is_full_and_over_is_not_called_full, w) {
	w->set.ttl_ms = 60000;
	change_set(w, "a", true);
	set_clock(w, 70000);
	fill_with_the_dead(w);
	assert_int_equal(MCP_OK, change_set(w, "b", true));
	assert_string_equal("b ", members_of(w, &w->set));
	assert_true(head_of(w).end_ms > w->world.wall_ms);
}

static int open_set_world_that_tells(void **state) {
	int failed = open_set_world(state);
	((set_world *)*state)->world.tells_ttl_left = true;
	return failed;
}

#define TELLING_SET_TEST(name, w) \
	TEST_OF(set_world, name, w, open_set_world_that_tells, close_set_world)

/* M3: a reader 50 s ahead; and one of a set whose maker was five minutes ahead. */
TELLING_SET_TEST(a_reader_that_is_told_ends_and_prolongs_nothing, w) {
	static const int64_t ahead_ms[][2] = {{0, 50000}, {300000, 0}, {0, 300000}, {-300000, 50000}};
	w->set.ttl_ms = 60000;
	for (size_t i = 0; i < sizeof(ahead_ms) / sizeof(*ahead_ms); i++) {
		w->world.ahead_ms = ahead_ms[i][0];
		change_set(w, "a", true);
		mcp_append_head made = head_of(w);
		world_pass(&w->world, 40000);
		w->world.ahead_ms = ahead_ms[i][1];
		compact(w);
		assert_true(head_of(w).id != made.id && head_of(w).end_ms == made.end_ms);
		world_pass(&w->world, 20000);
		assert_string_equal("a ", members_of(w, &w->set));
		world_pass(&w->world, 1000);
		assert_string_equal("", members_of(w, &w->set));
	}
}

/* M4: by its clock the set is over; by memcached's it is not. */
TELLING_SET_TEST(a_writer_that_is_told_empties_nothing, w) {
	static const int64_t ahead_ms[] = {50000, 300000, -300000};
	w->set.ttl_ms = 60000;
	for (size_t i = 0; i < sizeof(ahead_ms) / sizeof(*ahead_ms); i++) {
		w->world.ahead_ms = 0;
		change_set(w, "a", true);
		world_pass(&w->world, 20000);
		w->world.ahead_ms = ahead_ms[i];
		fill_with_the_dead(w);
		assert_int_equal(MCP_OK, change_set(w, "b", true));
		assert_string_equal("a b ", members_of(w, &w->set));
		world_pass(&w->world, 40000);
		assert_string_equal("a b ", members_of(w, &w->set));
		world_pass(&w->world, 1000);
		assert_string_equal("", members_of(w, &w->set));
	}
}

/* No TTL is as short as what is left then. */
TELLING_SET_TEST(a_full_set_in_its_last_second_begins_anew, w) {
	w->set.ttl_ms = 60000;
	change_set(w, "a", true);
	world_pass(&w->world, 60000);
	set_clock(w, -300000);
	fill_with_the_dead(w);
	assert_int_equal(MCP_OK, change_set(w, "b", true));
	assert_string_equal("b ", members_of(w, &w->set));
}

static uint64_t left_of(set_world *w, const mcp_member_set *set) {
	mcp_key_buffer buffer;
	mcp_key key = mcp_member_set_key(set, &buffer, 0);
	uint64_t left_ms;
	assert_int_equal(MCP_OK, mcp_store_ttl_left(w->world.memory, &key, &left_ms));
	return left_ms;
}

TELLING_SET_TEST(what_is_told_against_the_head_is_no_better_than_it, w) {
	mcp_key_buffer buffer;
	mcp_key key = mcp_member_set_key(&w->set, &buffer, 0);
	w->set.ttl_ms = 60000;
	change_set(w, "a", true);
	mcp_store_touch(w->set.store, &key, 0);
	assert_true(left_of(w, &w->set) == MCP_STORE_NO_END);
	compact(w);
	assert_true(left_of(w, &w->set) == 60000);
}

/* Such a TTL is a moment of the host's clock to memcached, and the end in the head is, too. */
TELLING_SET_TEST(more_than_thirty_days_are_left_to_the_head, w) {
	w->set.ttl_ms = 31ull * 24 * 60 * 60 * 1000;
	change_set(w, "a", true);
	uint64_t id = head_of(w).id;
	set_clock(w, 50000);
	compact(w);
	assert_true(head_of(w).id != id);
	assert_in_range(left_of(w, &w->set), w->set.ttl_ms - 50000, w->set.ttl_ms - 48000);
}

/* Reads and changes ask for nothing; nor does a compaction where there is no end. */
TELLING_SET_TEST(only_a_compaction_asks_what_is_left, w) {
	for (int has_ttl = 0; has_ttl < 2; has_ttl++) {
		w->set.ttl_ms = has_ttl ? 60000 : 0;
		world_remove(&w->world, "set:ids:0");
		world_watch(&w->world, 0, WORLD_SOUND);
		change_set(w, "a", true);
		change_set(w, "b", true);
		change_set(w, "a", false);
		members_of(w, &w->set);
		assert_int_equal(5, w->world.calls);
		compact(w);
		assert_int_equal(has_ttl ? 8 : 7, w->world.calls);
	}
}

/* A remove is refused, for the item is full: the third call reads it, the fourth asks. Nothing is unknown then. */
TELLING_SET_TEST(who_is_not_told_for_a_failure_changes_nothing, w) {
	w->set.ttl_ms = 60000;
	change_set(w, "a", true);
	mcp_status status = MCP_OK;
	for (int i = 0; i < 40 && status == MCP_OK; i++) {
		world_watch(&w->world, 4, WORLD_REPLY_LOST);
		status = let_pass(w, i);
	}
	assert_int_equal(MCP_TIMEOUT, status);
	assert_int_equal(4, w->world.calls);
	assert_true(length_of(w) > 900000);
}

/* Passes time between the answer and the compaction, which counts, too. */
static void time_passes(test_world *world, unsigned call) {
	if (call == ((set_world *)world->actor)->at_call) {
		world_pass(world, 10000);
	}
}

TELLING_SET_TEST(looking_at_what_is_pruned_prolongs_nothing, w) {
	w->table.index.ttl_ms = 60000;
	put_row(w, "1", "row");
	mcp_key_buffer buffer;
	mcp_key key = mcp_member_set_key(&w->table.index, &buffer, 0);
	mcp_op reply;
	mcp_member_shard shard;
	world_watch(&w->world, 0, WORLD_SOUND);
	reply.status = mcp_store_get(w->set.store, &key, &reply.item);
	assert_int_equal(MCP_OK, mcp_member_set_parse(&reply, &shard));
	w->at_call = 4;
	w->world.before_call = time_passes;
	mcp_member_set_compact(&w->table.index, 0, &shard);
	assert_true(w->world.calls > 4);
	assert_int_equal(50000, left_of(w, &w->table.index));
}

SET_TEST(what_is_no_set_is_told, w) {
	world_put(&w->world, "set:ids:0", "no set at all", 0);
	assert_string_equal("foreign", members_of(w, &w->set));
	world_remove(&w->world, "set:ids:0");
	assert_int_equal(MCP_OK, change_set(w, "a", true));
	assert_string_equal("a ", members_of(w, &w->set));
}

/* M4: an item that is full of what has left is compacted by who finds no room. */
SET_TEST(no_change_is_refused_while_there_is_room_for_what_is_in, w) {
	fill_with_the_dead(w);
	assert_int_equal(MCP_OK, change_set(w, "a", true));
	assert_string_equal("a ", members_of(w, &w->set));
}
