/* Holds values with tags to T1 to T8 and N1 where one call decides, and to their round trips. Every interleaving is
 * tests/simulation/plain's. */
/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <cmocka.h>

#include "../../src/patterns/cache/entry/cache_envelope.h"
#include "../../src/store/cluster/store_cluster.h"
#include "../../src/store/store.h"
#include "tags_world.h"

CACHE_TEST(a_hit_costs_one_round_trip_through_its_view_and_two_through_a_plain_cache, w) {
	mcp_cache_tags tags = tags_of("a", "b");
	mcp_cache tagged = tags_view(w, &tags);
	tags_put(w, &tagged, "value");
	assert_int_equal(MCP_VERDICT_FRESH, tags_look(w, &tagged));
	assert_int_equal(1, w->world.calls);
	assert_int_equal(MCP_VERDICT_FRESH, tags_look(w, &w->cache));
	assert_int_equal(2, w->world.calls);
}

CACHE_TEST(a_value_lacking_a_tag_of_the_view_is_old_there_and_other_tags_cost_a_second_trip, w) {
	mcp_cache_tags a = tags_of("a", NULL), b = tags_of("b", NULL);
	mcp_cache through_a = tags_view(w, &a), through_b = tags_view(w, &b);
	tags_put(w, &through_a, "value");
	assert_int_equal(MCP_VERDICT_STALE, tags_look(w, &through_b));
	assert_int_equal(2, w->world.calls);
}

CACHE_TEST(a_second_read_requests_the_tags_that_the_first_has_found, w) {
	mcp_guesses guesses = {0};
	mcp_cache_tags a = tags_of("a", NULL), both = tags_of("a", "b");
	a.guesses = both.guesses = &guesses;
	mcp_cache through_a = tags_view(w, &a), through_both = tags_view(w, &both);
	tags_put(w, &through_both, "value");
	assert_int_equal(MCP_VERDICT_FRESH, tags_look(w, &through_a));
	assert_int_equal(2, w->world.calls);
	assert_int_equal(MCP_VERDICT_FRESH, tags_look(w, &through_a));
	assert_int_equal(1, w->world.calls);
	assert_int_equal(MCP_VERDICT_FRESH, tags_look(w, &through_both));
	assert_int_equal(1, w->world.calls);
	tags_invalidate(w, "b", false);
	assert_int_equal(MCP_VERDICT_STALE, tags_look(w, &through_a));
	assert_int_equal(1, w->world.calls);
	/* A value that has no more of them ends the guess. */
	tags_put(w, &through_a, "value");
	assert_int_equal(MCP_VERDICT_FRESH, tags_look(w, &through_a));
	assert_int_equal(0, guesses.reads[w->key.fingerprint % MCP_READ_GUESSES].key);
	/* There is room for so many tags only. */
	mcp_cache_tags many = tags_many(MCP_READ_GUESS_TAGS_MAX + 1);
	mcp_cache through_many = tags_view(w, &many);
	tags_put(w, &through_many, "value");
	for (int i = 0; i < 2; i++) {
		assert_int_equal(MCP_VERDICT_STALE, tags_look(w, &through_a));
		assert_int_equal(2, w->world.calls);
	}
}

CACHE_TEST(a_second_read_requests_the_running_number_that_the_first_has_found, w) {
	mcp_guesses guesses = {0};
	mcp_cache_tags tags = tags_of("a", NULL);
	mcp_cache plain = tags_view(w, &tags);
	tags.guesses = &guesses;
	mcp_cache_initial initial = {.number = 5, .lifetime = {.ttl_ms = 100000}};
	int64_t number;
	assert_int_equal(MCP_OK, mcp_cache_increment_from(&plain, &w->key, 1, &initial, &number));
	assert_int_equal(MCP_OK, mcp_cache_increment(&plain, &w->key, 1, &number));
	tags.guesses = NULL;
	assert_int_equal(MCP_VERDICT_FRESH, tags_look(w, &plain));
	assert_int_equal(2, w->world.calls);
	tags.guesses = &guesses;
	assert_int_equal(MCP_VERDICT_FRESH, tags_look(w, &plain));
	assert_int_equal(2, w->world.calls);
	assert_int_equal(MCP_OK, mcp_cache_increment(&plain, &w->key, 1, &number));
	assert_int_equal(MCP_VERDICT_FRESH, tags_look(w, &plain));
	assert_int_equal(1, w->world.calls);
	assert_int_equal(MCP_RUNNING_ON, w->entry.running);
	assert_memory_equal("8", w->entry.payload.data, w->entry.payload.length);
	/* A new value has no running number. */
	tags_put(w, &plain, "value");
	assert_int_equal(MCP_VERDICT_FRESH, tags_look(w, &plain));
	assert_int_equal(1, w->world.calls);
	assert_int_equal(0, guesses.reads[w->key.fingerprint % MCP_READ_GUESSES].key);
}

