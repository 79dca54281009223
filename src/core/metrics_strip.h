/* The last events of all processes, a letter each: a ring that everybody writes into without waiting for anybody. An
 * event carries a check of all its words, so that one which is being written, was left half written by a process that
 * was killed, or is written by two at once is not there for a reader. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_METRICS_STRIP_H
#define MCP_CORE_METRICS_STRIP_H

#include "metrics_text.h"

#define MCP_STRIP_EVENTS 4096
#define MCP_STRIP_KEY_WORDS 5
#define MCP_STRIP_KEY_MAX (8 * MCP_STRIP_KEY_WORDS)
/* For mcp_strip_read: events of all groups. */
#define MCP_STRIP_ALL_GROUPS (-1)

/* One cache line, so that a writer touches no other's. */
typedef struct mcp_strip_slot {
	mcp_metrics_word check; /* of the event's number and all words that it has */
	mcp_metrics_word what;  /* time in ms: 48 bits, letter: 8, length of the key: 8 */
	mcp_metrics_word who;   /* process: 32 bits, group: 8 */
	mcp_metrics_word key[MCP_STRIP_KEY_WORDS];
} mcp_strip_slot;

typedef struct mcp_strip {
	mcp_metrics_word head;  /* the next event's number */
	mcp_metrics_word begin; /* those before are none any more */
	mcp_metrics_word padding[6];
	mcp_strip_slot slots[MCP_STRIP_EVENTS];
} mcp_strip;

typedef struct mcp_strip_event {
	uint64_t at_ms; /* Unix time */
	char letter;
	uint8_t group;
	uint32_t pid;
	size_t key_length;
	char key[MCP_STRIP_KEY_MAX];
} mcp_strip_event;

/* A process, as the events of a group have it. */
static inline uint64_t mcp_strip_who(uint32_t pid, uint8_t group) {
	return (uint64_t)pid << 32 | group;
}

static inline uint64_t mcp_strip_begin_check(uint64_t what, uint64_t who) {
	return mcp_metrics_mix(mcp_metrics_mix(0, what), who);
}

/* Of the words' check: an event of a lap before does not count as this one. Never of nothing but zeroes, so that a slot
 * which is yet to be written is no event. */
static inline uint64_t mcp_strip_end_check(uint64_t check, uint64_t number) {
	return check + number + 1;
}

/* The key is cut. In the path of every hit. */
MCP_INLINED void mcp_strip_note(mcp_strip *strip, char letter, uint64_t who, uint64_t at_ms,
	mcp_bytes key) {
	uint64_t number = atomic_fetch_add_explicit(&strip->head, 1, memory_order_relaxed);
	mcp_strip_slot *slot = &strip->slots[number % MCP_STRIP_EVENTS];
	key.length = key.length < MCP_STRIP_KEY_MAX ? key.length : MCP_STRIP_KEY_MAX;
	uint64_t what = at_ms << 16 | (uint64_t)(unsigned char)letter << 8 | key.length;
	atomic_store_explicit(&slot->what, what, memory_order_relaxed);
	atomic_store_explicit(&slot->who, who, memory_order_relaxed);
	uint64_t check = mcp_metrics_text_put(slot->key, key, mcp_strip_begin_check(what, who));
	atomic_store_explicit(&slot->check, mcp_strip_end_check(check, number), memory_order_relaxed);
}

/* The last `most` events of the group, oldest first; answers how many there are. */
size_t mcp_strip_read(const mcp_strip *strip, int group, mcp_strip_event *events, size_t most);
/* Forgets what is there. */
void mcp_strip_clear(mcp_strip *strip);

#endif
