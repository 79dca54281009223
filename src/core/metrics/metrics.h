/* The numbers that all processes of a host count together: counters, histograms, the strip of events and the dearest
 * keys, in memory that they share. All of it is atomic words that begin as zeroes, so that the memory needs no
 * making, nobody waits for anybody, and a process that is killed at any moment leaves everything readable. No
 * pointers stand in it, and no number of it is believed to be small. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_METRICS_H
#define MCP_CORE_METRICS_H

#include "counts.h"
#include "metrics_histogram.h"
#include "metrics_history.h"
#include "metrics_rebuilds.h"
#include "metrics_state.h"
#include "metrics_trace.h"

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
	mcp_strip strip;           /* first, as each hit computes an address in it */
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

#endif
