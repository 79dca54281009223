/* The numbers that all processes of a host count together: counters, histograms, the trace of events and the dearest
 * keys, in memory that they share. All of it is atomic words that begin as zeroes, so that the memory needs no
 * making, nobody waits for anybody, and a process that is killed at any moment leaves everything readable. No
 * pointers stand in it, and no number of it is believed to be small. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_METRICS_METRICS_H
#define MCP_CORE_METRICS_METRICS_H

#include "../atomics.h"
#include "../bytes.h"
#include "../compiler.h"
#include "../little_endian.h"
#include "counts.h"

#include <stddef.h>
#include <stdint.h>

/* How many things took how long, by powers of two: one addition a thing, and bounds that need no settings. */

/* Milliseconds: 1, 2, 4 ... 131072, and above. */
#define MCP_COMPUTE_TIMES 19
/* Nanoseconds: 2^14, 2^15 ... 2^33, and above. */
#define MCP_ROUND_TRIPS 21
#define MCP_ROUND_TRIPS_FIRST 14

/* Finds the first of `count` places whose bound, 2^(first + place), is not below `value`; the last one has no
 * bound. */
static inline size_t mcp_histogram_place(uint64_t value, unsigned first, size_t count) {
	size_t place = mcp_width_of((value - (value > 0)) >> first);
	return place < count ? place : count - 1;
}

static inline uint64_t mcp_histogram_bound(size_t place, unsigned first) {
	return (uint64_t)1 << (first + place);
}

/* A name or key in memory that others change at any moment, or are killed in the middle of changing: beside its words
 * stands a check of all of them, and a text whose check is wrong is not there. */

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

/* The sums of all counts as they stood every two seconds of the last two minutes and every minute of the last hour:
 * what a chart is drawn from that nobody was looking at while it happened. Each sample carries a check of all its
 * words, so that one which is being taken, or was left half taken by a process that was killed, is not there for a
 * reader. */

/* More than two minutes of steps, and more than an hour of minutes. */
#define MCP_HISTORY_SAMPLES 64
#define MCP_HISTORY_STEP_MS 2000
#define MCP_HISTORY_MINUTE_MS 60000
/* Sums of all counts of caches, locks and servers, in whole cache lines with what is before them. */
#define MCP_HISTORY_SUMS \
	MCP_METRICS_LAST(3, MCP_CACHE_COUNTS + MCP_LOCK_COUNTS + MCP_SERVER_COUNTS + MCP_SESSION_COUNTS)
/* At most so many are read. */
#define MCP_HISTORY_SHOWN (2 * MCP_HISTORY_SAMPLES)

typedef struct mcp_history_sample {
	mcp_metrics_word number; /* how many steps the clock had had; 0: none is here */
	mcp_metrics_word check;  /* of the number, the time and the sums */
	mcp_metrics_word at_ms;  /* Unix time */
	mcp_metrics_word sums[MCP_HISTORY_SUMS];
} mcp_history_sample;

typedef struct mcp_history {
	mcp_history_sample steps[MCP_HISTORY_SAMPLES];
	mcp_history_sample minutes[MCP_HISTORY_SAMPLES];
} mcp_history;

/* A sample as it was read. */
typedef struct mcp_history_shown {
	uint64_t at_ms;
	uint64_t sums[MCP_HISTORY_SUMS];
} mcp_history_shown;

/* Reads those since `since_ms`, oldest first: of the last two minutes all, and of the hour before one a minute. None
 * is there of a time at which nothing was done. Returns how many there are, at most MCP_HISTORY_SHOWN. */
size_t mcp_history_read(const mcp_history *history, uint64_t now_ms, uint64_t since_ms,
	mcp_history_shown *shown);

/* Which keys cost most computing in the last minute: a space-saving sketch for every five seconds (Metwally, Agrawal,
 * El Abbadi, "Efficient computation of frequent and top-k elements in data streams", 2005), weighted by time. Exact while
 * no more keys than it has places are computed within one of them; of more, the dear ones are still there. */

