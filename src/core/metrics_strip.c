/* Reads the ring of events backwards, from the newest on. */
/* SPDX-License-Identifier: MIT */
#include "metrics_strip.h"

/* False: it is not there, or not whole. */
static bool read_slot(const mcp_strip *strip, uint64_t number, mcp_strip_event *event) {
	const mcp_strip_slot *slot = &strip->slots[number % MCP_STRIP_EVENTS];
	uint64_t check = atomic_load_explicit(&slot->check, memory_order_relaxed);
	uint64_t what = atomic_load_explicit(&slot->what, memory_order_relaxed);
	uint64_t who = atomic_load_explicit(&slot->who, memory_order_relaxed);
	event->key_length = what & 0xff;
	if (event->key_length > MCP_STRIP_KEY_MAX) {
		return false;
	}
	event->at_ms = what >> 16;
	event->letter = (char)(what >> 8 & 0xff);
	event->group = (uint8_t)who;
	event->pid = (uint32_t)(who >> 32);
	uint64_t begun = mcp_strip_begin_check(what, who);
	uint64_t read = mcp_metrics_text_take(slot->key, event->key_length, event->key, begun);
	return mcp_strip_end_check(read, number) == check;
}

static void reverse(mcp_strip_event *events, size_t count) {
	for (size_t i = 0; i < count / 2; i++) {
		mcp_strip_event other = events[i];
		events[i] = events[count - 1 - i];
		events[count - 1 - i] = other;
	}
}

size_t mcp_strip_read(const mcp_strip *strip, int group, mcp_strip_event *events, size_t most) {
	uint64_t head = atomic_load_explicit(&strip->head, memory_order_relaxed);
	uint64_t begin = atomic_load_explicit(&strip->begin, memory_order_relaxed);
	uint64_t there = head - begin;
	uint64_t left = there < MCP_STRIP_EVENTS ? there : MCP_STRIP_EVENTS;
	size_t count = 0;
	for (; left > 0 && count < most; left--) {
		mcp_strip_event *event = &events[count];
		bool is_there = read_slot(strip, --head, event);
		count += is_there && (group == MCP_STRIP_ALL_GROUPS || event->group == group);
	}
	reverse(events, count);
	return count;
}

void mcp_strip_clear(mcp_strip *strip) {
	uint64_t head = atomic_load_explicit(&strip->head, memory_order_relaxed);
	atomic_store_explicit(&strip->begin, head, memory_order_relaxed);
}
