/* Holds a cache that reads other clients' values to C19: they are old values, one caller is elected over them, and
 * whatever is written for them starts from what stands there. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "cache_world.h"

#define GRACE_MS 30000u

static int open_foreign_world(void **state) {
	open_cache_world(state);
	cache_world *w = *state;
	w->cache.reads_foreign = w->rival.reads_foreign = true;
	w->cache.foreign_grace_ms = w->rival.foreign_grace_ms = GRACE_MS;
	return 0;
}

/* Puts it as a client without envelopes does. */
static void put_plain(cache_world *w, const char *text, uint32_t flags) {
	mcp_record record = {.body = mcp_bytes_text(text), .flags = flags};
	assert_int_equal(MCP_OK, mcp_store_set(w->world.memory, &w->key, &record));
}

static void put_plain_text(cache_world *w) {
	put_plain(w, "theirs", MCP_VALUE_STRING);
}

static bool is_plain(cache_world *w) {
	mcp_item item;
	assert_int_equal(MCP_OK, mcp_store_get(w->world.memory, &w->key, &item));
	return item.flags == MCP_VALUE_STRING;
}

static void assert_payload(const mcp_cache_entry *entry, const char *text) {
	assert_true(entry->has_value);
	assert_true(mcp_bytes_equal(entry->payload, mcp_bytes_text(text)));
}

#define FOREIGN_TEST(name, w) TEST_OF(cache_world, name, w, open_foreign_world, close_cache_world)

FOREIGN_TEST(it_is_old_for_whoever_reads_it, w) {
	put_plain_text(w);
	mcp_cache_peek(&w->cache, &w->key, &w->entry);
	assert_int_equal(MCP_VERDICT_STALE, w->entry.verdict);
	assert_payload(&w->entry, "theirs");
	assert_int_equal(MCP_CREATED_UNKNOWN, w->entry.envelope.created_ms);
	assert_true(is_plain(w));
	assert_int_equal(1, w->statistics.counts[MCP_COUNT_STALE]);
	assert_int_equal(0, w->statistics.counts[MCP_COUNT_UNREADABLE]);
}

/* A millisecond passes with each look at the clock. */
static uint64_t hurried_wall_ms(const mcp_environment *environment) {
	test_world *world = environment->context;
	return world->wall_ms++;
}

FOREIGN_TEST(it_is_old_in_a_batch_while_the_clock_goes_on, w) {
	mcp_op replies[2];
	mcp_key scratch_keys[2];
	mcp_key_buffer side_buffer;
	mcp_cache_batch batch = {
		.keys = &w->key,
		.count = 1,
		.entries = &w->entry,
		.replies = replies,
		.scratch_keys = scratch_keys,
		.side_buffers = &side_buffer,
	};
	put_plain_text(w);
	w->world.environment.wall_ms = hurried_wall_ms;
	mcp_cache_peek_many(&w->cache, &batch);
	assert_int_equal(MCP_VERDICT_STALE, w->entry.verdict);
	assert_payload(&w->entry, "theirs");
}

FOREIGN_TEST(it_is_a_miss_for_a_cache_that_reads_none, w) {
	put_plain_text(w);
	w->cache.reads_foreign = false;
	mcp_cache_lookup(&w->cache, &w->key, &w->entry);
	assert_int_equal(MCP_VERDICT_MISS, w->entry.verdict);
	assert_true(w->entry.is_unreadable);
}

FOREIGN_TEST(one_caller_is_elected_and_the_others_get_it, w) {
	put_plain_text(w);
	be_elected(w);
	assert_payload(&w->entry, "theirs");
	rival_is_elected(w);
	assert_int_equal(MCP_VERDICT_BUSY, w->rival_entry.verdict);
	assert_payload(&w->rival_entry, "theirs");
	/* For those that read no other client's values, too. */
	w->rival.reads_foreign = false;
	assert_string_equal("theirs", shown(w));
}

FOREIGN_TEST(of_two_at_once_one_is_elected, w) {
	put_plain_text(w);
	interleave(w, 2, rival_is_elected);
	mcp_cache_lookup(&w->cache, &w->key, &w->entry);
	assert_int_equal(MCP_VERDICT_ELECTED, w->rival_entry.verdict);
	assert_int_equal(MCP_VERDICT_BUSY, w->entry.verdict);
	assert_payload(&w->entry, "theirs");
}