#define MCP_REBUILDS_SLICE_MS 5000
/* A minute, the slice under way included, ... */
#define MCP_REBUILDS_SLICES 12
/* ... and one that is not read any more while it is taken into use. */
#define MCP_REBUILDS_SLICES_KEPT 13
#define MCP_REBUILDS_PLACES 64
#define MCP_REBUILDS_KEY_MAX 56
/* How many a reader is given. */
#define MCP_REBUILDS_SHOWN 32

/* `key` is the slice's number in 24 bits and of the key's hash 40. The three sums bear the key's mark in their upper 24
 * bits: a sum with another mark is what a key of before has left, and counts as 0. So a place is taken by one change of
 * `key`, and nothing needs to be cleared. */
typedef struct mcp_rebuilds_place {
	mcp_metrics_word key;
	mcp_metrics_word spent_ms;
	mcp_metrics_word count;
	mcp_metrics_word inherited_ms; /* of spent_ms, from the keys that had the place before */
	mcp_metrics_text_head head;    /* its note is the group */
	mcp_metrics_word name[MCP_REBUILDS_KEY_MAX / 8];
} mcp_rebuilds_place;

typedef struct mcp_rebuilds {
	mcp_rebuilds_place slices[MCP_REBUILDS_SLICES_KEPT][MCP_REBUILDS_PLACES];
} mcp_rebuilds;

typedef struct mcp_rebuild {
	uint64_t hash; /* of the whole key */
	uint64_t count;
	uint64_t spent_ms;
	uint32_t group;
	size_t key_length;
	char key[MCP_REBUILDS_KEY_MAX];
} mcp_rebuild;

/* Notes that a key of this group was computed. */
void mcp_rebuilds_add(mcp_rebuilds *rebuilds, uint64_t now_ms, uint32_t group, mcp_bytes key,
	uint64_t spent_ms);

#define MCP_REBUILDS_SCRATCH ((size_t)MCP_REBUILDS_SLICES * MCP_REBUILDS_PLACES)
/* Lists the dearest first, at most MCP_REBUILDS_SHOWN; returns how many. `scratch`: MCP_REBUILDS_SCRATCH, the answer
 * at its beginning. */
size_t mcp_rebuilds_read(const mcp_rebuilds *rebuilds, uint64_t now_ms, mcp_rebuild *scratch);

/* How a server is, as the processes that use it see it: whether one leaves it alone and since when, what it failed of
 * last, and when it was used last. */

/* A longer reason is cut. */
#define MCP_METRICS_REASON_MAX MCP_METRICS_TEXT_MAX

/* Times are Unix times. Whole cache lines. */
typedef struct mcp_metrics_state {
	mcp_metrics_word open_until_ms; /* the process that left it alone last says so */
	mcp_metrics_word open_since_ms; /* when this outage's first did */
	mcp_metrics_word failed_ms;     /* of the last failure; 0: it never failed */
	mcp_metrics_word seen_calls;    /* its calls at the last sample */
	mcp_metrics_word used_ms;       /* of the last sample that had more calls than the one before */
	mcp_metrics_word reason_id;
	mcp_metrics_text_head reason; /* what it failed of last, in words that follow "the server " */
	mcp_metrics_word reason_text[MCP_METRICS_REASON_MAX / 8];
	mcp_metrics_word padding[2];
} mcp_metrics_state;

/* Notes that a process leaves the server alone until then. */
void mcp_metrics_state_open(mcp_metrics_state *state, uint64_t now_ms, uint64_t until_ms);
/* Notes that the server answered a process that had left it alone. */
void mcp_metrics_state_close(mcp_metrics_state *state);
static inline bool mcp_metrics_state_is_open(const mcp_metrics_state *state, uint64_t now_ms) {
	return atomic_load_explicit(&state->open_until_ms, memory_order_relaxed) > now_ms;
}

