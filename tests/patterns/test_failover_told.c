/* A process's changes while a server is away: the server is told of them when it is back, before it is asked for
 * anything (F4), and those that it was told of are never undone. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "../../src/core/envelope/value_flags.h"
#include "../../src/core/key/key.h"
#include "../../src/patterns/cache/entry/cache_tags.h"
#include "outage_world.h"

#include <stdio.h>

/* Also for the process that noticed nothing. */
OUTAGE_TEST(a_change_made_elsewhere_is_told_first, w) {
	outage_set(w, 2, "a");
	outage_take_home_away(w);
	assert_int_equal(MCP_OK, outage_set(w, 0, "b"));
	outage_heal_all(w, w->home);
	assert_string_equal("fresh a", outage_look(w, 2));
	assert_string_equal("nothing", outage_look(w, 0));
	assert_string_equal("nothing", outage_look(w, 2));
}

OUTAGE_TEST(every_explicit_change_is_told, w) {
	const mcp_cache *cache = &w->processes[0].cache;
	mcp_cache_value value = outage_value("5");
	mcp_cache_value number = value;
	number.flags = MCP_VALUE_INT;
	mcp_cache_entry entry;
	int64_t sum;
	for (int change = 0; change < 9; change++) {
		outage_set(w, 2, "a");
		outage_cut_all(w, w->home);
		outage_look(w, 0);
		if (change != 1) {
			mcp_claim claim;
			outage_remember(w, 0, &claim);
			mcp_cache_publish(cache, &w->key, &claim, change == 8 ? &number : &value);
		}
		mcp_cache_peek(cache, &w->key, &entry);
		mcp_cache_seen seen = mcp_cache_see(&entry);
		mcp_status statuses[] = {
			change == 0 ? mcp_cache_set(cache, &w->key, &value) : MCP_OK,
			change == 1 ? mcp_cache_add(cache, &w->key, &value) : MCP_OK,
			change == 2 ? mcp_cache_replace(cache, &w->key, &value) : MCP_OK,
			change == 3 ? mcp_cache_update(cache, &w->key, &seen, &value) : MCP_OK,
			change == 4 ? mcp_cache_delete(cache, &w->key) : MCP_OK,
			change == 5 ? mcp_cache_expire(cache, &w->key) : MCP_OK,
			change == 6 ? mcp_cache_touch(cache, &w->key, value.lifetime) : MCP_OK,
			change == 7 ? mcp_cache_pull(cache, &w->key, &entry) : MCP_OK,
			change == 8 ? mcp_cache_increment(cache, &w->key, 1, &sum) : MCP_OK,
		};
		assert_int_equal(MCP_OK, statuses[change]);
		outage_heal_all(w, w->home);
		outage_look(w, 0);
		if (strcmp("nothing", outage_look(w, 2)) != 0) {
			fail_msg("change %d is not told: %s", change, outage_look(w, 2));
		}
		world_pass(&w->clock, 10 * 60000);
	}
}

/* By it whoever keeps a copy near learns of the change. */
OUTAGE_TEST(what_is_told_bears_the_fingerprint_of_its_key, w) {
	mcp_key_buffer buffer;
	mcp_key another = outage_key(w, &buffer, "key 2");
	mcp_cache_value value = outage_value("b");
	outage_take_home_away(w);
	assert_int_equal(MCP_OK, mcp_cache_set(&w->processes[0].cache, &another, &value));
	assert_int_equal(MCP_OK, outage_set(w, 0, "b"));
	outage_heal_all(w, w->home);
	w->processes[0].links[w->home].cut_after = 4; /* after the mark */
	outage_look(w, 0);
	assert_int_equal(another.fingerprint, w->processes[0].links[w->home].deleted);
	outage_heal_all(w, w->home);
	outage_look(w, 0);
	assert_int_equal(w->key.fingerprint, w->processes[0].links[w->home].deleted);
}

