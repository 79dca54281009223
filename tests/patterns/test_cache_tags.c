/* Holds values with tags to T1 to T8 and N1 where one call decides, and to their round trips. Every interleaving is
 * tests/simulation/plain's. */
/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../../src/patterns/cache/entry/cache_tags.h"
#include "cache_world.h"

static mcp_cache_tags tags_of(const char *first, const char *second) {
	mcp_cache_tags tags = {.count = 0};
	const char *names[] = {first, second};
	for (int i = 0; i < 2; i++) {
		if (names[i] != NULL) {
			mcp_bytes name = mcp_bytes_of(names[i], strlen(names[i]));
			mcp_cache_tags_add(&tags, mcp_key_tag_fingerprint(mcp_bytes_none(), name));
		}
	}
	return tags;
}

/* Makes a view of the same host's cache. */
static mcp_cache view(const cache_world *w, const mcp_cache_tags *tags) {
	mcp_cache cache = w->cache;
	cache.tags = tags;
	return cache;
}

static void put(const cache_world *w, const mcp_cache *cache, const char *text) {
	mcp_captured_tags captured;
	assert_int_equal(MCP_OK, mcp_cache_capture_now(cache, &w->key, &captured));
	mcp_cache_value value = text_value(text);
	value.tags = mcp_captured_tags_view(&captured);
	assert_int_equal(MCP_OK, mcp_cache_set(cache, &w->key, &value));
}

static void invalidate(cache_world *w, const char *name, bool is_strict) {
	mcp_cache_tags tags = tags_of(name, NULL);
	mcp_status status = mcp_cache_invalidate(&w->rival, mcp_bytes_none(), &tags, is_strict);
	assert_int_equal(MCP_OK, status);
}

static mcp_verdict look(cache_world *w, const mcp_cache *cache) {
	world_watch(&w->world, 0, WORLD_SOUND);
	mcp_cache_read(cache, &w->key, &w->entry);
	return w->entry.verdict;
}

static void a_hit_costs_one_round_trip_through_its_view_and_two_through_a_plain_cache(void *
		*state) {
	cache_world *w = *state;
	mcp_cache_tags tags = tags_of("a", "b");
	mcp_cache tagged = view(w, &tags);
	put(w, &tagged, "value");
	assert_int_equal(MCP_VERDICT_FRESH, look(w, &tagged));
	assert_int_equal(1, w->world.calls);
	assert_int_equal(MCP_VERDICT_FRESH, look(w, &w->cache));
	assert_int_equal(2, w->world.calls);
}

static void a_value_lacking_a_tag_of_the_view_is_old_there_and_other_tags_cost_a_second_trip(void *
		*state) {
	cache_world *w = *state;
	mcp_cache_tags a = tags_of("a", NULL), b = tags_of("b", NULL);
	mcp_cache through_a = view(w, &a), through_b = view(w, &b);
	put(w, &through_a, "value");
	assert_int_equal(MCP_VERDICT_STALE, look(w, &through_b));
	assert_int_equal(2, w->world.calls);
}

static void an_invalidated_value_is_old_and_a_strictly_invalidated_one_is_gone(void **state) {
	cache_world *w = *state;
	mcp_cache_tags tags = tags_of("a", "b");
	mcp_cache tagged = view(w, &tags);
	put(w, &tagged, "value");
	invalidate(w, "b", false);
	assert_int_equal(MCP_VERDICT_STALE, look(w, &tagged));
	assert_int_equal(MCP_VERDICT_STALE, look(w, &w->cache));
	invalidate(w, "a", true);
	assert_int_equal(MCP_VERDICT_MISS, look(w, &tagged));
	assert_int_equal(MCP_VERDICT_MISS, look(w, &w->cache));
	assert_false(w->entry.has_value);
}

/* A strict value ends with its soft end, whatever ends it. */
static void an_invalidated_value_without_grace_is_gone(void **state) {
	cache_world *w = *state;
	mcp_cache_tags tags = tags_of("a", NULL);
	mcp_cache tagged = view(w, &tags);
	mcp_captured_tags captured;
	mcp_cache_capture_now(&tagged, &w->key, &captured);
	mcp_cache_value value = text_value("value");
	value.lifetime.grace_ms = 0;
	value.tags = mcp_captured_tags_view(&captured);
	mcp_cache_set(&tagged, &w->key, &value);
	assert_int_equal(MCP_VERDICT_FRESH, look(w, &tagged));
	invalidate(w, "a", false);
	assert_int_equal(MCP_VERDICT_MISS, look(w, &tagged));
}

