/* Shared metrics of all processes of a host: counters, histograms, the event trace and the most expensive keys.
 *
 * All data is atomic words that are initially 0: the memory needs no initialization, no process waits, and a process
 * that is killed at any moment leaves all data readable. The memory contains no pointers. Numbers that are read from
 * the memory are not trusted. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_METRICS_METRICS_H
#define MCP_CORE_METRICS_METRICS_H

#include "../atomics.h"
#include "../bytes.h"
#include "../compiler.h"
#include "counts.h"

#include <stddef.h>
#include <stdint.h>

/* Histograms with powers of 2 as bounds: 1 addition per event, and no settings. */

/* Bounds in milliseconds: 1, 2, 4 ... 131072, and none for the last bucket. */
#define MCP_COMPUTE_TIMES 19
/* Bounds in nanoseconds: 2^14, 2^15 ... 2^33, and none for the last bucket. */
#define MCP_ROUND_TRIPS 21
#define MCP_ROUND_TRIPS_FIRST 14

/* Index of the first of `count` buckets whose bound, 2^(first + index), is at least `value`. The last bucket has no
 * bound. */
static inline size_t mcp_histogram_place(uint64_t value, unsigned first, size_t count) {
	size_t place = mcp_width_of((value - (value > 0)) >> first);
	return place < count ? place : count - 1;
}

static inline uint64_t mcp_histogram_bound(size_t place, unsigned first) {
	return (uint64_t)1 << (first + place);
}

/* A name or key in memory that other processes can change at any moment. A check of all words is stored with the text.
 * Readers ignore a text with a wrong check, because its writer has not finished or was killed. */

typedef mcp_atomic_u64 mcp_metrics_word;

static inline void mcp_metrics_add(mcp_metrics_word *word, uint64_t by) {
	atomic_fetch_add_explicit(word, by, memory_order_relaxed);
}

static inline uint64_t mcp_metrics_get(const mcp_metrics_word *word) {
	return atomic_load_explicit(word, memory_order_relaxed);
}

static inline void mcp_metrics_put(mcp_metrics_word *word, uint64_t number) {
	atomic_store_explicit(word, number, memory_order_relaxed);
}

/* Length of a record's last array of `used` words. The array and the `before` words in front of it fill whole cache
 * lines. */
#define MCP_METRICS_LAST(before, used) (((before) + (used) + 7) / 8 * 8 - (before))

/* Every change of 1 word changes the check, because the factor is odd. Changes of several words cancel out in 1 of 2^64
 * cases. */
static inline uint64_t mcp_metrics_mix(uint64_t hash, uint64_t word) {
	return (hash + word) * MCP_GOLDEN_FACTOR;
}

static inline uint64_t mcp_metrics_put_word(mcp_metrics_word *to, uint64_t word, uint64_t hash) {
	mcp_metrics_put(to, word);
	return mcp_metrics_mix(hash, word);
}

/* Head of a text, which is stored in words of 8 bytes. `note` is a small number that belongs to the text. */
typedef struct mcp_metrics_text_head {
	mcp_metrics_word check;
	mcp_metrics_word length_and_note;
} mcp_metrics_text_head;

/* Length of the longest text. */
#define MCP_METRICS_TEXT_MAX 112

/* Samples of the sums of all counts: every 2 seconds of the last 2 minutes, and every minute of the last hour. Charts
 * use these samples. Each sample has a check of all its words, so that readers ignore an incomplete sample. */

/* More than 2 minutes of steps, and more than 1 hour of minutes. */
#define MCP_HISTORY_SAMPLES 64
#define MCP_HISTORY_STEP_MS 2000
#define MCP_HISTORY_MINUTE_MS 60000
/* Number of sums: all counts of caches, locks, servers and sessions. A sample fills whole cache lines. */
#define MCP_HISTORY_SUMS \
	MCP_METRICS_LAST(3, MCP_CACHE_COUNTS + MCP_LOCK_COUNTS + MCP_SERVER_COUNTS + MCP_SESSION_COUNTS)
