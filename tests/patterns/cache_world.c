/* Two hosts on one memcached: the one under test goes through the world's faults, its rival does not. */
/* SPDX-License-Identifier: MIT */
#include "cache_world.h"

#include <assert.h>
#include <cmocka.h>

static void run_act(test_world *world, unsigned call) {
	cache_world *w = world->actor;
	if (w->act != NULL && call == w->act_at) {
		w->act(w);
	}
}

int open_cache_world(void **state) {
	static cache_world w;
	memset(&w, 0, sizeof(w));
	world_open(&w.world);
	w.world.actor = &w;
	w.world.before_call = run_act;
	w.key = world_key(&w.buffer, MCP_SPACE_CACHE, "k");
	w.cache = (mcp_cache){
		.store = w.world.store,
		.environment = &w.world.environment,
		.statistics = &w.statistics,
		.lease_ms = LEASE_MS,
	};
	w.rival = w.cache;
	w.rival.store = w.world.memory;
	w.rival.statistics = &w.rival_statistics;
	*state = &w;
	return 0;
}

int close_cache_world(void **state) {
	world_close(&((cache_world *)*state)->world);
	return 0;
}

static mcp_cache_value value_of(const char *text, uint32_t flags) {
	return (mcp_cache_value){
		.payload = mcp_bytes_text(text),
		.flags = flags,
		.lifetime = {.ttl_ms = TTL_MS, .grace_ms = 10 * TTL_MS},
	};
}

mcp_cache_value text_value(const char *text) {
	return value_of(text, MCP_VALUE_STRING);
}

mcp_cache_value number_value(const char *digits) {
	return value_of(digits, MCP_VALUE_INT);
}

static void put(cache_world *w, mcp_cache_value value) {
	mcp_status status = mcp_cache_set(&w->rival, &w->key, &value);
	assert(status == MCP_OK);
}

void put_text(cache_world *w, const char *text) {
	put(w, text_value(text));
}

void put_number(cache_world *w, const char *digits) {
	put(w, number_value(digits));
}

void put_old(cache_world *w, const char *text) {
	put_text(w, text);
	world_pass(&w->world, TTL_MS);
}

const char *shown(cache_world *w) {
	static char text[64];
	mcp_cache_entry entry;
	mcp_cache_read(&w->rival, &w->key, &entry);
	if (!entry.has_value || entry.payload.length >= sizeof(text)) {
		return NULL;
	}
	memcpy(text, entry.payload.data, entry.payload.length);
	text[entry.payload.length] = '\0';
	return text;
}

mcp_envelope stored_envelope(cache_world *w) {
	mcp_cache_entry entry;
	mcp_cache_read(&w->rival, &w->key, &entry);
	assert(!entry.is_absent && !entry.is_unreadable);
	return entry.envelope;
}

mcp_claim be_elected(cache_world *w) {
	mcp_cache_lookup(&w->cache, &w->key, &w->entry);
	assert(w->entry.verdict == MCP_VERDICT_ELECTED);
	return w->entry.claim;
}

void disturb(cache_world *w, unsigned at, world_fault fault) {
	w->act = NULL;
	world_watch(&w->world, at, fault);
}

void interleave(cache_world *w, unsigned at, void (*act)(cache_world *w)) {
	world_watch(&w->world, 0, WORLD_SOUND);
	w->act = act;
	w->act_at = at;
}

static void act_in_between(test_world *world) {
	cache_world *w = world->actor;
	w->act(w);
}

void tear(cache_world *w, unsigned at, void (*act)(cache_world *w)) {
	world_watch(&w->world, at, WORLD_TORN);
	w->world.in_between = act_in_between;
	w->act = act;
	w->act_at = 0;
}

void rival_sets(cache_world *w) {
	put_text(w, "rival's");
}

void rival_deletes(cache_world *w) {
	mcp_cache_delete(&w->rival, &w->key);
}

void rival_expires(cache_world *w) {
	mcp_cache_expire(&w->rival, &w->key);
}

void rival_is_elected(cache_world *w) {
	mcp_cache_lookup(&w->rival, &w->key, &w->rival_entry);
	w->rival_claim = w->rival_entry.claim;
}

void rival_publishes(cache_world *w) {
	mcp_cache_value value = text_value("rival's");
	rival_is_elected(w);
	mcp_cache_publish(&w->rival, &w->key, &w->rival_claim, &value);
}

mcp_remember cache_asking(uint32_t wait_ms) {
	return (mcp_remember){
		.lifetime = {.ttl_ms = TTL_MS, .grace_ms = TTL_MS},
		.wait_ms = wait_ms,
		.serve_stale = true,
	};
}

void put_slow(cache_world *w) {
	mcp_cache_value value = text_value("slow");
	value.compute_ms = 1000;
	mcp_cache_set(&w->rival, &w->key, &value);
}

void assert_early_follows_xfetch(cache_world *w, mcp_remember remember,
	bool (*is_elected)(cache_world *w, mcp_remember remember)) {
	remember.early = 1.0;
	int refreshed = 0;
	for (int i = 0; i < 1000; i++) {
		put_slow(w);
		world_pass(&w->world, TTL_MS - 1000);
		refreshed += is_elected(w, remember);
	}
	/* e^-1 of them, give or take four standard deviations. */
	assert_in_range(refreshed, 308, 428);
	assert_int_equal(refreshed, w->statistics.counts[MCP_COUNT_EARLY]);
}

mcp_verdict cache_ask(cache_world *w, mcp_remember remember) {
	mcp_cache_remember(&w->cache, &w->key, &remember, &w->entry);
	return w->entry.verdict;
}
