/* Failover as the caches of several processes meet it: F1 to F5 while one server is away, comes back with what it
 * held, or comes back empty. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "../../src/core/envelope/value_flags.h"
#include "../../src/patterns/cache/entry/cache_tags.h"
#include "outage_world.h"

#include <stdio.h>

OUTAGE_TEST(a_hit_elsewhere_is_one_round_trip, w) {
	outage_take_home_away(w);
	assert_int_equal(MCP_OK, outage_set(w, 0, "a"));
	outage_watch(w);
	assert_string_equal("fresh a", outage_look(w, 0));
	assert_int_equal(0, outage_calls(w, 0, w->home));
	assert_int_equal(1, outage_calls(w, 0, w->other));
	assert_int_equal(0, outage_calls(w, 0, w->third));
}

OUTAGE_TEST(an_outage_costs_one_timeout, w) {
	assert_int_equal(MCP_OK, outage_set(w, 0, "a"));
	outage_watch(w);
	outage_cut_all(w, w->home);
	for (int i = 0; i < 20; i++) {
		outage_look(w, 0);
	}
	assert_int_equal(1, w->processes[0].links[w->home].timeouts);
	assert_int_equal(1, outage_calls(w, 0, w->home));
}

/* Two to mark the server, one for each look. */
OUTAGE_TEST(the_read_that_meets_the_failure_is_answered, w) {
	outage_take_home_away(w);
	outage_set(w, 0, "a");
	outage_heal(w, 1, w->home);
	outage_look(w, 1);
	outage_cut(w, 1, w->home);
	outage_watch(w);
	assert_string_equal("old a", outage_look(w, 1));
	assert_int_equal(3, outage_calls(w, 1, w->other));
}

OUTAGE_TEST(nothing_is_asked_for_without_an_outage, w) {
	outage_watch(w);
	outage_set(w, 0, "a");
	assert_string_equal("fresh a", outage_look(w, 0));
	assert_int_equal(2, outage_calls(w, 0, w->home));
	assert_int_equal(0, outage_calls(w, 0, w->other));
	assert_false(mcp_store_is_away(w->processes[0].store, &w->key));
}

/* Whatever is away: no server is tried, and none is marked. */
OUTAGE_TEST(a_remaining_ttl_is_unknown_without_a_request, w) {
	uint64_t left_ms;
	outage_set(w, 0, "a");
	outage_cut_all(w, w->home);
	outage_watch(w);
	assert_int_equal(MCP_UNSUPPORTED, mcp_store_ttl_left(w->processes[0].store, &w->key, &left_ms));
	assert_int_equal(0, outage_calls(w, 0, w->home));
	assert_int_equal(0, outage_calls(w, 0, w->other));
	assert_false(mcp_store_is_away(w->processes[0].store, &w->key));
}

OUTAGE_TEST(a_cold_key_is_computed_by_one_caller_elsewhere, w) {
	mcp_claim claims[2];
	outage_take_home_away(w);
	assert_int_equal(MCP_VERDICT_ELECTED, outage_remember(w, 0, &claims[0]));
	assert_false(claims[0].is_overdue);
	outage_remember(w, 1, &claims[1]);
	assert_true(claims[1].is_overdue);
	assert_int_equal(MCP_OK, outage_publish(w, 0, &claims[0], "a"));
	assert_string_equal("fresh a", outage_look(w, 1));
}

OUTAGE_TEST(values_live_a_minute_elsewhere, w) {
	outage_take_home_away(w);
	outage_set(w, 0, "a");
	world_pass(&w->clock, 59999);
	assert_string_equal("fresh a", outage_look(w, 0));
	world_pass(&w->clock, 1);
	assert_string_equal("old a", outage_look(w, 0));
	world_pass(&w->clock, 60000);
	assert_string_equal("nothing", outage_look(w, 0));
}