OUTAGE_TEST(a_rebuild_made_elsewhere_is_not_told, w) {
	mcp_claim claim;
	outage_set(w, 2, "a");
	outage_take_home_away(w);
	outage_remember(w, 0, &claim);
	assert_int_equal(MCP_OK, outage_publish(w, 0, &claim, "b"));
	outage_heal_all(w, w->home);
	outage_watch(w);
	assert_string_equal("old a", outage_look(w, 0));
	assert_int_equal(0, w->processes[0].links[w->home].deletes);
}

OUTAGE_TEST(a_change_that_the_home_did_not_answer_is_undone_there, w) {
	outage_set(w, 2, "a");
	w->processes[0].links[w->home].fault = OUTAGE_REPLY_LOST;
	assert_int_equal(MCP_UNKNOWN, outage_set(w, 0, "b"));
	assert_string_equal("nothing", outage_look(w, 0));
	assert_string_equal("nothing", outage_look(w, 2));
}

OUTAGE_TEST(a_rebuild_begun_before_is_not_stored_over_a_change, w) {
	mcp_claim claim;
	outage_set(w, 2, "a");
	world_pass(&w->clock, OUTAGE_TTL_MS);
	assert_int_equal(MCP_VERDICT_ELECTED, outage_remember(w, 2, &claim));
	outage_take_home_away(w);
	outage_delete(w, 0);
	outage_heal_all(w, w->home);
	outage_look(w, 0);
	assert_int_equal(MCP_NOT_STORED, outage_publish(w, 2, &claim, "before"));
	assert_string_equal("nothing", outage_look(w, 1));
}

OUTAGE_TEST(two_servers_away_are_both_told, w) {
	outage_set(w, 2, "a");
	outage_take_home_away(w);
	outage_set(w, 0, "b");
	outage_cut_all(w, w->other);
	outage_look(w, 0);
	assert_int_equal(MCP_OK, outage_set(w, 0, "c"));
	outage_heal_all(w, w->other);
	assert_string_equal("nothing", outage_look(w, 0));
	outage_heal_all(w, w->home);
	assert_string_equal("nothing", outage_look(w, 0));
}

OUTAGE_TEST(the_oldest_change_is_dropped_and_counted, w) {
	outage_process *process = &w->processes[0];
	mcp_cache_value value = outage_value("b");
	outage_set(w, 2, "a");
	outage_take_home_away(w);
	outage_delete(w, 0);
	uint64_t before = process->statistics.counts[MCP_COUNT_ERRORS];
	int listed = 1;
	for (int i = 0; listed <= MCP_JOURNAL_MAX; i++) {
		char name[32];
		mcp_key_buffer buffer;
		snprintf(name, sizeof(name), "key %d", i);
		mcp_key key = outage_key(w, &buffer, name);
		assert_int_equal(before, process->statistics.counts[MCP_COUNT_ERRORS]);
		mcp_cache_set(&process->cache, &key, &value);
		listed += mcp_store_is_away(process->store, &key);
	}
	assert_int_equal(before + 1, process->statistics.counts[MCP_COUNT_ERRORS]);
	outage_heal_all(w, w->home);
	outage_watch(w);
	assert_string_equal("old a", outage_look(w, 0));
	assert_int_equal(MCP_JOURNAL_MAX, process->links[w->home].deletes);
}

OUTAGE_TEST(a_key_changed_often_is_told_once, w) {
	outage_take_home_away(w);
	for (int i = 0; i < 100; i++) {
		outage_set(w, 0, "b");
	}
	outage_heal_all(w, w->home);
	outage_watch(w);
	outage_look(w, 0);
	assert_int_equal(1, w->processes[0].links[w->home].deletes);
}