/* Maximum number of samples that a read returns. */
#define MCP_HISTORY_SHOWN (2 * MCP_HISTORY_SAMPLES)

typedef struct mcp_history_sample {
	mcp_metrics_word number; /* clock steps since the epoch; 0: no sample */
	mcp_metrics_word check;  /* check of the number, the time and the sums */
	mcp_metrics_word at_ms;  /* Unix time */
	mcp_metrics_word sums[MCP_HISTORY_SUMS];
} mcp_history_sample;

typedef struct mcp_history {
	mcp_history_sample steps[MCP_HISTORY_SAMPLES];
	mcp_history_sample minutes[MCP_HISTORY_SAMPLES];
} mcp_history;

/* A sample that was read. */
typedef struct mcp_history_shown {
	uint64_t at_ms;
	uint64_t sums[MCP_HISTORY_SUMS];
} mcp_history_shown;

/* Read the samples since `since_ms`, oldest first: all of the last 2 minutes, and 1 per minute of the hour before. Idle
 * periods have no samples. Returns the number of samples, at most MCP_HISTORY_SHOWN. */
size_t mcp_history_read(const mcp_history *history, uint64_t now_ms, uint64_t since_ms,
	mcp_history_shown *shown);

/* Keys with the most compute time in the last minute: a space-saving sketch for each slice of 5 seconds, weighted by
 * time. Source: Metwally, Agrawal, El Abbadi, "Efficient computation of frequent and top-k elements in data streams",
 * 2005. The sketch is exact if the number of keys computed in a slice does not exceed the number of places. Otherwise
 * it keeps the expensive keys. */

#define MCP_REBUILDS_SLICE_MS 5000
/* 1 minute, including the current slice. */
#define MCP_REBUILDS_SLICES 12
/* One more slice, which is being recycled and is not read. */
#define MCP_REBUILDS_SLICES_KEPT 13
#define MCP_REBUILDS_PLACES 64
#define MCP_REBUILDS_KEY_MAX 56
/* Number of keys that a reader gets. */
#define MCP_REBUILDS_SHOWN 32

/* The word `key` contains the slice number in 24 bits, and 40 bits of the key's hash. The upper 24 bits of each of the
 * 3 sums contain a mark, which is a hash of `key`. A sum with another mark belongs to a previous key and counts as 0. A
 * process therefore claims a place by changing only `key`. */
typedef struct mcp_rebuilds_place {
	mcp_metrics_word key;
	mcp_metrics_word spent_ms;
	mcp_metrics_word count;
	mcp_metrics_word inherited_ms; /* part of spent_ms that belongs to previous keys of the place */
	mcp_metrics_text_head head;    /* the note is the key's group */
	mcp_metrics_word name[MCP_REBUILDS_KEY_MAX / 8];
} mcp_rebuilds_place;

typedef struct mcp_rebuilds {
	mcp_rebuilds_place slices[MCP_REBUILDS_SLICES_KEPT][MCP_REBUILDS_PLACES];
} mcp_rebuilds;

typedef struct mcp_rebuild {
	uint64_t hash; /* hash of the whole key */
	uint64_t count;
	uint64_t spent_ms;
	uint32_t group;
	size_t key_length;
	char key[MCP_REBUILDS_KEY_MAX];
} mcp_rebuild;

/* Record a computation of a key of this group. */
void mcp_rebuilds_add(mcp_rebuilds *rebuilds, uint64_t now_ms, uint32_t group, mcp_bytes key,
	uint64_t spent_ms);

#define MCP_REBUILDS_SCRATCH ((size_t)MCP_REBUILDS_SLICES * MCP_REBUILDS_PLACES)
/* Write the keys with the most compute time to `scratch`, the most expensive first. Returns their number, at most
 * MCP_REBUILDS_SHOWN. `scratch` has MCP_REBUILDS_SCRATCH elements and begins with the result. */
