/* Holds what is stored after a look to V1 and V2: in the plain case, over each thing that may stand there by then, with
 * answers lost, and what each step costs. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "guarded_world.h"

GUARDED_TEST(a_miss_and_a_store_cost_two_calls_and_one, w) {
	world_prove(&w->world);
	world_watch(&w->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_VERDICT_MISS, look(w));
	assert_int_equal(2, w->world.calls);
	assert_int_equal(MCP_OK, store(w, "row"));
	assert_int_equal(3, w->world.calls);
	assert_string_equal("row", shown(w));
	assert_int_equal(MCP_OK, store(w, "row 2"));
	assert_int_equal(4, w->world.calls);
	assert_string_equal("row 2", shown(w));
}

GUARDED_TEST(a_store_without_a_proof_costs_two_calls, w) {
	look(w);
	world_watch(&w->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_OK, store(w, "row"));
	assert_int_equal(2, w->world.calls);
}

GUARDED_TEST(a_hit_costs_nothing_more_and_is_stored_over, w) {
	put_text(w, "old row");
	world_watch(&w->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_VERDICT_FRESH, look(w));
	assert_int_equal(1, w->world.calls);
	assert_int_equal(MCP_OK, store(w, "row"));
	assert_string_equal("row", shown(w));
}

/* V5.7 */
GUARDED_TEST(a_mark_is_nothing_to_all_others, w) {
	look(w);
	mcp_cache_entry entry;
	mcp_cache_lookup(&w->rival, &w->key, &entry);
	assert_int_equal(MCP_VERDICT_MISS, entry.verdict);
	assert_int_equal(MCP_NOT_FOUND,
		mcp_cache_touch(&w->rival, &w->key, (mcp_lifetime){.ttl_ms = TTL_MS}));
	int64_t number;
	assert_int_equal(MCP_NOT_FOUND, mcp_cache_increment(&w->rival, &w->key, 1, &number));
	mcp_cache_value value = text_value("added");
	assert_int_equal(MCP_NOT_STORED, mcp_cache_replace(&w->rival, &w->key, &value));
	assert_int_equal(MCP_OK, mcp_cache_add(&w->rival, &w->key, &value));
	assert_string_equal("added", shown(w));
}

/* V6.7 */
GUARDED_TEST(a_pull_takes_the_mark_away, w) {
	mcp_cache_entry entry;
	look(w);
	assert_int_equal(MCP_OK, mcp_cache_pull(&w->rival, &w->key, &entry));
	assert_false(entry.has_value);
	assert_int_equal(MCP_NOT_STORED, store(w, "old row"));
	assert_int_equal(MCP_NOT_FOUND, mcp_cache_pull(&w->rival, &w->key, &entry));
}

/* V6.7 */
GUARDED_TEST(a_guarded_pull_takes_away_whatever_a_look_may_have_noted, w) {
	mcp_remember remember = {.lifetime = {.ttl_ms = TTL_MS}, .wait_ms = 0};
	mcp_cache_entry entry;
	mcp_cache_remember(&w->rival, &w->key, &remember, &entry);
	mcp_claim claim = entry.claim;
	look(w);
	assert_int_equal(MCP_NOT_FOUND, mcp_cache_pull(&w->rival, &w->key, &entry));
	w->rival.is_guarded = true;
	assert_int_equal(MCP_OK, mcp_cache_pull(&w->rival, &w->key, &entry));
	assert_false(entry.has_value);
	mcp_cache_value value = text_value("computed before that");
	assert_int_equal(MCP_NOT_STORED, mcp_cache_publish(&w->rival, &w->key, &claim, &value));
	assert_int_equal(MCP_NOT_STORED, store(w, "old row"));
	assert_true(is_gone(w));
}

GUARDED_TEST(remember_is_elected_over_a_mark_and_may_be_stored_over, w) {
	look(w);
	mcp_remember remember = {.lifetime = {.ttl_ms = TTL_MS}, .wait_ms = 0};
	mcp_cache_entry entry;
	mcp_cache_remember(&w->rival, &w->key, &remember, &entry);
	assert_int_equal(MCP_VERDICT_ELECTED, entry.verdict);
	assert_int_equal(MCP_OK, store(w, "row"));
	mcp_cache_value value = text_value("computed before that");
	assert_int_equal(MCP_NOT_STORED, mcp_cache_publish(&w->rival, &w->key, &entry.claim, &value));
	assert_string_equal("row", shown(w));
}

/* V5.2, V6.3 */
GUARDED_TEST(what_was_read_before_a_delete_is_refused, w) {
	look(w);
	rival_deletes(w);
	assert_int_equal(MCP_NOT_STORED, store(w, "old row"));
	assert_true(is_gone(w));
	look(w); /* the first look counts: the row may be from before the delete */
	assert_int_equal(MCP_NOT_STORED, store(w, "old row"));
	assert_null(shown(w));
	assert_int_equal(2, w->statistics.counts[MCP_COUNT_CHANGED]);
	assert_int_equal(0, w->statistics.counts[MCP_COUNT_ERRORS]);
}