OUTAGE_TEST(a_server_that_goes_while_it_is_told_is_still_away, w) {
	outage_set(w, 2, "a");
	outage_take_home_away(w);
	outage_delete(w, 0);
	outage_heal_all(w, w->home);
	w->processes[0].links[w->home].cut_after = 3; /* mark, its id, and not the delete */
	assert_string_equal("nothing", outage_look(w, 0));
	assert_true(mcp_store_is_away(w->processes[0].store, &w->key));
	assert_string_equal("fresh a", outage_look(w, 2));
	outage_heal(w, 0, w->home);
	assert_string_equal("nothing", outage_look(w, 0));
	assert_string_equal("nothing", outage_look(w, 2));
}

/* A write that its sender does not call a change is told to no server. */
OUTAGE_TEST(only_what_is_announced_is_told, w) {
	mcp_store *store = w->processes[0].store;
	mcp_record record = {.body = mcp_bytes_of("b", 1)};
	outage_take_home_away(w);
	mcp_store_begin_change(store, &w->key);
	assert_int_equal(0, mcp_store_end_change(store));
	mcp_store_set(store, &w->key, &record);
	assert_int_equal(0, w->processes[0].known->servers[w->home].journal.count);
	mcp_store_begin_change(store, &w->key);
	mcp_store_set(store, &w->key, &record);
	assert_int_equal(0, mcp_store_end_change(store));
	assert_int_equal(1, w->processes[0].known->servers[w->home].journal.count);
}

static mcp_status tag_status(outage_world *w, size_t server, uint64_t fingerprint) {
	mcp_key_buffer buffer;
	mcp_key tag = mcp_key_tag(&buffer, mcp_bytes_none(), fingerprint, mcp_bytes_none());
	mcp_item item;
	return mcp_store_get(w->servers[server], &tag, &item);
}

static void store_tag(outage_world *w, size_t server, uint64_t fingerprint) {
	mcp_key_buffer buffer;
	mcp_key tag = mcp_key_tag(&buffer, mcp_bytes_none(), fingerprint, mcp_bytes_none());
	mcp_record record = {.body = mcp_bytes_of("4611686018427387904", 19)};
	assert_int_equal(MCP_OK, mcp_store_set(w->servers[server], &tag, &record));
}

/* T2 for who noticed nothing: a tag that is gone invalidates strictly. */
OUTAGE_TEST(a_strict_invalidation_is_told_when_a_server_is_back, w) {
	const mcp_cache *cache = &w->processes[0].cache;
	mcp_cache_tags tags = {.count = 2,
		.key_count = 1,
		.fingerprints = (const uint64_t[]){0x77, 0x78}};
	for (unsigned i = 0; i < OUTAGE_SERVERS * tags.count; i++) {
		store_tag(w, i / tags.count, tags.fingerprints[i % tags.count]);
	}
	outage_take_home_away(w);
	assert_int_equal(MCP_UNREACHABLE,
		mcp_cache_invalidate(cache, mcp_bytes_none(), &tags, true, NULL));
	outage_heal_all(w, w->home);
	outage_look(w, 0);
	for (unsigned i = 0; i < tags.count; i++) {
		assert_int_equal(MCP_NOT_FOUND, tag_status(w, w->home, tags.fingerprints[i]));
		assert_int_equal(MCP_OK, tag_status(w, w->other, tags.fingerprints[i]));
	}
}

/* It would take the old values away, which a soft one leaves to be served. */
OUTAGE_TEST(a_soft_invalidation_is_not, w) {
	mcp_cache_tags tags = {.count = 1, .key_count = 1, .fingerprints = (const uint64_t[]){0x77}};
	store_tag(w, w->home, 0x77);
	outage_take_home_away(w);
	assert_int_equal(MCP_UNREACHABLE,
		mcp_cache_invalidate(&w->processes[0].cache, mcp_bytes_none(), &tags, false, NULL));
	outage_heal_all(w, w->home);
	outage_look(w, 0);
	assert_int_equal(MCP_OK, tag_status(w, w->home, 0x77));
}