CACHE_TEST(a_set_and_an_add_verify_guessed_versions, w) {
	mcp_guesses guesses = {0};
	mcp_cache_tags tags = tags_of("a", "b");
	tags.guesses = &guesses;
	mcp_cache tagged = tags_view(w, &tags);
	mcp_captured_tags captured;
	world_take_steps(&w->world);
	assert_false(mcp_cache_guess_tags(&tagged, &w->key, &captured));
	assert_int_equal(MCP_OK, mcp_cache_capture_now(&tagged, &w->key, &captured));
	mcp_status (*writers[])(const mcp_cache *, const mcp_key *,
		const mcp_cache_value *) = {mcp_cache_set, mcp_cache_add, mcp_cache_set, mcp_cache_add};
	for (size_t i = 0; i < 4; i++) {
		const char *text = i < 2 ? "a value" : "another";
		mcp_cache_value value = text_value(text);
		value.tags_are_guessed = true;
		tags_invalidate(w, "b", false);
		assert_true(mcp_cache_guess_tags(&tagged, &w->key, &captured));
		value.tags = mcp_captured_tags_view(&captured);
		world_watch(&w->world, 0, WORLD_SOUND);
		assert_int_equal(MCP_OK, writers[i](&tagged, &w->key, &value));
		assert_int_equal(2, w->world.calls);
		assert_int_equal(MCP_VERDICT_FRESH, tags_look(w, &tagged));
		assert_memory_equal(text, w->entry.payload.data, w->entry.payload.length);
		assert_true(mcp_cache_guess_tags(&tagged, &w->key, &captured));
		world_watch(&w->world, 0, WORLD_SOUND);
		assert_int_equal(MCP_NOT_STORED, mcp_cache_add(&tagged, &w->key, &value));
		assert_int_equal(MCP_OK, mcp_cache_set(&tagged, &w->key, &value));
		assert_int_equal(2, w->world.calls);
		if (i == 0) {
			assert_int_equal(MCP_OK, mcp_cache_delete(&tagged, &w->key));
		}
	}
}

CACHE_TEST(an_invalidated_value_is_old_and_a_strictly_invalidated_one_is_gone, w) {
	mcp_cache_tags tags = tags_of("a", "b");
	mcp_cache tagged = tags_view(w, &tags);
	tags_put(w, &tagged, "value");
	tags_invalidate(w, "b", false);
	assert_int_equal(MCP_VERDICT_STALE, tags_look(w, &tagged));
	assert_int_equal(MCP_VERDICT_STALE, tags_look(w, &w->cache));
	tags_invalidate(w, "a", true);
	assert_int_equal(MCP_VERDICT_MISS, tags_look(w, &tagged));
	assert_int_equal(MCP_VERDICT_MISS, tags_look(w, &w->cache));
	assert_false(w->entry.has_value);
}

/* A strict value ends with its soft end, whatever ends it. */
CACHE_TEST(an_invalidated_value_without_grace_is_gone, w) {
	mcp_cache_tags tags = tags_of("a", NULL);
	mcp_cache tagged = tags_view(w, &tags);
	mcp_captured_tags captured;
	mcp_cache_capture_now(&tagged, &w->key, &captured);
	mcp_cache_value value = text_value("value");
	value.lifetime.grace_ms = 0;
	value.tags = mcp_captured_tags_view(&captured);
	mcp_cache_set(&tagged, &w->key, &value);
	assert_int_equal(MCP_VERDICT_FRESH, tags_look(w, &tagged));
	tags_invalidate(w, "a", false);
	assert_int_equal(MCP_VERDICT_MISS, tags_look(w, &tagged));
}

