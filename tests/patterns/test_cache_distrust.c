/* Holds values that one caller cannot decode to C1, C3, C9 and C12: it computes them by election, while
 * the value stays for whoever can, and in the rounds of many keys they are waited for like any other. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "cache_world.h"

#define WAIT_MS 2500u

/* Makes the question of this host after it could not decode the value that is there. */
static mcp_remember distrusting(cache_world *w) {
	mcp_remember remember = cache_asking(WAIT_MS);
	mcp_cache_entry entry;
	mcp_cache_read(&w->cache, &w->key, &entry);
	remember.distrust = mcp_cache_value_id_of(&entry);
	return remember;
}

static mcp_status publish(cache_world *w, const char *text) {
	mcp_cache_value value = text_value(text);
	return mcp_cache_publish(&w->cache, &w->key, &w->entry.claim, &value);
}

CACHE_TEST(it_is_computed_by_one_and_the_next_value_is_believed, w) {
	put_text(w, "undecodable");
	mcp_remember remember = distrusting(w);
	assert_int_equal(MCP_VERDICT_ELECTED, cache_ask(w, remember));
	assert_int_equal(MCP_OK, publish(w, "good"));
	assert_int_equal(MCP_VERDICT_FRESH, cache_ask(w, remember));
	assert_string_equal("good", shown(w));
}

CACHE_TEST(it_stays_for_those_who_can_decode_it, w) {
	put_text(w, "decodable elsewhere");
	mcp_envelope before = stored_envelope(w);
	assert_int_equal(MCP_VERDICT_ELECTED, cache_ask(w, distrusting(w)));
	assert_false(w->entry.has_value);
	assert_string_equal("decodable elsewhere", shown(w));
	mcp_envelope after = stored_envelope(w);
	assert_true(after.has_claim);
	assert_int_equal(before.soft_ms, after.soft_ms);
	assert_int_equal(before.hard_ms, after.hard_ms);
	assert_int_equal(before.value_election, after.value_election);
}

CACHE_TEST(it_stays_when_the_computation_fails, w) {
	put_text(w, "decodable elsewhere");
	cache_ask(w, distrusting(w));
	assert_int_equal(MCP_OK, mcp_cache_abandon(&w->cache, &w->key, &w->entry.claim, true));
	assert_string_equal("decodable elsewhere", shown(w));
	assert_int_equal(1, stored_envelope(w).failures);
	assert_false(stored_envelope(w).has_claim);
}

CACHE_TEST(an_old_one_stays_too, w) {
	put_old(w, "decodable elsewhere");
	assert_int_equal(MCP_VERDICT_ELECTED, cache_ask(w, distrusting(w)));
	mcp_cache_lookup(&w->rival, &w->key, &w->rival_entry);
	assert_int_equal(MCP_VERDICT_BUSY, w->rival_entry.verdict);
	assert_true(w->rival_entry.has_value);
}

CACHE_TEST(a_claim_without_an_answer_is_found_again, w) {
	put_text(w, "decodable elsewhere");
	mcp_remember remember = distrusting(w);
	disturb(w, 2, WORLD_REPLY_LOST);
	assert_int_equal(MCP_VERDICT_ELECTED, cache_ask(w, remember));
	assert_false(w->entry.has_value);
	assert_false(w->entry.claim.is_overdue);
	assert_string_equal("decodable elsewhere", shown(w));
	assert_int_equal(MCP_OK, publish(w, "good"));
}

/* --- waited for too long --- */

static mcp_claim be_overdue(cache_world *w) {
	rival_is_elected(w);
	assert_int_equal(MCP_VERDICT_ELECTED, w->rival_entry.verdict);
	assert_int_equal(MCP_VERDICT_ELECTED, cache_ask(w, distrusting(w)));
	assert_true(w->entry.claim.is_overdue);
	assert_string_equal("undecodable", shown(w));
	return w->entry.claim;
}

CACHE_TEST(overdue_callers_store_over_the_value_they_distrust, w) {
	put_old(w, "undecodable");
	be_overdue(w);
	assert_int_equal(MCP_OK, publish(w, "good"));
	assert_string_equal("good", shown(w));
	/* The one they waited for comes too late. */
	mcp_cache_value value = text_value("rival's");
	assert_int_equal(MCP_NOT_STORED,
		mcp_cache_publish(&w->rival, &w->key, &w->rival_claim, &value));
}