void mcp_metrics_state_fail(mcp_metrics_state *state, uint64_t now_ms, mcp_bytes reason);
/* Returns Unix time of the last failure, and at most MCP_METRICS_REASON_MAX bytes of its reason in `out`. 0: it
 * never failed, or nobody knows of what. */
uint64_t mcp_metrics_state_failure(const mcp_metrics_state *state, char *out, size_t *length);

/* Returns when the last of so many calls was seen: it was sent then or before. */
static inline uint64_t mcp_metrics_state_used_ms(const mcp_metrics_state *state, uint64_t calls,
	uint64_t now_ms) {
	bool is_seen = atomic_load_explicit(&state->seen_calls, memory_order_relaxed) == calls;
	return is_seen ? atomic_load_explicit(&state->used_ms, memory_order_relaxed) : now_ms;
}

/* The last events of all processes, a letter each: a ring that everybody writes into without waiting for anybody. An
 * event carries a check of all its words, so that one which is being written, was left half written by a process that
 * was killed, or is written by two at once is not there for a reader. */

#define MCP_TRACE_EVENTS 4096
#define MCP_TRACE_KEY_WORDS 5
#define MCP_TRACE_KEY_MAX (8 * MCP_TRACE_KEY_WORDS)
/* For mcp_trace_read: events of all groups. */
#define MCP_TRACE_ALL_GROUPS (-1)

/* One cache line, so that a writer touches no other's. */
typedef struct mcp_trace_slot {
	mcp_metrics_word check;                    /* of the event's number and all words that it has */
	mcp_metrics_word what;                     /* time in ms: 48 bits, length of the key: 8 */
	mcp_metrics_word who;                      /* process: 32 bits, letter: 8, group: 8 */
	mcp_metrics_word key[MCP_TRACE_KEY_WORDS]; /* see mcp_trace_note_short */
} mcp_trace_slot;

typedef struct mcp_trace {
	mcp_trace_slot slots[MCP_TRACE_EVENTS]; /* first, as each event computes an address here */
	mcp_metrics_word head;                  /* the next event's number */
	mcp_metrics_word begin;                 /* those before are none any more */
	mcp_metrics_word padding[6];
} mcp_trace;

typedef struct mcp_trace_event {
	uint64_t at_ms; /* Unix time */
	char letter;
	uint8_t group;
	uint32_t pid;
	size_t key_length;
	char key[MCP_TRACE_KEY_MAX];
} mcp_trace_event;

/* Makes a process's number, as the events of a group have it. */
static inline uint64_t mcp_trace_who(uint32_t pid, uint8_t group) {
	return (uint64_t)pid << 32 | group;
}

static inline uint64_t mcp_trace_begin_check(uint64_t what, uint64_t who) {
	return mcp_metrics_mix(mcp_metrics_mix(0, what), who);
}

/* Ends the check of the words: an event of a lap before does not count as this one. Never makes it of nothing but
 * zeroes, so that a slot which is yet to be written is no event. */
static inline uint64_t mcp_trace_end_check(uint64_t check, uint64_t number) {
	return check + number + 1;
}

/* Writes the words before the key into the slot of an event; returns their check. */
static inline uint64_t mcp_trace_put_head(mcp_trace_slot *slot, uint64_t who, uint64_t at_ms,
	size_t key_length) {
	uint64_t what = at_ms << 16 | key_length;
	atomic_store_explicit(&slot->what, what, memory_order_relaxed);
	atomic_store_explicit(&slot->who, who, memory_order_relaxed);
	return mcp_trace_begin_check(what, who);
}

/* Makes one to seven bytes a number, some of them twice: their length says which stand where. */
static inline uint64_t mcp_trace_short_key(const unsigned char *from, size_t length) {
	if (length >= 4) {
		return mcp_load_u32(from) | (uint64_t)mcp_load_u32(from + length - 4) << 32;
	}
	return from[0] | (uint64_t)from[length / 2] << 8 | (uint64_t)from[length - 1] << 16;
}

