/* Holds guarded values to when they end: what fills a contested place, what is made of that by whom, and a note itself. And
 * what goes together of many. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "guarded_world.h"

/* Has the rival fill a contested place, and returns when that ends softly. */
static uint64_t put_capped(cache_world *w) {
	look(w);
	rival_fills(w);
	assert_int_equal(MCP_NOT_STORED, store(w, "row"));
	assert_true(is_a_contested_mark(w));
	rival_fills(w);
	assert_true(is_capped(w));
	note.state = MCP_READ_STAMP_NONE;
	world_pass(&w->world, HOLDOFF_MS / 2);
	return stored_envelope(w).soft_ms;
}

GUARDED_TEST(what_is_made_of_a_capped_value_ends_with_it, w) {
	uint64_t end_ms = put_capped(w);
	look(w);
	assert_int_equal(MCP_OK, store(w, "made of it"));
	assert_string_equal("made of it", shown(w));
	assert_int_equal(end_ms, stored_envelope(w).soft_ms);
	assert_int_equal(MCP_OK, store(w, "and of that"));
	assert_int_equal(end_ms, stored_envelope(w).soft_ms);
}

GUARDED_TEST(whoever_is_elected_over_a_capped_value_stores_for_long, w) {
	put_capped(w);
	world_pass(&w->world, HOLDOFF_MS);
	assert_int_equal(MCP_VERDICT_ELECTED, look(w));
	assert_int_equal(MCP_OK, store(w, "row"));
	assert_false(stored_envelope(w).is_contested);
	assert_int_equal(stored_envelope(w).created_ms + TTL_MS, stored_envelope(w).soft_ms);
}

/* Shows none of it to the caller of such a cache, who computes anew. */
GUARDED_TEST(a_strict_cache_stores_for_long_when_a_capped_value_is_over, w) {
	put_capped(w);
	world_pass(&w->world, HOLDOFF_MS);
	w->cache.is_strict = true;
	mcp_cache_entry entry;
	mcp_cache_read(&w->cache, &w->key, &entry);
	mcp_cache_guarded_stamp(&w->cache, &w->key, &entry, &note);
	assert_int_equal(MCP_OK, store(w, "row"));
	assert_int_equal(stored_envelope(w).created_ms + TTL_MS, stored_envelope(w).soft_ms);
}

/* V6.4 */
GUARDED_TEST(a_touch_does_not_put_the_end_off, w) {
	uint64_t end_ms = put_capped(w);
	mcp_lifetime lifetime = {.ttl_ms = 3 * TTL_MS, .grace_ms = TTL_MS};
	assert_int_equal(MCP_OK, mcp_cache_touch(&w->rival, &w->key, lifetime));
	assert_int_equal(end_ms, stored_envelope(w).soft_ms);
	lifetime.ttl_ms = 1;
	assert_int_equal(MCP_OK, mcp_cache_touch(&w->rival, &w->key, lifetime));
	assert_int_not_equal(end_ms, stored_envelope(w).soft_ms);
}

GUARDED_TEST(an_update_ends_with_what_it_was_made_of, w) {
	uint64_t end_ms = put_capped(w);
	mcp_cache_entry entry;
	mcp_cache_peek(&w->rival, &w->key, &entry);
	mcp_cache_seen seen = mcp_cache_see(&entry);
	mcp_cache_value value = text_value("more");
	assert_int_equal(MCP_OK, mcp_cache_update(&w->rival, &w->key, &seen, &value));
	assert_string_equal("more", shown(w));
	assert_int_equal(end_ms, stored_envelope(w).soft_ms);
}

GUARDED_TEST(what_is_left_where_another_is_refused_keeps_its_end, w) {
	look(w);
	rival_looks(w);
	mcp_cache_value value = text_value("rival's");
	value.lifetime.ttl_ms = HOLDOFF_MS / 2;
	mcp_cache_guarded_set(&w->rival, &w->key, &value, HOLDOFF_MS, &rivals_note);
	uint64_t end_ms = stored_envelope(w).soft_ms;
	assert_int_equal(MCP_NOT_STORED, store(w, "row"));
	assert_string_equal("rival's", shown(w));
	mcp_cache_touch(&w->rival, &w->key, (mcp_lifetime){.ttl_ms = TTL_MS});
	assert_int_equal(end_ms, stored_envelope(w).soft_ms);
}