static const char *tag_key(const char *name, mcp_key_buffer *buffer) {
	uint64_t fingerprint =
		mcp_key_tag_fingerprint(mcp_bytes_none(), mcp_bytes_of(name, strlen(name)));
	mcp_key_tag(buffer, mcp_bytes_none(), fingerprint, mcp_bytes_none());
	return buffer->bytes;
}

/* T3: also when the tag is made anew meanwhile. */
static void a_lost_tag_invalidates_for_good(void **state) {
	cache_world *w = *state;
	mcp_key_buffer buffer;
	mcp_cache_tags tags = tags_of("a", NULL);
	mcp_cache tagged = view(w, &tags);
	put(w, &tagged, "value");
	world_remove(&w->world, tag_key("a", &buffer));
	assert_int_equal(MCP_VERDICT_MISS, look(w, &tagged));
	mcp_captured_tags captured;
	assert_int_equal(MCP_OK, mcp_cache_capture_now(&tagged, &w->key, &captured));
	assert_int_equal(MCP_VERDICT_MISS, look(w, &tagged));
}

/* 19 digits, bit 62 set, bit 61 and the count clear. */
static void a_tag_begins_with_a_number_that_always_has_as_many_digits(void **state) {
	cache_world *w = *state;
	mcp_key_buffer buffer;
	mcp_cache_tags tags = tags_of("a", NULL);
	mcp_cache tagged = view(w, &tags);
	put(w, &tagged, "value");
	const char *digits = world_peek(&w->world, tag_key("a", &buffer));
	uint64_t number = strtoull(digits, NULL, 10);
	assert_int_equal(19, strlen(digits));
	assert_int_equal(2, number >> 61);
	assert_int_equal(0, number & 0xFFFFF);
	invalidate(w, "a", false);
	assert_true(strtoull(world_peek(&w->world, buffer.bytes), NULL, 10) == number + 1);
}

static void what_no_tag_ever_was_is_replaced(void **state) {
	cache_world *w = *state;
	mcp_key_buffer buffer;
	mcp_cache_tags tags = tags_of("a", NULL);
	mcp_cache tagged = view(w, &tags);
	const char *const foreign[] = {"text", "17", "", "99999999999999999999"};
	for (int i = 0; i < 4; i++) {
		world_put(&w->world, tag_key("a", &buffer), foreign[i], 0);
		invalidate(w, "a", false);
		put(w, &tagged, "value");
		assert_int_equal(MCP_VERDICT_FRESH, look(w, &tagged));
	}
}

/* T7, T8: a rebuild that runs is stored all the same, and the next caller is elected. */
static void what_was_computed_before_an_invalidation_is_stored_as_old(void **state) {
	cache_world *w = *state;
	mcp_cache_tags tags = tags_of("a", NULL);
	mcp_cache tagged = view(w, &tags);
	mcp_remember wishes = {.lifetime = {TTL_MS, TTL_MS, false}, .serve_stale = true};
	mcp_cache_remember(&tagged, &w->key, &wishes, &w->entry);
	assert_int_equal(MCP_VERDICT_ELECTED, w->entry.verdict);
	mcp_captured_tags captured;
	mcp_cache_capture(&tagged, &w->entry, &captured);
	mcp_claim claim = w->entry.claim;
	invalidate(w, "a", false);
	mcp_cache_value value = text_value("late");
	value.tags = mcp_captured_tags_view(&captured);
	assert_int_equal(MCP_OK, mcp_cache_publish(&tagged, &w->key, &claim, &value));
	assert_int_equal(MCP_VERDICT_STALE, look(w, &tagged));
	mcp_cache_remember(&tagged, &w->key, &wishes, &w->entry);
	assert_int_equal(MCP_VERDICT_ELECTED, w->entry.verdict);
	assert_true(w->entry.has_value);
}

static void note(cache_world *w, const mcp_cache *through, mcp_noted_tags *noted) {
	mcp_captured_tags captured;
	mcp_cache_read(through, &w->key, &w->entry);
	mcp_cache_capture_look(through, &w->key, &w->entry, &captured);
	mcp_cache_note_tags(noted, mcp_captured_tags_view(&captured), mcp_cache_look_gave(&w->entry),
		NULL);
}