/* V5.3 */
GUARDED_TEST(an_own_delete_ends_the_note, w) {
	look(w);
	mcp_cache_guarded_stamp_deleted(&note, mcp_cache_delete(&w->cache, &w->key));
	look(w);
	assert_int_equal(MCP_OK, store(w, "row"));
	mcp_cache_guarded_stamp_deleted(&note, MCP_UNKNOWN);
	assert_int_equal(MCP_READ_STAMP_TORN, note.state);
}

/* V6.3, V6.4 */
GUARDED_TEST(another_value_is_emptied_once_and_what_fills_it_lives_for_the_holdoff, w) {
	look(w);
	rival_fills(w);
	assert_int_equal(MCP_NOT_STORED, store(w, "row"));
	assert_true(is_a_contested_mark(w));
	mcp_read_stamp late = note;
	rival_fills(w);
	assert_string_equal("rival's", shown(w));
	assert_true(is_capped(w));
	uint64_t epoch = stored_envelope(w).epoch;
	note = late;
	assert_int_equal(MCP_NOT_STORED, store(w, "row"));
	assert_string_equal("rival's", shown(w));
	assert_true(is_capped(w));
	assert_true(stored_envelope(w).epoch != epoch);
}

/* V6.3 */
GUARDED_TEST(the_same_bytes_are_as_good_and_get_another_epoch, w) {
	look(w);
	rival_fills(w);
	mcp_read_stamp of_value = {.state = MCP_READ_STAMP_NONE};
	look_by(&w->rival, w, &of_value);
	assert_int_equal(MCP_OK, store(w, "rival's"));
	assert_string_equal("rival's", shown(w));
	rivals_note = of_value;
	assert_int_equal(MCP_NOT_STORED, rival_stores(w, "computed before that"));
	assert_null(shown(w));
}

/* V6.3 */
GUARDED_TEST(another_mark_is_flagged, w) {
	look(w);
	rival_deletes(w);
	rival_looks(w);
	assert_int_equal(MCP_NOT_STORED, store(w, "row"));
	assert_true(is_a_contested_mark(w));
	assert_int_equal(MCP_OK, rival_stores(w, "rival's"));
	assert_true(is_capped(w));
}

GUARDED_TEST(a_claim_that_was_not_noted_is_not_left, w) {
	look(w);
	rival_deletes(w);
	mcp_remember remember = {.lifetime = {.ttl_ms = TTL_MS}, .wait_ms = 0};
	mcp_cache_entry entry;
	mcp_cache_remember(&w->rival, &w->key, &remember, &entry);
	assert_int_equal(MCP_NOT_STORED, store(w, "row"));
	mcp_cache_value value = text_value("computed before that");
	assert_int_equal(MCP_NOT_STORED, mcp_cache_publish(&w->rival, &w->key, &entry.claim, &value));
	assert_null(shown(w));
}

GUARDED_TEST(a_contested_mark_stays_one_under_a_claim, w) {
	look(w);
	rival_deletes(w);
	rival_looks(w);
	store(w, "row");
	mcp_remember remember = {.lifetime = {.ttl_ms = TTL_MS}, .wait_ms = 0};
	mcp_cache_remember(&w->rival, &w->key, &remember, &w->rival_entry);
	assert_int_equal(MCP_OK, rival_stores(w, "rival's"));
	assert_true(is_capped(w));
}

/* V6.5 */
GUARDED_TEST(a_mark_that_may_come_late_is_not_believed, w) {
	disturb(w, 2, WORLD_REQUEST_LOST);
	look(w);
	assert_int_equal(MCP_READ_STAMP_TORN, note.state);
	disturb(w, 0, WORLD_SOUND);
	assert_int_equal(MCP_NOT_STORED, store(w, "row"));
	note.state = MCP_READ_STAMP_NONE;
	disturb(w, 2, WORLD_REPLY_LOST);
	look(w);
	assert_int_equal(MCP_OK, store(w, "row"));
}

GUARDED_TEST(a_torn_note_is_no_note_of_what_stands_there, w) {
	put_text(w, "old row");
	disturb(w, 1, WORLD_DOWN);
	look(w);
	assert_int_equal(MCP_READ_STAMP_TORN, note.state);
	w->world.is_down = false;
	disturb(w, 0, WORLD_SOUND);
	assert_int_equal(MCP_NOT_STORED, store(w, "row"));
	assert_true(is_a_contested_mark(w));
}

/* V6.5 */
GUARDED_TEST(a_lost_answer_to_a_store_is_settled_or_tears_the_note, w) {
	world_prove(&w->world);
	look(w);
	disturb(w, 1, WORLD_REPLY_LOST);
	assert_int_equal(MCP_OK, store(w, "row"));
	disturb(w, 1, WORLD_REQUEST_LOST);
	assert_int_equal(MCP_UNKNOWN, store(w, "row 2"));
	disturb(w, 0, WORLD_SOUND);
	assert_int_equal(MCP_NOT_STORED, store(w, "row 3"));
	assert_true(is_a_contested_mark(w));
}

