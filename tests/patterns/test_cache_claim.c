/* Holds publishing and giving back to C2, C3, C6 and C13: what another host does in between, whatever
 * answer or request is lost, and who may store when claims were taken over. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "cache_world.h"

static mcp_status publish(cache_world *w, const mcp_claim *claim, const char *text) {
	mcp_cache_value value = text_value(text);
	return mcp_cache_publish(&w->cache, &w->key, claim, &value);
}

CACHE_TEST(publishing_costs_two_round_trips, w) {
	put_old(w, "old");
	mcp_claim claim = be_elected(w);
	world_watch(&w->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_OK, publish(w, &claim, "new"));
	assert_int_equal(2, w->world.calls);
	assert_string_equal("new", shown(w));
	assert_int_equal(1, w->statistics.counts[MCP_COUNT_STORED]);
}

/* A rival's act, and whether the result is still wanted after it. */
typedef struct rivalry {
	void (*act)(cache_world *w);
	bool is_still_wanted;
	const char *shown;
} rivalry;

CACHE_TEST(only_what_descends_is_stored_whenever_the_rival_comes, w) {
	static const rivalry rivalries[] = {
		{rival_sets, false, "rival's"},
		{rival_deletes, false, NULL},
		{rival_expires, false, "old"},
		{rival_is_elected, true, "new"},
	};
	for (size_t i = 0; i < sizeof(rivalries) / sizeof(rivalries[0]); i++) {
		for (unsigned at = 1; at <= 2; at++) {
			put_old(w, "old");
			mcp_claim claim = be_elected(w);
			interleave(w, at, rivalries[i].act);
			mcp_status status = publish(w, &claim, "new");
			assert_int_equal(rivalries[i].is_still_wanted ? MCP_OK : MCP_NOT_STORED, status);
			const char *now = shown(w);
			if (rivalries[i].shown == NULL) {
				assert_null(now);
			} else {
				assert_string_equal(rivalries[i].shown, now);
			}
		}
	}
	assert_int_equal(6, w->statistics.counts[MCP_COUNT_DISCARDED]);
}

CACHE_TEST(a_later_elections_value_is_not_overwritten, w) {
	for (unsigned at = 1; at <= 2; at++) {
		put_old(w, "old");
		mcp_claim claim = be_elected(w);
		world_pass(&w->world, LEASE_MS);
		interleave(w, at, rival_publishes);
		assert_int_equal(MCP_NOT_STORED, publish(w, &claim, "late"));
		assert_string_equal("rival's", shown(w));
	}
}

CACHE_TEST(an_earlier_elections_value_ends_before_the_later_ones, w) {
	put_old(w, "old");
	mcp_claim claim = be_elected(w);
	world_pass(&w->world, LEASE_MS);
	rival_is_elected(w);
	assert_int_equal(MCP_OK, publish(w, &claim, "first"));
	mcp_envelope envelope = stored_envelope(w);
	assert_true(envelope.has_claim);
	assert_int_equal(1, envelope.value_election);
	assert_int_equal(2, envelope.newest_election);
	mcp_cache_value value = text_value("second");
	assert_int_equal(MCP_OK, mcp_cache_publish(&w->rival, &w->key, &w->rival_claim, &value));
	assert_string_equal("second", shown(w));
	assert_false(stored_envelope(w).has_claim);
}

CACHE_TEST(nothing_is_stored_twice_under_one_claim, w) {
	put_old(w, "old");
	mcp_claim claim = be_elected(w);
	assert_int_equal(MCP_OK, publish(w, &claim, "once"));
	assert_int_equal(MCP_NOT_STORED, publish(w, &claim, "twice"));
	assert_string_equal("once", shown(w));
}

CACHE_TEST(a_rebuild_of_three_leases_is_stored_when_nobody_asked, w) {
	mcp_cache_value value = text_value("old");
	value.lifetime.grace_ms = 500;
	mcp_cache_set(&w->rival, &w->key, &value);
	world_pass(&w->world, TTL_MS);
	mcp_claim claim = be_elected(w);
	world_pass(&w->world, 3 * LEASE_MS);
	assert_null(shown(w));
	assert_int_equal(MCP_OK, publish(w, &claim, "at last"));
	assert_string_equal("at last", shown(w));
}

CACHE_TEST(a_lost_answer_is_settled_by_reading_back, w) {
	put_old(w, "old");
	mcp_claim claim = be_elected(w);
	disturb(w, 2, WORLD_REPLY_LOST);
	assert_int_equal(MCP_OK, publish(w, &claim, "new"));
	assert_string_equal("new", shown(w));
}

