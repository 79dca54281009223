/* Holds the plain writes to C7, C13 and C15: add for one, replace over something, expire and touch of
 * what is there, pull and update without losing anybody's value, with rivals and lost answers. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "cache_world.h"

static mcp_status write_text(cache_world *w,
	mcp_status (*write)(const mcp_cache *, const mcp_key *, const mcp_cache_value *),
	const char *text) {
	mcp_cache_value value = text_value(text);
	return write(&w->cache, &w->key, &value);
}

static void rival_adds(cache_world *w) {
	mcp_cache_value value = text_value("rival's");
	mcp_cache_add(&w->rival, &w->key, &value);
}

CACHE_TEST(adding_to_a_free_key_costs_one_round_trip, w) {
	world_watch(&w->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_OK, write_text(w, mcp_cache_add, "mine"));
	assert_int_equal(1, w->world.calls);
	assert_int_equal(MCP_NOT_STORED, write_text(w, mcp_cache_add, "again"));
	assert_string_equal("mine", shown(w));
}

CACHE_TEST(one_of_two_adds_whenever_the_rival_comes, w) {
	for (int is_old = 0; is_old <= 1; is_old++) {
		for (unsigned at = 1; at <= 3; at++) {
			rival_deletes(w);
			if (is_old) {
				put_old(w, "old");
			}
			interleave(w, at, rival_adds);
			mcp_status status = write_text(w, mcp_cache_add, "mine");
			bool is_mine = status == MCP_OK;
			assert_string_equal(is_mine ? "mine" : "rival's", shown(w));
			assert_true(is_mine || status == MCP_NOT_STORED);
			/* Absent, it takes one call, so a rival before a later one comes too late. */
			assert_int_equal(!is_old && at > 1, is_mine);
		}
	}
}

CACHE_TEST(adding_settles_a_lost_answer, w) {
	disturb(w, 1, WORLD_REPLY_LOST);
	assert_int_equal(MCP_OK, write_text(w, mcp_cache_add, "mine"));
	rival_deletes(w);
	disturb(w, 1, WORLD_REQUEST_LOST);
	assert_int_equal(MCP_UNKNOWN, write_text(w, mcp_cache_add, "mine"));
	assert_null(shown(w));
	put_old(w, "old");
	disturb(w, 3, WORLD_REPLY_LOST);
	assert_int_equal(MCP_OK, write_text(w, mcp_cache_add, "mine"));
	assert_string_equal("mine", shown(w));
}

CACHE_TEST(a_set_is_sent_once_and_unknown_without_its_answer, w) {
	disturb(w, 1, WORLD_REPLY_LOST);
	assert_int_equal(MCP_UNKNOWN, write_text(w, mcp_cache_set, "mine"));
	assert_int_equal(1, w->world.calls);
	assert_int_equal(1, w->statistics.counts[MCP_COUNT_ERRORS]);
}

CACHE_TEST(replacing_needs_a_value_there, w) {
	assert_int_equal(MCP_NOT_STORED, write_text(w, mcp_cache_replace, "mine"));
	put_old(w, "old");
	interleave(w, 2, rival_deletes);
	assert_int_equal(MCP_NOT_STORED, write_text(w, mcp_cache_replace, "mine"));
	put_old(w, "old");
	interleave(w, 2, rival_sets);
	assert_int_equal(MCP_OK, write_text(w, mcp_cache_replace, "mine"));
	assert_string_equal("mine", shown(w));
}

CACHE_TEST(every_write_begins_a_new_epoch, w) {
	put_text(w, "old");
	uint64_t epoch = stored_envelope(w).epoch;
	for (int i = 0; i < 4; i++) {
		switch (i) {
			case 0:
				write_text(w, mcp_cache_set, "mine");
				break;
			case 1:
				write_text(w, mcp_cache_replace, "mine");
				break;
			case 2:
				mcp_cache_expire(&w->cache, &w->key);
				break;
			default:
				write_text(w, mcp_cache_add, "mine");
		}
		assert_true(stored_envelope(w).epoch != epoch);
		epoch = stored_envelope(w).epoch;
	}
	assert_int_equal(MCP_OK,
		mcp_cache_touch(&w->cache, &w->key, (mcp_lifetime){.ttl_ms = TTL_MS, .grace_ms = TTL_MS}));
	assert_true(stored_envelope(w).epoch == epoch);
}

