/* Process 0 changes and computes, process 1 comes in between, and process 2 looks on. */
/* SPDX-License-Identifier: MIT */
#include "copies_world.h"

#include <string.h>
#include <cmocka.h>

int copies_open(void **state) {
	static copies_world opened;
	copies_world *c = &opened;
	memset(c, 0, sizeof(*c));
	outage_open((void **)&c->w);
	for (size_t i = 0; i < OUTAGE_PROCESSES; i++) {
		outage_process *process = &c->w->processes[i];
		c->copies[i] = mcp_copies_create(2);
		mcp_copies_prepare(c->copies[i], process->cluster, &c->w->clock.environment,
			OUTAGE_LEASE_MS);
		process->cache.store = mcp_copies_store(c->copies[i]);
		process->cache.environment = mcp_copies_environment(c->copies[i]);
	}
	*state = c;
	return 0;
}

int copies_close(void **state) {
	copies_world *c = *state;
	for (size_t i = 0; i < OUTAGE_PROCESSES; i++) {
		mcp_copies_free(c->copies[i]);
	}
	return outage_close((void **)&c->w);
}

void copies_lose(copies_world *c, size_t server) {
	mcp_store_delete(c->w->servers[server], &c->w->key);
}

bool copies_has(copies_world *c, size_t server) {
	mcp_item item;
	return mcp_store_get(c->w->servers[server], &c->w->key, &item) == MCP_OK;
}

unsigned copies_calls(copies_world *c, size_t process) {
	unsigned calls = 0;
	for (size_t i = 0; i < OUTAGE_SERVERS; i++) {
		calls += outage_calls(c->w, process, i);
	}
	return calls;
}

void copies_assert_both_have(copies_world *c, const char *shown) {
	mcp_item item;
	char kept[256];
	assert_string_equal(shown, outage_look(c->w, 2));
	size_t places[] = {c->w->home, c->w->other};
	for (int i = 0; i < 2; i++) {
		mcp_store *server = c->w->servers[places[i]];
		assert_int_equal(MCP_OK, mcp_store_get(server, &c->w->key, &item));
		size_t length = item.value.length;
		memcpy(kept, item.value.data, length);
		mcp_record record = {.head = mcp_bytes_of(kept, length), .flags = item.flags};
		copies_lose(c, places[i]);
		assert_string_equal(shown, outage_look(c->w, 2));
		assert_int_equal(MCP_OK, mcp_store_set(server, &c->w->key, &record));
	}
}

void copies_take(copies_world *c) {
	mcp_item item;
	assert_int_equal(MCP_OK, mcp_store_get(c->w->servers[c->w->home], &c->w->key, &item));
	memcpy(c->bytes, item.value.data, item.value.length);
	c->record =
		(mcp_record){.head = mcp_bytes_of(c->bytes, item.value.length), .flags = item.flags};
}

void copies_leave_newer_on_the_other(copies_world *c) {
	assert_int_equal(MCP_OK, outage_set(c->w, 0, "old"));
	assert_int_equal(MCP_OK, mcp_cache_expire(&c->w->processes[0].cache, &c->w->key));
	outage_cut(c->w, 2, c->w->home);
	assert_int_not_equal(MCP_OK, outage_set(c->w, 2, "newer"));
	outage_heal(c->w, 2, c->w->home);
}

static void come(void *context) {
	copies_world *c = context;
	if (c->waits > 0) {
		c->waits--;
		c->link->before_call = come;
		return;
	}
	c->has_come = true;
	c->act(c);
}

void copies_interleave(copies_world *c, size_t process, size_t server, unsigned waits,
	void (*act)(copies_world *c)) {
	c->act = act;
	c->waits = waits;
	c->has_come = false;
	c->link = &c->w->processes[process].links[server];
	c->link->before_call = come;
	c->link->context = c;
}

bool copies_has_come(copies_world *c) {
	c->link->before_call = NULL;
	return c->has_come;
}

void copies_rival_sets(copies_world *c) {
	assert_int_equal(MCP_OK, outage_set(c->w, 1, "theirs"));
}

void copies_rival_deletes(copies_world *c) {
	assert_int_equal(MCP_OK, outage_delete(c->w, 1));
}
