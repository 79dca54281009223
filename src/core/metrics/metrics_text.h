/* A name or key in memory that others change at any moment, or are killed in the middle of changing: beside its words
 * stands a check of all of them, and a text whose check is wrong is not there. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_METRICS_TEXT_H
#define MCP_CORE_METRICS_TEXT_H

#include "../atomics.h"
#include "../bytes.h"
#include "../little_endian.h"

typedef mcp_atomic_u64 mcp_metrics_word;

/* The length of a record's last array, `used` of which have a meaning: what is before it, in words, and it fill whole
 * cache lines. */
#define MCP_METRICS_LAST(before, used) (((before) + (used) + 7) / 8 * 8 - (before))

/* Odd, so that a change of one word is never without effect; what several changes together leave unnoticed is one in
 * 2^64. */
#define MCP_METRICS_MIX 0x9e3779b97f4a7c15u

static inline uint64_t mcp_metrics_mix(uint64_t hash, uint64_t word) {
	return (hash + word) * MCP_METRICS_MIX;
}

static inline uint64_t mcp_metrics_put_word(mcp_metrics_word *to, uint64_t word, uint64_t hash) {
	atomic_store_explicit(to, word, memory_order_relaxed);
	return mcp_metrics_mix(hash, word);
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
/* False if nothing is there, or it is half written, or another id's. `out` has room for `room` bytes, a multiple of
 * eight; longer texts are false, too. */
bool mcp_metrics_text_read(const mcp_metrics_text_head *head, const mcp_metrics_word *words,
	uint64_t id, char *out, size_t room, size_t *length, uint32_t *note);

#endif
