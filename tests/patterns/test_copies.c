/* Holds caches with two copies to D1 to D4: what a loss, an outage, and a rival in the middle of a change leave of a
 * key on its two servers. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "copies_world.h"

WITH_COPIES(each_costs_the_round_trips_that_the_docs_say) {
	copies_world *c = *state;
	outage_watch(c->w);
	outage_look(c->w, 0);
	assert_int_equal(2, copies_calls(c, 0));
	outage_watch(c->w);
	assert_int_equal(MCP_OK, outage_set(c->w, 0, "a"));
	assert_int_equal(5, copies_calls(c, 0));
	outage_watch(c->w);
	assert_string_equal("fresh a", outage_look(c->w, 0));
	assert_int_equal(1, copies_calls(c, 0));
	outage_watch(c->w);
	assert_int_equal(MCP_OK, outage_delete(c->w, 0));
	assert_int_equal(5, copies_calls(c, 0));
}

/* D2, D5 */
WITH_COPIES(a_value_outlives_the_loss_of_either_copy) {
	copies_world *c = *state;
	outage_set(c->w, 0, "a");
	assert_true(copies_has(c, c->w->home) && copies_has(c, c->w->other) &&
		!copies_has(c, c->w->third));
	copies_assert_both_have(c, "fresh a");
}

WITH_COPIES(a_read_puts_back_what_copy_0_has_lost) {
	copies_world *c = *state;
	outage_set(c->w, 0, "a");
	copies_lose(c, c->w->home);
	assert_string_equal("fresh a", outage_look(c->w, 1));
	assert_true(copies_has(c, c->w->home));
	copies_lose(c, c->w->other);
	assert_string_equal("fresh a", outage_look(c->w, 1));
}

/* D3 */
WITH_COPIES(what_was_deleted_does_not_come_back) {
	copies_world *c = *state;
	outage_set(c->w, 0, "a");
	assert_int_equal(MCP_OK, outage_delete(c->w, 0));
	copies_assert_both_have(c, "nothing");
}

/* D3 */
WITH_COPIES(what_finds_no_memory_for_its_tombstones_is_deleted) {
	copies_world *c = *state;
	size_t places[] = {c->w->home, c->w->other};
	for (int full = 1; full < 4; full++) {
		outage_set(c->w, 0, "a");
		for (int i = 0; i < 2; i++) {
			c->w->processes[0].links[places[i]].has_no_memory = (full >> i & 1) != 0;
		}
		assert_int_equal(MCP_OK, outage_delete(c->w, 0));
		assert_string_equal("nothing", outage_look(c->w, 2));
		for (int i = 0; i < 2; i++) {
			assert_int_equal((full >> i & 1) == 0, copies_has(c, places[i])); /* its tombstone */
		}
		assert_int_equal(MCP_OK, outage_delete(c->w, 0)); /* nothing is there */
		copies_lose(c, c->w->home);
		assert_string_equal("nothing", outage_look(c->w, 2));
	}
}

/* D2: wherever it comes in between, what was deleted is not what another caller has set behind that. */
WITH_COPIES(what_came_since_is_not_deleted_for_a_tombstone) {
	copies_world *c = *state;
	for (unsigned waits = 0; waits < 6; waits++) {
		outage_set(c->w, 2, "before");
		c->w->processes[0].links[c->w->home].has_no_memory = true;
		copies_interleave(c, 0, c->w->home, waits, copies_rival_sets);
		assert_int_equal(MCP_OK, outage_delete(c->w, 0));
		copies_has_come(c);
		c->w->processes[0].links[c->w->home].has_no_memory = false;
		const char *shown = outage_look(c->w, 2);
		bool is_theirs = strcmp(shown, "fresh theirs") == 0;
		assert_true(is_theirs || strcmp(shown, "nothing") == 0);
		if (is_theirs) {
			copies_assert_both_have(c, shown);
		}
		copies_lose(c, c->w->home);
		assert_string_equal(is_theirs ? "fresh theirs" : "nothing", outage_look(c->w, 2));
	}
}

/* D2, D7.1: true is told only of what all copies have. */
WITH_COPIES(a_write_that_misses_a_copy_is_not_acknowledged) {
	copies_world *c = *state;
	outage_set(c->w, 0, "a");
	outage_cut(c->w, 0, c->w->other);
	assert_int_not_equal(MCP_OK, outage_set(c->w, 0, "b"));
	assert_int_not_equal(MCP_OK, outage_delete(c->w, 0));
	outage_cut(c->w, 0, c->w->home);
	assert_int_not_equal(MCP_OK, outage_set(c->w, 0, "c"));
	assert_string_equal("nothing", outage_look(c->w, 0));
}