CACHE_TEST(a_lost_request_is_never_called_stored, w) {
	for (unsigned at = 1; at <= 3; at++) {
		put_old(w, "old");
		mcp_claim claim = be_elected(w);
		disturb(w, at, WORLD_DOWN_AFTER);
		assert_true(mcp_status_is_failure(publish(w, &claim, "new")) || at == 3);
		disturb(w, 0, WORLD_SOUND);
	}
	put_old(w, "old");
	mcp_claim claim = be_elected(w);
	disturb(w, 2, WORLD_REQUEST_LOST);
	assert_int_equal(MCP_UNKNOWN, publish(w, &claim, "new"));
	assert_string_equal("old", shown(w));
}

CACHE_TEST(what_is_too_large_leaves_the_old_value, w) {
	static char large[MCP_STORE_ITEM_MAX];
	put_old(w, "old");
	mcp_claim claim = be_elected(w);
	mcp_cache_value value = text_value("x");
	value.payload = mcp_bytes_of(large, sizeof(large));
	assert_int_equal(MCP_TOO_LARGE, mcp_cache_publish(&w->cache, &w->key, &claim, &value));
	assert_string_equal("old", shown(w));
	assert_int_equal(MCP_OK, publish(w, &claim, "small"));
}

CACHE_TEST(giving_back_lets_the_next_be_elected_at_once, w) {
	put_old(w, "old");
	mcp_claim claim = be_elected(w);
	assert_int_equal(MCP_OK, mcp_cache_abandon(&w->cache, &w->key, &claim, false));
	rival_is_elected(w);
	assert_int_equal(MCP_VERDICT_ELECTED, w->rival_entry.verdict);
	/* The second claim is another's, and stays. */
	assert_int_equal(MCP_NOT_STORED, mcp_cache_abandon(&w->cache, &w->key, &claim, true));
	assert_true(stored_envelope(w).has_claim);
}

CACHE_TEST(failures_pause_for_longer_and_longer_up_to_the_lease, w) {
	put_text(w, "old");
	mcp_cache_value value = text_value("old");
	value.lifetime.grace_ms = MCP_GRACE_FOREVER;
	mcp_cache_set(&w->rival, &w->key, &value);
	world_pass(&w->world, TTL_MS);
	uint64_t full_ms = 100;
	for (int i = 0; i < 10; i++) {
		mcp_claim claim = be_elected(w);
		assert_int_equal(MCP_OK, mcp_cache_abandon(&w->cache, &w->key, &claim, true));
		mcp_envelope envelope = stored_envelope(w);
		uint64_t pause_ms = envelope.pause_end_ms - w->world.wall_ms;
		assert_int_equal(i + 1, envelope.failures);
		assert_in_range(pause_ms, full_ms / 2, full_ms * 3 / 2);
		assert_true(pause_ms <= LEASE_MS);
		world_pass(&w->world, pause_ms - 1);
		rival_is_elected(w);
		assert_int_equal(MCP_VERDICT_STALE, w->rival_entry.verdict);
		world_pass(&w->world, 1);
		full_ms = full_ms * 2 > LEASE_MS ? LEASE_MS : full_ms * 2;
	}
}

CACHE_TEST(a_claim_is_rearmed_while_it_is_the_newest, w) {
	put_old(w, "old");
	mcp_claim claim = be_elected(w);
	world_pass(&w->world, LEASE_MS - 1);
	assert_int_equal(MCP_OK, mcp_cache_rearm(&w->cache, &w->key, &claim));
	assert_int_equal(w->world.wall_ms + LEASE_MS, claim.end_ms);
	world_pass(&w->world, LEASE_MS - 1);
	rival_is_elected(w);
	assert_int_equal(MCP_VERDICT_BUSY, w->rival_entry.verdict);
	world_pass(&w->world, 1);
	rival_is_elected(w);
	assert_int_equal(MCP_VERDICT_ELECTED, w->rival_entry.verdict);
	assert_int_equal(MCP_NOT_STORED, mcp_cache_rearm(&w->cache, &w->key, &claim));
}

CACHE_TEST(rearming_moves_no_end_of_the_value, w) {
	put_old(w, "old");
	mcp_claim claim = be_elected(w);
	mcp_envelope before = stored_envelope(w);
	for (int i = 0; i < 30; i++) {
		world_pass(&w->world, LEASE_MS - 1);
		mcp_cache_rearm(&w->cache, &w->key, &claim);
	}
	assert_int_equal(before.hard_ms, stored_envelope(w).hard_ms);
	assert_null(shown(w));
}

