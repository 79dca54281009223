/* Holds the table to B1 to B4: a row before its id, deaths and lost answers between the two, pruning beside puts, and
 * clearing what is damaged. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "set_world.h"

static const char *ids_of(set_world *w) {
	return members_of(w, &w->table.index);
}

SET_TEST(what_was_put_is_there_and_listed, w) {
	assert_int_equal(MCP_OK, put_row(w, "a", "1"));
	assert_int_equal(MCP_OK, put_row(w, "b", "2"));
	assert_int_equal(MCP_OK, put_row(w, "a", "3"));
	assert_string_equal("a b ", ids_of(w));
	assert_string_equal("3", row_of(w, "a"));
	assert_int_equal(MCP_OK, mcp_table_delete(&w->table, mcp_bytes_text("a")));
	assert_string_equal("b ", ids_of(w));
	assert_string_equal("", row_of(w, "a"));
	assert_int_equal(MCP_OK, mcp_table_delete(&w->table, mcp_bytes_text("never there")));
}

/* B3: a writer that dies between its two writes leaves a row that is not listed, and the next put lists it. */
SET_TEST(a_row_without_its_id_is_mended_by_the_next_put, w) {
	put_row(w, "b", "2");
	world_watch(&w->world, 2, WORLD_DOWN);
	assert_int_equal(MCP_UNREACHABLE, put_row(w, "a", "1"));
	w->world.is_down = false;
	world_watch(&w->world, 0, WORLD_SOUND);
	assert_string_equal("1", row_of(w, "a"));
	assert_string_equal("b ", ids_of(w));
	assert_int_equal(MCP_OK, put_row(w, "a", "2"));
	assert_string_equal("b a ", ids_of(w));
}

/* The id first, so that a death in between leaves a row that nobody lists. */
SET_TEST(a_delete_takes_the_id_before_the_row, w) {
	put_row(w, "a", "1");
	world_watch(&w->world, 2, WORLD_DOWN);
	assert_int_equal(MCP_UNREACHABLE, mcp_table_delete(&w->table, mcp_bytes_text("a")));
	w->world.is_down = false;
	world_watch(&w->world, 0, WORLD_SOUND);
	assert_string_equal("", ids_of(w));
	assert_string_equal("1", row_of(w, "a"));
	assert_int_equal(MCP_OK, mcp_table_delete(&w->table, mcp_bytes_text("a")));
	assert_string_equal("", row_of(w, "a"));
}

SET_TEST(an_update_loses_to_whoever_was_faster, w) {
	mcp_row row;
	put_row(w, "a", "1");
	assert_int_equal(MCP_OK, mcp_table_get(&w->table, mcp_bytes_text("a"), &row));
	uint64_t stamp = row.stamp;
	put_row(w, "a", "2");
	assert_int_equal(MCP_EXISTS,
		mcp_table_update(&w->table, mcp_bytes_text("a"), stamp, mcp_bytes_text("3"), 0));
	assert_string_equal("2", row_of(w, "a"));
	assert_int_equal(MCP_EXISTS,
		mcp_table_update(&w->table, mcp_bytes_text("a"), 0, mcp_bytes_text("3"), 0));
	assert_int_equal(MCP_OK,
		mcp_table_update(&w->table, mcp_bytes_text("new"), 0, mcp_bytes_text("4"), 0));
	assert_string_equal("a new ", ids_of(w));
}

/* The index is missing, but is there for each add. */
static void lose_index(test_world *world, unsigned call) {
	if (call > 2 && (call - 3) % 4 == 1) {
		world_put(world, "row:jobs::0", "x", 0);
	} else if (call > 2) {
		world_remove(world, "row:jobs::0");
	}
}

SET_TEST(an_update_that_is_stored_is_not_called_lost, w) {
	world_watch(&w->world, 0, WORLD_SOUND);
	w->world.before_call = lose_index;
	assert_int_equal(MCP_NOT_STORED,
		mcp_table_update(&w->table, mcp_bytes_text("a"), 0, mcp_bytes_text("1"), 0));
	w->world.before_call = NULL;
	assert_string_equal("1", row_of(w, "a"));
}

SET_TEST(pruning_drops_ids_whose_rows_are_gone, w) {
	w->table.ttl_ms = 10000;
	put_row(w, "short", "1");
	w->table.ttl_ms = 0;
	put_row(w, "long", "2");
	world_pass(&w->world, 13000);
	assert_string_equal("short long ", ids_of(w));
	mcp_table_tidy(&w->table);
	assert_string_equal("long ", ids_of(w));
}

