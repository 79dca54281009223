/* A name or key in memory that others change at any moment, or are killed in the middle of changing: beside its words
 * stands a check of all of them, and a text whose check is wrong is not there. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_METRICS_TEXT_H
#define MCP_CORE_METRICS_TEXT_H

#include "bytes.h"
#include "compiler.h"
#include "little_endian.h"

#include <stdatomic.h>

typedef _Atomic uint64_t mcp_metrics_word;

/* Odd, so that a change of one word is never without effect; what several changes together leave unnoticed is one in
 * 2^64. */
#define MCP_METRICS_MIX 0x9e3779b97f4a7c15u

static inline uint64_t mcp_metrics_mix(uint64_t hash, uint64_t word) {
	return (hash + word) * MCP_METRICS_MIX;
}

/* Fewer than eight bytes as a number, little-endian. */
static inline uint64_t mcp_metrics_short_word(const unsigned char *from, size_t length) {
	if (length >= 4) {
		uint64_t end = mcp_load_u32(from + length - 4);
		return mcp_load_u32(from) | end << (8 * (length - 4));
	}
	if (length == 1) {
		return from[0];
	}
	uint64_t end = from[length - 1];
	return mcp_load_u16(from) | end << (8 * (length - 1));
}

static inline uint64_t mcp_metrics_put_word(mcp_metrics_word *to, uint64_t word, uint64_t hash) {
	atomic_store_explicit(to, word, memory_order_relaxed);
	return mcp_metrics_mix(hash, word);
}

/* Fills the words from `to` on, and answers the check that continues `hash`. Nothing beyond the text is read. */
MCP_INLINED uint64_t mcp_metrics_text_put(mcp_metrics_word *to, mcp_bytes text, uint64_t hash) {
	const unsigned char *from = (const unsigned char *)text.data;
	if (text.length < 8) {
		return text.length == 0
			? hash
			: mcp_metrics_put_word(to, mcp_metrics_short_word(from, text.length), hash);
	}
	const unsigned char *last = from + text.length - 8;
	for (; from <= last; from += 8) {
		hash = mcp_metrics_put_word(to++, mcp_load_u64(from), hash);
	}
	/* What is left are fewer than eight bytes: the upper ones of the last eight. */
	size_t left = text.length % 8;
	return left == 0 ? hash : mcp_metrics_put_word(to, mcp_load_u64(last) >> (64 - 8 * left), hash);
}

/* Copies so many bytes, a multiple of eight of which `out` has room for, and answers the check that continues `hash`. */
static inline uint64_t mcp_metrics_text_take(const mcp_metrics_word *from, size_t length, char *out,
	uint64_t hash) {
	for (size_t offset = 0; offset < length; offset += 8) {
		uint64_t word = atomic_load_explicit(from++, memory_order_relaxed);
		mcp_store_u64((unsigned char *)out + offset, word);
		hash = mcp_metrics_mix(hash, word);
	}
	return hash;
}

/* A text of its own; `Words` eight bytes each. `note` is a small number that goes with it. */
typedef struct mcp_metrics_text_head {
	mcp_metrics_word check;
	mcp_metrics_word length_and_note;
} mcp_metrics_text_head;

/* The longest. */
#define MCP_METRICS_TEXT_MAX 112

/* Writes it unless it stands there. Whoever writes under one `id` writes the same, so that it does no harm when several
 * do, and whatever one of them leaves half done the next one completes. */
void mcp_metrics_text_write(mcp_metrics_text_head *head, mcp_metrics_word *words, uint64_t id,
	mcp_bytes text, uint32_t note);
/* False: nothing is there, or it is half written, or another id's. `out` has room for `room` bytes, a multiple of eight;
 * longer texts are false, too. */
bool mcp_metrics_text_read(const mcp_metrics_text_head *head, const mcp_metrics_word *words,
	uint64_t id, char *out, size_t room, size_t *length, uint32_t *note);

#endif
