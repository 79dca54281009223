/* Holds caches with two copies to D2 to D6 where a value is computed: who is elected, and what becomes of the result. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "copies_world.h"

/* D6, and the result is on both copies. */
WITH_COPIES(one_caller_computes_a_cold_key) {
	copies_world *c = *state;
	mcp_claim claim, late;
	assert_int_equal(MCP_VERDICT_ELECTED, outage_remember(c->w, 0, &claim));
	outage_remember(c->w, 1, &late);
	assert_true(late.is_overdue);
	assert_int_equal(MCP_OK, outage_publish(c->w, 0, &claim, "a"));
	copies_assert_both_have(c, "fresh a");
}

/* C3 with copies: what was elected before a change is not stored after it. */
WITH_COPIES(a_rebuild_begun_before_a_delete_is_refused) {
	copies_world *c = *state;
	mcp_claim claim;
	outage_set(c->w, 2, "a");
	mcp_cache_expire(&c->w->processes[2].cache, &c->w->key);
	assert_int_equal(MCP_VERDICT_ELECTED, outage_remember(c->w, 0, &claim));
	assert_int_equal(MCP_OK, outage_delete(c->w, 1));
	assert_int_not_equal(MCP_OK, outage_publish(c->w, 0, &claim, "b"));
	copies_assert_both_have(c, "nothing");
}

/* D2, D4: a process that saw nothing finds it as soon as it would compute. */
WITH_COPIES(an_election_finds_what_another_copy_has_newer) {
	copies_world *c = *state;
	mcp_claim claim;
	copies_leave_newer_on_the_other(c);
	assert_string_equal("old old", outage_look(c->w, 0));
	assert_int_equal(MCP_VERDICT_FRESH, outage_remember(c->w, 0, &claim));
	copies_assert_both_have(c, "fresh newer");
}

WITH_COPIES(an_election_finds_what_was_deleted_on_another_copy) {
	copies_world *c = *state;
	mcp_claim claim;
	copies_leave_newer_on_the_other(c);
	outage_cut(c->w, 2, c->w->home);
	assert_int_not_equal(MCP_OK, outage_delete(c->w, 2));
	assert_int_equal(MCP_VERDICT_ELECTED, outage_remember(c->w, 0, &claim));
	assert_string_equal("nothing", outage_look(c->w, 1));
	assert_int_equal(MCP_OK, outage_publish(c->w, 0, &claim, "computed"));
	outage_heal(c->w, 2, c->w->home);
	copies_assert_both_have(c, "fresh computed");
}

/* D2, D5, D7.3: it was elected before the newer one came. */
WITH_COPIES(a_result_is_refused_where_another_copy_has_something_newer) {
	copies_world *c = *state;
	mcp_claim claim;
	outage_set(c->w, 0, "old");
	mcp_cache_expire(&c->w->processes[0].cache, &c->w->key);
	assert_int_equal(MCP_VERDICT_ELECTED, outage_remember(c->w, 0, &claim));
	outage_cut(c->w, 2, c->w->home);
	outage_set(c->w, 2, "newer");
	assert_int_equal(MCP_NOT_STORED, outage_publish(c->w, 0, &claim, "computed"));
	assert_int_equal(1, c->w->processes[0].statistics.counts[MCP_COUNT_DISCARDED]);
	outage_heal(c->w, 2, c->w->home);
	copies_assert_both_have(c, "fresh newer");
}

/* D7.4, D7.5: else what that copy has would be put back over it. */
WITH_COPIES(a_result_comes_after_what_a_copy_out_of_reach_has) {
	copies_world *c = *state;
	mcp_claim claim;
	copies_leave_newer_on_the_other(c);
	c->w->clock.wall_ms += 10;
	outage_cut(c->w, 0, c->w->other);
	assert_int_equal(MCP_VERDICT_ELECTED, outage_remember(c->w, 0, &claim));
	assert_int_not_equal(MCP_OK, outage_publish(c->w, 0, &claim, "computed"));
	assert_string_equal("fresh computed", outage_look(c->w, 0));
	c->w->clock.wall_ms += OUTAGE_TTL_MS;
	assert_int_equal(MCP_VERDICT_ELECTED, outage_remember(c->w, 1, &claim));
	assert_string_equal("old computed", outage_look(c->w, 1));
}

/* D2, D3: what is put back takes the claim's place, and no other. */
WITH_COPIES(a_change_beside_an_election_stays) {
	copies_world *c = *state;
	mcp_claim claim;
	unsigned met = 0;
	for (unsigned i = 0; i < 12; i++) {
		bool is_set = i % 2 == 0;
		copies_leave_newer_on_the_other(c);
		copies_interleave(c, 0, c->w->home, i / 2,
			is_set ? copies_rival_sets : copies_rival_deletes);
		outage_remember(c->w, 0, &claim);
		if (copies_has_come(c)) {
			met++;
			copies_assert_both_have(c, is_set ? "fresh theirs" : "nothing");
		}
	}
	assert_true(met >= 6); /* reads, puts back, reads again */
}

/* D6: who has put a value back on copy 0 is elected there, as all others are. */
WITH_COPIES(who_repairs_is_elected_on_copy_0) {
	copies_world *c = *state;
	mcp_claim claim;
	outage_set(c->w, 0, "old");
	mcp_cache_expire(&c->w->processes[0].cache, &c->w->key);
	copies_lose(c, c->w->home);
	assert_int_equal(MCP_VERDICT_ELECTED, outage_remember(c->w, 0, &claim));
	assert_int_not_equal(MCP_VERDICT_ELECTED, outage_remember(c->w, 1, &claim));
}