/* T3: also when the tag is made anew meanwhile. */
CACHE_TEST(a_lost_tag_invalidates_for_good, w) {
	mcp_key_buffer buffer;
	mcp_cache_tags tags = tags_of("a", NULL);
	mcp_cache tagged = tags_view(w, &tags);
	tags_put(w, &tagged, "value");
	world_remove(&w->world, tags_key("a", &buffer));
	assert_int_equal(MCP_VERDICT_MISS, tags_look(w, &tagged));
	mcp_captured_tags captured;
	assert_int_equal(MCP_OK, mcp_cache_capture_now(&tagged, &w->key, &captured));
	assert_int_equal(MCP_VERDICT_MISS, tags_look(w, &tagged));
}

/* 19 digits, bit 62 set, bit 61 and the count clear. */
CACHE_TEST(a_tag_begins_with_a_number_that_always_has_as_many_digits, w) {
	mcp_key_buffer buffer;
	mcp_cache_tags tags = tags_of("a", NULL);
	mcp_cache tagged = tags_view(w, &tags);
	tags_put(w, &tagged, "value");
	const char *digits = world_peek(&w->world, tags_key("a", &buffer));
	uint64_t number = strtoull(digits, NULL, 10);
	assert_int_equal(19, strlen(digits));
	assert_int_equal(2, number >> 61);
	assert_int_equal(0, number & 0xFFFFF);
	tags_invalidate(w, "a", false);
	assert_true(strtoull(world_peek(&w->world, buffer.bytes), NULL, 10) == number + 1);
}

CACHE_TEST(what_no_tag_ever_was_is_replaced, w) {
	mcp_key_buffer buffer;
	mcp_cache_tags tags = tags_of("a", NULL);
	mcp_cache tagged = tags_view(w, &tags);
	const char *const foreign[] = {"text", "17", "", "99999999999999999999"};
	for (int i = 0; i < 4; i++) {
		world_put(&w->world, tags_key("a", &buffer), foreign[i], 0);
		tags_invalidate(w, "a", false);
		tags_put(w, &tagged, "value");
		assert_int_equal(MCP_VERDICT_FRESH, tags_look(w, &tagged));
	}
}

/* T7, T8: a rebuild that runs is stored all the same, and the next caller is elected. */
CACHE_TEST(what_was_computed_before_an_invalidation_is_stored_as_old, w) {
	mcp_cache_tags tags = tags_of("a", NULL);
	mcp_cache tagged = tags_view(w, &tags);
	mcp_remember wishes = {.lifetime = {TTL_MS, TTL_MS, false}, .serve_stale = true};
	mcp_cache_remember(&tagged, &w->key, &wishes, &w->entry);
	assert_int_equal(MCP_VERDICT_ELECTED, w->entry.verdict);
	mcp_captured_tags captured;
	mcp_cache_capture(&tagged, &w->entry, &captured);
	mcp_claim claim = w->entry.claim;
	tags_invalidate(w, "a", false);
	mcp_cache_value value = text_value("late");
	value.tags = mcp_captured_tags_view(&captured);
	assert_int_equal(MCP_OK, mcp_cache_publish(&tagged, &w->key, &claim, &value));
	assert_int_equal(MCP_VERDICT_STALE, tags_look(w, &tagged));
	mcp_cache_remember(&tagged, &w->key, &wishes, &w->entry);
	assert_int_equal(MCP_VERDICT_ELECTED, w->entry.verdict);
	assert_true(w->entry.has_value);
}

CACHE_TEST(touch_expire_and_increments_leave_the_tags, w) {
	mcp_cache_tags tags = tags_of("a", NULL);
	mcp_cache tagged = tags_view(w, &tags);
	mcp_captured_tags captured;
	mcp_cache_capture_now(&tagged, &w->key, &captured);
	mcp_cache_value value = number_value("5");
	value.tags = mcp_captured_tags_view(&captured);
	mcp_cache_set(&tagged, &w->key, &value);
	int64_t number;
	assert_int_equal(MCP_OK, mcp_cache_increment(&w->cache, &w->key, 2, &number));
	assert_int_equal(7, number);
	assert_int_equal(MCP_VERDICT_FRESH, tags_look(w, &tagged));
	assert_int_equal(2, w->world.calls);
	assert_true(mcp_bytes_equal(w->entry.payload, mcp_bytes_of("7", 1)));
	tags_invalidate(w, "a", false);
	mcp_lifetime longer = {.ttl_ms = 2 * TTL_MS, .grace_ms = TTL_MS};
	assert_int_equal(MCP_OK, mcp_cache_touch(&w->cache, &w->key, longer));
	assert_int_equal(MCP_VERDICT_STALE, tags_look(w, &tagged));
	assert_int_equal(MCP_OK, mcp_cache_expire(&tagged, &w->key));
	assert_int_equal(1, mcp_tags_count(stored_envelope(w).tags));
}