/* V5.2 */
GUARDED_TEST(a_look_counts_for_a_minute, w) {
	put_text(w, "old row");
	look(w);
	rival_deletes(w);
	world_pass(&w->world, MCP_GUARDED_MARKER_MS - 1);
	assert_int_equal(MCP_VERDICT_MISS, look(w));
	assert_int_equal(MCP_NOT_STORED, store(w, "row"));
	assert_true(is_gone(w));
	world_pass(&w->world, 1);
	assert_int_equal(MCP_VERDICT_MISS, look(w));
	assert_int_equal(MCP_OK, store(w, "row"));
}

static mcp_status replace(cache_world *w, const char *text) {
	mcp_cache_value value = text_value(text);
	return mcp_cache_guarded_replace(&w->cache, &w->key, &value, HOLDOFF_MS, &note);
}

/* V6.6 */
GUARDED_TEST(a_replace_goes_over_the_value_that_was_seen, w) {
	put_text(w, "old row");
	look(w);
	assert_int_equal(MCP_OK, replace(w, "row"));
	assert_string_equal("row", shown(w));
	put_text(w, "rival's");
	assert_int_equal(MCP_NOT_STORED, replace(w, "row 2"));
	assert_true(is_a_contested_mark(w));
	assert_int_equal(1, w->statistics.counts[MCP_COUNT_CHANGED]);
}

GUARDED_TEST(a_replace_without_a_value_flags_the_mark_and_is_not_refused, w) {
	rival_looks(w);
	look(w);
	assert_int_equal(MCP_NOT_STORED, replace(w, "row"));
	assert_true(is_a_contested_mark(w));
	assert_int_equal(0, w->statistics.counts[MCP_COUNT_CHANGED]);
	assert_int_equal(MCP_OK, rival_stores(w, "older row"));
	assert_true(is_capped(w));
	world_remove(&w->world, "k");
	assert_int_equal(MCP_NOT_STORED, replace(w, "row"));
	assert_true(is_gone(w));
}

GUARDED_TEST(a_replace_without_a_look_is_a_plain_one, w) {
	assert_int_equal(MCP_NOT_STORED, replace(w, "row"));
	assert_true(is_gone(w));
	put_text(w, "old row");
	assert_int_equal(MCP_OK, replace(w, "row"));
	assert_string_equal("row", shown(w));
}

/* One read of all, and a write of each: the world's store sends no two together. */
GUARDED_TEST(many_are_read_together, w) {
	many_keys many;
	begin_many(&many);
	look_at_many(w, &many);
	world_watch(&w->world, 0, WORLD_SOUND);
	mcp_cache_setting *settings = store_many(w, &many, "row");
	assert_int_equal(1 + MANY, w->world.calls);
	for (int i = 0; i < MANY; i++) {
		assert_int_equal(MCP_OK, settings[i].status);
		assert_int_equal(MCP_READ_STAMP_HELD, many.notes[i].state);
	}
	memset(many.notes, 0, sizeof(many.notes));
	world_watch(&w->world, 0, WORLD_SOUND);
	settings = store_many(w, &many, "row 2");
	assert_int_equal(MANY, w->world.calls);
	assert_int_equal(MCP_OK, settings[MANY - 1].status);
	assert_int_equal(MCP_READ_STAMP_HELD, many.notes[0].state);
}

GUARDED_TEST(among_many_one_that_comes_between_is_looked_at_again, w) {
	many_keys many;
	begin_many(&many);
	look_at_many(w, &many);
	interleave(w, 2, rival_deletes); /* behind the read */
	mcp_cache_setting *settings = store_many(w, &many, "row");
	assert_int_equal(MCP_NOT_STORED, settings[0].status);
	assert_int_equal(MCP_OK, settings[1].status);
	assert_true(is_gone(w));
}

GUARDED_TEST(among_many_a_lost_answer_is_settled_or_tears_the_note, w) {
	many_keys many;
	begin_many(&many);
	look_at_many(w, &many);
	disturb(w, 2, WORLD_REPLY_LOST);
	mcp_cache_setting *settings = store_many(w, &many, "row");
	assert_int_equal(MCP_OK, settings[0].status);
	assert_string_equal("row", shown(w));
	disturb(w, 2, WORLD_REQUEST_LOST);
	settings = store_many(w, &many, "row 2");
	assert_true(mcp_status_is_failure(settings[0].status));
	assert_int_equal(MCP_READ_STAMP_TORN, many.notes[0].state);
	assert_int_equal(MCP_OK, settings[1].status);
}

GUARDED_TEST(among_many_what_fills_a_contested_place_is_capped, w) {
	many_keys many;
	look(w);
	rival_fills(w);
	store(w, "row");
	assert_true(is_a_contested_mark(w));
	begin_many(&many);
	look_at_many(w, &many);
	store_many(w, &many, "row 2");
	assert_true(is_capped(w));
	assert_true(stored_envelope(w).is_contested);
}