/* One that never expires, whose grace has no end, too. */
OUTAGE_TEST(no_lifetime_is_longer_elsewhere, w) {
	outage_take_home_away(w);
	mcp_cache_value value = outage_value("a");
	value.lifetime = (mcp_lifetime){.ttl_ms = 0, .grace_ms = MCP_GRACE_FOREVER};
	assert_int_equal(MCP_OK, mcp_cache_set(&w->processes[0].cache, &w->key, &value));
	assert_int_equal(MCP_OK, mcp_cache_touch(&w->processes[0].cache, &w->key, value.lifetime));
	world_pass(&w->clock, 60000);
	assert_string_equal("old a", outage_look(w, 0));
	world_pass(&w->clock, 60000);
	assert_string_equal("nothing", outage_look(w, 0));
}

OUTAGE_TEST(what_the_home_held_is_old_when_it_is_back, w) {
	outage_set(w, 2, "a");
	outage_take_home_away(w);
	outage_heal_all(w, w->home);
	assert_string_equal("old a", outage_look(w, 0));
	assert_string_equal("fresh a", outage_look(w, 2));
}

/* The claim bears the end, so that a process that noticed nothing sees it. */
OUTAGE_TEST(one_caller_rebuilds_what_is_suspect, w) {
	mcp_claim claim, late;
	outage_set(w, 2, "a");
	outage_take_home_away(w);
	outage_bring_home_back(w);
	assert_int_equal(MCP_VERDICT_ELECTED, outage_remember(w, 0, &claim));
	assert_int_equal(MCP_VERDICT_BUSY, outage_remember(w, 1, &late));
	assert_int_equal(MCP_VERDICT_BUSY, outage_remember(w, 2, &late));
	assert_string_equal("old a", outage_look(w, 2));
	assert_int_equal(MCP_OK, outage_publish(w, 0, &claim, "b"));
	assert_string_equal("fresh b", outage_look(w, 0));
	assert_string_equal("fresh b", outage_look(w, 1));
}

OUTAGE_TEST(coming_back_costs_three_round_trips, w) {
	outage_set(w, 2, "a");
	outage_take_home_away(w);
	outage_heal_all(w, w->home);
	outage_watch(w);
	outage_look(w, 0);
	assert_int_equal(4, outage_calls(w, 0, w->home));
	outage_look(w, 0);
	assert_int_equal(5, outage_calls(w, 0, w->home));
}

OUTAGE_TEST(an_old_strict_value_is_absent, w) {
	mcp_cache_value value = outage_value("a");
	mcp_claim claim;
	value.lifetime.grace_ms = 0;
	mcp_cache_set(&w->processes[2].cache, &w->key, &value);
	outage_take_home_away(w);
	outage_bring_home_back(w);
	assert_string_equal("nothing", outage_look(w, 0));
	assert_int_equal(MCP_VERDICT_ELECTED, outage_remember(w, 0, &claim));
	assert_int_equal(MCP_OK, outage_publish(w, 0, &claim, "b"));
	assert_string_equal("fresh b", outage_look(w, 1));
}

/* Its holder may be gone with its server; and what it computes is from before the outage. */
OUTAGE_TEST(no_caller_waits_for_a_placeholder_from_before, w) {
	mcp_claim before, after;
	assert_int_equal(MCP_VERDICT_ELECTED, outage_remember(w, 2, &before));
	outage_take_home_away(w);
	outage_bring_home_back(w);
	assert_int_equal(MCP_VERDICT_ELECTED, outage_remember(w, 0, &after));
	assert_false(after.is_overdue);
	assert_int_equal(MCP_NOT_STORED, outage_publish(w, 2, &before, "before"));
	assert_int_equal(MCP_OK, outage_publish(w, 0, &after, "after"));
	assert_string_equal("fresh after", outage_look(w, 1));
}

OUTAGE_TEST(add_takes_what_is_suspect_for_old, w) {
	mcp_cache_value value = outage_value("b");
	outage_set(w, 2, "a");
	outage_take_home_away(w);
	outage_bring_home_back(w);
	assert_int_equal(MCP_OK, mcp_cache_add(&w->processes[0].cache, &w->key, &value));
	assert_string_equal("fresh b", outage_look(w, 1));
}

