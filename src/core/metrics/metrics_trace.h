/* The last events of all processes, a letter each: a ring that everybody writes into without waiting for anybody. An
 * event carries a check of all its words, so that one which is being written, was left half written by a process that
 * was killed, or is written by two at once is not there for a reader. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_METRICS_STRIP_H
#define MCP_CORE_METRICS_STRIP_H

#include "../compiler.h"
#include "metrics_text.h"

#define MCP_STRIP_EVENTS 4096
#define MCP_STRIP_KEY_WORDS 5
#define MCP_STRIP_KEY_MAX (8 * MCP_STRIP_KEY_WORDS)
/* For mcp_strip_read: events of all groups. */
#define MCP_STRIP_ALL_GROUPS (-1)

/* One cache line, so that a writer touches no other's. */
typedef struct mcp_strip_slot {
	mcp_metrics_word check;                    /* of the event's number and all words that it has */
	mcp_metrics_word what;                     /* time in ms: 48 bits, length of the key: 8 */
	mcp_metrics_word who;                      /* process: 32 bits, letter: 8, group: 8 */
	mcp_metrics_word key[MCP_STRIP_KEY_WORDS]; /* see mcp_strip_note_short */
} mcp_strip_slot;

typedef struct mcp_strip {
	mcp_strip_slot slots[MCP_STRIP_EVENTS]; /* first, as each event computes an address here */
	mcp_metrics_word head;                  /* the next event's number */
	mcp_metrics_word begin;                 /* those before are none any more */
	mcp_metrics_word padding[6];
} mcp_strip;

typedef struct mcp_strip_event {
	uint64_t at_ms; /* Unix time */
	char letter;
	uint8_t group;
	uint32_t pid;
	size_t key_length;
	char key[MCP_STRIP_KEY_MAX];
} mcp_strip_event;

/* Makes a process's number, as the events of a group have it. */
static inline uint64_t mcp_strip_who(uint32_t pid, uint8_t group) {
	return (uint64_t)pid << 32 | group;
}

static inline uint64_t mcp_strip_begin_check(uint64_t what, uint64_t who) {
	return mcp_metrics_mix(mcp_metrics_mix(0, what), who);
}

/* Ends the check of the words: an event of a lap before does not count as this one. Never makes it of nothing but
 * zeroes, so that a slot which is yet to be written is no event. */
static inline uint64_t mcp_strip_end_check(uint64_t check, uint64_t number) {
	return check + number + 1;
}

/* Writes the words before the key into the slot of an event; returns their check. */
static inline uint64_t mcp_strip_put_head(mcp_strip_slot *slot, uint64_t who, uint64_t at_ms,
	size_t key_length) {
	uint64_t what = at_ms << 16 | key_length;
	atomic_store_explicit(&slot->what, what, memory_order_relaxed);
	atomic_store_explicit(&slot->who, who, memory_order_relaxed);
	return mcp_strip_begin_check(what, who);
}

/* Makes one to seven bytes a number, some of them twice: their length says which stand where. */
static inline uint64_t mcp_strip_short_key(const unsigned char *from, size_t length) {
	if (length >= 4) {
		return mcp_load_u32(from) | (uint64_t)mcp_load_u32(from + length - 4) << 32;
	}
	return from[0] | (uint64_t)from[length / 2] << 8 | (uint64_t)from[length - 1] << 16;
}

static inline uint64_t mcp_strip_put_word(mcp_metrics_word *to, const unsigned char *from,
	uint64_t check) {
	return mcp_metrics_put_word(to, mcp_load_u64(from), check);
}

static inline mcp_strip_slot *mcp_strip_slot_of(mcp_strip *strip, uint64_t number) {
	return &strip->slots[number % MCP_STRIP_EVENTS];
}

static inline uint64_t mcp_strip_take_number(mcp_strip *strip) {
	return atomic_fetch_add_explicit(&strip->head, 1, memory_order_relaxed);
}

static inline void mcp_strip_end(mcp_strip_slot *slot, uint64_t check, uint64_t number) {
	atomic_store_explicit(&slot->check, mcp_strip_end_check(check, number), memory_order_relaxed);
}

#define MCP_STRIP_SHORT_KEY_MAX 16

static inline uint64_t mcp_strip_with_letter(uint64_t who, char letter) {
	return who | (uint64_t)(unsigned char)letter << 8;
}

/* Notes, in the path of every hit, an event of `who` with the letter and a key of one to MCP_STRIP_SHORT_KEY_MAX
 * bytes. No byte beyond the key is read, and few are taken alone: the slot gets the key's first eight bytes and its
 * last eight, which may overlap. */
MCP_INLINED void mcp_strip_note_short(mcp_strip *strip, uint64_t who, uint64_t at_ms,
	mcp_bytes key) {
	const unsigned char *from = (const unsigned char *)key.data;
	uint64_t number = mcp_strip_take_number(strip);
	mcp_strip_slot *slot = mcp_strip_slot_of(strip, number);
	uint64_t check = mcp_strip_put_head(slot, who, at_ms, key.length);
	uint64_t word;
	if (key.length >= 8) {
		check = mcp_strip_put_word(&slot->key[1], from + key.length - 8, check);
		word = mcp_load_u64(from);
	} else {
		word = mcp_strip_short_key(from, key.length);
	}
	check = mcp_metrics_put_word(&slot->key[0], word, check);
	mcp_strip_end(slot, check, number);
}

/* Puts words from the beginning and, of the last ones, from the end, which may overlap those. */
MCP_INLINED uint64_t mcp_strip_put_long_key(mcp_metrics_word *words, const unsigned char *from,
	size_t length, uint64_t check) {
	check = mcp_strip_put_word(&words[0], from, check);
	check = mcp_strip_put_word(&words[1], from + 8, check);
	if (length > 32) {
		check = mcp_strip_put_word(&words[3], from + 16, check);
		check = mcp_strip_put_word(&words[4], from + 24, check);
	} else {
		check = mcp_strip_put_word(&words[3], from + length - 16, check);
	}
	return mcp_strip_put_word(&words[2], from + length - 8, check);
}

/* Notes an event of a key of more than MCP_STRIP_SHORT_KEY_MAX bytes, which is cut. */
MCP_INLINED void mcp_strip_note_long(mcp_strip *strip, uint64_t who, uint64_t at_ms,
	mcp_bytes key) {
	size_t length = key.length < MCP_STRIP_KEY_MAX ? key.length : MCP_STRIP_KEY_MAX;
	uint64_t number = mcp_strip_take_number(strip);
	mcp_strip_slot *slot = mcp_strip_slot_of(strip, number);
	uint64_t check = mcp_strip_put_head(slot, who, at_ms, length);
	check = mcp_strip_put_long_key(slot->key, (const unsigned char *)key.data, length, check);
	mcp_strip_end(slot, check, number);
}

/* Notes an event of any key, or none. The key is cut. */
void mcp_strip_note(mcp_strip *strip, uint64_t who, uint64_t at_ms, mcp_bytes key);

/* Reads the last `most` events of the group, oldest first; returns how many there are. */
size_t mcp_strip_read(const mcp_strip *strip, int group, mcp_strip_event *events, size_t most);
/* Forgets what is there. */
void mcp_strip_clear(mcp_strip *strip);

#endif