static mcp_verdict set_as_noted(cache_world *w, const mcp_cache *through,
	const mcp_noted_tags *noted) {
	mcp_captured_tags captured;
	mcp_bytes numbers = mcp_noted_tags_view(noted);
	assert_int_equal(MCP_OK, mcp_cache_capture_of(through, &w->key, numbers, &captured));
	mcp_cache_value value = text_value("stored");
	value.tags = mcp_captured_tags_view(&captured);
	assert_int_equal(MCP_OK, mcp_cache_set(through, &w->key, &value));
	return look(w, through);
}

/* T7: number by number, and as of the call what no look has asked for. */
static void of_several_looks_the_first_counts(void **state) {
	cache_world *w = *state;
	mcp_cache_tags both = tags_of("a", "b"), second = tags_of("b", NULL);
	mcp_cache tagged = view(w, &both), through_b = view(w, &second);
	put(w, &tagged, "value");
	mcp_noted_tags noted = {.length = 0};
	note(w, &through_b, &noted);
	invalidate(w, "a", false);
	assert_int_equal(MCP_VERDICT_FRESH, set_as_noted(w, &tagged, &noted));
	invalidate(w, "b", false);
	note(w, &tagged, &noted);
	assert_int_equal(2 * MCP_TAG_LENGTH, noted.length);
	assert_int_equal(MCP_VERDICT_STALE, set_as_noted(w, &tagged, &noted));
	noted.length = 0;
	assert_int_equal(MCP_VERDICT_FRESH, set_as_noted(w, &tagged, &noted));
}

static void note_number(mcp_noted_tags *noted, uint64_t number, mcp_look_gave gave,
	const mcp_noted_tags *held) {
	char one[MCP_TAG_LENGTH];
	mcp_tag_write(one, (mcp_tag){.fingerprint = 1, .number = number});
	mcp_cache_note_tags(noted, mcp_bytes_of(one, sizeof(one)), gave, held);
}

static uint64_t noted_number(const mcp_noted_tags *noted) {
	return mcp_tags_at(mcp_noted_tags_view(noted), 0).number;
}

/* T7: its caller begins to compute, and what it does then goes on whatever later looks give. */
static void the_first_look_that_gives_nothing_begins_anew(void **state) {
	(void)state;
	static const uint64_t base = (uint64_t)1 << 62;
	static const mcp_look_gave without[] = {MCP_LOOK_GAVE_NOTHING, MCP_LOOK_GAVE_NO_WORD};
	for (unsigned i = 0; i < 2; i++) {
		mcp_noted_tags noted;
		mcp_noted_tags_clear(&noted);
		note_number(&noted, base + 1, MCP_LOOK_GAVE_A_VALUE, NULL);
		note_number(&noted, base + 2, MCP_LOOK_GAVE_A_VALUE, NULL);
		assert_true(noted_number(&noted) == base + 1);
		note_number(&noted, 0, MCP_LOOK_GAVE_A_VALUE, NULL);
		note_number(&noted, base + 3, without[i], NULL);
		assert_true(noted_number(&noted) == (i == 0 ? base + 3 : base + 1));
		note_number(&noted, base + 4, MCP_LOOK_GAVE_NOTHING, NULL);
		assert_true(noted_number(&noted) == (i == 0 ? base + 3 : base + 1));
	}
}

/* A result computed under the claim may be the one that is stored. */
static void a_look_outdoes_no_claim_that_is_older(void **state) {
	(void)state;
	static const uint64_t base = (uint64_t)1 << 62;
	mcp_noted_tags noted, held;
	for (uint64_t claimed = 0; claimed < 3; claimed++) {
		mcp_noted_tags_clear(&held);
		if (claimed > 0) {
			note_number(&held, base + claimed, MCP_LOOK_GAVE_NOTHING, NULL);
		}
		mcp_noted_tags_clear(&noted);
		note_number(&noted, base, MCP_LOOK_GAVE_A_VALUE, NULL);
		note_number(&noted, base + 2, MCP_LOOK_GAVE_NOTHING, &held);
		assert_true(noted_number(&noted) == (claimed == 2 ? base + 2 : base));
	}
}

