/* A server that goes away more than once: what the first outage left on the server that stands in again (F7). */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "outage_world.h"

/* F7: who has heard the home since then knows that it is of an earlier outage. */
OUTAGE_TEST(a_second_outage_finds_nothing_of_the_first, w) {
	outage_take_home_away(w);
	outage_set(w, 0, "first");
	world_pass(&w->clock, 1);
	outage_bring_home_back(w);
	assert_int_equal(MCP_OK, outage_delete(w, 0));
	outage_cut_all(w, w->home);
	assert_string_equal("nothing", outage_look(w, 0));
	assert_string_equal("nothing", outage_look(w, 1));
	assert_string_equal("old first", outage_look(w, 2));
}

OUTAGE_TEST(what_no_caller_is_shown_is_computed_anew, w) {
	mcp_claim claim;
	outage_take_home_away(w);
	outage_set(w, 0, "first");
	world_pass(&w->clock, 1);
	outage_bring_home_back(w);
	outage_cut_all(w, w->home);
	assert_int_equal(MCP_VERDICT_ELECTED, outage_remember(w, 0, &claim));
	assert_string_equal("nothing", outage_look(w, 2));
	assert_int_equal(MCP_OK, outage_publish(w, 0, &claim, "second"));
	assert_string_equal("fresh second", outage_look(w, 0));
}

/* A call in vain, and a way back that fails, are no answers: what was stored in this outage is old, not absent. */
OUTAGE_TEST(a_late_process_finds_this_outages_values_old, w) {
	w->processes[1].links[w->other].tells_no_start = true;
	outage_look(w, 1);
	world_pass(&w->clock, 1);
	outage_cut_all(w, w->home);
	outage_set(w, 0, "a");
	assert_int_equal(MCP_OK, outage_set(w, 0, "a"));
	world_pass(&w->clock, 1);
	assert_string_equal("old a", outage_look(w, 1));
	outage_delete(w, 1);
	outage_set(w, 0, "b");
	world_pass(&w->clock, 1);
	outage_heal(w, 1, w->home);
	w->processes[1].links[w->home].cut_after = 4; /* after its mark */
	assert_string_equal("fresh b", outage_look(w, 1));
	w->processes[1].links[w->other].fault = OUTAGE_BREAK;
	assert_string_equal("old b", outage_look(w, 1));
}

OUTAGE_TEST(the_child_of_a_fork_knows_when_its_parent_heard_the_home, w) {
	outage_take_home_away(w);
	outage_set(w, 0, "first");
	world_pass(&w->clock, 1);
	outage_bring_home_back(w);
	mcp_server_health_forget(w->processes[0].known, 77);
	assert_int_equal(0, w->processes[0].known->outages);
	outage_cut_all(w, w->home);
	assert_string_equal("nothing", outage_look(w, 0));
}

/* F3: at the third server it may have missed what was changed on the second one in between. */
OUTAGE_TEST(a_server_that_stands_in_again_is_marked_again, w) {
	outage_look(w, 0);
	outage_cut(w, 0, w->home);
	outage_look(w, 0);
	outage_cut(w, 0, w->other);
	outage_look(w, 0);
	assert_int_equal(MCP_OK, outage_set(w, 0, "at the third"));
	outage_heal(w, 0, w->other);
	assert_int_equal(MCP_OK, outage_set(w, 0, "at the second"));
	outage_cut(w, 0, w->other);
	assert_string_equal("old at the third", outage_look(w, 0));
}
