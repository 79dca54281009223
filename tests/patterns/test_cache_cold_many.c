/* Holds many keys at once, cold ones among them, to C4 and C12: what one look at them elects, serves and leaves
 * to wait, and what is lost on the way. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "cold_world.h"

typedef struct many_look {
	mcp_cache_entry entries[KEYS];
	mcp_op replies[2 * KEYS];
	mcp_key scratch_keys[2 * KEYS];
	mcp_key_buffer side_buffers[KEYS];
	mcp_next_action steps[KEYS];
} many_look;

static void look_at_many(cold_fixture *f, many_look *look, bool is_over) {
	mcp_remember remember = cold_asking(0);
	mcp_cache_batch batch = {
		.keys = f->keys,
		.count = KEYS,
		.entries = look->entries,
		.replies = look->replies,
		.scratch_keys = look->scratch_keys,
		.side_buffers = look->side_buffers,
	};
	mcp_cache_remember_many(&f->cache, &batch, &remember, NULL, is_over, look->steps);
}

/* Prepares k: absent, l: fresh, m: old, n: cold and claimed by another. */
static void prepare_four(cold_fixture *f) {
	cold_put(f, 2, "old");
	world_pass(&f->world, TTL_MS);
	cold_put(f, 1, "fresh");
	mcp_remember remember = cold_asking(0);
	mcp_cache_entry entry;
	mcp_cache_remember(&f->cache, &f->keys[3], &remember, &entry);
	memset(&f->statistics, 0, sizeof(f->statistics));
}

COLD_TEST(one_look_at_many_elects_serves_and_waits_key_by_key) {
	cold_fixture *f = *state;
	many_look look;
	prepare_four(f);
	world_watch(&f->world, 0, WORLD_SOUND);
	look_at_many(f, &look, false);
	assert_int_equal(1 + 2, f->world.calls); /* all four at once, and one for each election */
	assert_int_equal(MCP_VERDICT_ELECTED, look.entries[0].verdict);
	assert_int_equal(MCP_VERDICT_FRESH, look.entries[1].verdict);
	assert_int_equal(MCP_VERDICT_ELECTED, look.entries[2].verdict);
	assert_true(look.entries[2].has_value);
	assert_int_equal(MCP_REMEMBER_DONE, look.steps[0]);
	assert_int_equal(MCP_REMEMBER_DONE, look.steps[1]);
	assert_int_equal(MCP_REMEMBER_DONE, look.steps[2]);
	assert_int_equal(MCP_REMEMBER_WAIT, look.steps[3]);
	/* The values read before the elections are still what they were. */
	assert_true(mcp_bytes_equal(look.entries[1].payload, mcp_bytes_of("fresh", 5)));
	assert_true(mcp_bytes_equal(look.entries[2].payload, mcp_bytes_of("old", 3)));
	assert_int_equal(2, f->statistics.counts[MCP_COUNT_ELECTIONS]);
	assert_int_equal(1, f->statistics.counts[MCP_COUNT_HITS]);
	look_at_many(f, &look, true);
	assert_int_equal(MCP_REMEMBER_DONE, look.steps[3]);
	assert_true(look.entries[3].claim.is_overdue);
}

/* An answer that does not come is not read back, because that would end the other entries' views. */
COLD_TEST(a_lost_claim_among_many_leaves_the_views_alone) {
	cold_fixture *f = *state;
	many_look look;
	prepare_four(f);
	world_watch(&f->world, 3, WORLD_REPLY_LOST);
	look_at_many(f, &look, false);
	assert_int_equal(3, f->world.calls);
	assert_int_equal(MCP_VERDICT_BUSY, look.entries[2].verdict);
	assert_true(mcp_bytes_equal(look.entries[2].payload, mcp_bytes_of("old", 3)));
	world_watch(&f->world, 1, WORLD_REPLY_LOST);
	look_at_many(f, &look, false);
	assert_true(look.entries[3].trouble != MCP_OK);
	assert_int_equal(MCP_REMEMBER_DONE, look.steps[3]);
}

/* As behind a proxy. The old values are none of this caller's answers while nobody computes them: it looks again. */
COLD_TEST(claims_of_many_that_were_kept_back_are_made_again) {
	cold_fixture *f = *state;
	many_look look;
	prepare_four(f);
	world_prove(&f->world);
	world_watch(&f->world, 2, WORLD_KEPT_BACK);
	look_at_many(f, &look, false);
	assert_int_equal(MCP_REMEMBER_DONE, look.steps[0]);
	assert_int_equal(MCP_REMEMBER_AGAIN, look.steps[2]);
	look_at_many(f, &look, false);
	assert_int_equal(MCP_REMEMBER_DONE, look.steps[2]);
	assert_int_equal(MCP_VERDICT_ELECTED, look.entries[2].verdict);
}

/* Puts all in the same order as before, so that the cas ids are the same ones, too. */
static void put_all(cold_fixture *f, const char *text) {
	for (int i = 0; i < KEYS; i++) {
		cold_put(f, i, text);
	}
}

static void restart_before_the_second_call(test_world *world, unsigned call) {
	if (call == 2) {
		world_restart(world);
		put_all(world->actor, "new");
	}
}

static void look_while_the_server_restarts(cold_fixture *f, many_look *look) {
	f->world.before_call = restart_before_the_second_call;
	world_watch(&f->world, 2, WORLD_REQUEST_LOST);
	look_at_many(f, look, false);
	f->world.before_call = NULL;
	assert_int_equal(2, f->world.calls);
}

static void assert_all_new(cold_fixture *f) {
	for (int i = 0; i < KEYS; i++) {
		mcp_cache_read(&f->cache, &f->keys[i], &f->entry);
		assert_int_equal(MCP_VERDICT_FRESH, f->entry.verdict);
		assert_true(mcp_bytes_equal(f->entry.payload, mcp_bytes_of("new", 3)));
	}
}

/* The first election breaks the old connection; the others would go over a new one with old ids. */
COLD_TEST(after_a_restart_nobody_of_many_is_elected_on_old_ids) {
	cold_fixture *f = *state;
	many_look look;
	put_all(f, "old");
	world_pass(&f->world, TTL_MS);
	look_while_the_server_restarts(f, &look);
	for (int i = 0; i < KEYS; i++) {
		assert_int_equal(MCP_REMEMBER_DONE, look.steps[i]);
		assert_int_equal(MCP_VERDICT_BUSY, look.entries[i].verdict);
		assert_true(mcp_bytes_equal(look.entries[i].payload, mcp_bytes_of("old", 3)));
	}
	assert_all_new(f);
}

COLD_TEST(after_a_restart_no_placeholder_of_many_is_written_on_old_ids) {
	cold_fixture *f = *state;
	many_look look;
	put_all(f, "dead");
	world_pass(&f->world, 2 * TTL_MS);
	look_while_the_server_restarts(f, &look);
	assert_int_equal(MCP_REMEMBER_DONE, look.steps[0]);
	assert_int_equal(MCP_VERDICT_MISS, look.entries[0].verdict);
	for (int i = 1; i < KEYS; i++) {
		assert_int_equal(MCP_REMEMBER_AGAIN, look.steps[i]);
	}
	assert_all_new(f);
	look_at_many(f, &look, false);
	assert_int_equal(MCP_VERDICT_FRESH, look.entries[1].verdict);
}