/* It gives nothing, and tells nothing of when that was so. */
static void a_look_without_an_answer_outdoes_none(void **state) {
	(void)state;
	static const uint64_t base = (uint64_t)1 << 62;
	mcp_noted_tags noted;
	mcp_noted_tags_clear(&noted);
	note_number(&noted, base, MCP_LOOK_GAVE_A_VALUE, NULL);
	note_number(&noted, 0, MCP_LOOK_GAVE_NOTHING, NULL);
	note_number(&noted, base + 1, MCP_LOOK_GAVE_NOTHING, NULL);
	assert_true(noted_number(&noted) == base);
}

/* Nobody knows what was invalidated since. */
static void what_follows_a_look_without_an_answer_is_no_value(void **state) {
	cache_world *w = *state;
	mcp_cache_tags tags = tags_of("a", NULL);
	mcp_cache tagged = view(w, &tags);
	put(w, &tagged, "value");
	mcp_noted_tags noted = {.length = 0};
	world_watch(&w->world, 1, WORLD_REPLY_LOST);
	note(w, &tagged, &noted);
	assert_int_not_equal(MCP_OK, w->entry.trouble);
	world_watch(&w->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_VERDICT_MISS, set_as_noted(w, &tagged, &noted));
}

/* A look that is forgotten would hide what was invalidated since. */
static void more_tags_than_are_noted_are_valid_by_no_value(void **state) {
	cache_world *w = *state;
	mcp_cache_tags first = tags_of("a", NULL), last = tags_of("b", NULL);
	mcp_cache through_a = view(w, &first), through_b = view(w, &last);
	mcp_noted_tags noted = {.length = 0};
	note(w, &through_a, &noted);
	char one[MCP_TAG_LENGTH];
	for (uint64_t i = 1; i < MCP_NOTED_TAGS_MAX; i++) {
		assert_int_equal(MCP_VERDICT_FRESH, set_as_noted(w, &through_b, &noted));
		mcp_tag_write(one, (mcp_tag){.fingerprint = i, .number = (uint64_t)1 << 62});
		mcp_cache_note_tags(&noted, mcp_bytes_of(one, sizeof(one)), MCP_LOOK_GAVE_NOTHING, NULL);
		mcp_cache_note_tags(&noted, mcp_bytes_of(one, sizeof(one)), MCP_LOOK_GAVE_NOTHING, NULL);
	}
	assert_int_equal(MCP_NOTED_TAGS_MAX * MCP_TAG_LENGTH, noted.length);
	assert_int_equal(MCP_VERDICT_FRESH, set_as_noted(w, &through_a, &noted));
	note(w, &through_b, &noted);
	assert_int_equal(MCP_VERDICT_MISS, set_as_noted(w, &through_b, &noted));
	invalidate(w, "a", false);
	assert_int_equal(MCP_VERDICT_STALE, set_as_noted(w, &through_a, &noted));
}

static void touch_expire_and_increments_leave_the_tags(void **state) {
	cache_world *w = *state;
	mcp_cache_tags tags = tags_of("a", NULL);
	mcp_cache tagged = view(w, &tags);
	mcp_captured_tags captured;
	mcp_cache_capture_now(&tagged, &w->key, &captured);
	mcp_cache_value value = number_value("5");
	value.tags = mcp_captured_tags_view(&captured);
	mcp_cache_set(&tagged, &w->key, &value);
	int64_t number;
	assert_int_equal(MCP_OK, mcp_cache_increment(&w->cache, &w->key, 2, &number));
	assert_int_equal(7, number);
	assert_int_equal(MCP_VERDICT_FRESH, look(w, &tagged));
	assert_int_equal(2, w->world.calls);
	assert_true(mcp_bytes_equal(w->entry.payload, mcp_bytes_of("7", 1)));
	invalidate(w, "a", false);
	mcp_lifetime longer = {.ttl_ms = 2 * TTL_MS, .grace_ms = TTL_MS};
	assert_int_equal(MCP_OK, mcp_cache_touch(&w->cache, &w->key, longer));
	assert_int_equal(MCP_VERDICT_STALE, look(w, &tagged));
	assert_int_equal(MCP_OK, mcp_cache_expire(&tagged, &w->key));
	assert_int_equal(1, mcp_tags_count(stored_envelope(w).tags));
}