/* D3, D7.8: a claim over the tombstone on the other copy says no less than that. */
WITH_COPIES(a_rebuild_begun_before_a_delete_is_refused_where_that_is_claimed) {
	copies_world *c = *state;
	mcp_claim claim, over_tombstone;
	outage_set(c->w, 0, "old");
	mcp_cache_expire(&c->w->processes[0].cache, &c->w->key);
	assert_int_equal(MCP_VERDICT_ELECTED, outage_remember(c->w, 0, &claim));
	outage_cut(c->w, 2, c->w->home);
	assert_int_not_equal(MCP_OK, outage_delete(c->w, 2));
	assert_int_equal(MCP_VERDICT_ELECTED, outage_remember(c->w, 2, &over_tombstone));
	outage_heal(c->w, 2, c->w->home);
	assert_int_equal(MCP_NOT_STORED, outage_publish(c->w, 0, &claim, "of before"));
	copies_assert_both_have(c, "nothing");
	assert_int_equal(MCP_OK, outage_publish(c->w, 2, &over_tombstone, "computed"));
	copies_assert_both_have(c, "fresh computed");
}

/* C3: a placeholder over a tombstone is a tombstone, and an expire forbids what is computed under it. */
WITH_COPIES(an_expire_forbids_what_is_computed_over_a_tombstone) {
	copies_world *c = *state;
	mcp_claim claim;
	outage_set(c->w, 0, "old");
	assert_int_equal(MCP_OK, outage_delete(c->w, 0));
	assert_int_equal(MCP_NOT_FOUND, mcp_cache_expire(&c->w->processes[1].cache, &c->w->key));
	assert_int_equal(MCP_VERDICT_ELECTED, outage_remember(c->w, 0, &claim));
	assert_int_equal(MCP_NOT_FOUND, mcp_cache_expire(&c->w->processes[1].cache, &c->w->key));
	assert_int_equal(MCP_NOT_STORED, outage_publish(c->w, 0, &claim, "of before"));
	assert_int_equal(MCP_VERDICT_ELECTED, outage_remember(c->w, 1, &claim));
	assert_int_equal(MCP_OK, outage_publish(c->w, 1, &claim, "computed"));
	copies_assert_both_have(c, "fresh computed");
}

/* D: what it hides was not acknowledged, and nobody is ever elected over it there: no result would be stored. */
WITH_COPIES(a_claim_left_on_another_copy_keeps_no_result_away) {
	copies_world *c = *state;
	mcp_claim claim;
	outage_set(c->w, 0, "old");
	mcp_cache_expire(&c->w->processes[0].cache, &c->w->key);
	outage_cut(c->w, 2, c->w->home);
	assert_int_not_equal(MCP_OK, outage_delete(c->w, 2));
	assert_int_equal(MCP_VERDICT_ELECTED, outage_remember(c->w, 2, &claim));
	outage_heal(c->w, 2, c->w->home);
	assert_int_equal(MCP_VERDICT_ELECTED, outage_remember(c->w, 0, &claim));
	assert_int_equal(MCP_OK, outage_publish(c->w, 0, &claim, "computed"));
	copies_assert_both_have(c, "fresh computed");
}

/* Comes when the delete of process 1 has reached copy 0, which process 0 could not reach when it was elected. */
static void result_is_stored_elsewhere(copies_world *c) {
	mcp_claim claim;
	c->w->clock.wall_ms += 100;
	assert_int_not_equal(MCP_OK, outage_publish(c->w, 0, &c->claim, "computed"));
	outage_remember(c->w, 2, &claim); /* puts back on copy 0 what another one has newer */
}

/* C3: a result is dated by its election, and deleted by who is later, though his clock is behind. */
WITH_COPIES(a_delete_ends_a_result_that_missed_copy_0) {
	copies_world *c = *state;
	outage_set(c->w, 0, "old");
	mcp_cache_expire(&c->w->processes[0].cache, &c->w->key);
	c->w->clock.wall_ms += 200;
	outage_cut(c->w, 0, c->w->home);
	assert_int_equal(MCP_VERDICT_ELECTED, outage_remember(c->w, 0, &c->claim));
	c->w->clock.wall_ms -= 100;
	copies_interleave(c, 1, c->w->other, 1, result_is_stored_elsewhere);
	assert_int_equal(MCP_OK, outage_delete(c->w, 1));
	assert_true(copies_has_come(c));
	copies_assert_both_have(c, "nothing");
}

/* Shows on copy 0, when a result has reached both copies, what was taken there before. */
static void sibling_is_there(copies_world *c) {
	mcp_store_set(c->w->servers[c->w->home], &c->w->key, &c->record);
}

/* D2: copy 0 was lost, the value of before was put back there, and expired: that did not come after the result. */
WITH_COPIES(a_result_is_not_acknowledged_beside_what_was_carried_on) {
	copies_world *c = *state;
	mcp_store *home = c->w->servers[c->w->home], *other = c->w->servers[c->w->other];
	mcp_claim claim;
	outage_set(c->w, 0, "old");
	c->w->clock.wall_ms += OUTAGE_TTL_MS;
	copies_take(c);
	char bytes[sizeof(c->bytes)];
	memcpy(bytes, c->bytes, sizeof(bytes));
	mcp_record before = c->record;
	before.head.data = bytes;
	mcp_cache_expire(&c->w->processes[0].cache, &c->w->key);
	copies_take(c);
	mcp_store_set(home, &c->w->key, &before);
	mcp_store_set(other, &c->w->key, &before);
	assert_int_equal(MCP_VERDICT_ELECTED, outage_remember(c->w, 1, &claim));
	copies_interleave(c, 1, c->w->home, 2, sibling_is_there); /* it is read, and swapped */
	assert_int_not_equal(MCP_OK, outage_publish(c->w, 1, &claim, "computed"));
	assert_true(copies_has_come(c));
	assert_string_equal("old old", outage_look(c->w, 0));
}
