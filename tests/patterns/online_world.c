/* One online counter in a world of its own. */
/* SPDX-License-Identifier: MIT */
#include "online_world.h"

#include "../../src/patterns/online_counter/online_counter.h"

#include <stdio.h>
#include <cmocka.h>

static online_world opened;

int open_online_world(void **state) {
	online_world *w = &opened;
	memset(w, 0, sizeof(*w));
	world_open(&w->world);
	w->world.actor = w;
	w->key = world_key(&w->buffer, MCP_SPACE_ONLINE, "page");
	w->online = (mcp_online){
		.store = w->world.store,
		.environment = &w->world.environment,
		.key = &w->key,
		.name = mcp_bytes_of("page", 4),
		.window = {300, 5},
	};
	w->scratch = (mcp_slots_scratch){w->keys, w->buffers, w->replies, w->numbers};
	*state = w;
	return 0;
}

int close_online_world(void **state) {
	world_close(&((online_world *)*state)->world);
	return 0;
}

mcp_status try_hit(online_world *w, const char *visitor, bool *is_new) {
	return mcp_online_hit(&w->online, mcp_bytes_text(visitor), is_new);
}

bool hit(online_world *w, const char *visitor) {
	bool is_new;
	assert_int_equal(MCP_OK, try_hit(w, visitor, &is_new));
	return is_new;
}

uint64_t count(online_world *w) {
	uint64_t number;
	assert_int_equal(MCP_OK, mcp_online_count(&w->online, &w->scratch, false, &number));
	return number;
}

uint64_t smooth(online_world *w) {
	uint64_t number;
	assert_int_equal(MCP_OK, mcp_online_count(&w->online, &w->scratch, true, &number));
	return number;
}

void pass_slots(online_world *w, unsigned slots) {
	world_pass(&w->world, slots * 1000ull * (w->online.window.length_s / w->online.window.slots));
}

typedef struct wire_name {
	char text[256];
} wire_name;

static wire_name mark_name(online_world *w, const char *visitor) {
	wire_name name;
	mcp_key_buffer buffer;
	mcp_key key = mcp_online_visitor_key(&w->online, &buffer, mcp_bytes_text(visitor));
	snprintf(name.text, sizeof(name.text), "%.*s", (int)key.wire.length, key.wire.data);
	return name;
}

static wire_name slot_name(unsigned slot) {
	wire_name name;
	snprintf(name.text, sizeof(name.text), "online:page:%u", slot);
	return name;
}

const char *stored_mark(online_world *w, const char *visitor) {
	return world_peek(&w->world, mark_name(w, visitor).text);
}

void put_mark(online_world *w, const char *visitor, const char *value) {
	world_put(&w->world, mark_name(w, visitor).text, value, 0);
}

void put_slot(online_world *w, unsigned slot, const char *value) {
	world_put(&w->world, slot_name(slot).text, value, 0);
}

const char *stored_slot(online_world *w, unsigned slot) {
	return world_peek(&w->world, slot_name(slot).text);
}