CACHE_TEST(overdue_callers_store_over_no_other_value, w) {
	put_old(w, "undecodable");
	be_overdue(w);
	mcp_cache_value value = text_value("rival's");
	mcp_cache_publish(&w->rival, &w->key, &w->rival_claim, &value);
	assert_int_equal(MCP_NOT_STORED, publish(w, "late"));
	assert_string_equal("rival's", shown(w));
	/* Nor over one by an election before the one that was waited for. */
	put_old(w, "undecodable");
	mcp_claim slow = be_elected(w);
	world_pass(&w->world, LEASE_MS);
	be_overdue(w);
	assert_int_equal(MCP_OK, mcp_cache_publish(&w->rival, &w->key, &slow, &value));
	assert_int_equal(MCP_NOT_STORED, publish(w, "late"));
	put_old(w, "undecodable");
	be_overdue(w);
	rival_expires(w); /* the same bytes, and another epoch */
	assert_int_equal(MCP_NOT_STORED, publish(w, "late"));
}

/* A value of the same epoch by a later election is another one: its readers may trust it. */
CACHE_TEST(overdue_callers_know_values_by_their_election, w) {
	put_old(w, "undecodable");
	mcp_remember remember = distrusting(w);
	rival_publishes(w);
	world_pass(&w->world, TTL_MS);
	rival_is_elected(w);
	assert_int_equal(MCP_VERDICT_BUSY, cache_ask(w, remember));
	assert_true(w->entry.has_value);
}

/* --- many --- */

#define KEYS 3

typedef struct many_keys {
	mcp_key_buffer buffers[KEYS], side_buffers[KEYS];
	mcp_key keys[KEYS], scratch_keys[2 * KEYS];
	mcp_cache_entry entries[KEYS];
	mcp_op replies[2 * KEYS];
	mcp_next_action steps[KEYS];
	mcp_value_id distrusts[KEYS];
} many_keys;

static mcp_cache_batch batch_of(many_keys *many) {
	return (mcp_cache_batch){many->keys, KEYS, many->entries, many->replies, many->scratch_keys,
		many->side_buffers, NULL, NULL};
}

/* Puts three fresh values, the middle one of which this host cannot decode. */
static void put_many(cache_world *w, many_keys *many) {
	static const char *const names[KEYS] = {"a", "b", "c"};
	mcp_cache_value value = text_value("decodable elsewhere");
	memset(many, 0, sizeof(*many));
	for (int i = 0; i < KEYS; i++) {
		many->keys[i] = world_key(&many->buffers[i], MCP_SPACE_CACHE, names[i]);
		mcp_cache_set(&w->rival, &many->keys[i], &value);
	}
	mcp_cache_batch batch = batch_of(many);
	mcp_cache_read_many(&w->cache, &batch);
	many->distrusts[1] = mcp_cache_value_id_of(&many->entries[1]);
}

static void look(cache_world *w, many_keys *many, bool is_over) {
	mcp_cache_batch batch = batch_of(many);
	mcp_remember remember = cache_asking(WAIT_MS);
	mcp_cache_remember_many(&w->cache, &batch, &remember, many->distrusts, is_over, many->steps);
}

CACHE_TEST(of_many_only_the_distrusted_one_is_elected_for, w) {
	many_keys many;
	put_many(w, &many);
	world_watch(&w->world, 0, WORLD_SOUND);
	look(w, &many, false);
	assert_int_equal(2, w->world.calls);
	assert_int_equal(MCP_VERDICT_FRESH, many.entries[0].verdict);
	assert_int_equal(MCP_VERDICT_ELECTED, many.entries[1].verdict);
	assert_int_equal(MCP_VERDICT_FRESH, many.entries[2].verdict);
}

CACHE_TEST(of_many_a_claimed_one_is_waited_for_and_then_given_up, w) {
	many_keys many;
	put_many(w, &many);
	mcp_remember rivals = cache_asking(WAIT_MS);
	rivals.distrust = many.distrusts[1];
	mcp_cache_remember(&w->rival, &many.keys[1], &rivals, &w->rival_entry);
	assert_int_equal(MCP_VERDICT_ELECTED, w->rival_entry.verdict);
	world_watch(&w->world, 0, WORLD_SOUND);
	look(w, &many, false);
	assert_int_equal(1, w->world.calls);
	assert_int_equal(0, w->world.sleeps);
	assert_int_equal(MCP_REMEMBER_WAIT, many.steps[1]);
	look(w, &many, true);
	assert_int_equal(MCP_REMEMBER_DONE, many.steps[1]);
	assert_true(many.entries[1].claim.is_overdue);
	mcp_cache_value value = text_value("good");
	assert_int_equal(MCP_OK,
		mcp_cache_publish(&w->cache, &many.keys[1], &many.entries[1].claim, &value));
	look(w, &many, true);
	assert_int_equal(MCP_VERDICT_FRESH, many.entries[1].verdict);
}
