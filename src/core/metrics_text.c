/* Texts whose writers all write the same. */
/* SPDX-License-Identifier: MIT */
#include "metrics_text.h"

static uint64_t begin(uint64_t id, uint64_t length_and_note) {
	return mcp_metrics_mix(id, length_and_note);
}

static uint64_t check_of(uint64_t id, uint64_t length_and_note, mcp_bytes text) {
	mcp_metrics_word unused[MCP_METRICS_TEXT_MAX / 8];
	return mcp_metrics_text_put(unused, text, begin(id, length_and_note));
}

void mcp_metrics_text_write(mcp_metrics_text_head *head, mcp_metrics_word *words, uint64_t id,
	mcp_bytes text, uint32_t note) {
	uint64_t length_and_note = (uint64_t)note << 32 | text.length;
	uint64_t check = check_of(id, length_and_note, text);
	if (atomic_load_explicit(&head->check, memory_order_relaxed) == check) {
		return;
	}
	atomic_store_explicit(&head->length_and_note, length_and_note, memory_order_relaxed);
	mcp_metrics_text_put(words, text, 0);
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
	return mcp_metrics_text_take(words, *length, out, begin(id, length_and_note)) == check;
}
