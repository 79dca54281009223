/* A write that its process has given up may land when its server goes on: the process is not back there before, and
 * whoever cannot wait is. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "outage_world.h"

#include <string.h>

static outage_link *home_of(outage_world *w, size_t process) {
	return &w->processes[process].links[w->home];
}

static bool is_away(outage_world *w) {
	return mcp_store_is_away(w->processes[0].store, &w->key);
}

/* Gives a write of process 0 up, and changes the key elsewhere; its server answers others again. */
static void give_up_a_write(outage_world *w) {
	assert_int_equal(MCP_OK, outage_set(w, 0, "first"));
	outage_cut(w, 0, w->home);
	assert_int_equal(MCP_UNKNOWN, outage_set(w, 0, "late"));
	home_of(w, 0)->has_late_write = true;
	assert_int_equal(MCP_OK, outage_set(w, 0, "newer"));
	outage_heal(w, 0, w->home);
}

/* Writes as process 1 would have, which saw nothing. */
static void let_it_land(outage_world *w) {
	assert_int_equal(MCP_OK, outage_set(w, 1, "late"));
	home_of(w, 0)->has_late_write = false;
}

OUTAGE_TEST(a_server_is_away_until_the_late_write_has_landed, w) {
	give_up_a_write(w);
	outage_watch(w);
	for (int i = 0; i < 5; i++) {
		assert_string_equal("fresh newer", outage_look(w, 0));
		assert_int_equal(MCP_OK, outage_set(w, 0, "newer"));
		assert_true(is_away(w));
	}
	assert_int_equal(0, outage_calls(w, 0, w->home));
	let_it_land(w);
	assert_string_equal("nothing", outage_look(w, 0));
	assert_false(is_away(w));
	assert_int_equal(1, home_of(w, 0)->deletes);
}

/* It may also land on what no journal names: then it is old. */
OUTAGE_TEST(what_has_landed_is_old, w) {
	assert_int_equal(MCP_OK, outage_set(w, 0, "first"));
	outage_cut(w, 0, w->home);
	outage_look(w, 0);
	home_of(w, 0)->has_late_write = true;
	outage_heal(w, 0, w->home);
	outage_look(w, 0);
	assert_true(is_away(w));
	let_it_land(w);
	assert_string_equal("old late", outage_look(w, 0));
}

OUTAGE_TEST(a_read_asks_first_whether_the_server_answers, w) {
	give_up_a_write(w);
	outage_look(w, 0);
	home_of(w, 0)->has_late_write = false;
	outage_cut(w, 0, w->home);
	home_of(w, 0)->is_tripped = false;
	outage_watch(w);
	assert_string_equal("fresh newer", outage_look(w, 0));
	assert_int_equal(1, home_of(w, 0)->pings);
	assert_int_equal(1, outage_calls(w, 0, w->home));
	outage_heal(w, 0, w->home);
	outage_watch(w);
	outage_look(w, 0);
	assert_false(is_away(w));
	assert_int_equal(2, home_of(w, 0)->pings);
	/* The read, the start, the mark and its cas id, the journal's delete, and the look. */
	assert_int_equal(6, outage_calls(w, 0, w->home));
}

/* A Lock, say, over the same connection: nothing of a cache has failed. */
OUTAGE_TEST(a_late_write_of_another_user_of_the_connection_is_awaited, w) {
	assert_int_equal(MCP_OK, outage_set(w, 0, "first"));
	home_of(w, 0)->has_late_write = true;
	assert_string_equal("fresh first", outage_look(w, 0));
	home_of(w, 0)->breaks++;
	outage_watch(w);
	assert_string_equal("nothing", outage_look(w, 0));
	assert_true(is_away(w));
	assert_int_equal(0, outage_calls(w, 0, w->home));
	home_of(w, 0)->has_late_write = false;
	assert_string_equal("old first", outage_look(w, 0));
	assert_false(is_away(w));
}

/* Over what this process knows, as the copies of a Cache are kept beside its failover. */
OUTAGE_TEST(whoever_does_not_wait_is_back_at_once, w) {
	mcp_store *copies = mcp_failover_marks_create(w->processes[0].known, w->home, false);
	mcp_record record = {.body = mcp_bytes_of("copy", 4)};
	mcp_key_buffer buffer;
	mcp_key key = outage_key(w, &buffer, "copy");
	mcp_item item;
	mcp_failover_marks_aim(copies, &home_of(w, 0)->store);
	give_up_a_write(w);
	assert_string_equal("fresh newer", outage_look(w, 0));
	assert_int_equal(MCP_OK, mcp_store_set(copies, &key, &record));
	assert_int_equal(MCP_OK, mcp_store_get(copies, &key, &item));
	assert_false(item.is_suspect);
	assert_string_equal("fresh newer", outage_look(w, 0));
	assert_true(is_away(w));
	let_it_land(w);
	assert_string_equal("old late", outage_look(w, 0));
	assert_false(is_away(w));
	mcp_store_free(copies);
}

/* The keys were at another candidate meanwhile, and what the first stand-in has is from before. */
OUTAGE_TEST(a_stand_in_is_marked_again_when_another_has_failed, w) {
	outage_cut(w, 0, w->home);
	outage_cut(w, 0, w->other);
	outage_look(w, 0);
	assert_int_equal(MCP_OK, outage_set(w, 0, "first"));
	outage_heal(w, 0, w->other);
	assert_int_equal(MCP_OK, outage_set(w, 0, "newer"));
	assert_string_equal("fresh newer", outage_look(w, 0));
	outage_cut(w, 0, w->other);
	assert_string_equal("old first", outage_look(w, 0));
}