CACHE_TEST(add_takes_the_place_of_an_invalidated_value, w) {
	mcp_cache_tags tags = tags_of("a", NULL);
	mcp_cache tagged = tags_view(w, &tags);
	tags_put(w, &tagged, "value");
	mcp_cache_value value = text_value("added");
	assert_int_equal(MCP_NOT_STORED, mcp_cache_add(&w->cache, &w->key, &value));
	tags_invalidate(w, "a", false);
	assert_int_equal(MCP_OK, mcp_cache_add(&w->cache, &w->key, &value));
	assert_string_equal("added", shown(w));
}

CACHE_TEST(an_update_keeps_the_values_tags_and_adds_the_views, w) {
	mcp_cache_tags a = tags_of("a", NULL), b = tags_of("b", NULL);
	mcp_cache through_a = tags_view(w, &a), through_b = tags_view(w, &b);
	tags_put(w, &through_a, "value");
	mcp_cache_peek(&through_b, &w->key, &w->entry);
	mcp_cache_seen seen = mcp_cache_see(&w->entry);
	mcp_captured_tags captured;
	mcp_cache_capture_kept(&through_b, &w->entry, &captured);
	assert_int_equal(MCP_OK, mcp_cache_complete_capture(&through_b, &w->key, &captured));
	mcp_cache_value value = text_value("updated");
	value.tags = mcp_captured_tags_view(&captured);
	assert_int_equal(MCP_OK, mcp_cache_update(&through_b, &w->key, &seen, &value));
	assert_int_equal(2, mcp_tags_count(stored_envelope(w).tags));
	assert_int_equal(MCP_VERDICT_FRESH, tags_look(w, &through_a));
	assert_int_equal(MCP_VERDICT_FRESH, tags_look(w, &through_b));
}

CACHE_TEST(a_clearable_cache_takes_a_value_of_no_namespace_for_none, w) {
	uint64_t name = 17, number;
	mcp_cache_tags scope = {1, 1, true, &name, &number, NULL};
	mcp_cache clearable = tags_view(w, &scope);
	put_text(w, "from before");
	assert_int_equal(MCP_VERDICT_MISS, tags_look(w, &clearable));
	assert_int_equal(1, w->world.calls);
	tags_put(w, &clearable, "value");
	assert_int_equal(MCP_VERDICT_FRESH, tags_look(w, &clearable));
	assert_int_equal(1, w->world.calls);
	assert_int_equal(MCP_OK, mcp_cache_invalidate(&w->rival, mcp_bytes_none(), &scope, true, NULL));
	assert_int_equal(MCP_VERDICT_MISS, tags_look(w, &clearable));
}

/* Whatever becomes of the making of the tag, one caller computes, and what it stores is fresh. */
CACHE_TEST(a_tag_is_made_whatever_becomes_of_the_first_try, w) {
	const world_fault faults[] = {WORLD_SOUND, WORLD_REPLY_LOST, WORLD_REQUEST_LOST};
	mcp_cache_tags tags = tags_of("a", "b");
	mcp_cache tagged = tags_view(w, &tags);
	mcp_remember wishes = {.lifetime = {TTL_MS, TTL_MS, false}, .serve_stale = true};
	mcp_key_buffer buffer;
	for (int i = 0; i < 3; i++) {
		world_remove(&w->world, tags_key("a", &buffer));
		world_remove(&w->world, "k");
		disturb(w, 2, faults[i]);
		mcp_cache_remember(&tagged, &w->key, &wishes, &w->entry);
		assert_int_equal(MCP_VERDICT_ELECTED, w->entry.verdict);
		mcp_captured_tags captured;
		mcp_cache_capture(&tagged, &w->entry, &captured);
		mcp_cache_value value = text_value("value");
		value.tags = mcp_captured_tags_view(&captured);
		mcp_cache_publish(&tagged, &w->key, &w->entry.claim, &value);
		assert_int_equal(MCP_VERDICT_FRESH, tags_look(w, &tagged));
	}
}