OUTAGE_TEST(touch_does_not_make_new_what_is_suspect, w) {
	mcp_lifetime lifetime = {.ttl_ms = OUTAGE_TTL_MS, .grace_ms = OUTAGE_GRACE_MS};
	outage_set(w, 2, "a");
	outage_take_home_away(w);
	outage_heal_all(w, w->home);
	assert_int_equal(MCP_OK, mcp_cache_touch(&w->processes[0].cache, &w->key, lifetime));
	assert_string_equal("old a", outage_look(w, 0));
	assert_string_equal("old a", outage_look(w, 2));
}

/* The other server kept these values from the first one. */
OUTAGE_TEST(all_servers_away_are_a_failure_at_once, w) {
	outage_set(w, 0, "a");
	for (size_t i = 0; i < OUTAGE_SERVERS; i++) {
		outage_cut_all(w, i);
	}
	mcp_cache_entry entry;
	mcp_cache_peek(&w->processes[0].cache, &w->key, &entry);
	assert_true(mcp_status_is_failure(entry.trouble));
	outage_watch(w);
	mcp_cache_peek(&w->processes[0].cache, &w->key, &entry);
	assert_int_equal(MCP_UNREACHABLE, entry.trouble);
	for (size_t i = 0; i < OUTAGE_SERVERS; i++) {
		assert_int_equal(0, outage_calls(w, 0, i));
	}
}

/* Heals it between two questions of one read. */
static void heal_home(void *context) {
	outage_world *w = context;
	outage_heal(w, 0, w->home);
}

/* Then it says by itself what is suspect. */
OUTAGE_TEST(a_server_that_is_back_in_the_middle_of_a_read_answers_it, w) {
	mcp_op reply;
	outage_set(w, 2, "a");
	for (size_t i = 0; i < OUTAGE_SERVERS; i++) {
		outage_cut(w, 0, i);
	}
	for (int is_of_many = 0; is_of_many < 2; is_of_many++) {
		outage_cut(w, 0, w->home);
		assert_string_equal("nothing", outage_look(w, 0));
		outage_link *other = &w->processes[0].links[w->other];
		other->is_tripped = false;
		other->before_call = heal_home;
		other->context = w;
		if (is_of_many) {
			mcp_store_get_many(w->processes[0].store, &w->key, 1, &reply);
			assert_int_equal(MCP_OK, reply.status);
			assert_true(reply.item.is_suspect);
		} else {
			assert_string_equal("old a", outage_look(w, 0));
		}
	}
}

/* Ids begin below the mark again: else all that is stored from then on would be old for ever. */
OUTAGE_TEST(a_mark_dies_with_its_connection, w) {
	for (int i = 0; i < 50; i++) {
		outage_set(w, 2, "a");
	}
	outage_take_home_away(w);
	outage_heal_all(w, w->home);
	assert_string_equal("old a", outage_look(w, 0));
	outage_restart(w, w->home);
	assert_string_equal("nothing", outage_look(w, 0));
	assert_int_equal(MCP_OK, outage_set(w, 0, "b"));
	assert_string_equal("fresh b", outage_look(w, 0));
}

/* One round trip tells that the server is the one that bears it. */
OUTAGE_TEST(a_mark_counts_on_another_connection_to_the_same_server, w) {
	outage_take_home_away(w);
	outage_bring_home_back(w);
	assert_int_equal(MCP_OK, outage_set(w, 0, "b"));
	w->processes[0].links[w->home].fault = OUTAGE_BREAK;
	outage_watch(w);
	assert_string_equal("fresh b", outage_look(w, 0));
	assert_int_equal(3, outage_calls(w, 0, w->home));
	assert_string_equal("fresh b", outage_look(w, 0));
	assert_int_equal(4, outage_calls(w, 0, w->home));
}

OUTAGE_TEST(a_server_that_tells_no_start_is_marked_anew, w) {
	w->processes[0].links[w->home].tells_no_start = true;
	outage_take_home_away(w);
	outage_bring_home_back(w);
	assert_int_equal(MCP_OK, outage_set(w, 0, "b"));
	w->processes[0].links[w->home].fault = OUTAGE_BREAK;
	assert_string_equal("old b", outage_look(w, 0));
}