static void add_takes_the_place_of_an_invalidated_value(void **state) {
	cache_world *w = *state;
	mcp_cache_tags tags = tags_of("a", NULL);
	mcp_cache tagged = view(w, &tags);
	put(w, &tagged, "value");
	mcp_cache_value value = text_value("added");
	assert_int_equal(MCP_NOT_STORED, mcp_cache_add(&w->cache, &w->key, &value));
	invalidate(w, "a", false);
	assert_int_equal(MCP_OK, mcp_cache_add(&w->cache, &w->key, &value));
	assert_string_equal("added", shown(w));
}

static void an_update_keeps_the_values_tags_and_adds_the_views(void **state) {
	cache_world *w = *state;
	mcp_cache_tags a = tags_of("a", NULL), b = tags_of("b", NULL);
	mcp_cache through_a = view(w, &a), through_b = view(w, &b);
	put(w, &through_a, "value");
	mcp_cache_peek(&through_b, &w->key, &w->entry);
	mcp_cache_seen seen = mcp_cache_see(&w->entry);
	mcp_captured_tags captured;
	mcp_cache_capture_kept(&through_b, &w->entry, &captured);
	assert_int_equal(MCP_OK, mcp_cache_complete_capture(&through_b, &w->key, &captured));
	mcp_cache_value value = text_value("updated");
	value.tags = mcp_captured_tags_view(&captured);
	assert_int_equal(MCP_OK, mcp_cache_update(&through_b, &w->key, &seen, &value));
	assert_int_equal(2, mcp_tags_count(stored_envelope(w).tags));
	assert_int_equal(MCP_VERDICT_FRESH, look(w, &through_a));
	assert_int_equal(MCP_VERDICT_FRESH, look(w, &through_b));
}

static void a_clearable_cache_takes_a_value_of_no_namespace_for_none(void **state) {
	cache_world *w = *state;
	mcp_cache_tags scope = {.count = 0, .has_namespace = true};
	mcp_cache_tags_add(&scope, mcp_key_namespace_fingerprint(mcp_bytes_none(), mcp_bytes_none()));
	mcp_cache clearable = view(w, &scope);
	put_text(w, "from before");
	assert_int_equal(MCP_VERDICT_MISS, look(w, &clearable));
	assert_int_equal(1, w->world.calls);
	put(w, &clearable, "value");
	assert_int_equal(MCP_VERDICT_FRESH, look(w, &clearable));
	assert_int_equal(1, w->world.calls);
	assert_int_equal(MCP_OK, mcp_cache_invalidate(&w->rival, mcp_bytes_none(), &scope, true));
	assert_int_equal(MCP_VERDICT_MISS, look(w, &clearable));
}

/* Whatever becomes of the making of the tag, one caller computes, and what it stores is fresh. */
static void a_tag_is_made_whatever_becomes_of_the_first_try(void **state) {
	cache_world *w = *state;
	const world_fault faults[] = {WORLD_SOUND, WORLD_REPLY_LOST, WORLD_REQUEST_LOST};
	mcp_cache_tags tags = tags_of("a", "b");
	mcp_cache tagged = view(w, &tags);
	mcp_remember wishes = {.lifetime = {TTL_MS, TTL_MS, false}, .serve_stale = true};
	mcp_key_buffer buffer;
	for (int i = 0; i < 3; i++) {
		world_remove(&w->world, tag_key("a", &buffer));
		world_remove(&w->world, "k");
		disturb(w, 2, faults[i]);
		mcp_cache_remember(&tagged, &w->key, &wishes, &w->entry);
		assert_int_equal(MCP_VERDICT_ELECTED, w->entry.verdict);
		mcp_captured_tags captured;
		mcp_cache_capture(&tagged, &w->entry, &captured);
		mcp_cache_value value = text_value("value");
		value.tags = mcp_captured_tags_view(&captured);
		mcp_cache_publish(&tagged, &w->key, &w->entry.claim, &value);
		assert_int_equal(MCP_VERDICT_FRESH, look(w, &tagged));
	}
}