CACHE_TEST(expiring_is_done_over_a_rivals_election, w) {
	put_old(w, "old");
	interleave(w, 2, rival_is_elected);
	assert_int_equal(MCP_OK, mcp_cache_expire(&w->cache, &w->key));
	mcp_cache_value value = text_value("late");
	assert_int_equal(MCP_NOT_STORED,
		mcp_cache_publish(&w->rival, &w->key, &w->rival_claim, &value));
	assert_string_equal("old", shown(w));
	be_elected(w);
}

CACHE_TEST(expiring_settles_a_lost_answer, w) {
	put_text(w, "value");
	disturb(w, 2, WORLD_REPLY_LOST);
	assert_int_equal(MCP_OK, mcp_cache_expire(&w->cache, &w->key));
	put_text(w, "value");
	disturb(w, 2, WORLD_REQUEST_LOST);
	assert_int_equal(MCP_UNKNOWN, mcp_cache_expire(&w->cache, &w->key));
	assert_int_equal(MCP_NOT_FOUND, (rival_deletes(w), mcp_cache_expire(&w->cache, &w->key)));
}

CACHE_TEST(touching_keeps_a_claim_and_its_holder_may_store, w) {
	put_old(w, "old");
	interleave(w, 2, rival_is_elected);
	assert_int_equal(MCP_OK,
		mcp_cache_touch(&w->cache, &w->key, (mcp_lifetime){.ttl_ms = TTL_MS, .grace_ms = TTL_MS}));
	assert_int_equal(w->world.wall_ms + TTL_MS, stored_envelope(w).soft_ms);
	mcp_cache_value value = text_value("new");
	assert_int_equal(MCP_OK, mcp_cache_publish(&w->rival, &w->key, &w->rival_claim, &value));
}

CACHE_TEST(deleting_is_done_when_nothing_is_there, w) {
	assert_int_equal(MCP_OK, mcp_cache_delete(&w->cache, &w->key));
	put_text(w, "value");
	assert_int_equal(MCP_OK, mcp_cache_delete(&w->cache, &w->key));
	put_text(w, "value");
	disturb(w, 1, WORLD_REPLY_LOST);
	assert_int_equal(MCP_UNKNOWN, mcp_cache_delete(&w->cache, &w->key));
}

static bool forgets(cache_world *w) {
	bool was_there;
	assert_int_equal(MCP_OK, mcp_cache_forget(&w->cache, &w->key, &was_there));
	return was_there;
}

CACHE_TEST(forgetting_tells_whether_something_was_there, w) {
	assert_false(forgets(w));
	put_text(w, "value");
	assert_true(forgets(w));
	assert_false(forgets(w));
	put_text(w, "value");
	disturb(w, 1, WORLD_REPLY_LOST);
	bool was_there = true;
	assert_int_equal(MCP_UNKNOWN, mcp_cache_forget(&w->cache, &w->key, &was_there));
	assert_false(was_there);
}

static void rival_pulls(cache_world *w) {
	mcp_cache_pull(&w->rival, &w->key, &w->rival_entry);
}

CACHE_TEST(one_of_two_pulls_whenever_the_rival_comes, w) {
	for (unsigned at = 1; at <= 3; at++) {
		put_text(w, "value");
		w->rival_entry.has_value = false;
		interleave(w, at, rival_pulls);
		mcp_status status = mcp_cache_pull(&w->cache, &w->key, &w->entry);
		assert_true((status == MCP_OK) != w->rival_entry.has_value || at == 3);
		assert_int_equal(at == 3, status == MCP_OK);
		assert_null(shown(w));
	}
}

CACHE_TEST(pulling_takes_the_newest_value, w) {
	put_text(w, "value");
	interleave(w, 2, rival_sets);
	assert_int_equal(MCP_OK, mcp_cache_pull(&w->cache, &w->key, &w->entry));
	assert_int_equal(0, strncmp("rival's", w->entry.payload.data, w->entry.payload.length));
	assert_null(shown(w));
}