/* Items there may be above the mark, and older than what others have stored elsewhere meanwhile. */
OUTAGE_TEST(a_stand_in_that_was_away_is_marked_anew, w) {
	outage_take_home_away(w);
	outage_look(w, 2);
	outage_set(w, 0, "a");
	outage_cut(w, 0, w->other);
	outage_cut(w, 2, w->other);
	outage_look(w, 0);
	outage_look(w, 2);
	assert_int_equal(MCP_OK, outage_set(w, 1, "b"));
	assert_int_equal(MCP_OK, outage_set(w, 2, "c"));
	outage_heal(w, 0, w->other);
	assert_string_equal("old b", outage_look(w, 0));
}

static void restart_and_store(void *context) {
	outage_world *w = context;
	outage_restart(w, w->home);
	w->processes[2].links[w->home].fault = OUTAGE_SOUND;
	outage_set(w, 2, "new");
}

/* The connection breaks within the read that would be judged by the mark of before. */
OUTAGE_TEST(a_lost_connection_is_seen_inside_of_a_read, w) {
	outage_set(w, 2, "a");
	outage_take_home_away(w);
	outage_heal_all(w, w->home);
	outage_set(w, 0, "b");
	w->processes[0].links[w->home].before_call = restart_and_store;
	w->processes[0].links[w->home].context = w;
	assert_string_equal("old new", outage_look(w, 0));
	assert_int_equal(MCP_OK, outage_set(w, 0, "newer"));
	assert_string_equal("fresh newer", outage_look(w, 0));
}

/* Begun elsewhere, ended at home: the ids of two servers may be equal. */
OUTAGE_TEST(a_swap_never_goes_to_another_server, w) {
	mcp_store *store = w->processes[0].store;
	mcp_item item;
	outage_take_home_away(w);
	outage_set(w, 0, "b");
	assert_int_equal(MCP_OK, mcp_store_get(store, &w->key, &item));
	uint64_t id = item.cas;
	outage_heal_all(w, w->home);
	mcp_record record = {.body = mcp_bytes_of("wrong", 5)};
	for (int i = 0; i < 300; i++) {
		outage_set(w, 2, "a");
		assert_int_equal(MCP_EXISTS, mcp_store_cas(store, &w->key, &record, id));
		assert_int_equal(MCP_EXISTS, mcp_store_delete_if(store, &w->key, id));
	}
}

OUTAGE_TEST(many_keys_are_read_over_an_outage, w) {
	mcp_store *store = w->processes[0].store;
	mcp_key_buffer buffers[12];
	mcp_key keys[12];
	mcp_op replies[12];
	mcp_record record = {.body = mcp_bytes_of("value", 5)};
	for (int i = 0; i < 12; i++) {
		char name[8] = {(char)('a' + i), 0};
		keys[i] = outage_key(w, &buffers[i], name);
		assert_int_equal(MCP_OK, mcp_store_set(store, &keys[i], &record));
	}
	outage_cut_all(w, w->home);
	mcp_store_get_many(store, keys, 12, replies);
	for (int i = 0; i < 12; i++) {
		bool is_away = mcp_store_is_away(store, &keys[i]);
		assert_int_equal(is_away ? MCP_NOT_FOUND : MCP_OK, replies[i].status);
		assert_true(is_away || memcmp("value", replies[i].item.value.data, 5) == 0);
		assert_true(is_away || !replies[i].item.is_suspect);
	}
	outage_heal_all(w, w->home);
	mcp_store_get_many(store, keys, 12, replies);
	for (int i = 0; i < 12; i++) {
		bool is_home = mcp_store_candidate(store, &keys[i], 0) == w->processes[0].marked[w->home];
		assert_int_equal(MCP_OK, replies[i].status);
		assert_int_equal(is_home, replies[i].item.is_suspect);
	}
}

OUTAGE_TEST(a_process_that_forgets_comes_to_all_servers_anew, w) {
	outage_set(w, 2, "a");
	outage_take_home_away(w);
	outage_set(w, 0, "b");
	mcp_server_health_forget(w->processes[0].known, 77);
	outage_heal_all(w, w->home);
	assert_string_equal("fresh a", outage_look(w, 0));
	assert_int_equal(77, w->processes[0].known->process_number);
}