CACHE_TEST(a_tag_that_cannot_be_read_makes_a_miss_and_no_election, w) {
	mcp_cache_tags tags = tags_of("a", NULL);
	mcp_cache tagged = tags_view(w, &tags);
	tags_put(w, &tagged, "value");
	disturb(w, 2, WORLD_DOWN);
	mcp_cache_lookup(&w->cache, &w->key, &w->entry);
	assert_int_equal(MCP_VERDICT_MISS, w->entry.verdict);
	assert_true(mcp_status_is_failure(w->entry.trouble));
}

CACHE_TEST(an_unanswered_strict_invalidation_is_sent_once_more_with_another_number, w) {
	mcp_key_buffer buffer;
	mcp_cache_tags tags = tags_of("a", NULL);
	mcp_cache tagged = tags_view(w, &tags);
	tags_put(w, &tagged, "value");
	disturb(w, 1, WORLD_REPLY_LOST);
	assert_int_equal(MCP_OK, mcp_cache_invalidate(&w->cache, mcp_bytes_none(), &tags, true, NULL));
	assert_int_equal(2, w->world.calls);
	disturb(w, 1, WORLD_DOWN);
	assert_int_not_equal(MCP_OK,
		mcp_cache_invalidate(&w->cache, mcp_bytes_none(), &tags, true, NULL));
	disturb(w, 1, WORLD_REPLY_LOST);
	assert_int_equal(MCP_UNKNOWN,
		mcp_cache_invalidate(&w->cache, mcp_bytes_none(), &tags, false, NULL));
	assert_int_equal(1, w->world.calls);
	assert_non_null(world_peek(&w->world, tags_key("a", &buffer)));
}

#define MANY 3

/* One round trip for all through the view; two through a plain cache, also where one of them counts. */
#define SERVERS 3

static unsigned told_before_a_reply;

static void note_sent(mcp_store *store, mcp_op *const *ops, size_t count) {
	assert_int_equal(2, count);
	told_before_a_reply++;
}

static void reply_when_all_are_told(mcp_store *store, mcp_op *const *ops, size_t count) {
	assert_int_equal(SERVERS, told_before_a_reply);
	mcp_ops_answer(ops, count, MCP_OK);
}

static size_t pick_first(void *router, mcp_bytes route) {
	return 0;
}

static void check_order(mcp_store *store, mcp_op *const *ops, size_t count) {
	assert_int_equal(4, count);
	for (unsigned i = 0; i < 4; i++) {
		mcp_key_buffer buffer;
		mcp_key tag = mcp_key_tag(&buffer, mcp_bytes_none(), i + 1, mcp_bytes_none());
		assert_true(mcp_bytes_equal(tag.wire, ops[i]->key->wire));
	}
}

/* Symfony's adapter relies on it: by the first tag, a value is known to be computed before. */
CACHE_TEST(all_names_of_a_tag_come_before_those_of_the_next, w) {
	static const mcp_store_operations operations = {
		.submit = check_order,
		.complete = reply_when_all_are_told,
	};
	static const uint64_t of_two_keys[] = {1, 3, 2, 4};
	mcp_store server = {&operations, "noted", NULL};
	uint64_t numbers[2];
	mcp_cache_tags tags = {2, 2, false, of_two_keys, numbers, NULL};
	w->cache.store = &server;
	told_before_a_reply = SERVERS;
	assert_int_equal(MCP_OK, mcp_cache_invalidate(&w->cache, mcp_bytes_none(), &tags, true, NULL));
}

CACHE_TEST(all_servers_are_told_before_the_first_reply, w) {
	static const mcp_store_operations operations = {
		.submit = note_sent,
		.complete = reply_when_all_are_told,
	};
	mcp_store servers[SERVERS], *listed[SERVERS];
	for (size_t i = 0; i < SERVERS; i++) {
		servers[i] = (mcp_store){&operations, "noted", NULL};
		listed[i] = &servers[i];
	}
	mcp_cache_tags tags = tags_of("a", "b");
	w->cache.store = mcp_store_cluster_create(listed, SERVERS, pick_first, NULL);
	for (unsigned strict = 0; strict < 2; strict++) {
		told_before_a_reply = 0;
		assert_int_equal(MCP_OK,
			mcp_cache_invalidate(&w->cache, mcp_bytes_none(), &tags, strict == 1, NULL));
		assert_int_equal(SERVERS, told_before_a_reply);
	}
	mcp_store_free(w->cache.store);
}