size_t mcp_rebuilds_read(const mcp_rebuilds *rebuilds, uint64_t now_ms, mcp_rebuild *scratch);

/* Shared state of a server: an open circuit breaker and its start, the last failure, and the last use. */

/* Longer reasons are truncated. */
#define MCP_METRICS_REASON_MAX MCP_METRICS_TEXT_MAX

/* Times are Unix times. The struct fills whole cache lines. */
typedef struct mcp_metrics_state {
	mcp_metrics_word open_until_ms; /* written by the last process that opened its breaker */
	mcp_metrics_word open_since_ms; /* start of this outage */
	mcp_metrics_word failed_ms;     /* last failure; 0: none */
	mcp_metrics_word seen_calls;    /* number of calls at the last sample */
	mcp_metrics_word used_ms;       /* time of the last sample with a grown number of calls */
	mcp_metrics_word reason_id;
	mcp_metrics_text_head reason; /* reason of the last failure, as text after "the server " */
	mcp_metrics_word reason_text[MCP_METRICS_REASON_MAX / 8];
	mcp_metrics_word padding[2];
} mcp_metrics_state;

/* Record that a process opened its circuit breaker until `until_ms`. */
void mcp_metrics_state_open(mcp_metrics_state *state, uint64_t now_ms, uint64_t until_ms);
/* Record that the server replied after a process had opened its circuit breaker. */
void mcp_metrics_state_close(mcp_metrics_state *state);
static inline bool mcp_metrics_state_is_open(const mcp_metrics_state *state, uint64_t now_ms) {
	return mcp_metrics_get(&state->open_until_ms) > now_ms;
}

void mcp_metrics_state_fail(mcp_metrics_state *state, uint64_t now_ms, mcp_bytes reason);
/* Returns the Unix time of the last failure, with at most MCP_METRICS_REASON_MAX bytes of its reason in `out`. 0: no
 * failure, or no readable reason. */
uint64_t mcp_metrics_state_failure(const mcp_metrics_state *state, char *out, size_t *length);

/* Returns the latest possible time of the last call to a server that has received `calls` calls. */
static inline uint64_t mcp_metrics_state_used_ms(const mcp_metrics_state *state, uint64_t calls,
	uint64_t now_ms) {
	bool is_seen = mcp_metrics_get(&state->seen_calls) == calls;
	return is_seen ? mcp_metrics_get(&state->used_ms) : now_ms;
}

/* Event trace: a ring of the last events of all processes, each with a code. Writers never wait. Each event has a check
 * of all its words, so that readers ignore incomplete events and events that 2 processes write at once. */

#define MCP_TRACE_EVENTS 4096
#define MCP_TRACE_KEY_WORDS 5
#define MCP_TRACE_KEY_MAX (8 * MCP_TRACE_KEY_WORDS)
/* Argument of mcp_trace_read for events of all groups. */
#define MCP_TRACE_ALL_GROUPS (-1)

/* One cache line, so that writers do not share lines. */
typedef struct mcp_trace_slot {
	/* check of the event number and all words of the event */
	mcp_metrics_word check;
	mcp_metrics_word what;                     /* time in ms: 48 bits, length of the key: 8 */
	mcp_metrics_word who;                      /* process: 32 bits, event code: 8, group: 8 */
	mcp_metrics_word key[MCP_TRACE_KEY_WORDS]; /* see mcp_trace_append_short */
} mcp_trace_slot;