GUARDED_TEST(what_cannot_be_read_is_noted_by_its_bytes, w) {
	world_put(&w->world, "k", "another client's", 0);
	look(w);
	assert_int_equal(MCP_OK, store(w, "row"));
	note.state = MCP_READ_STAMP_NONE;
	world_put(&w->world, "k", "another client's", 0);
	look(w);
	world_put(&w->world, "k", "another client's", 0);
	assert_int_equal(MCP_NOT_STORED, store(w, "row"));
	assert_true(is_a_contested_mark(w));
}

GUARDED_TEST(whoever_is_elected_stores_over_what_it_was_elected_over, w) {
	world_prove(&w->world);
	put_old(w, "old row");
	assert_int_equal(MCP_VERDICT_ELECTED, look(w));
	world_watch(&w->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_OK, store(w, "row"));
	assert_int_equal(1, w->world.calls);
	assert_string_equal("row", shown(w));
	assert_false(stored_envelope(w).has_claim);
}

/* --- many --- */

GUARDED_TEST(many_are_marked_noted_and_stored_each_by_itself, w) {
	many_keys many;
	begin_many(&many);
	put_text(w, "old row");
	look_at_many(w, &many);
	world_remove(&w->world, "k1");
	mcp_cache_setting *settings = store_many(w, &many, "row");
	assert_int_equal(MCP_OK, settings[0].status);
	assert_int_equal(MCP_NOT_STORED, settings[1].status);
	assert_int_equal(MCP_OK, settings[2].status);
	assert_string_equal("row", shown(w));
	assert_null(world_peek(&w->world, "k1"));
	settings = store_many(w, &many, "row 2");
	assert_int_equal(MCP_OK, settings[2].status);
}

GUARDED_TEST(among_many_a_rivals_mark_is_noted, w) {
	many_keys many;
	begin_many(&many);
	interleave(w, 2, rival_looks); /* between the read and the first mark */
	look_at_many(w, &many);
	assert_int_equal(5, w->world.calls); /* a read, three marks, a read of what came first */
	mcp_cache_setting *settings = store_many(w, &many, "row");
	for (int i = 0; i < MANY; i++) {
		assert_int_equal(MCP_OK, settings[i].status);
	}
}

GUARDED_TEST(among_many_a_mark_that_may_come_late_is_not_believed, w) {
	many_keys many;
	begin_many(&many);
	disturb(w, 3, WORLD_REQUEST_LOST);
	look_at_many(w, &many);
	assert_int_equal(MCP_READ_STAMP_HELD, many.notes[0].state);
	assert_int_equal(MCP_READ_STAMP_TORN, many.notes[1].state);
	begin_many(&many);
	world_restart(&w->world);
	disturb(w, 3, WORLD_REPLY_LOST);
	look_at_many(w, &many);
	assert_int_equal(MCP_READ_STAMP_HELD, many.notes[1].state);
	disturb(w, 0, WORLD_SOUND);
	assert_int_equal(MCP_OK, store_many(w, &many, "row")[1].status);
}

GUARDED_TEST(adding_replaces_no_fresh_value, w) {
	mcp_cache_value value = text_value("mine");
	look(w);
	rival_fills(w);
	assert_int_equal(MCP_NOT_STORED,
		mcp_cache_guarded_add(&w->cache, &w->key, &value, HOLDOFF_MS, &note));
	assert_string_equal("rival's", shown(w));
	assert_int_equal(0, w->statistics.counts[MCP_COUNT_CHANGED]);
	rival_deletes(w);
	assert_int_equal(MCP_NOT_STORED,
		mcp_cache_guarded_add(&w->cache, &w->key, &value, HOLDOFF_MS, &note));
	note.state = MCP_READ_STAMP_NONE;
	look(w);
	assert_int_equal(MCP_OK, mcp_cache_guarded_add(&w->cache, &w->key, &value, HOLDOFF_MS, &note));
	assert_string_equal("mine", shown(w));
}

GUARDED_TEST(without_a_look_it_is_set_or_added_and_noted, w) {
	mcp_cache_value value = text_value("mine");
	put_text(w, "other");
	assert_int_equal(MCP_NOT_STORED,
		mcp_cache_guarded_add(&w->cache, &w->key, &value, HOLDOFF_MS, &note));
	assert_int_equal(MCP_OK, store(w, "mine"));
	rival_deletes(w);
	assert_int_equal(MCP_NOT_STORED, store(w, "mine, older"));
	note.state = MCP_READ_STAMP_NONE;
	assert_int_equal(MCP_OK, mcp_cache_guarded_add(&w->cache, &w->key, &value, HOLDOFF_MS, &note));
	rival_deletes(w);
	assert_int_equal(MCP_NOT_STORED, store(w, "mine, older"));
}

GUARDED_TEST(a_discarded_store_deletes, w) {
	put_text(w, "old row");
	assert_int_equal(MCP_NOT_STORED, mcp_cache_guarded_discard(&w->cache, &w->key));
	assert_true(is_gone(w));
}
