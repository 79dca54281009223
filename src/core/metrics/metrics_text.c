/* Texts whose writers all write the same. */
/* SPDX-License-Identifier: MIT */
#include "metrics_text.h"

/* Makes a little-endian number of fewer than eight bytes. */
static uint64_t short_word(const unsigned char *from, size_t length) {
	uint64_t word = 0;
	for (size_t i = 0; i < length; i++) {
		word |= (uint64_t)from[i] << (8 * i);
	}
	return word;
}

/* Fills the words from `to` on, and answers the check that continues `hash`. Nothing beyond the text is read. */
static uint64_t put(mcp_metrics_word *to, mcp_bytes text, uint64_t hash) {
	const unsigned char *from = (const unsigned char *)text.data;
	size_t left = text.length;
	for (; left >= 8; left -= 8, from += 8) {
		hash = mcp_metrics_put_word(to++, mcp_load_u64(from), hash);
	}
	return left == 0 ? hash : mcp_metrics_put_word(to, short_word(from, left), hash);
}

/* Copies so many bytes, a multiple of eight of which `out` has room for, and answers the check that continues `hash`. */
static uint64_t take(const mcp_metrics_word *from, size_t length, char *out, uint64_t hash) {
	for (size_t offset = 0; offset < length; offset += 8) {
		uint64_t word = atomic_load_explicit(from++, memory_order_relaxed);
		mcp_store_u64((unsigned char *)out + offset, word);
		hash = mcp_metrics_mix(hash, word);
	}
	return hash;
}

static uint64_t seed(uint64_t id, uint64_t length_and_note) {
	return mcp_metrics_mix(id, length_and_note);
}

static uint64_t check_of(uint64_t id, uint64_t length_and_note, mcp_bytes text) {
	mcp_metrics_word unused[MCP_METRICS_TEXT_MAX / 8];
	return put(unused, text, seed(id, length_and_note));
}

void mcp_metrics_text_write(mcp_metrics_text_head *head, mcp_metrics_word *words, uint64_t id,
	mcp_bytes text, uint32_t note) {
	uint64_t length_and_note = (uint64_t)note << 32 | text.length;
	uint64_t check = check_of(id, length_and_note, text);
	if (atomic_load_explicit(&head->check, memory_order_relaxed) == check) {
		return;
	}
	atomic_store_explicit(&head->length_and_note, length_and_note, memory_order_relaxed);
	put(words, text, 0);
	atomic_store_explicit(&head->check, check, memory_order_release);
}

bool mcp_metrics_text_read(const mcp_metrics_text_head *head, const mcp_metrics_word *words,
	uint64_t id, char *out, size_t room, size_t *length, uint32_t *note) {
	uint64_t check = atomic_load_explicit(&head->check, memory_order_acquire);
	uint64_t length_and_note = atomic_load_explicit(&head->length_and_note, memory_order_relaxed);
	*length = (uint32_t)length_and_note;
	*note = (uint32_t)(length_and_note >> 32);
	if (*length > room) {
		return false;
	}
	return take(words, *length, out, seed(id, length_and_note)) == check;
}
