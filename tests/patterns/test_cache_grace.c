/* Holds a value's grace to C7: it is the value's own, whatever is done to its soft end, until a write
 * gives another; a strict value is served after its soft end by nobody. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "cache_world.h"

static void put(cache_world *w, uint64_t ttl_ms, uint64_t grace_ms) {
	mcp_cache_value value = text_value("value");
	value.lifetime = (mcp_lifetime){.ttl_ms = ttl_ms, .grace_ms = grace_ms};
	assert_int_equal(MCP_OK, mcp_cache_set(&w->rival, &w->key, &value));
}

static const mcp_lifetime kept = {.ttl_ms = 2 * TTL_MS, .grace_ms = 77, .keeps_grace = true};

static mcp_status touch(cache_world *w) {
	return mcp_cache_touch(&w->cache, &w->key, kept);
}

static mcp_status replace(cache_world *w) {
	mcp_cache_value value = text_value("value");
	value.lifetime = kept;
	return mcp_cache_replace(&w->cache, &w->key, &value);
}

static mcp_status update(cache_world *w) {
	mcp_cache_value value = text_value("value");
	value.lifetime = kept;
	mcp_cache_read(&w->cache, &w->key, &w->entry);
	mcp_cache_seen seen = mcp_cache_see(&w->entry);
	return mcp_cache_update(&w->cache, &w->key, &seen, &value);
}

static mcp_status expire_and_touch(cache_world *w) {
	mcp_status status = mcp_cache_expire(&w->cache, &w->key);
	return status == MCP_OK ? touch(w) : status;
}

static const uint64_t ttls_ms[] = {0, TTL_MS};

CACHE_TEST(touch_replace_and_update_keep_it, w) {
	mcp_status (*const writes[])(cache_world *) = {touch, replace, update, expire_and_touch};
	const uint64_t graces_ms[] = {0, 5000, MCP_GRACE_FOREVER};
	for (int i = 0; i < 4 * 3 * 2; i++) {
		uint64_t grace_ms = graces_ms[i / 4 % 3];
		bool is_gone = writes[i % 4] == expire_and_touch && grace_ms == 0;
		put(w, ttls_ms[i / 12], grace_ms);
		assert_int_equal(is_gone ? MCP_NOT_FOUND : MCP_OK, writes[i % 4](w));
		mcp_envelope envelope = stored_envelope(w);
		assert_true(mcp_envelope_grace_ms(&envelope) == grace_ms);
		world_pass(&w->world, kept.ttl_ms - 1);
		assert_int_equal(is_gone, shown(w) == NULL);
		world_pass(&w->world, 1);
		assert_int_equal(grace_ms == 0, shown(w) == NULL);
	}
}

CACHE_TEST(a_lifetime_that_gives_another_changes_it, w) {
	put(w, TTL_MS, 0);
	mcp_lifetime given = {.ttl_ms = TTL_MS, .grace_ms = 5000};
	assert_int_equal(MCP_OK, mcp_cache_touch(&w->cache, &w->key, given));
	mcp_envelope envelope = stored_envelope(w);
	assert_int_equal(5000, mcp_envelope_grace_ms(&envelope));
}

CACHE_TEST(without_a_value_the_default_is_given, w) {
	assert_int_equal(MCP_OK, update(w));
	mcp_envelope envelope = stored_envelope(w);
	assert_int_equal(77, mcp_envelope_grace_ms(&envelope));
	/* A placeholder's is nobody's. */
	mcp_remember remember = {.lifetime = {.ttl_ms = TTL_MS}, .serve_stale = true};
	rival_deletes(w);
	mcp_cache_remember(&w->rival, &w->key, &remember, &w->rival_entry);
	assert_int_equal(MCP_OK, update(w));
	envelope = stored_envelope(w);
	assert_int_equal(77, mcp_envelope_grace_ms(&envelope));
}

CACHE_TEST(expiring_begins_it_now, w) {
	for (int i = 0; i < 2; i++) {
		put(w, ttls_ms[i], 5000);
		assert_int_equal(MCP_OK, mcp_cache_expire(&w->cache, &w->key));
		world_pass(&w->world, 4999);
		assert_string_equal("value", shown(w));
		/* A value that is old already lives no longer by it. */
		assert_int_equal(MCP_OK, mcp_cache_expire(&w->cache, &w->key));
		world_pass(&w->world, 1);
		assert_null(shown(w));
	}
}

CACHE_TEST(expiring_ends_what_is_strict, w) {
	for (int i = 0; i < 2; i++) {
		put(w, ttls_ms[i], 0);
		world_pass(&w->world, TTL_MS / 2);
		assert_string_equal("value", shown(w));
		assert_int_equal(MCP_OK, mcp_cache_expire(&w->cache, &w->key));
		assert_null(shown(w));
	}
}

CACHE_TEST(expiring_an_endless_grace_ends_nothing, w) {
	for (int i = 0; i < 2; i++) {
		put(w, ttls_ms[i], MCP_GRACE_FOREVER);
		assert_int_equal(MCP_OK, mcp_cache_expire(&w->cache, &w->key));
		world_pass(&w->world, 1000000000);
		assert_string_equal("value", shown(w));
		be_elected(w);
	}
}
