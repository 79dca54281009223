/* Holds a look at what was served to what has become of it: there still, being rebuilt, ended by time, or changed. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "../../src/patterns/cache/look/cache_near.h"
#include "../../src/patterns/cache/look/cache_look.h"
#include "cache_world.h"

/* Serves the value that is there, as get does. */
static mcp_served serve(cache_world *w) {
	mcp_cache_get(&w->cache, &w->key, &w->entry);
	assert_int_equal(MCP_VERDICT_FRESH, w->entry.verdict);
	return (mcp_served){.facts = mcp_near_facts_of(&w->entry.envelope)};
}

static mcp_standing look(cache_world *w, mcp_served *served) {
	return mcp_cache_standing(&w->cache, &w->key, served);
}

CACHE_TEST(what_was_served_stands_and_the_look_counts_nothing, w) {
	put_text(w, "value");
	mcp_served served = serve(w);
	mcp_cache_statistics before = w->statistics;
	world_watch(&w->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_STANDING_YES, look(w, &served));
	assert_int_equal(1, w->world.calls);
	assert_memory_equal(&before, &w->statistics, sizeof(before));
	assert_false(served.is_tagged);
}

CACHE_TEST(every_change_of_the_key_is_another_value, w) {
	void (*const changes[])(cache_world *) = {rival_sets, rival_deletes, rival_expires};
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		put_text(w, "value");
		mcp_served served = serve(w);
		changes[i](w);
		assert_int_equal(MCP_STANDING_NO, look(w, &served));
	}
}

CACHE_TEST(without_an_answer_nothing_can_be_said, w) {
	put_text(w, "value");
	mcp_served served = serve(w);
	world_watch(&w->world, 1, WORLD_DOWN);
	assert_int_equal(MCP_STANDING_NO, look(w, &served));
}

CACHE_TEST(a_rebuild_under_way_is_busy_and_one_that_is_stored_has_ended_it, w) {
	put_text(w, "value");
	mcp_served served = serve(w);
	mcp_value_id outdated = {.is_set = false};
	mcp_remember remember = cache_asking(0);
	remember.lifetime = (mcp_lifetime){.ttl_ms = TTL_MS, .grace_ms = TTL_MS};
	remember.outdated = &outdated;
	mcp_cache_remember(&w->rival, &w->key, &remember, &w->rival_entry);
	assert_int_equal(MCP_VERDICT_ELECTED, w->rival_entry.verdict);
	assert_int_equal(MCP_STANDING_BUSY, look(w, &served));
	mcp_cache_value value = text_value("rebuilt");
	assert_int_equal(MCP_OK, mcp_cache_publish(&w->rival, &w->key, &w->rival_entry.claim, &value));
	assert_int_equal(MCP_STANDING_ENDED, look(w, &served));
	/* Tags may have caused it. */
	served.is_tagged = true;
	assert_int_equal(MCP_STANDING_NO, look(w, &served));
}

CACHE_TEST(past_its_soft_end_it_has_ended, w) {
	put_text(w, "value");
	mcp_served served = serve(w);
	world_pass(&w->world, TTL_MS);
	assert_int_equal(MCP_STANDING_ENDED, look(w, &served));
}

CACHE_TEST(a_number_that_counts_is_no_value_that_was_served, w) {
	put_text(w, "value");
	mcp_served served = serve(w);
	put_number(w, "5");
	assert_int_equal(MCP_STANDING_NO, look(w, &served));
}

CACHE_TEST(the_age_is_that_of_the_computation, w) {
	mcp_served served = {.facts = {.created_ms = 10000, .compute_ms = 300}};
	assert_int_equal(1500, mcp_served_age_ms(&served, 11200));
	/* By a clock that is behind. */
	assert_int_equal(300, mcp_served_age_ms(&served, 9000));
}