FOREIGN_TEST(an_election_without_an_answer_is_found_again, w) {
	put_plain_text(w);
	disturb(w, 2, WORLD_REPLY_LOST);
	be_elected(w);
	mcp_cache_value value = text_value("new");
	assert_int_equal(MCP_OK, mcp_cache_publish(&w->cache, &w->key, &w->entry.claim, &value));
	assert_string_equal("new", shown(w));
}

FOREIGN_TEST(its_grace_begins_with_the_election, w) {
	put_plain_text(w);
	world_pass(&w->world, 10 * GRACE_MS);
	mcp_claim claim = be_elected(w);
	mcp_envelope envelope = stored_envelope(w);
	assert_int_equal(w->world.wall_ms, envelope.soft_ms);
	assert_int_equal(w->world.wall_ms + GRACE_MS, envelope.hard_ms);
	assert_int_equal(MCP_OK, mcp_cache_abandon(&w->cache, &w->key, &claim, true));
	world_pass(&w->world, GRACE_MS - 1);
	assert_string_equal("theirs", shown(w));
	world_pass(&w->world, 1);
	assert_null(shown(w));
}

FOREIGN_TEST(without_a_grace_there_is_nothing_to_serve, w) {
	w->cache.foreign_grace_ms = 0;
	put_plain_text(w);
	mcp_cache_lookup(&w->cache, &w->key, &w->entry);
	assert_int_equal(MCP_VERDICT_MISS, w->entry.verdict);
	mcp_remember remember = {.lifetime = {.ttl_ms = TTL_MS}, .wait_ms = 100, .serve_stale = true};
	mcp_cache_remember(&w->cache, &w->key, &remember, &w->entry);
	assert_int_equal(MCP_VERDICT_ELECTED, w->entry.verdict);
	assert_false(stored_envelope(w).has_value);
}

FOREIGN_TEST(a_result_is_refused_when_the_other_client_has_written_since, w) {
	put_plain_text(w);
	mcp_claim claim = be_elected(w);
	put_plain_text(w); /* the same text, and another write */
	mcp_cache_value value = text_value("new");
	assert_int_equal(MCP_NOT_STORED, mcp_cache_publish(&w->cache, &w->key, &claim, &value));
	assert_true(is_plain(w));
	/* Nor is it a result of the next election. */
	rival_is_elected(w);
	assert_int_equal(MCP_NOT_STORED, mcp_cache_publish(&w->cache, &w->key, &claim, &value));
	assert_int_equal(MCP_OK, mcp_cache_publish(&w->rival, &w->key, &w->rival_claim, &value));
}

FOREIGN_TEST(an_update_stores_over_what_it_was_shown, w) {
	put_plain_text(w);
	mcp_cache_peek(&w->cache, &w->key, &w->entry);
	mcp_cache_seen seen = mcp_cache_see(&w->entry);
	mcp_cache_value value = text_value("changed");
	put_plain(w, "another", MCP_VALUE_STRING);
	assert_int_equal(MCP_EXISTS, mcp_cache_update(&w->cache, &w->key, &seen, &value));
	mcp_cache_peek(&w->cache, &w->key, &w->entry);
	seen = mcp_cache_see(&w->entry);
	assert_int_equal(MCP_OK, mcp_cache_update(&w->cache, &w->key, &seen, &value));
	assert_string_equal("changed", shown(w));
}

FOREIGN_TEST(changes_take_it_for_a_value_that_is_there, w) {
	mcp_lifetime lifetime = {.ttl_ms = TTL_MS, .keeps_grace = true};
	put_plain_text(w);
	assert_int_equal(MCP_OK, mcp_cache_touch(&w->cache, &w->key, lifetime));
	assert_int_equal(w->world.wall_ms + TTL_MS, stored_envelope(w).soft_ms);
	assert_int_equal(w->world.wall_ms + TTL_MS + GRACE_MS, stored_envelope(w).hard_ms);
	assert_string_equal("theirs", shown(w));
	put_plain_text(w);
	assert_int_equal(MCP_OK, mcp_cache_expire(&w->cache, &w->key));
	assert_string_equal("theirs", shown(w));
	put_plain_text(w);
	mcp_cache_value value = text_value("ours");
	value.lifetime.keeps_grace = true;
	assert_int_equal(MCP_OK, mcp_cache_replace(&w->cache, &w->key, &value));
	assert_int_equal(w->world.wall_ms + TTL_MS + GRACE_MS, stored_envelope(w).hard_ms);
	put_plain_text(w);
	assert_int_equal(MCP_OK, mcp_cache_add(&w->cache, &w->key, &value));
	put_plain_text(w);
	assert_int_equal(MCP_OK, mcp_cache_pull(&w->cache, &w->key, &w->entry));
	assert_payload(&w->entry, "theirs");
	assert_null(shown(w));
}