CACHE_TEST(many_are_read_with_their_tags_in_one_round_trip, w) {
	mcp_cache_tags tags = tags_of("a", "b");
	mcp_cache tagged = tags_view(w, &tags);
	mcp_key_buffer buffers[MANY], side_buffers[MANY];
	mcp_key keys[MANY], scratch_keys[2 * MANY];
	mcp_op replies[2 * MANY];
	mcp_cache_entry entries[MANY];
	const char *const names[MANY] = {"k", "l", "m"};
	uint64_t numbers[2 * MANY];
	mcp_cache_batch batch = {keys, MANY, entries, replies, scratch_keys, side_buffers, NULL,
		numbers};
	for (int i = 0; i < MANY; i++) {
		keys[i] = world_key(&buffers[i], MCP_SPACE_CACHE, names[i]);
		mcp_captured_tags captured;
		mcp_cache_capture_now(&tagged, &keys[i], &captured);
		mcp_cache_value value = number_value("5");
		value.tags = i < 2 ? mcp_captured_tags_view(&captured) : mcp_bytes_none();
		mcp_cache_set(&tagged, &keys[i], &value);
	}
	world_watch(&w->world, 0, WORLD_SOUND);
	mcp_cache_read_many(&tagged, &batch);
	assert_int_equal(1, w->world.calls);
	assert_int_equal(MCP_VERDICT_FRESH, entries[0].verdict);
	assert_int_equal(MCP_VERDICT_FRESH, entries[1].verdict);
	assert_int_equal(MCP_VERDICT_STALE, entries[2].verdict);
	int64_t number;
	mcp_cache_increment(&w->cache, &keys[1], 2, &number);
	world_watch(&w->world, 0, WORLD_SOUND);
	mcp_cache_read_many(&w->cache, &batch);
	assert_int_equal(2, w->world.calls);
	assert_int_equal(MCP_VERDICT_FRESH, entries[2].verdict);
	assert_true(mcp_bytes_equal(entries[1].payload, mcp_bytes_of("7", 1)));
	tags_invalidate(w, "b", false);
	mcp_cache_read_many(&w->cache, &batch);
	assert_int_equal(MCP_VERDICT_STALE, entries[0].verdict);
	assert_int_equal(MCP_VERDICT_STALE, entries[1].verdict);
	assert_int_equal(MCP_VERDICT_FRESH, entries[2].verdict);
}

/* Two servers, of which the second one has the first key, without an item. The names of what was asked for are kept. */
static mcp_store two_servers[2];
static char requested[4];
static size_t requested_count;

static mcp_store *second_for_k(mcp_store *store, const mcp_key *key) {
	return &two_servers[key->route.data[0] == 'k' ? 1 : 0];
}

static size_t count_two(mcp_store *store) {
	return 2;
}

static void note_keys(mcp_store *store, mcp_op *const *ops, size_t count) {
	for (requested_count = 0; requested_count < count; requested_count++) {
		requested[requested_count] = ops[requested_count]->key->route.data[0];
		ops[requested_count]->status = MCP_NOT_FOUND;
	}
}

/* By the order of the keys, not by where in memory the servers' stores are. */
CACHE_TEST(tags_of_many_are_asked_for_in_the_order_of_their_servers, w) {
	static const mcp_store_operations operations = {
		.run = note_keys,
		.owner = second_for_k,
		.member_count = count_two,
	};
	mcp_store cluster = {.operations = &operations};
	mcp_cache_tags tags = tags_of("a", NULL);
	mcp_cache tagged = tags_view(w, &tags);
	mcp_key_buffer buffers[2], side_buffers[2];
	mcp_key scratch_keys[4];
	mcp_op replies[4];
	mcp_cache_entry entries[2];
	uint64_t numbers[2];
	const mcp_key keys[] = {world_key(&buffers[0], MCP_SPACE_CACHE, "k"),
		world_key(&buffers[1], MCP_SPACE_CACHE, "l")};
	mcp_cache_batch batch = {keys, 2, entries, replies, scratch_keys, side_buffers, NULL, numbers};
	tagged.store = &cluster;
	mcp_cache_read_many(&tagged, &batch);
	assert_int_equal(4, requested_count);
	assert_int_equal('k', requested[2]);
	assert_int_equal('l', requested[3]);
}