typedef struct mcp_trace {
	mcp_trace_slot slots[MCP_TRACE_EVENTS]; /* first, for short address computations */
	mcp_metrics_word head;                  /* number of the next event */
	mcp_metrics_word begin;                 /* number of the first event that was not cleared */
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

/* Combine process and group, as an event stores them. */
static inline uint64_t mcp_trace_who(uint32_t pid, uint8_t group) {
	return (uint64_t)pid << 32 | group;
}

static inline uint64_t mcp_trace_begin_check(uint64_t what, uint64_t who) {
	return mcp_metrics_mix(mcp_metrics_mix(0, what), who);
}

/* Complete the check with the event number, which distinguishes laps of the ring. The check of an unused slot, which is
 * all zeros, is never valid. */
static inline uint64_t mcp_trace_end_check(uint64_t check, uint64_t number) {
	return check + number + 1;
}

/* Write the words before the key into a slot. Returns their check. */
static inline uint64_t mcp_trace_put_head(mcp_trace_slot *slot, uint64_t who, uint64_t at_ms,
	size_t key_length) {
	uint64_t what = at_ms << 16 | key_length;
	mcp_metrics_put(&slot->what, what);
	mcp_metrics_put(&slot->who, who);
	return mcp_trace_begin_check(what, who);
}

/* Pack 1 to 7 bytes into a number, with some bytes twice. The length determines their positions. */
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
	mcp_metrics_put(&slot->check, mcp_trace_end_check(check, number));
}

#define MCP_TRACE_SHORT_KEY_MAX 16

static inline uint64_t mcp_trace_with_letter(uint64_t who, char letter) {
	return who | (uint64_t)(unsigned char)letter << 8;
}

/* Record an event with a key of 1 to MCP_TRACE_SHORT_KEY_MAX bytes. Every hit calls this function. It reads no byte
 * beyond the key: the slot gets the first 8 and the last 8 bytes, which can overlap. */