static inline uint64_t mcp_trace_put_word(mcp_metrics_word *to, const unsigned char *from,
	uint64_t check) {
	return mcp_metrics_put_word(to, mcp_load_u64(from), check);
}

static inline mcp_trace_slot *mcp_trace_slot_of(mcp_trace *trace, uint64_t number) {
	return &trace->slots[number % MCP_TRACE_EVENTS];
}

static inline uint64_t mcp_trace_take_number(mcp_trace *trace) {
	return atomic_fetch_add_explicit(&trace->head, 1, memory_order_relaxed);
}

static inline void mcp_trace_end(mcp_trace_slot *slot, uint64_t check, uint64_t number) {
	atomic_store_explicit(&slot->check, mcp_trace_end_check(check, number), memory_order_relaxed);
}

#define MCP_TRACE_SHORT_KEY_MAX 16

static inline uint64_t mcp_trace_with_letter(uint64_t who, char letter) {
	return who | (uint64_t)(unsigned char)letter << 8;
}

/* Notes, in the path of every hit, an event of `who` with the letter and a key of one to MCP_TRACE_SHORT_KEY_MAX
 * bytes. No byte beyond the key is read, and few are taken alone: the slot gets the key's first eight bytes and its
 * last eight, which may overlap. */
MCP_INLINED void mcp_trace_note_short(mcp_trace *trace, uint64_t who, uint64_t at_ms,
	mcp_bytes key) {
	const unsigned char *from = (const unsigned char *)key.data;
	uint64_t number = mcp_trace_take_number(trace);
	mcp_trace_slot *slot = mcp_trace_slot_of(trace, number);
	uint64_t check = mcp_trace_put_head(slot, who, at_ms, key.length);
	uint64_t word;
	if (key.length >= 8) {
		check = mcp_trace_put_word(&slot->key[1], from + key.length - 8, check);
		word = mcp_load_u64(from);
	} else {
		word = mcp_trace_short_key(from, key.length);
	}
	check = mcp_metrics_put_word(&slot->key[0], word, check);
	mcp_trace_end(slot, check, number);
}

/* Puts words from the beginning and, of the last ones, from the end, which may overlap those. */
MCP_INLINED uint64_t mcp_trace_put_long_key(mcp_metrics_word *words, const unsigned char *from,
	size_t length, uint64_t check) {
	check = mcp_trace_put_word(&words[0], from, check);
	check = mcp_trace_put_word(&words[1], from + 8, check);
	if (length > 32) {
		check = mcp_trace_put_word(&words[3], from + 16, check);
		check = mcp_trace_put_word(&words[4], from + 24, check);
	} else {
		check = mcp_trace_put_word(&words[3], from + length - 16, check);
	}
	return mcp_trace_put_word(&words[2], from + length - 8, check);
}

/* Notes an event of a key of more than MCP_TRACE_SHORT_KEY_MAX bytes, which is cut. */
MCP_INLINED void mcp_trace_note_long(mcp_trace *trace, uint64_t who, uint64_t at_ms,
	mcp_bytes key) {
	size_t length = key.length < MCP_TRACE_KEY_MAX ? key.length : MCP_TRACE_KEY_MAX;
	uint64_t number = mcp_trace_take_number(trace);
	mcp_trace_slot *slot = mcp_trace_slot_of(trace, number);
	uint64_t check = mcp_trace_put_head(slot, who, at_ms, length);
	check = mcp_trace_put_long_key(slot->key, (const unsigned char *)key.data, length, check);
	mcp_trace_end(slot, check, number);
}

/* Notes an event of any key, or none. The key is cut. */
void mcp_trace_note(mcp_trace *trace, uint64_t who, uint64_t at_ms, mcp_bytes key);

/* Reads the last `most` events of the group, oldest first; returns how many there are. */
size_t mcp_trace_read(const mcp_trace *trace, int group, mcp_trace_event *events, size_t most);
/* Forgets what is there. */
void mcp_trace_clear(mcp_trace *trace);