/* D4 */
WITH_COPIES(a_copy_that_returns_is_compared_by_who_saw_it_go) {
	copies_world *c = *state;
	outage_set(c->w, 0, "a");
	outage_look(c->w, 1);
	outage_cut(c->w, 0, c->w->home);
	outage_cut(c->w, 1, c->w->home);
	assert_int_not_equal(MCP_OK, outage_set(c->w, 0, "b"));
	assert_string_equal("fresh b", outage_look(c->w, 1));
	outage_heal(c->w, 0, c->w->home);
	outage_heal(c->w, 1, c->w->home);
	assert_string_equal("fresh b", outage_look(c->w, 0));
	assert_string_equal("fresh b", outage_look(c->w, 1));
	assert_string_equal("fresh a", outage_look(c->w, 2));
	assert_int_equal(MCP_OK, outage_set(c->w, 1, "c"));
	copies_assert_both_have(c, "fresh c");
}

/* D1, D2: wherever the other comes in between, one of the two is on both copies in the end. */
WITH_COPIES(two_changes_at_once_leave_one_version) {
	copies_world *c = *state;
	unsigned met = 0;
	size_t places[] = {c->w->home, c->w->other};
	for (unsigned i = 0; i < 16; i++) {
		bool is_set = i % 2 == 0;
		const char *theirs = is_set ? "fresh theirs" : "nothing";
		outage_set(c->w, 2, "before");
		copies_interleave(c, 0, places[i / 2 % 2], i / 4,
			is_set ? copies_rival_sets : copies_rival_deletes);
		assert_int_equal(MCP_OK, outage_set(c->w, 0, "mine"));
		met += copies_has_come(c);
		const char *shown = outage_look(c->w, 2);
		bool is_mine = strcmp(shown, "fresh mine") == 0;
		assert_true(is_mine || strcmp(shown, theirs) == 0);
		copies_assert_both_have(c, is_mine ? "fresh mine" : theirs);
	}
	assert_true(met >= 8);
}

/* D2: else each change of it would be false until somebody overwrites it. */
WITH_COPIES(a_change_is_made_of_what_another_copy_has_newer) {
	copies_world *c = *state;
	mcp_cache_value value = outage_value("changed");
	copies_leave_newer_on_the_other(c);
	assert_int_equal(MCP_OK, mcp_cache_replace(&c->w->processes[0].cache, &c->w->key, &value));
	copies_assert_both_have(c, "fresh changed");
}

/* Comes when the delete of process 1 has reached copy 0: that is lost, and process 0 changes what it finds. */
static void old_value_is_carried(copies_world *c) {
	copies_lose(c, c->w->home);
	c->w->clock.wall_ms += 10;
	mcp_cache_expire(&c->w->processes[0].cache, &c->w->key);
}

/* D3: the value that the expire stored anew is older than the delete, whatever their clocks show. */
WITH_COPIES(a_delete_ends_what_was_carried_on_meanwhile) {
	copies_world *c = *state;
	outage_set(c->w, 0, "old");
	copies_interleave(c, 1, c->w->other, 1, old_value_is_carried);
	assert_int_equal(MCP_OK, outage_delete(c->w, 1));
	assert_true(copies_has_come(c));
	copies_assert_both_have(c, "nothing");
}

/* Comes before copy 0 is written again: a process that reaches copy 0 alone changes what was put back there. */
static void what_was_put_back_is_changed(copies_world *c) {
	outage_cut(c->w, 2, c->w->other);
	c->w->clock.wall_ms += 10;
	assert_int_not_equal(MCP_OK, mcp_cache_expire(&c->w->processes[2].cache, &c->w->key));
	outage_heal(c->w, 2, c->w->other);
}

/* Comes before the last look of a set: copy 0 is lost, and somebody puts back what was there before. */
static void what_was_before_is_put_back(copies_world *c) {
	copies_lose(c, c->w->home);
	assert_int_equal(MCP_OK, mcp_store_set(c->w->servers[c->w->home], &c->w->key, &c->record));
	copies_interleave(c, 0, c->w->home, 0, what_was_put_back_is_changed);
}

/* D2: the change is newer than the set, and what it was made of is not. */
WITH_COPIES(a_set_ends_what_was_put_back_and_changed) {
	copies_world *c = *state;
	assert_int_equal(MCP_OK, outage_set(c->w, 0, "before"));
	copies_take(c);
	copies_interleave(c, 0, c->w->home, 2, what_was_before_is_put_back);
	assert_int_equal(MCP_OK, outage_set(c->w, 0, "set"));
	assert_true(copies_has_come(c));
	copies_assert_both_have(c, "fresh set");
}

/* D: what another client stored on copy 0 has no place in the order. */
WITH_COPIES(what_is_no_envelope_is_never_repaired) {
	copies_world *c = *state;
	mcp_record theirs = {.head = mcp_bytes_of("theirs", 6)};
	mcp_item item;
	outage_set(c->w, 0, "ours");
	mcp_store_set(c->w->servers[c->w->home], &c->w->key, &theirs);
	assert_string_equal("fresh ours", outage_look(c->w, 1));
	assert_int_equal(MCP_OK, mcp_store_get(c->w->servers[c->w->home], &c->w->key, &item));
	assert_true(mcp_bytes_equal(item.value, theirs.head));
}