FOREIGN_TEST(increments_count_on_from_its_number, w) {
	int64_t number;
	put_plain(w, "9 ", MCP_VALUE_INT);
	assert_int_equal(MCP_OK, mcp_cache_increment(&w->cache, &w->key, 2, &number));
	assert_int_equal(11, number);
	assert_int_equal(MCP_OK, mcp_cache_increment(&w->rival, &w->key, 1, &number));
	assert_int_equal(12, number);
	put_plain_text(w);
	assert_int_equal(MCP_NOT_A_NUMBER, mcp_cache_increment(&w->cache, &w->key, 1, &number));
	assert_true(is_plain(w));
}

FOREIGN_TEST(it_is_a_miss_for_a_strict_cache, w) {
	w->cache.is_strict = true;
	put_plain_text(w);
	mcp_cache_get(&w->cache, &w->key, &w->entry);
	assert_int_equal(MCP_VERDICT_MISS, w->entry.verdict);
	assert_int_equal(MCP_NOT_FOUND, mcp_cache_pull(&w->cache, &w->key, &w->entry));
	assert_true(is_plain(w));
}

FOREIGN_TEST(it_is_forged_where_values_are_signed, w) {
	static union {
		mcp_signing_keys keys;
		char room[sizeof(mcp_signing_keys) + sizeof(mcp_signing_key)];
	} signing;
	signing.keys.count = 1;
	mcp_signing_key_make(&signing.keys.keys[0], mcp_bytes_of("secret", 6));
	w->cache.signing_keys = &signing.keys;
	put_plain_text(w);
	mcp_cache_lookup(&w->cache, &w->key, &w->entry);
	assert_int_equal(MCP_VERDICT_MISS, w->entry.verdict);
	assert_false(w->entry.has_value);
	assert_int_equal(1, w->statistics.counts[MCP_COUNT_FORGED]);
	assert_true(is_plain(w));
}

/* It could be read for ever and never be claimed. */
FOREIGN_TEST(one_without_room_for_a_header_is_a_miss, w) {
	static char large[MCP_STORE_ITEM_MAX];
	memset(large, 'a', sizeof(large));
	mcp_record record = {.body = mcp_bytes_of(large, sizeof(large) - 50)};
	assert_int_equal(MCP_OK, mcp_store_set(w->world.memory, &w->key, &record));
	mcp_cache_lookup(&w->cache, &w->key, &w->entry);
	assert_int_equal(MCP_VERDICT_MISS, w->entry.verdict);
	assert_true(w->entry.is_unreadable);
	record.body.length = sizeof(large) - 200;
	assert_int_equal(MCP_OK, mcp_store_set(w->world.memory, &w->key, &record));
	be_elected(w);
}

/* A value that this caller could not decode is computed, and stays for the others. */
FOREIGN_TEST(distrusted_it_is_claimed_where_it_stands, w) {
	put_plain_text(w);
	mcp_remember remember = {.lifetime = {.ttl_ms = TTL_MS}, .wait_ms = 100, .serve_stale = true};
	mcp_cache_read(&w->cache, &w->key, &w->entry);
	remember.distrust = mcp_cache_value_id_of(&w->entry);
	mcp_cache_remember(&w->cache, &w->key, &remember, &w->entry);
	assert_int_equal(MCP_VERDICT_ELECTED, w->entry.verdict);
	assert_string_equal("theirs", shown(w));
	mcp_cache_value value = text_value("good");
	assert_int_equal(MCP_OK, mcp_cache_publish(&w->cache, &w->key, &w->entry.claim, &value));
	assert_string_equal("good", shown(w));
}
