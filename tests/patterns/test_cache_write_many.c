/* A batch of writes behaves like single writes: each value has its own epoch and outcome (C3, C13, C18) and is counted. A
 * store that must see each change gets each write. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "cache_world.h"

#include <stdlib.h>
#include <string.h>

enum { MANY = 250 };

typedef struct many {
	mcp_key_buffer buffers[MANY];
	mcp_key keys[MANY];
	mcp_cache_setting settings[MANY];
	mcp_status statuses[MANY];
} many;

static many *name_keys(cache_world *w, size_t count) {
	many *made = calloc(1, sizeof(*made));
	for (size_t i = 0; i < count; i++) {
		made->keys[i] = mcp_key_append(&made->buffers[i], &w->key, i);
		made->settings[i] = (mcp_cache_setting){.key = made->keys[i], .value = text_value("value")};
		made->statuses[i] = made->settings[i].status = MCP_NO_CAS;
	}
	return made;
}

static mcp_cache_entry peek(cache_world *w, const mcp_key *key) {
	mcp_cache_entry entry;
	mcp_cache_peek(&w->rival, key, &entry);
	return entry;
}

CACHE_TEST(each_value_is_stored_under_an_epoch_of_its_own, w) {
	many *m = name_keys(w, MANY);
	uint64_t last_epoch = 0;
	mcp_cache_set_many(&w->cache, m->settings, MANY);
	for (size_t i = 0; i < MANY; i++) {
		assert_int_equal(MCP_OK, m->settings[i].status);
		mcp_cache_entry entry = peek(w, &m->keys[i]);
		assert_int_equal(MCP_VERDICT_FRESH, entry.verdict);
		assert_memory_equal("value", entry.payload.data, 5);
		assert_true(entry.envelope.epoch != last_epoch);
		last_epoch = entry.envelope.epoch;
	}
	assert_int_equal(MANY, w->statistics.counts[MCP_COUNT_STORED]);
	assert_int_equal(0, w->statistics.counts[MCP_COUNT_ERRORS]);
	free(m);
}

CACHE_TEST(setting_that_is_left_out_keeps_its_status, w) {
	for (size_t count = 1; count <= 2; count++) { /* alone and in a batch */
		many *m = name_keys(w, count);
		m->settings[0].status = MCP_NOT_STORED;
		mcp_cache_set_many(&w->cache, m->settings, count);
		assert_int_equal(MCP_NOT_STORED, m->settings[0].status);
		assert_true(peek(w, &m->keys[0]).is_absent);
		assert_int_equal(count - 1, w->statistics.counts[MCP_COUNT_STORED]);
		free(m);
	}
}

CACHE_TEST(what_is_too_large_keeps_no_other_from_being_stored, w) {
	many *m = name_keys(w, 3);
	m->settings[1].value.payload = mcp_bytes_of("", 2 * MCP_STORE_ITEM_MAX); /* never looked at */
	mcp_cache_set_many(&w->cache, m->settings, 3);
	assert_int_equal(MCP_OK, m->settings[0].status);
	assert_int_equal(MCP_TOO_LARGE, m->settings[1].status);
	assert_int_equal(MCP_OK, m->settings[2].status);
	assert_true(peek(w, &m->keys[1]).is_absent);
	assert_int_equal(MCP_VERDICT_FRESH, peek(w, &m->keys[2]).verdict);
	free(m);
}

CACHE_TEST(a_lost_answer_is_one_writes_and_nothing_is_sent_again, w) {
	for (world_fault fault = WORLD_REPLY_LOST; fault <= WORLD_REQUEST_LOST; fault++) {
		many *m = name_keys(w, 3);
		for (size_t i = 0; i < 3; i++) {
			mcp_cache_delete(&w->rival, &m->keys[i]);
		}
		w->statistics = (mcp_cache_statistics){.counts = {0}};
		disturb(w, 2, fault);
		mcp_cache_set_many(&w->cache, m->settings, 3);
		assert_int_equal(3, w->world.calls);
		assert_int_equal(MCP_OK, m->settings[0].status);
		assert_true(mcp_status_is_failure(m->settings[1].status));
		assert_int_equal(MCP_OK, m->settings[2].status);
		assert_int_equal(fault != WORLD_REPLY_LOST, peek(w, &m->keys[1]).is_absent);
		assert_int_equal(2, w->statistics.counts[MCP_COUNT_STORED]);
		assert_int_equal(1, w->statistics.counts[MCP_COUNT_ERRORS]);
		free(m);
	}
}

