/* Meter of one cache: the host's metrics and the cache's group in them. A NULL meter counts nothing. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_METER_H
#define MCP_CORE_METER_H

#include "../compiler.h"
#include "metrics.h"

/* Shared by the meters of one thread. Outlives them. */
typedef struct mcp_meters {
	mcp_metrics *metrics; /* NULL: nothing is counted */
	uint64_t who;         /* from mcp_trace_who, without a group */
} mcp_meters;

/* Line of the trace file, which also receives the event codes of one cache. */
typedef struct mcp_trace_line mcp_trace_line;
struct mcp_trace_line {
	void (*note)(mcp_trace_line *line, char letter);
};

/* Longer than any key. Subtracted from a key's length it wraps around, so that a hit needs only 1 comparison to decide
 * whether it can record a short name directly. */
#define MCP_METER_NEVER_SHORT (SIZE_MAX / 2)

typedef struct mcp_meter {
	const mcp_meters *meters;
	mcp_metrics_group *group;
	mcp_trace_line *line; /* usually NULL */
	uint64_t index;       /* of the group; a whole word, because each event contains it */
	size_t scope_length;  /* length of the beginning of each key that only repeats the group */
	/* scope_length without a line, otherwise MCP_METER_NEVER_SHORT. */
	size_t short_cut;
} mcp_meter;

static inline void mcp_meter_add(const mcp_meter *meter, mcp_count_of_cache which, uint64_t by) {
	mcp_metrics_add(&meter->group->counts[which], by);
}

/* Counts of one object. They only grow. */
typedef struct mcp_cache_statistics {
	uint64_t counts[MCP_CACHE_COUNTS];
} mcp_cache_statistics;

/* Count for the object and, with a meter, for its group. */
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
static inline void mcp_meter_note(const mcp_meter *meter, char letter, uint64_t now_ms,
	mcp_bytes name) {
	if (meter->line != NULL) {
		meter->line->note(meter->line, letter);
	}
	mcp_trace_note(mcp_meter_trace(meter), mcp_meter_who(meter, letter), now_ms, name);
}

/* Returns the user-visible name in a key without the pool's prefix. */
static inline mcp_bytes mcp_meter_name(const mcp_meter *meter, mcp_bytes body) {
	size_t skipped = meter->scope_length < body.length ? meter->scope_length : 0;
	return mcp_bytes_of(body.data + skipped, body.length - skipped);
}

#endif