/* The header, and all that a look asks for, have room for them: alone and among many, through the view and without. */
CACHE_TEST(a_value_has_as_many_tags_as_an_envelope, w) {
	static const unsigned counts[] = {17, 35, 255, MCP_ENVELOPE_TAGS_MAX};
	for (unsigned i = 0; i < 4; i++) {
		mcp_cache_tags tags = tags_many(counts[i]);
		mcp_cache tagged = tags_view(w, &tags);
		tags_put(w, &tagged, "value");
		assert_int_equal(counts[i], mcp_tags_count(stored_envelope(w).tags));
		assert_int_equal(MCP_VERDICT_FRESH, tags_look(w, &tagged));
		assert_int_equal(1, w->world.calls);
		assert_int_equal(MCP_VERDICT_FRESH, tags_look(w, &w->cache));
		assert_int_equal(2, w->world.calls);
		int64_t number;
		assert_int_equal(MCP_NOT_A_NUMBER, mcp_cache_increment(&tagged, &w->key, 1, &number));
		uint64_t last = tags.fingerprints[counts[i] - 1];
		mcp_cache_tags of_last = {.count = 1, .key_count = 1, .fingerprints = &last};
		mcp_cache_invalidate(&w->rival, mcp_bytes_none(), &of_last, false, NULL);
		assert_int_equal(MCP_VERDICT_STALE, tags_look(w, &tagged));
		mcp_cache_lookup(&tagged, &w->key, &w->entry);
		assert_int_equal(MCP_VERDICT_ELECTED, w->entry.verdict);
		assert_int_equal(counts[i], mcp_tags_count(stored_envelope(w).tags));
		assert_int_equal(MCP_OK, mcp_cache_abandon(&w->cache, &w->key, &w->entry.claim, false));
		mcp_cache_invalidate(&w->rival, mcp_bytes_none(), &tags, true, NULL);
		assert_int_equal(MCP_VERDICT_MISS, tags_look(w, &w->cache));
	}
}

/* Two hosts of which each has its own key first (T9). */
CACHE_TEST(a_tag_is_known_and_invalidated_by_each_of_its_names, w) {
	const uint64_t old_first[] = {0x1a, 0x1b, 0x2a, 0x2b}, new_first[] = {0x2a, 0x2b, 0x1a, 0x1b};
	uint64_t numbers[2], other_numbers[2];
	mcp_cache_tags one = {2, 2, false, old_first, numbers, NULL};
	mcp_cache_tags other = {2, 2, false, new_first, other_numbers, NULL};
	mcp_cache writes = tags_view(w, &one), reads = tags_view(w, &other);
	tags_put(w, &writes, "value");
	assert_int_equal(2, mcp_tags_count(stored_envelope(w).tags));
	assert_int_equal(MCP_VERDICT_FRESH, tags_look(w, &reads));
	assert_int_equal(1, w->world.calls);
	assert_int_equal(MCP_OK, mcp_cache_invalidate(&reads, mcp_bytes_none(), &other, false, NULL));
	assert_int_equal(MCP_VERDICT_STALE, tags_look(w, &writes));
	assert_int_equal(MCP_VERDICT_STALE, tags_look(w, &reads));
	tags_put(w, &writes, "value");
	assert_int_equal(MCP_OK, mcp_cache_invalidate(&reads, mcp_bytes_none(), &other, true, NULL));
	assert_int_equal(MCP_VERDICT_MISS, tags_look(w, &writes));
	const uint64_t unlike[] = {0x3a, 0x3b};
	mcp_cache_tags neither = {2, 1, false, unlike, numbers, NULL};
	mcp_cache stranger = tags_view(w, &neither);
	tags_put(w, &writes, "value");
	assert_int_equal(MCP_VERDICT_STALE, tags_look(w, &stranger));
}