/* Records of each kind; the last one is for those that found no place. */
#define MCP_METRICS_GROUPS 129
#define MCP_METRICS_SERVERS 64
#define MCP_METRICS_LOCKS 256
#define MCP_METRICS_SESSIONS 32
#define MCP_METRICS_PROCESSES 256

/* A longer one is cut, and ends with a hash of the whole. */
#define MCP_METRICS_NAME_MAX MCP_METRICS_TEXT_MAX

/* At the beginning of each record. 0: unused; else of the name, so that whoever knows the name finds the record, and
 * completes it where its first finder was killed. */
typedef struct mcp_metrics_name {
	mcp_metrics_word id;
	mcp_metrics_text_head head;
	mcp_metrics_word text[MCP_METRICS_NAME_MAX / 8];
	mcp_metrics_word padding[7]; /* to whole cache lines */
} mcp_metrics_name;

typedef struct mcp_metrics_group {
	mcp_metrics_name name;
	mcp_metrics_word counts[MCP_CACHE_COUNTS];
	mcp_metrics_word compute_times[MCP_METRICS_LAST(MCP_CACHE_COUNTS, MCP_COMPUTE_TIMES)];
} mcp_metrics_group;

typedef struct mcp_metrics_server {
	mcp_metrics_name name;
	mcp_metrics_state state;
	mcp_metrics_word counts[MCP_SERVER_COUNTS];
	mcp_metrics_word timed_ns; /* of those in round_trips */
	mcp_metrics_word round_trips[MCP_METRICS_LAST(1 + MCP_SERVER_COUNTS, MCP_ROUND_TRIPS)];
} mcp_metrics_server;

typedef struct mcp_metrics_lock {
	mcp_metrics_name name;
	mcp_metrics_word counts[MCP_METRICS_LAST(0, MCP_LOCK_COUNTS)];
} mcp_metrics_lock;

/* The sessions of one prefix. */
typedef struct mcp_metrics_session {
	mcp_metrics_name name;
	mcp_metrics_word counts[MCP_METRICS_LAST(0, MCP_SESSION_COUNTS)];
} mcp_metrics_session;

typedef struct mcp_metrics {
	mcp_trace trace;           /* first, as each hit computes an address in it */
	mcp_metrics_word since_ms; /* Unix time; 0: not begun */
	mcp_metrics_word counts[MCP_METRICS_LAST(1, MCP_HOST_COUNTS)];
	mcp_metrics_group groups[MCP_METRICS_GROUPS];
	mcp_metrics_server servers[MCP_METRICS_SERVERS];
	mcp_metrics_lock locks[MCP_METRICS_LOCKS];
	mcp_metrics_session sessions[MCP_METRICS_SESSIONS];
	mcp_rebuilds rebuilds;
	mcp_history history;
	mcp_metrics_word processes[MCP_METRICS_PROCESSES]; /* their ids; 0: free */
} mcp_metrics;

/* Things of one kind, each counted in a record of its own, which begins with its name. */
typedef struct mcp_counted {
	const char *what;  /* "cache": a part of names */
	const char *label; /* "group": what a thing's name is the name of */
	const mcp_counts *counts;
	size_t start; /* of the first record in the metrics, in bytes */
	size_t size;  /* of a record */
	size_t records;
	size_t words; /* of its counts, in a record; what is before them is no number that is counted */
} mcp_counted;

extern const mcp_counted mcp_counted_caches;
extern const mcp_counted mcp_counted_servers;
extern const mcp_counted mcp_counted_locks;
extern const mcp_counted mcp_counted_sessions;

static inline const mcp_metrics_name *mcp_counted_name(const mcp_counted *counted,
	const mcp_metrics *metrics, size_t index) {
	return (const void *)((const char *)metrics + counted->start + index * counted->size);
}

static inline const mcp_metrics_word *mcp_counted_words(const mcp_counted *counted,
	const mcp_metrics *metrics, size_t index) {
	return (const void *)((const char *)mcp_counted_name(counted, metrics, index) + counted->words);
}