static void rival_touches(cache_world *w) {
	mcp_cache_touch(&w->rival, &w->key, (mcp_lifetime){.ttl_ms = TTL_MS, .grace_ms = 10 * TTL_MS});
}

static void rival_increments(cache_world *w) {
	int64_t number;
	mcp_cache_increment(&w->rival, &w->key, 1, &number);
}

/* Between its read and its cas the item is changed by those who leave the claim alone. */
CACHE_TEST(rearming_goes_on_over_a_touch_and_a_first_increment, w) {
	void (*const rivals[])(cache_world * w) = {rival_touches, rival_increments};
	for (int i = 0; i < 2; i++) {
		put_number(w, "7");
		world_pass(&w->world, TTL_MS);
		mcp_claim claim = be_elected(w);
		world_pass(&w->world, 1);
		interleave(w, 2, rivals[i]);
		assert_int_equal(MCP_OK, mcp_cache_rearm(&w->cache, &w->key, &claim));
		assert_int_equal(claim.end_ms, stored_envelope(w).claim_end_ms);
		mcp_cache_value value = text_value("new");
		assert_int_equal(MCP_OK, mcp_cache_publish(&w->cache, &w->key, &claim, &value));
	}
}

CACHE_TEST(rearming_without_an_answer_is_read_back, w) {
	const world_fault faults[] = {WORLD_REPLY_LOST, WORLD_REQUEST_LOST};
	for (int i = 0; i < 2; i++) {
		put_old(w, "old");
		mcp_claim claim = be_elected(w);
		world_pass(&w->world, 10);
		disturb(w, 2, faults[i]);
		assert_int_equal(MCP_OK, mcp_cache_rearm(&w->cache, &w->key, &claim));
		assert_true(claim.end_ms >= w->world.wall_ms + LEASE_MS - 20);
		assert_int_equal(claim.end_ms, stored_envelope(w).claim_end_ms);
	}
}

static void touch_before_every_call(test_world *world, unsigned call) {
	rival_touches(world->actor);
}

/* A claim that is not re-armed and may stand there still is told from one that is somebody else's by now. */
CACHE_TEST(rearming_that_fails_says_whether_the_claim_is_lost, w) {
	put_old(w, "old");
	mcp_claim claim = be_elected(w);
	world_watch(&w->world, 0, WORLD_SOUND);
	w->world.before_call = touch_before_every_call;
	assert_int_equal(MCP_EXISTS, mcp_cache_rearm(&w->cache, &w->key, &claim));
	assert_int_equal(claim.token, stored_envelope(w).claim_token);
	disturb(w, 2, WORLD_DOWN_AFTER);
	assert_int_equal(MCP_UNKNOWN, mcp_cache_rearm(&w->cache, &w->key, &claim));
	rival_deletes(w);
	disturb(w, 0, WORLD_SOUND);
	w->world.is_down = false;
	assert_int_equal(MCP_NOT_STORED, mcp_cache_rearm(&w->cache, &w->key, &claim));
}

static void rival_expires_soon(cache_world *w) {
	mcp_cache_touch(&w->rival, &w->key, (mcp_lifetime){.ttl_ms = 1, .grace_ms = 0});
}

static void rival_is_rearmed(cache_world *w) {
	mcp_claim claim = w->entry.claim;
	mcp_cache_rearm(&w->rival, &w->key, &claim);
}

/* Whatever another object with a short lease writes, the item lives for what the claim was promised. */
CACHE_TEST(a_shorter_lease_of_another_writer_drops_no_result, w) {
	void (*const rivals[])(cache_world * w) = {rival_touches, rival_increments, rival_expires_soon,
		rival_is_rearmed};
	w->rival.lease_ms = 100;
	for (int i = 0; i < 4; i++) {
		mcp_cache_value number = number_value("7");
		number.lifetime = (mcp_lifetime){.ttl_ms = 1000, .grace_ms = 1000};
		mcp_cache_set(&w->cache, &w->key, &number);
		world_pass(&w->world, 1000);
		mcp_claim claim = be_elected(w);
		rivals[i](w);
		world_pass(&w->world, 3 * LEASE_MS);
		mcp_cache_value value = text_value("slow");
		assert_int_equal(MCP_OK, mcp_cache_publish(&w->cache, &w->key, &claim, &value));
	}
}
