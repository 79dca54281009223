/* Reads the ring of events backwards, from the newest on. */
/* SPDX-License-Identifier: MIT */
#include "metrics_trace.h"

static void note_without_key(mcp_strip *strip, uint64_t who, uint64_t at_ms) {
	uint64_t number = mcp_strip_take_number(strip);
	mcp_strip_slot *slot = mcp_strip_slot_of(strip, number);
	mcp_strip_end(slot, mcp_strip_put_head(slot, who, at_ms, 0), number);
}

void mcp_strip_note(mcp_strip *strip, uint64_t who, uint64_t at_ms, mcp_bytes key) {
	if (key.length > MCP_STRIP_SHORT_KEY_MAX) {
		mcp_strip_note_long(strip, who, at_ms, key);
	} else if (key.length > 0) {
		mcp_strip_note_short(strip, who, at_ms, key);
	} else {
		note_without_key(strip, who, at_ms);
	}
}

/* Copies one word, and answers the check that continues `check`. */
static uint64_t take_word(const mcp_metrics_word *from, char *out, uint64_t check) {
	uint64_t word = atomic_load_explicit(from, memory_order_relaxed);
	mcp_store_u64((unsigned char *)out, word);
	return mcp_metrics_mix(check, word);
}

static uint64_t take_short_key(const mcp_metrics_word *from, size_t length, char *out,
	uint64_t check) {
	char bytes[8];
	check = take_word(from, bytes, check);
	if (length >= 4) {
		memcpy(out, bytes, 4);
		memcpy(out + length - 4, bytes + 4, 4);
	} else {
		out[0] = bytes[0];
		out[length / 2] = bytes[1];
		out[length - 1] = bytes[2];
	}
	return check;
}

/* Takes it as mcp_strip_put_long_key has laid it out. */
static uint64_t take_long_key(const mcp_metrics_word *words, size_t length, char *out,
	uint64_t check) {
	check = take_word(&words[0], out, check);
	check = take_word(&words[1], out + 8, check);
	if (length > 32) {
		check = take_word(&words[3], out + 16, check);
		check = take_word(&words[4], out + 24, check);
	} else {
		check = take_word(&words[3], out + length - 16, check);
	}
	return take_word(&words[2], out + length - 8, check);
}

/* Takes it as its writer has laid it out. */
static uint64_t take_key(const mcp_metrics_word *words, size_t length, char *out, uint64_t check) {
	if (length == 0) {
		return check;
	}
	if (length < 8) {
		return take_short_key(words, length, out, check);
	}
	if (length <= MCP_STRIP_SHORT_KEY_MAX) {
		check = take_word(&words[1], out + length - 8, check);
		return take_word(&words[0], out, check);
	}
	return take_long_key(words, length, out, check);
}

/* False if it is not there, or not whole. */
static bool read_slot(const mcp_strip *strip, uint64_t number, mcp_strip_event *event) {
	const mcp_strip_slot *slot = &strip->slots[number % MCP_STRIP_EVENTS];
	uint64_t check = atomic_load_explicit(&slot->check, memory_order_relaxed);
	uint64_t what = atomic_load_explicit(&slot->what, memory_order_relaxed);
	uint64_t who = atomic_load_explicit(&slot->who, memory_order_relaxed);
	event->key_length = what & 0xffff;
	if (event->key_length > MCP_STRIP_KEY_MAX) {
		return false;
	}
	event->at_ms = what >> 16;
	event->letter = (char)(who >> 8 & 0xff);
	event->group = (uint8_t)who;
	event->pid = (uint32_t)(who >> 32);
	uint64_t begun = mcp_strip_begin_check(what, who);
	uint64_t read = take_key(slot->key, event->key_length, event->key, begun);
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