/* Tells the record for all that found none of their own. */
static inline bool mcp_counted_is_rest(const mcp_counted *counted, size_t index) {
	return index == counted->records - 1;
}

/* Tells whether any count of the record is more than 0. */
bool mcp_counted_has_any(const mcp_counted *counted, const mcp_metrics *metrics, size_t index);

static inline void mcp_metrics_add(mcp_metrics_word *word, uint64_t by) {
	atomic_fetch_add_explicit(word, by, memory_order_relaxed);
}

static inline uint64_t mcp_metrics_get(const mcp_metrics_word *word) {
	return atomic_load_explicit(word, memory_order_relaxed);
}

/* Raises it to this, if it is less. */
void mcp_metrics_raise(mcp_metrics_word *word, uint64_t to);

/* Notes when counting begins, unless it has. */
void mcp_metrics_begin(mcp_metrics *metrics, uint64_t now_ms);

/* Finds the record of this name, which is there from then on, or the one for the rest. Never NULL. */
mcp_metrics_group *mcp_metrics_find_group(mcp_metrics *metrics, mcp_bytes name);
mcp_metrics_server *mcp_metrics_find_server(mcp_metrics *metrics, mcp_bytes address);
mcp_metrics_lock *mcp_metrics_find_lock(mcp_metrics *metrics, mcp_bytes name);
mcp_metrics_session *mcp_metrics_find_session(mcp_metrics *metrics, mcp_bytes prefix);

static inline uint8_t mcp_metrics_group_index(const mcp_metrics *metrics,
	const mcp_metrics_group *group) {
	return (uint8_t)(group - metrics->groups);
}

/* Reads the name of a record that is in use, at most MCP_METRICS_NAME_MAX bytes, into `out`. False if it is not in
 * use, or its name is not known yet. */
bool mcp_metrics_read_name(const mcp_metrics_name *name, char *out, size_t *length);

/* Counts a request that was answered in so many nanoseconds. Not every one is timed. */
static inline void mcp_metrics_time_answer(mcp_metrics_server *server, uint64_t took_ns) {
	size_t place = mcp_histogram_place(took_ns, MCP_ROUND_TRIPS_FIRST, MCP_ROUND_TRIPS);
	mcp_metrics_add(&server->round_trips[place], 1);
	mcp_metrics_add(&server->timed_ns, took_ns);
}

/* Counts one computation of a value that was to be stored. */
static inline void mcp_metrics_count_computation(mcp_metrics_group *group, uint64_t took_ms) {
	mcp_metrics_add(&group->compute_times[mcp_histogram_place(took_ms, 0, MCP_COMPUTE_TIMES)], 1);
	mcp_metrics_add(&group->counts[MCP_COUNT_COMPUTATIONS], 1);
	mcp_metrics_add(&group->counts[MCP_COUNT_COMPUTE_MS], took_ms);
}

/* Enters the process among those that count, once. False if there is no place left. */
bool mcp_metrics_enter(mcp_metrics *metrics, uint32_t pid);

/* Makes everything 0 from now on; names stay, for those who count under them. */
void mcp_metrics_reset(mcp_metrics *metrics, uint64_t now_ms);

/* All groups, locks, servers and sessions together, and the samples of them in the history. */

/* Places in a sample, at which the sums of a kind begin, each at its count's. */
typedef enum mcp_sum {
	MCP_SUM_OF_CACHES = 0,
	MCP_SUM_OF_LOCKS = MCP_SUM_OF_CACHES + MCP_CACHE_COUNTS,
	MCP_SUM_OF_SERVERS = MCP_SUM_OF_LOCKS + MCP_LOCK_COUNTS,
	MCP_SUM_OF_SESSIONS = MCP_SUM_OF_SERVERS + MCP_SERVER_COUNTS,
} mcp_sum;

/* Notes where all counts stand, and which servers were used, if nobody has in this step. Before something is counted, so
 * that what a sample has came before it. */
void mcp_metrics_sample(mcp_metrics *metrics, uint64_t now_ms);

#endif