static mcp_status update(cache_world *w, const char *text) {
	mcp_cache_read(&w->cache, &w->key, &w->entry);
	mcp_cache_seen seen = mcp_cache_see(&w->entry);
	mcp_cache_value value = text_value(text);
	return mcp_cache_update(&w->cache, &w->key, &seen, &value);
}

CACHE_TEST(an_update_over_anybodys_change_is_refused, w) {
	void (*const acts[])(cache_world *) = {rival_sets, rival_deletes, rival_expires};
	for (size_t i = 0; i < sizeof(acts) / sizeof(acts[0]); i++) {
		for (unsigned at = 2; at <= 3; at++) {
			put_text(w, "value");
			interleave(w, at, acts[i]);
			assert_int_equal(MCP_EXISTS, update(w, "mine"));
			const char *now = shown(w);
			assert_true(now == NULL || strcmp(now, "mine") != 0);
		}
	}
	interleave(w, 0, NULL);
	put_text(w, "value");
	assert_int_equal(MCP_OK, update(w, "mine"));
	assert_string_equal("mine", shown(w));
}

CACHE_TEST(an_update_of_nothing_adds, w) {
	assert_int_equal(MCP_OK, update(w, "mine"));
	rival_deletes(w);
	for (unsigned at = 2; at <= 3; at++) {
		rival_deletes(w);
		interleave(w, at, rival_sets);
		assert_int_equal(MCP_EXISTS, update(w, "mine"));
		assert_string_equal("rival's", shown(w));
	}
}

CACHE_TEST(an_update_settles_a_lost_answer, w) {
	put_text(w, "value");
	disturb(w, 3, WORLD_REPLY_LOST);
	assert_int_equal(MCP_OK, update(w, "mine"));
	put_text(w, "value");
	disturb(w, 3, WORLD_REQUEST_LOST);
	assert_int_equal(MCP_UNKNOWN, update(w, "mine"));
}

/* Direct: the first read's CAS value is used only over its connection, for a value that has not ended. */
static mcp_status update_proven(cache_world *w, uint32_t compute_ms, void (*act)(cache_world *)) {
	mcp_proof proof;
	mcp_cache_peek_to_update(&w->cache, &w->key, &w->entry, &proof);
	mcp_cache_seen seen = mcp_cache_see(&w->entry);
	seen.proof = proof;
	assert_true(proof.connection != 0);
	world_pass(&w->world, compute_ms);
	if (act != NULL) {
		act(w);
	}
	mcp_cache_value value = text_value("mine");
	return mcp_cache_update(&w->cache, &w->key, &seen, &value);
}

CACHE_TEST(an_update_uses_its_first_reads_proof, w) {
	void (*const acts[])(cache_world *) = {rival_sets, rival_deletes, rival_expires};
	world_take_steps(&w->world);
	for (size_t i = 0; i < sizeof(acts) / sizeof(acts[0]); i++) {
		put_text(w, "value");
		disturb(w, 0, WORLD_SOUND);
		mcp_status status = update_proven(w, 0, acts[i]);
		assert_int_equal(MCP_EXISTS, status);
		assert_int_equal(3, w->world.calls);
		const char *now = shown(w);
		assert_true(now == NULL || strcmp(now, "mine") != 0);
	}
	put_old(w, "old");
	assert_int_equal(MCP_OK, update_proven(w, 0, rival_is_elected)); /* the value stays */
	put_text(w, "value");
	disturb(w, 0, WORLD_SOUND);
	assert_int_equal(MCP_OK, update_proven(w, 0, NULL));
	assert_int_equal(2, w->world.calls);
	assert_string_equal("mine", shown(w));
	disturb(w, 2, WORLD_REPLY_LOST);
	assert_int_equal(MCP_OK, update_proven(w, 0, NULL));
	assert_int_equal(MCP_EXISTS, update_proven(w, 12 * TTL_MS, NULL)); /* the value has ended */
}

CACHE_TEST(an_update_of_nothing_adds_without_another_read, w) {
	world_take_steps(&w->world);
	disturb(w, 0, WORLD_SOUND);
	assert_int_equal(MCP_OK, update_proven(w, 0, NULL));
	assert_int_equal(2, w->world.calls);
	rival_deletes(w);
	assert_int_equal(MCP_EXISTS, update_proven(w, 0, rival_sets));
	assert_string_equal("rival's", shown(w));
}