static void another_puts(test_world *world, unsigned call) {
	set_world *w = world->actor;
	if (call == w->at_call) {
		assert_int_equal(MCP_OK, put_row(w, w->other, "2"));
	}
}

/* B4: wherever in between the row and its id come. */
SET_TEST(pruning_never_unlists_a_row_that_is_put_meanwhile, w) {
	for (unsigned call = 1; call <= 4; call++) {
		w->table.ttl_ms = 1000;
		put_row(w, "a", "1");
		w->table.ttl_ms = 0;
		world_pass(&w->world, 4000);
		w->other = "a";
		w->at_call = call;
		world_watch(&w->world, 0, WORLD_SOUND);
		w->world.before_call = another_puts;
		mcp_table_tidy(&w->table);
		w->world.before_call = NULL;
		assert_true(w->world.calls >= 3);
		if (call <= w->world.calls) {
			assert_string_equal("a ", ids_of(w));
			assert_string_equal("2", row_of(w, "a"));
		}
		mcp_table_delete(&w->table, mcp_bytes_text("a"));
	}
}

SET_TEST(a_put_and_a_delete_are_one_call_each_if_steps_are_taken, w) {
	world_take_steps(&w->world);
	put_row(w, "first", "0");
	world_watch(&w->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_OK, put_row(w, "a", "1"));
	assert_int_equal(1, w->world.calls);
	assert_string_equal("first a ", ids_of(w));
	assert_string_equal("1", row_of(w, "a"));
	world_watch(&w->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_OK, mcp_table_delete(&w->table, mcp_bytes_text("a")));
	assert_int_equal(1, w->world.calls);
	assert_string_equal("first ", ids_of(w));
	assert_string_equal("", row_of(w, "a"));
}

/* B2: the missing index refuses the removal, and a put lists its row before the second try. */
SET_TEST(a_delete_that_is_refused_deletes_what_is_put_meanwhile, w) {
	world_take_steps(&w->world);
	for (unsigned call = 1; call <= 4; call++) {
		w->other = "a";
		w->at_call = call;
		mcp_table_clear(&w->table);
		world_watch(&w->world, 0, WORLD_SOUND);
		w->world.before_call = another_puts;
		assert_int_equal(MCP_OK, mcp_table_delete(&w->table, mcp_bytes_text("a")));
		w->world.before_call = NULL;
		bool is_listed = ids_of(w)[0] == 'a';
		assert_true(is_listed || row_of(w, "a")[0] == '\0');
	}
}

SET_TEST(clear_takes_all_rows_away, w) {
	char id[16];
	for (int i = 0; i < 600; i++) {
		snprintf(id, sizeof(id), "%d", i);
		put_row(w, id, "row");
	}
	assert_int_equal(MCP_OK, mcp_table_clear(&w->table));
	assert_string_equal("", ids_of(w));
	assert_string_equal("", row_of(w, "0"));
	assert_string_equal("", row_of(w, "599"));
	assert_int_equal(MCP_OK, mcp_table_clear(&w->table));
}

/* An index that was appended to meanwhile is read again: no row is left that nobody lists. */
SET_TEST(clear_leaves_no_row_unlisted_that_is_put_meanwhile, w) {
	for (unsigned call = 1; call <= 4; call++) {
		put_row(w, "a", "1");
		w->other = "b";
		w->at_call = call;
		world_watch(&w->world, 0, WORLD_SOUND);
		w->world.before_call = another_puts;
		assert_int_equal(MCP_OK, mcp_table_clear(&w->table));
		w->world.before_call = NULL;
		assert_string_equal("", row_of(w, "a"));
		assert_string_equal(row_of(w, "b")[0] != 0 ? "b " : "", ids_of(w));
		mcp_table_clear(&w->table);
	}
}

SET_TEST(clear_takes_away_what_is_no_index, w) {
	put_row(w, "a", "1");
	world_put(&w->world, "row:jobs::0", "no index", 0);
	assert_string_equal("foreign", ids_of(w));
	assert_int_equal(MCP_OK, mcp_table_clear(&w->table));
	assert_string_equal("", ids_of(w));
	assert_int_equal(MCP_OK, put_row(w, "b", "2"));
	assert_string_equal("b ", ids_of(w));
}

SET_TEST(clear_tells_what_it_could_not_do, w) {
	put_row(w, "a", "1");
	world_watch(&w->world, 1, WORLD_DOWN);
	assert_int_equal(MCP_UNREACHABLE, mcp_table_clear(&w->table));
	w->world.is_down = false;
	world_watch(&w->world, 3, WORLD_REPLY_LOST);
	assert_int_equal(MCP_UNKNOWN, mcp_table_clear(&w->table));
}