CACHE_TEST(a_lifetime_ends_with_the_older_key_that_names_the_tags, w) {
	uint64_t now_ms = mcp_wall_ms(w->cache.environment);
	mcp_cache_entry entry = {.envelope = {.hard_ms = now_ms + 200, .signer = 1}};
	static const struct {
		mcp_lifetime asked;
		uint64_t ttl_ms, grace_ms;
	} cases[] = {
		{{.ttl_ms = 50, .grace_ms = 100}, 50, 100},
		{{.ttl_ms = 150, .grace_ms = 100}, 150, 50},
		{{.ttl_ms = 500, .grace_ms = 100}, 200, 0},
		{{.ttl_ms = 0, .grace_ms = MCP_GRACE_FOREVER}, 200, 0},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		mcp_lifetime within = mcp_cache_lifetime_within(&w->cache, cases[i].asked, &entry);
		assert_int_equal(cases[i].ttl_ms, within.ttl_ms);
		assert_int_equal(cases[i].grace_ms, within.grace_ms);
	}
	mcp_lifetime asked = {.ttl_ms = 500, .grace_ms = 100};
	entry.envelope.hard_ms = now_ms - 1;
	assert_int_equal(1, mcp_cache_lifetime_within(&w->cache, asked, &entry).ttl_ms);
	entry.envelope.hard_ms = MCP_NEVER_MS;
	assert_int_equal(500, mcp_cache_lifetime_within(&w->cache, asked, &entry).ttl_ms);
	entry.envelope = (mcp_envelope){.hard_ms = now_ms + 200};
	assert_int_equal(500, mcp_cache_lifetime_within(&w->cache, asked, &entry).ttl_ms);
}

CACHE_TEST(many_have_as_many_tags_as_an_envelope, w) {
	mcp_cache_tags tags = tags_many(MCP_ENVELOPE_TAGS_MAX);
	mcp_cache tagged = tags_view(w, &tags);
	mcp_key_buffer buffers[MANY], side_buffers[MANY];
	mcp_key keys[MANY], scratch_keys[2 * MANY];
	mcp_op replies[2 * MANY];
	mcp_cache_entry entries[MANY];
	mcp_captured_tags captured[MANY];
	mcp_cache_setting settings[MANY];
	const char *const names[MANY] = {"k", "l", "m"};
	uint64_t *numbers = calloc(MANY * tags.count, sizeof(*numbers));
	mcp_cache_batch batch = {keys, MANY, entries, replies, scratch_keys, side_buffers, NULL,
		numbers};
	for (int i = 0; i < MANY; i++) {
		keys[i] = world_key(&buffers[i], MCP_SPACE_CACHE, names[i]);
		assert_int_equal(MCP_OK, mcp_cache_capture_now(&tagged, &keys[i], &captured[i]));
		settings[i] = (mcp_cache_setting){.key = keys[i], .value = text_value("value")};
		settings[i].value.tags = mcp_captured_tags_view(&captured[i]);
	}
	mcp_cache_set_many(&tagged, settings, MANY);
	const mcp_cache *through[] = {&tagged, &w->cache};
	for (unsigned i = 0; i < 2; i++) {
		world_watch(&w->world, 0, WORLD_SOUND);
		mcp_cache_read_many(through[i], &batch);
		assert_int_equal(i + 1, w->world.calls);
		assert_int_equal(MCP_VERDICT_FRESH, entries[0].verdict);
		assert_int_equal(MCP_VERDICT_FRESH, entries[MANY - 1].verdict);
	}
	free(numbers);
}

/* Those of both together are too many for one. */
CACHE_TEST(an_update_of_too_many_tags_is_none, w) {
	mcp_cache_tags tags = tags_many(MCP_ENVELOPE_TAGS_MAX), one_more = tags_of("a", NULL);
	mcp_cache tagged = tags_view(w, &tags), other = tags_view(w, &one_more);
	mcp_captured_tags captured;
	tags_put(w, &tagged, "value");
	mcp_cache_peek(&other, &w->key, &w->entry);
	assert_false(mcp_cache_capture_kept(&other, &w->entry, &captured));
	mcp_cache_peek(&tagged, &w->key, &w->entry);
	assert_true(mcp_cache_capture_kept(&tagged, &w->entry, &captured));
	assert_int_equal(tags.count, mcp_tags_count(mcp_captured_tags_view(&captured)));
}