MCP_INLINED void mcp_trace_append_short(mcp_trace *trace, uint64_t who, uint64_t at_ms,
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

/* Store the first words of the key, and the last words, which end with the key. These words can overlap. */
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

/* Record an event with a key of more than MCP_TRACE_SHORT_KEY_MAX bytes, truncated. */
MCP_INLINED void mcp_trace_append_long(mcp_trace *trace, uint64_t who, uint64_t at_ms,
	mcp_bytes key) {
	size_t length = key.length < MCP_TRACE_KEY_MAX ? key.length : MCP_TRACE_KEY_MAX;
	uint64_t number = mcp_trace_take_number(trace);
	mcp_trace_slot *slot = mcp_trace_slot_of(trace, number);
	uint64_t check = mcp_trace_put_head(slot, who, at_ms, length);
	check = mcp_trace_put_long_key(slot->key, (const unsigned char *)key.data, length, check);
	mcp_trace_end(slot, check, number);
}

/* Record an event with or without a key. Long keys are truncated. */
void mcp_trace_append(mcp_trace *trace, uint64_t who, uint64_t at_ms, mcp_bytes key);

/* Read the last events of the group, oldest first. Returns their number, at most `most`. */
size_t mcp_trace_read(const mcp_trace *trace, int group, mcp_trace_event *events, size_t most);
/* Remove all events. */
void mcp_trace_clear(mcp_trace *trace);

/* Number of records of each kind. The last record is shared by all names without a record of their own. */
#define MCP_METRICS_GROUPS 129
#define MCP_METRICS_SERVERS 64
#define MCP_METRICS_LOCKS 256
#define MCP_METRICS_SESSIONS 32
#define MCP_METRICS_PROCESSES 256

/* A longer name is truncated and ends with a hash of the whole name. */
#define MCP_METRICS_NAME_MAX MCP_METRICS_TEXT_MAX

/* Beginning of each record. The id is a hash of the name, or 0 if the record is unused. A process that knows the name
 * finds the record, and completes the record if its creator was killed. */
typedef struct mcp_metrics_name {
	mcp_metrics_word id;
	mcp_metrics_text_head head;
	mcp_metrics_word text[MCP_METRICS_NAME_MAX / 8];
	mcp_metrics_word padding[7]; /* padding to whole cache lines */
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
	mcp_metrics_word timed_ns; /* sum of round_trips */
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
	mcp_trace trace;           /* first, for short address computations */
	mcp_metrics_word since_ms; /* Unix time; 0: not started */
	mcp_metrics_word counts[MCP_METRICS_LAST(1, MCP_HOST_COUNTS)];
	mcp_metrics_group groups[MCP_METRICS_GROUPS];
	mcp_metrics_server servers[MCP_METRICS_SERVERS];
	mcp_metrics_lock locks[MCP_METRICS_LOCKS];
	mcp_metrics_session sessions[MCP_METRICS_SESSIONS];
	mcp_rebuilds rebuilds;
	mcp_history history;
	mcp_metrics_word processes[MCP_METRICS_PROCESSES]; /* process ids; 0: free */
} mcp_metrics;

/* Records of one kind, each with a name. */
typedef struct mcp_counted {
	const char *what;  /* "cache": part of metric names */
	const char *label; /* "group": label of the name */
	const mcp_counts *counts;
	size_t start; /* offset of the first record in the metrics, in bytes */
	size_t size;  /* size of a record, in bytes */
	size_t records;
	size_t words;     /* offset of the counts in a record, in bytes */
	size_t first_sum; /* index of the first sum, see mcp_sum */
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

/* True for the shared last record. */
static inline bool mcp_counted_is_rest(const mcp_counted *counted, size_t index) {
	return index == counted->records - 1;
}

/* True if any count of the record is greater than 0. */
bool mcp_counted_has_any(const mcp_counted *counted, const mcp_metrics *metrics, size_t index);

/* Raise the word to `to` if the word is smaller. */
void mcp_metrics_raise(mcp_metrics_word *word, uint64_t to);

/* Set the time at which counting begins, once. */
void mcp_metrics_begin(mcp_metrics *metrics, uint64_t now_ms);

/* Find or create the record of this name. Returns the shared last record if all records are used. Never NULL. */
mcp_metrics_group *mcp_metrics_find_group(mcp_metrics *metrics, mcp_bytes name);
mcp_metrics_server *mcp_metrics_find_server(mcp_metrics *metrics, mcp_bytes address);
mcp_metrics_lock *mcp_metrics_find_lock(mcp_metrics *metrics, mcp_bytes name);
mcp_metrics_session *mcp_metrics_find_session(mcp_metrics *metrics, mcp_bytes prefix);

static inline uint8_t mcp_metrics_group_index(const mcp_metrics *metrics,
	const mcp_metrics_group *group) {
	return (uint8_t)(group - metrics->groups);
}

/* Read a record's name, at most MCP_METRICS_NAME_MAX bytes, into `out`. False if the record is unused or its name is
 * not yet written. */
bool mcp_metrics_read_name(const mcp_metrics_name *name, char *out, size_t *length);

/* Add the duration of a sampled request to the histogram. */
static inline void mcp_metrics_time_answer(mcp_metrics_server *server, uint64_t took_ns) {
	size_t place = mcp_histogram_place(took_ns, MCP_ROUND_TRIPS_FIRST, MCP_ROUND_TRIPS);
	mcp_metrics_add(&server->round_trips[place], 1);
	mcp_metrics_add(&server->timed_ns, took_ns);
}

/* Count the computation of a value that will be stored. */
static inline void mcp_metrics_count_computation(mcp_metrics_group *group, uint64_t took_ms) {
	mcp_metrics_add(&group->compute_times[mcp_histogram_place(took_ms, 0, MCP_COMPUTE_TIMES)], 1);
	mcp_metrics_add(&group->counts[MCP_COUNT_COMPUTATIONS], 1);
	mcp_metrics_add(&group->counts[MCP_COUNT_COMPUTE_MS], took_ms);
}

/* Register the process as counting, once. False if no place is left. */
bool mcp_metrics_enter(mcp_metrics *metrics, uint32_t pid);

/* Reset all counts to 0. Names are kept, because processes have pointers to their records. */
void mcp_metrics_reset(mcp_metrics *metrics, uint64_t now_ms);

/* Sums of all groups, locks, servers and sessions, as samples of the history store them. */

/* Index of the first sum of each kind in a sample. Within a kind, sums are in the order of the counts. */
typedef enum mcp_sum {
	MCP_SUM_OF_CACHES = 0,
	MCP_SUM_OF_LOCKS = MCP_SUM_OF_CACHES + MCP_CACHE_COUNTS,
	MCP_SUM_OF_SERVERS = MCP_SUM_OF_LOCKS + MCP_LOCK_COUNTS,
	MCP_SUM_OF_SESSIONS = MCP_SUM_OF_SERVERS + MCP_SERVER_COUNTS,
} mcp_sum;

/* Store a sample of all counts and the used servers, once per step. Call this before counting an event, so that a
 * sample contains earlier events only. */
void mcp_metrics_sample(mcp_metrics *metrics, uint64_t now_ms);

/* Meter of one cache: the host's metrics and the cache's group in them. A NULL meter counts nothing. */

/* Shared by the meters of one thread. Outlives these meters. */
typedef struct mcp_meters {
	mcp_metrics *metrics; /* NULL: counting is disabled */
	uint64_t who;         /* result of mcp_trace_who, without a group */
} mcp_meters;

/* Line of the trace file, which also receives the event codes of one cache. */
typedef struct mcp_trace_line mcp_trace_line;
struct mcp_trace_line {
	void (*note)(mcp_trace_line *line, char letter);
};

/* Longer than any key. A subtraction of this number from a key's length wraps around, so that a hit needs only 1
 * comparison to decide whether it can record a short name directly. */
#define MCP_METER_NEVER_SHORT (SIZE_MAX / 2)

typedef struct mcp_meter {
	const mcp_meters *meters;
	mcp_metrics_group *group;
	mcp_trace_line *line; /* usually NULL */
	uint64_t index;       /* index of the group; a whole word, because each event contains it */
	size_t scope_length;  /* length of the beginning of each key that only repeats the group */
	/* scope_length without a trace line, otherwise MCP_METER_NEVER_SHORT. */
	size_t short_cut;
} mcp_meter;

static inline void mcp_meter_add(const mcp_meter *meter, mcp_count_of_cache which, uint64_t by) {
	mcp_metrics_add(&meter->group->counts[which], by);
}

/* Counts of one object. They only grow. */
typedef struct mcp_cache_statistics {
	uint64_t counts[MCP_CACHE_COUNTS];
} mcp_cache_statistics;

/* Count in the statistics of the object and, with a meter, of its group. */
static inline void mcp_meter_tally(const mcp_meter *meter, mcp_cache_statistics *own,
	mcp_count_of_cache which, uint64_t by) {
	own->counts[which] += by;
	if (meter != NULL && by > 0) {
		mcp_meter_add(meter, which, by);
	}
}

/* Raise a maximum for the object and its group. */
static inline void mcp_meter_raise(const mcp_meter *meter, mcp_cache_statistics *own,
	mcp_count_of_cache which, uint64_t to) {
	own->counts[which] = own->counts[which] > to ? own->counts[which] : to;
	if (meter != NULL) {
		mcp_metrics_raise(&meter->group->counts[which], to);
	}
}

static inline mcp_trace *mcp_meter_trace(const mcp_meter *meter) {
	return &meter->meters->metrics->trace;
}

/* Returns process, group and event code, as an event stores them. */
static inline uint64_t mcp_meter_who(const mcp_meter *meter, char letter) {
	return mcp_trace_with_letter(meter->meters->who | meter->index, letter);
}

/* Record an event of the key with this user-visible name. */
static inline void mcp_meter_append_event(const mcp_meter *meter, char letter, uint64_t now_ms,
	mcp_bytes name) {
	if (meter->line != NULL) {
		meter->line->note(meter->line, letter);
	}
	mcp_trace_append(mcp_meter_trace(meter), mcp_meter_who(meter, letter), now_ms, name);
}

/* Returns the user-visible name in a key without the pool's prefix. */
static inline mcp_bytes mcp_meter_name(const mcp_meter *meter, mcp_bytes body) {
	size_t skipped = meter->scope_length < body.length ? meter->scope_length : 0;
	return mcp_bytes_of(body.data + skipped, body.length - skipped);
}

#endif