CACHE_TEST(deleting_is_done_when_nothing_is_there, w) {
	many *m = name_keys(w, 3);
	mcp_cache_set_many(&w->cache, m->settings, 2);
	disturb(w, 2, WORLD_REPLY_LOST);
	mcp_cache_delete_many(&w->cache, m->keys, 3, m->statuses);
	assert_int_equal(MCP_OK, m->statuses[0]);
	assert_int_equal(MCP_UNKNOWN, m->statuses[1]);
	assert_int_equal(MCP_OK, m->statuses[2]);
	assert_int_equal(1, w->statistics.counts[MCP_COUNT_ERRORS]);
	for (size_t i = 0; i < 3; i++) {
		assert_true(peek(w, &m->keys[i]).is_absent);
	}
	free(m);
}

static void rival_sets_the_second(cache_world *w) {
	mcp_cache_value value = text_value("rival");
	mcp_key_buffer buffer;
	mcp_key key = mcp_key_append(&buffer, &w->key, 1);
	mcp_cache_set(&w->rival, &key, &value);
}

CACHE_TEST(each_of_many_expires_whatever_befalls_another, w) {
	for (world_fault fault = WORLD_SOUND; fault <= WORLD_REQUEST_LOST; fault++) {
		many *m = name_keys(w, 4);
		mcp_cache_set_many(&w->rival, m->settings, 3);
		uint64_t epoch = peek(w, &m->keys[0]).envelope.epoch;
		w->statistics = (mcp_cache_statistics){.counts = {0}};
		disturb(w, 3, fault); /* the run of reads is 1 call */
		mcp_cache_expire_many(&w->cache, m->keys, 4, m->statuses);
		assert_int_equal(MCP_OK, m->statuses[0]);
		assert_int_equal(MCP_VERDICT_STALE, peek(w, &m->keys[0]).verdict);
		assert_true(peek(w, &m->keys[0]).envelope.epoch != epoch);
		assert_int_equal(MCP_NOT_FOUND, m->statuses[3]);
		bool is_expired = peek(w, &m->keys[1]).verdict == MCP_VERDICT_STALE;
		assert_int_equal(is_expired, m->statuses[1] == MCP_OK);
		assert_int_equal(m->statuses[1] != MCP_OK, w->statistics.counts[MCP_COUNT_ERRORS]);
		assert_int_equal(MCP_OK, m->statuses[2]); /* read again if its CAS value was void */
		assert_int_equal(MCP_VERDICT_STALE, peek(w, &m->keys[2]).verdict);
		for (size_t i = 0; i < 3; i++) {
			mcp_cache_delete(&w->rival, &m->keys[i]);
		}
		free(m);
	}
}

CACHE_TEST(an_expiry_of_many_is_done_over_a_rivals_value, w) {
	many *m = name_keys(w, 3);
	mcp_cache_set_many(&w->rival, m->settings, 3);
	interleave(w, 2, rival_sets_the_second);
	mcp_cache_expire_many(&w->cache, m->keys, 3, m->statuses);
	assert_int_equal(1 + 3 + 2, w->world.calls);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(MCP_OK, m->statuses[i]);
		assert_int_equal(MCP_VERDICT_STALE, peek(w, &m->keys[i]).verdict);
	}
	assert_memory_equal("rival", peek(w, &m->keys[1]).payload.data, 5);
	free(m);
}

/* A result that was computed before is not stored over what was set meanwhile. */
CACHE_TEST(what_was_computed_before_is_not_stored_after, w) {
	put_old(w, "old");
	mcp_claim claim = be_elected(w);
	mcp_cache_setting settings[2] = {
		{.key = w->key, .value = text_value("set")},
		{.key = w->key, .value = text_value("set again")},
	};
	mcp_cache_value computed = text_value("computed");
	mcp_cache_set_many(&w->rival, settings, 2);
	assert_int_equal(MCP_NOT_STORED, mcp_cache_publish(&w->cache, &w->key, &claim, &computed));
	assert_string_equal("set again", shown(w));
}

static unsigned told;
static const mcp_key *told_last;

static void be_told(mcp_store *store, const mcp_key *key) {
	told++;
	told_last = key;
}

static void never_run(mcp_store *store, mcp_op *const *ops, size_t count) {
	fail();
}

CACHE_TEST(a_store_that_must_know_each_change_is_told, w) {
	many *m = name_keys(w, 3);
	mcp_store_operations operations = *w->cache.store->operations;
	const mcp_store_operations *before = w->cache.store->operations;
	operations.begin_change = be_told;
	operations.run = never_run;
	w->cache.store->operations = &operations;
	told = 0;
	mcp_cache_set_many(&w->cache, m->settings, 3);
	assert_int_equal(3, told);
	assert_ptr_equal(&m->settings[2].key, told_last);
	mcp_cache_delete_many(&w->cache, m->keys, 3, m->statuses);
	assert_int_equal(6, told);
	assert_int_equal(MCP_OK, m->statuses[2]);
	w->cache.store->operations = before;
	free(m);
}