static void a_tag_that_cannot_be_read_makes_a_miss_and_no_election(void **state) {
	cache_world *w = *state;
	mcp_cache_tags tags = tags_of("a", NULL);
	mcp_cache tagged = view(w, &tags);
	put(w, &tagged, "value");
	disturb(w, 2, WORLD_DOWN);
	mcp_cache_lookup(&w->cache, &w->key, &w->entry);
	assert_int_equal(MCP_VERDICT_MISS, w->entry.verdict);
	assert_true(mcp_status_is_failure(w->entry.trouble));
}

static void an_unanswered_strict_invalidation_is_sent_once_more_with_another_number(void **state) {
	cache_world *w = *state;
	mcp_key_buffer buffer;
	mcp_cache_tags tags = tags_of("a", NULL);
	mcp_cache tagged = view(w, &tags);
	put(w, &tagged, "value");
	disturb(w, 1, WORLD_REPLY_LOST);
	assert_int_equal(MCP_OK, mcp_cache_invalidate(&w->cache, mcp_bytes_none(), &tags, true));
	assert_int_equal(2, w->world.calls);
	disturb(w, 1, WORLD_DOWN);
	assert_int_not_equal(MCP_OK, mcp_cache_invalidate(&w->cache, mcp_bytes_none(), &tags, true));
	disturb(w, 1, WORLD_REPLY_LOST);
	assert_int_equal(MCP_UNKNOWN, mcp_cache_invalidate(&w->cache, mcp_bytes_none(), &tags, false));
	assert_int_equal(1, w->world.calls);
	assert_non_null(world_peek(&w->world, tag_key("a", &buffer)));
}

#define MANY 3

/* One round trip for all through the view; two through a plain cache, also where one of them counts. */
static void many_are_read_with_their_tags_in_one_round_trip(void **state) {
	cache_world *w = *state;
	mcp_cache_tags tags = tags_of("a", "b");
	mcp_cache tagged = view(w, &tags);
	mcp_key_buffer buffers[MANY], side_buffers[MANY];
	mcp_key keys[MANY], scratch_keys[2 * MANY];
	mcp_reply replies[2 * MANY];
	mcp_cache_entry entries[MANY];
	const char *const names[MANY] = {"k", "l", "m"};
	mcp_cache_batch batch = {keys, MANY, entries, replies, scratch_keys, side_buffers, NULL};
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
	invalidate(w, "b", false);
	mcp_cache_read_many(&w->cache, &batch);
	assert_int_equal(MCP_VERDICT_STALE, entries[0].verdict);
	assert_int_equal(MCP_VERDICT_STALE, entries[1].verdict);
	assert_int_equal(MCP_VERDICT_FRESH, entries[2].verdict);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, open_cache_world, close_cache_world)

int main(void) {
	const struct CMUnitTest tests[] = {
		CASE(a_hit_costs_one_round_trip_through_its_view_and_two_through_a_plain_cache),
		CASE(a_value_lacking_a_tag_of_the_view_is_old_there_and_other_tags_cost_a_second_trip),
		CASE(an_invalidated_value_is_old_and_a_strictly_invalidated_one_is_gone),
		CASE(an_invalidated_value_without_grace_is_gone),
		CASE(a_lost_tag_invalidates_for_good),
		CASE(a_tag_begins_with_a_number_that_always_has_as_many_digits),
		CASE(what_no_tag_ever_was_is_replaced),
		CASE(what_was_computed_before_an_invalidation_is_stored_as_old),
		CASE(of_several_looks_the_first_counts),
		CASE(the_first_look_that_gives_nothing_begins_anew),
		CASE(a_look_outdoes_no_claim_that_is_older),
		CASE(a_look_without_an_answer_outdoes_none),
		CASE(what_follows_a_look_without_an_answer_is_no_value),
		CASE(more_tags_than_are_noted_are_valid_by_no_value),
		CASE(touch_expire_and_increments_leave_the_tags),
		CASE(add_takes_the_place_of_an_invalidated_value),
		CASE(an_update_keeps_the_values_tags_and_adds_the_views),
		CASE(a_clearable_cache_takes_a_value_of_no_namespace_for_none),
		CASE(a_tag_is_made_whatever_becomes_of_the_first_try),
		CASE(a_tag_that_cannot_be_read_makes_a_miss_and_no_election),
		CASE(an_unanswered_strict_invalidation_is_sent_once_more_with_another_number),
		CASE(many_are_read_with_their_tags_in_one_round_trip),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
